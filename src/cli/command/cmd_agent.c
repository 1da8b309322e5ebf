// SPDX-License-Identifier: Apache-2.0
// `agent`: what src/agent/ does, with the words of the user, the signals of the process, and its
// notes on standard error.

#include "agent/agent.h"

#include "base/cleanup.h"
#include "base/container/arena.h"
#include "base/container/array.h"
#include "base/http/bearer_token.h"
#include "base/os/environment.h"
#include "base/os/host.h"
#include "base/os/interrupt.h"
#include "base/os/privileges.h"
#include "base/text/number.h"
#include "base/text/real_number.h"
#include "base/thread/wake_event.h"
#include "cli/command.h"
#include "cli/option/option_sampling.h"
#include "cli/option/options.h"
#include "cli/option/stored/stored_choice.h"
#include "report/notes/diagnostics.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_FREQUENCY = 19 };

#define CMD_AGENT_SECOND_NS   UINT64_C(1000000000)
#define CMD_AGENT_WINDOW_NS   (60 * CMD_AGENT_SECOND_NS)
#define CMD_AGENT_SPOOL_BYTES (UINT64_C(256) << 20)
// For what waits at the end: a service manager waits longer. --once has nothing else to do.
#define CMD_AGENT_END_NS  (5 * CMD_AGENT_SECOND_NS)
#define CMD_AGENT_ONCE_NS (60 * CMD_AGENT_SECOND_NS)

// What tables for unwinding, and names of functions, are made of.
#define CMD_AGENT_TABLE_BYTES (UINT64_C(2) << 20)
#define CMD_AGENT_FILE_BYTES  (UINT64_C(16) << 20)

struct cmd_agent_run {
	struct options options; /* a copy, with what is an agent's own default */
	struct arena arena;
	struct sample_request asked;
	struct session session;
	struct sample_setup setup;
	struct spool *spool;
	struct agent_config config;
	struct agent *agent;
	struct wake_event reread; /* of the files of rules: SIGHUP */
};

static void cmd_agent_deinit(struct cmd_agent_run *run)
{
	agent_destroy(run->agent);
	interrupt_uninstall();
	wake_event_deinit(&run->reread);
	sample_setup_deinit(&run->setup);
	session_close(&run->session);
	spool_close(run->spool);
	arena_deinit(&run->arena);
}

static struct error *cmd_agent_check_words(const struct options *options)
{
	if (!options->server && !options->spool)
		return error_with_hint(error_create(ERROR_USAGE, "missing server"),
				       "name it with --server http://HOST:4318, or a folder for "
				       "batches with --spool");
	if (options->arguments.num_items)
		return error_create(ERROR_USAGE, "unexpected word '%s'",
				    options->arguments.items[0]);
	if (options->token_file && !options->server)
		return error_create(ERROR_USAGE, "--token-file is about a server: --server");
	return NULL;
}

/** @ret: the arena's; NULL without a server. */
static struct error *cmd_agent_url(struct cmd_agent_run *run, const char **ret)
{
	const char *server = run->options.server;
	if (!server)
		return NULL;
	const char *host = strstr(server, "://");
	bool is_http = strncmp(server, "http://", strlen("http://")) == 0 ||
		       strncmp(server, "https://", strlen("https://")) == 0;
	for (const char *c = server; *c; c++)
		is_http = is_http && isgraph((unsigned char)*c);
	if (!is_http || !host[strlen("://")])
		return error_with_hint(error_create(ERROR_USAGE, "not a server: '%s'", server),
				       "write http://HOST:4318 or https://HOST");
	const char *path = strchr(host + strlen("://"), '/');
	bool has_path = path && path[1];
	*ret = has_path ? server
			: arena_printf(&run->arena, "%s%sv1development/profiles", server,
				       path ? "" : "/");
	return *ret ? NULL : &error_no_memory;
}

static struct error *cmd_agent_bytes(const char *text, uint64_t *ret)
{
	static const struct {
		char letter;
		unsigned shift;
	} units[] = {{'K', 10}, {'M', 20}, {'G', 30}};
	size_t length = text ? strlen(text) : 0;
	unsigned shift = 0;
	*ret = CMD_AGENT_SPOOL_BYTES;
	if (!text)
		return NULL;
	for (size_t i = 0; length && i < ARRAY_SIZE(units); i++)
		if (toupper((unsigned char)text[length - 1]) == units[i].letter)
			shift = units[i].shift;
	if (number_parse_decimal(text, length - (shift != 0), ret) != NUMBER_OK ||
	    *ret > UINT64_MAX >> shift || !*ret)
		return error_with_hint(error_create(ERROR_USAGE, "--spool-size: not a size: '%s'",
						    text),
				       "write bytes, or 64K, 256M, 1G");
	*ret <<= shift;
	return NULL;
}

static struct error *cmd_agent_probability(const char *text, double *ret)
{
	char *end;
	*ret = 1;
	if (!text)
		return NULL;
	*ret = real_number_parse(text, &end);
	if (end != text && !*end && *ret > 0 && *ret <= 1)
		return NULL;
	return error_with_hint(error_create(ERROR_USAGE, "--probability: not a probability: '%s'",
					    text),
			       "write a number above 0, at most 1: 0.1 samples one window in ten");
}

/** Where batches wait if the user does not say. @ret: the arena's. */
static struct error *cmd_agent_spool(struct cmd_agent_run *run, const char **ret)
{
	_cleanup_free_ char *state = NULL;
	*ret = run->options.spool;
	if (*ret)
		return NULL;
	struct error *err = environment_state_folder(&state);
	if (err)
		return err;
	if (!state)
		return error_with_hint(error_create(ERROR_USAGE, "no folder for batches that wait"),
				       "name one with --spool");
	*ret = arena_printf(&run->arena, "%s/spool", state);
	return *ret ? NULL : &error_no_memory;
}

/** --label and --host, and what describes this machine. */
static struct error *cmd_agent_labels(struct cmd_agent_run *run)
{
	struct host host = host_read();
	struct fleet_label *given;
	size_t num;
	struct error *err = stored_choice_labels(&run->options, &run->arena, &given, &num);
	if (err)
		return err;
	const struct fleet_label more[] = {{(char *)"host.name", host.name},
					   {(char *)"host.arch", host.machine}};
	struct fleet_label *labels =
		arena_alloc_array(&run->arena, num + ARRAY_SIZE(more), sizeof(*labels));
	if (!labels)
		return &error_no_memory;
	for (size_t i = 0; i < ARRAY_SIZE(more); i++) {
		labels[i].key = more[i].key;
		labels[i].value = arena_strdup(&run->arena, more[i].value);
		if (!labels[i].value)
			return &error_no_memory;
	}
	// Of one key the last counts: that of the user.
	memcpy(labels + ARRAY_SIZE(more), given, num * sizeof(*given));
	run->config.labels = labels;
	run->config.num_labels = num + ARRAY_SIZE(more);
	return NULL;
}

/** WPERF_TOKEN cannot become right while the agent runs; a file of --token-file can. */
static struct error *cmd_agent_check_token(const struct agent_config *config)
{
	_cleanup_free_ char *token = NULL;
	return config->url && config->token && !config->token_file
		       ? bearer_token_take("WPERF_TOKEN", config->token, &token)
		       : NULL;
}

static struct error *cmd_agent_configure(struct cmd_agent_run *run, const char **ret_spool,
					 uint64_t *ret_bytes)
{
	const struct options *options = &run->options;
	struct agent_config *config = &run->config;
	*config = (struct agent_config){
		.setup = &run->setup,
		.token_file = options->token_file,
		.token = options->token && *options->token ? options->token : NULL,
		.rules = options->service_rules.items,
		.num_rules = options->service_rules.num_items,
		.rules_file = options->service_rules_file,
		.window_ns = options->window_ns == DURATION_NONE ? CMD_AGENT_WINDOW_NS
								 : options->window_ns,
		.budget = options->budget,
		.is_once = options->once,
		.is_verbose = options->verbose,
	};
	struct error *err = cmd_agent_check_words(options);
	if (!err)
		err = cmd_agent_url(run, &config->url);
	if (!err)
		err = cmd_agent_check_token(config);
	if (!err)
		err = cmd_agent_bytes(options->spool_size, ret_bytes);
	if (!err)
		err = cmd_agent_probability(options->probability, &config->probability);
	if (!err)
		err = cmd_agent_spool(run, ret_spool);
	return err ? err : cmd_agent_labels(run);
}

static struct error *cmd_agent_open_sampling(struct cmd_agent_run *run)
{
	struct options *options = &run->options;
	// The whole machine, where the user names no process: then no source stands in that has
	// only some.
	options->system_wide = !options->pids;
	options->callers = true;
	// Kernel threads, and what programs spend in the kernel, are a part of the machine.
	options->kernel = options->kernel || privileges_are_root();
	if (!options->frequency)
		options->frequency = DEFAULT_FREQUENCY;
	run->asked = options_sample_request(options, false);
	run->asked.with_spe = false;
	run->asked.tries_interpreted = true;
	run->asked.without_lines = !options->lines;
	run->asked.max_table_bytes = CMD_AGENT_TABLE_BYTES;
	if (!options->lines)
		run->asked.max_file_bytes = CMD_AGENT_FILE_BYTES;
	struct error *err = open_sample_setup(options, &run->asked, &run->session, &run->setup);
	run->setup.config.plan.can_pause = run->config.probability < 1;
	return err ? err : finish_sample_setup(options, &run->setup);
}

static struct error *cmd_agent_prepare(struct cmd_agent_run *run)
{
	const char *folder = NULL;
	uint64_t max_bytes = 0;
	struct error *err = cmd_agent_configure(run, &folder, &max_bytes);
	if (!err)
		err = cmd_agent_open_sampling(run);
	if (!err)
		err = spool_open(folder, max_bytes, &run->spool);
	run->config.spool = run->spool;
	if (!err)
		err = interrupt_install();
	if (!err)
		err = wake_event_init(&run->reread);
	if (!err)
		interrupt_use_hangup(&run->reread);
	return err ? err : agent_create(&run->config, &run->agent);
}

static void cmd_agent_print_notes(struct cmd_agent_run *run)
{
	const char *notes = agent_notes(run->agent);
	if (*notes && !run->options.quiet)
		diagnostics_print_notes(notes, stderr);
}

/** After a SIGHUP. */
static struct error *cmd_agent_reread(struct cmd_agent_run *run)
{
	enum interrupt_wake wake;
	struct error *err = interrupt_wait(run->reread.fd, 0, &wake);
	if (err || wake != INTERRUPT_WAKE_READY)
		return err;
	wake_event_clear(&run->reread);
	return agent_reload(run->agent);
}

static struct error *cmd_agent_loop(struct cmd_agent_run *run)
{
	struct error *err = agent_begin(run->agent);
	bool is_over = false;
	while (!err && !is_over && !interrupt_requested()) {
		err = agent_round(run->agent, &is_over);
		if (!err)
			err = cmd_agent_reread(run);
		cmd_agent_print_notes(run);
	}
	return err;
}

/** What was not sent is in the spool, and the next agent sends it: an error only with --once. */
static struct error *cmd_agent_finish(struct cmd_agent_run *run)
{
	bool is_sent;
	const char *reason;
	bool is_once = run->options.once;
	struct error *err = agent_end(run->agent, is_once ? CMD_AGENT_ONCE_NS : CMD_AGENT_END_NS,
				      &is_sent, &reason);
	cmd_agent_print_notes(run);
	if (err || is_sent)
		return err;
	uint64_t num_waiting = spool_totals(run->spool).num_waiting;
	err = error_create(ERROR_FAILED, "cannot send to %s: %s", run->config.url, reason);
	err = error_with_hint(err, "%" PRIu64 " requests wait in '%s'; the next agent sends them",
			      num_waiting, spool_folder(run->spool));
	if (is_once)
		return err;
	if (!run->options.quiet)
		fprintf(stderr, "warning: %s; %s\n", err->message, err->hint);
	error_destroy(err);
	return NULL;
}

struct error *command_agent(const struct options *options, int *ret_exit)
{
	_cleanup_(cmd_agent_deinit) struct cmd_agent_run run = {.options = *options,
								.reread = WAKE_EVENT_INIT};
	struct error *err = cmd_agent_prepare(&run);
	if (!err)
		err = cmd_agent_loop(&run);
	return err ? err : cmd_agent_finish(&run);
}
