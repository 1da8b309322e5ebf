// SPDX-License-Identifier: Apache-2.0

// A program that knows wperf.h alone, in C and C++: what a simulated machine is, has and counts.

#include <wperf.h>

#include <stdio.h>

static int client_fail(struct wperf_error *error)
{
	fprintf(stderr, "%s\n", wperf_error_message(error));
	wperf_error_free(error);
	return 1;
}

static void client_list(const struct wperf_session *session)
{
	struct wperf_machine machine;
	wperf_session_machine(session, &machine);
	printf("libwperf %s: %s, %u cores\n", wperf_library_version(), machine.cpu,
	       machine.num_cores);
	struct wperf_event event;
	unsigned num = 0;
	bool has_loads = false;
	for (; wperf_session_event_at(session, num, &event); num++)
		has_loads = has_loads || (event.code == 0x70 && event.name[0] == 'l');
	printf("%u events, loads: %s\n", num, has_loads ? "yes" : "no");
}

static struct wperf_error *client_count(struct wperf_count *count)
{
	struct wperf_error *error = wperf_count_start(count);
	if (!error)
		error = wperf_count_wait(count, 100000000, NULL);
	if (!error)
		error = wperf_count_stop(count);
	if (!error)
		error = wperf_count_read(count);
	double loads = 0;
	if (!error && wperf_count_value(count, "ld_spec", &loads))
		printf("ld_spec %.0f\n", loads);
	return error;
}

int main(void)
{
	struct wperf_session_config config = WPERF_SESSION_CONFIG_INIT;
	config.source = "sim,cpu=neoverse-v1";
	struct wperf_session *session;
	struct wperf_error *error = wperf_session_open(&config, &session);
	if (error)
		return client_fail(error);
	client_list(session);

	struct wperf_count_config wanted = WPERF_COUNT_CONFIG_INIT;
	wanted.events = "ld_spec,inst_spec";
	wanted.cores = "0";
	struct wperf_count *count = NULL;
	error = wperf_count_open(session, &wanted, &count);
	if (!error)
		error = client_count(count);
	wperf_count_close(count);
	wperf_session_close(session);
	if (error)
		return client_fail(error);

	config.source = "no such source";
	error = wperf_session_open(&config, &session);
	printf("%d: %s\n", (int)wperf_error_kind_of(error), wperf_error_message(error));
	wperf_error_free(error);
	return 0;
}
