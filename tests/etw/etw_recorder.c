// SPDX-License-Identifier: Apache-2.0
// etw_recorder FILE: starts a session that changes every kind of setting, prints "ready", and stops
// the session at the end of its input.

#include "source/etw/etw_calls.h"
#include "source/etw/etw_session.h"

#include <stdio.h>

int main(int argc, char **argv)
{
	_cleanup_(etw_calls_close) struct etw_calls calls = ETW_CALLS_INIT;
	_cleanup_(etw_session_destroyp) struct etw_session *session = NULL;
	struct etw_source own;
	const struct etw_sampled sampled[] = {{ETW_SOURCE_TIMER, 1221}, {2, 5000}};
	struct etw_session_plan plan = {
		.path = argc > 1 ? argv[1] : "", .sampled = sampled, .num_sampled = 2};
	struct error *err = etw_calls_open(&calls);
	if (!err)
		err = etw_sources_register(&calls, 0x81, "ld_spec", 65536, &own);
	if (!err)
		err = etw_session_start(&calls, &plan, &session);
	if (!err) {
		puts("ready");
		fflush(stdout);
		getchar();
		err = etw_sources_unregister(&calls, own.id);
	}
	if (!err)
		return 0;
	fprintf(stderr, "%s\n", err->message);
	error_destroy(err);
	return 1;
}
