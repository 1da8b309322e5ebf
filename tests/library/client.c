// SPDX-License-Identifier: Apache-2.0

// A program that knows wperf.h alone, in C and C++: what a simulated machine is and has.

#include <wperf.h>

#include <stdio.h>

static int client_fail(struct wperf_error *error)
{
	fprintf(stderr, "%s\n", wperf_error_message(error));
	wperf_error_free(error);
	return 1;
}

int main(void)
{
	struct wperf_session_config config = WPERF_SESSION_CONFIG_INIT;
	config.source = "sim,cpu=neoverse-v1";
	struct wperf_session *session;
	struct wperf_error *error = wperf_session_open(&config, &session);
	if (error)
		return client_fail(error);
	struct wperf_machine machine;
	wperf_session_machine(session, &machine);
	printf("libwperf %s: %s, %u cores\n", wperf_library_version(), machine.cpu,
	       machine.num_cores);
	wperf_session_close(session);

	config.source = "no such source";
	error = wperf_session_open(&config, &session);
	printf("%d: %s\n", (int)wperf_error_kind_of(error), wperf_error_message(error));
	wperf_error_free(error);
	return 0;
}
