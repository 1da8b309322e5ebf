/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_UNIT_FLEET_CLICKHOUSE_FIXTURE_H
#define WPERF_TESTS_UNIT_FLEET_CLICKHOUSE_FIXTURE_H

/**
 * A server of ClickHouse of the test's own: in a temporary folder, on a free port of 127.0.0.1,
 * ended with the test. Include behind cmocka.h.
 */

#include "base/file/memory_stream.h"
#include "base/http/http_request.h"
#include "base/text/string_builder.h"

#include "tests/unit/assert_error.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define CLICKHOUSE_FIXTURE_PROGRAM "/usr/sbin/clickhouse-server"

struct clickhouse_fixture {
	char folder[40];
	unsigned port;
	pid_t pid;
};

/** Is it installed? Debian has it where only root looks. */
static inline bool clickhouse_fixture_is_possible(void)
{
	return access(CLICKHOUSE_FIXTURE_PROGRAM, X_OK) == 0;
}

/** Instead of tests that need it. */
static inline void clickhouse_fixture_is_missing(void **state)
{
	print_message("clickhouse-server is not installed\n");
	skip();
}

static inline unsigned clickhouse_fixture_free_port(void)
{
	struct sockaddr_in address = {.sin_family = AF_INET,
				      .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof(address);
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	assert_true(fd >= 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, size), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &size), 0);
	close(fd);
	return ntohs(address.sin_port);
}

static inline void clickhouse_fixture_write(const struct clickhouse_fixture *fixture,
					    const char *name, const char *text)
{
	char path[80];
	snprintf(path, sizeof(path), "%s/%s", fixture->folder, name);
	FILE *stream = fopen(path, "w");
	assert_non_null(stream);
	fputs(text, stream);
	fclose(stream);
}

static inline void clickhouse_fixture_configure(const struct clickhouse_fixture *fixture)
{
	char text[2000];
	snprintf(text, sizeof(text),
		 "<yandex><logger><level>error</level><log>%s/log</log><errorlog>%s/errors"
		 "</errorlog></logger><http_port>%u</http_port><listen_host>127.0.0.1"
		 "</listen_host><path>%s/data/</path><tmp_path>%s/tmp/</tmp_path>"
		 "<users_config>users.xml</users_config><default_profile>default"
		 "</default_profile><default_database>default</default_database>"
		 "<mark_cache_size>5368709</mark_cache_size></yandex>\n",
		 fixture->folder, fixture->folder, fixture->port, fixture->folder, fixture->folder);
	clickhouse_fixture_write(fixture, "config.xml", text);
	clickhouse_fixture_write(
		fixture, "users.xml",
		"<yandex><profiles><default/><reader><readonly>1</readonly></reader></profiles>"
		"<users><default><password/><networks><ip>127.0.0.1</ip></networks><profile>default"
		"</profile><quota>default</quota></default><reader><password>a b:c@d</password>"
		"<networks><ip>127.0.0.1</ip></networks><profile>reader</profile><quota>default"
		"</quota></reader></users><quotas><default/></quotas></yandex>\n");
}

/** The status of HTTP; 0: nobody answered. @ret: the answer, to be freed; or NULL. */
static inline int clickhouse_fixture_ask(const struct clickhouse_fixture *fixture, const char *path,
					 const char *sql, char **ret)
{
	const struct http_limits limits = {1 << 20, 60000, 60000};
	struct memory_stream into = MEMORY_STREAM_INIT;
	struct http_answer answer = {0};
	char url[100];
	snprintf(url, sizeof(url), "http://127.0.0.1:%u/%s", fixture->port, path);
	assert_no_error(memory_stream_open(&into));
	error_destroy(http_request_send(
		&(struct http_request){.url = url, .body = sql, .body_size = sql ? strlen(sql) : 0},
		&limits, into.stream, &answer));
	assert_no_error(memory_stream_close(&into));
	if (ret)
		*ret = strdup(into.text);
	memory_stream_deinit(&into);
	return answer.status;
}

static inline void clickhouse_fixture_run(const struct clickhouse_fixture *fixture, const char *sql)
{
	char *words;
	if (clickhouse_fixture_ask(fixture, "?wait_end_of_query=1", sql, &words) != 200)
		fail_msg("%s: %s", sql, words);
	free(words);
}

/** Also after clickhouse_fixture_kill(): the data are still there. */
static inline void clickhouse_fixture_start(struct clickhouse_fixture *fixture)
{
	char config[80];
	snprintf(config, sizeof(config), "--config-file=%s/config.xml", fixture->folder);
	fixture->pid = fork();
	if (!fixture->pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (chdir(fixture->folder) || !freopen("output", "w", stdout) ||
		    !freopen("output", "a", stderr))
			_exit(126);
		execl(CLICKHOUSE_FIXTURE_PROGRAM, "clickhouse-server", config, (char *)NULL);
		_exit(127);
	}
	while (clickhouse_fixture_ask(fixture, "ping", NULL, NULL) != 200) {
		assert_int_equal(waitpid(fixture->pid, NULL, WNOHANG), 0);
		usleep(20000);
	}
}

static inline void clickhouse_fixture_create(struct clickhouse_fixture *fixture)
{
	strcpy(fixture->folder, "/tmp/wperf_clickhouse.XXXXXX");
	assert_non_null(mkdtemp(fixture->folder));
	fixture->port = clickhouse_fixture_free_port();
	clickhouse_fixture_configure(fixture);
	clickhouse_fixture_start(fixture);
}

static inline void clickhouse_fixture_kill(struct clickhouse_fixture *fixture)
{
	kill(fixture->pid, SIGKILL);
	waitpid(fixture->pid, NULL, 0);
}

static inline void clickhouse_fixture_destroy(struct clickhouse_fixture *fixture)
{
	char command[60];
	if (!fixture->pid)
		return;
	clickhouse_fixture_kill(fixture);
	snprintf(command, sizeof(command), "rm -r %s", fixture->folder);
	assert_int_equal(system(command), 0);
	*fixture = (struct clickhouse_fixture){.pid = 0};
}

#endif
