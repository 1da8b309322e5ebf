// SPDX-License-Identifier: Apache-2.0

#include "base/os/interrupt.h"
#include "base/text/byte_size.h"
#include "base/thread/wake_event.h"
#include "cli/command.h"
#include "cli/option/options.h"
#include "fleet/store/store_ops.h"
#include "server/server.h"

#include <inttypes.h>
#include <stdio.h>

// zlib and SQLite have sizes of 32 bits. A thousand hosts bring about 7 MB a second.
enum {
	CMD_SERVE_USUAL_REQUEST = 16 << 20,
	CMD_SERVE_USUAL_BYTE_RATE = 64 << 20,
	CMD_SERVE_MAX_SIZE = 256 << 20,
};
enum { CMD_SERVE_USUAL_REQUEST_S = 30 };
#define CMD_SERVE_LEAST_NS (STORE_SECOND_NS / 1000) // of a query
#define CMD_SERVE_MAX_NS   (3600 * (uint64_t)STORE_SECOND_NS)

/** @ret: unchanged if the option is not there. */
static struct error *cmd_serve_size(const char *option, const char *words, uint64_t *ret)
{
	if (!words)
		return NULL;
	if (byte_size_parse(words, ret) && *ret && *ret <= CMD_SERVE_MAX_SIZE)
		return NULL;
	return error_with_hint(error_create(ERROR_USAGE, "%s: not a size: '%s'", option, words),
			       "give a number of bytes up to 256M: 500k, 16M");
}

static struct error *cmd_serve_check_time(const char *option, uint64_t time_ns, uint64_t least_ns)
{
	if (time_ns >= least_ns && time_ns <= CMD_SERVE_MAX_NS)
		return NULL;
	struct error *err = error_create(ERROR_USAGE, "%s: too %s", option,
					 time_ns < least_ns ? "short" : "long");
	return time_ns < least_ns ? error_with_hint(err, "give %g s at least: 30s, 5m",
						    (double)least_ns / STORE_SECOND_NS)
				  : error_with_hint(err, "give an hour at most: 30s, 5m");
}

static struct error *cmd_serve_times(const struct options *options, struct server_config *config)
{
	uint64_t request_ns = options->max_request_time_ns == DURATION_NONE
				      ? CMD_SERVE_USUAL_REQUEST_S * (uint64_t)STORE_SECOND_NS
				      : options->max_request_time_ns;
	struct error *err = cmd_serve_check_time("--max-request-time", request_ns, STORE_SECOND_NS);
	if (!err)
		err = cmd_serve_check_time("--query-time", options->query_ns, CMD_SERVE_LEAST_NS);
	config->request_s = (uint32_t)(request_ns / STORE_SECOND_NS);
	config->query_ns = options->query_ns;
	return err;
}

static struct error *cmd_serve_print_token(const char *words)
{
	_cleanup_free_ char *token = NULL, *line = NULL;
	struct error *err = server_new_token(words, &token, &line);
	if (err)
		return err;
	printf("token: %s\nline for the file of --tokens:\n%s\n", token, line);
	return NULL;
}

static void cmd_serve_print_init(const char *place, const struct store_versions *versions)
{
	if (versions->before == versions->now)
		printf("%s: the tables are there already (version %" PRIu64 ")\n", place,
		       versions->now);
	else if (!versions->before)
		printf("%s: made the tables (version %" PRIu64 ")\n", place, versions->now);
	else
		printf("%s: migrated the tables from version %" PRIu64 " to %" PRIu64 "\n", place,
		       versions->before, versions->now);
}

static struct error *cmd_serve_run(const struct server_config *config)
{
	_cleanup_(server_stopp) struct server *server = NULL;
	struct error *err = server_start(config, &server);
	if (err)
		return err;
	printf("wperf serve: %s, store %s\n", server_address(server), server_place(server));
	fflush(stdout); // who started it waits for this line
	return server_wait(server);
}

static uint64_t cmd_serve_keep(uint64_t said_ns, uint64_t usual_ns)
{
	return said_ns == DURATION_NONE ? usual_ns : said_ns;
}

struct error *command_serve(const struct options *options, int *ret_exit)
{
	_cleanup_(wake_event_deinit) struct wake_event reread = WAKE_EVENT_INIT;
	struct server_config config = {
		.place = options->store,
		.listen = options->listen,
		.tokens = options->tokens,
		.is_insecure = options->insecure,
		.max_per_address = options->max_per_address,
		.max_request = CMD_SERVE_USUAL_REQUEST,
		.max_byte_rate = CMD_SERVE_USUAL_BYTE_RATE,
		.max_rate = options->max_rate,
		.max_services = options->max_services,
		.max_labels = options->max_labels,
		.keep_ns = cmd_serve_keep(options->keep_ns, STORE_KEEP_WINDOWS_NS),
		.keep_hours_ns = cmd_serve_keep(options->keep_hours_ns, STORE_KEEP_HOURS_NS),
		.reread = &reread,
		.log = stderr,
	};
	if (options->new_token)
		return cmd_serve_print_token(options->new_token);
	if (options->init)
		return server_init_stores(&config, cmd_serve_print_init);
	struct error *err =
		cmd_serve_size("--max-request", options->max_request, &config.max_request);
	if (!err)
		err = cmd_serve_size("--max-byte-rate", options->max_byte_rate,
				     &config.max_byte_rate);
	if (!err)
		err = cmd_serve_times(options, &config);
	if (!err)
		err = wake_event_init(&reread);
	if (!err)
		err = interrupt_install();
	if (err)
		return err;
	interrupt_use_hangup(&reread);
	err = cmd_serve_run(&config);
	interrupt_use_hangup(NULL);
	return err;
}
