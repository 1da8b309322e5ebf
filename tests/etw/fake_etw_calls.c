// SPDX-License-Identifier: Apache-2.0
// The calls of wperf_with_fake_etw, in the place of those of the system. The environment says what
// its Windows is like:
//
//	WPERF_FAKE_ETW_STATE=FILE   the machine is kept there from run to run
//	WPERF_FAKE_ETW_TRACE=FILE   what a session records, a piece with each flush
//	WPERF_FAKE_ETW_CHILD=PID    this process in the trace is the program that wperf starts
//	WPERF_FAKE_ETW_MIDR=NUMBER  its CPU is one of Arm
//	WPERF_FAKE_ETW_PIECES=N     after so many flushes all is there; 8 by default
//	WPERF_FAKE_ETW_FAIL=N:CODE  call number N fails with this error
//	WPERF_FAKE_ETW_LOST=N       so many events are lost
//	WPERF_FAKE_ETW_LOG=FILE     gets a line for each call that changes something
//	WPERF_FAKE_ETW_NO_RIGHTS=1  this user is no administrator
//	WPERF_FAKE_ETW_ABSENT=1     there is no ETW, as in Wine

#include "tests/etw/fake_etw.h"

#include <stdio.h>
#include <stdlib.h>

static void fake_etw_read_trace(struct fake_etw *fake, const char *path)
{
	enum { DEFAULT_PIECES = 8 };
	const char *pieces = getenv("WPERF_FAKE_ETW_PIECES");
	size_t num_pieces = pieces ? strtoull(pieces, NULL, 10) : DEFAULT_PIECES;
	FILE *file = path ? fopen(path, "rb") : NULL;
	if (!file || fseek(file, 0, SEEK_END))
		return;
	fake->trace_size = (size_t)ftell(file);
	rewind(file);
	fake->trace = malloc(fake->trace_size + 1);
	fake->trace_size = fake->trace ? fread(fake->trace, 1, fake->trace_size, file) : 0;
	fake->piece_size = fake->trace_size / (num_pieces ? num_pieces : 1) + 1;
	fclose(file);
}

static void fake_etw_close(void *context)
{
	fake_etw_deinit(context);
	free(context);
}

struct error *etw_calls_open(struct etw_calls *ret)
{
	if (getenv("WPERF_FAKE_ETW_ABSENT"))
		return error_create(ERROR_ABSENT, "this Windows has no ETW");
	struct fake_etw *fake = malloc(sizeof(*fake));
	const char *fail = getenv("WPERF_FAKE_ETW_FAIL"), *lost = getenv("WPERF_FAKE_ETW_LOST");
	if (!fake)
		return &error_no_memory;
	fake_etw_init(fake);
	fake->asks_system = true;
	fake->state_path = getenv("WPERF_FAKE_ETW_STATE");
	fake->log_path = getenv("WPERF_FAKE_ETW_LOG");
	fake->has_no_privilege = getenv("WPERF_FAKE_ETW_NO_RIGHTS");
	fake->events_lost = lost ? (uint32_t)strtoul(lost, NULL, 10) : 0;
	if (fail)
		sscanf(fail, "%u:%u", &fake->fail_at, &fake->fail_code);
	fake_etw_read_trace(fake, getenv("WPERF_FAKE_ETW_TRACE"));
	const char *child = getenv("WPERF_FAKE_ETW_CHILD");
	fake->traced_pid = child ? (uint32_t)strtoul(child, NULL, 10) : 0;
	*ret = fake_etw_calls(fake);
	const char *midr = getenv("WPERF_FAKE_ETW_MIDR");
	ret->midr = midr ? strtoull(midr, NULL, 16) : 0;
	ret->close = fake_etw_close;
	return NULL;
}
