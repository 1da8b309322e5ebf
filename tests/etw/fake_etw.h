/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_ETW_FAKE_ETW_H
#define WPERF_TESTS_ETW_FAKE_ETW_H

/**
 * A Windows that has ETW, for tests on any system: sessions, profile sources and their intervals,
 * behind the calls of source/etw/etw_calls.h. A session's file is a copy of @trace that grows by a
 * piece with each flush.
 */

#include "base/text/string_builder.h"
#include "source/etw/etw_calls.h"

enum {
	FAKE_ETW_MAX_SOURCES = 16,
	FAKE_ETW_MAX_SESSIONS = 4,
	FAKE_ETW_PATH = 1024,
	FAKE_ETW_WORDS = 64,
};

struct fake_etw_source {
	uint32_t id, min, max, interval;
	uint8_t event[8];
	char name[128]; /* "": there is none */
};

struct fake_etw_session {
	uint32_t number; /* 0: there is none */
	char name[128], file[FAKE_ETW_PATH];
	struct etw_guid guid;
	uint32_t masks[ETW_NUM_MASKS];
	uint64_t written; /* bytes of the trace */
};

/** What outlives the process. */
struct fake_etw_machine {
	struct fake_etw_source sources[FAKE_ETW_MAX_SOURCES];
	struct fake_etw_session sessions[FAKE_ETW_MAX_SESSIONS];
	uint32_t sampled[FAKE_ETW_WORDS], num_sampled;
	uint32_t max_counters;
	struct etw_counter_owner owners[4];
	uint32_t num_owners;
};

struct fake_etw {
	struct fake_etw_machine machine;
	bool has_no_privilege, is_old; /* without ETW_CLASS_MAX_COUNTERS and later ones */
	bool asks_system;              /* which processes run; else only the one of @calls */
	bool is_dead;                  /* that of @calls */
	uint64_t other_birth;          /* another process that runs, number 77; 0: none */
	/** The call of this number, from 1 on, fails; 0: none. And all after it, if @fails_on. */
	uint32_t num_calls, fail_at, fail_code;
	bool fails_on;
	struct string_builder log; /* of calls that change something, a line each */
	const char *state_path;    /* keeps the machine; or NULL */
	const char *log_path;      /* or NULL */
	char *trace;
	size_t trace_size, piece_size;
	uint32_t traced_pid;  /* in the trace: the first child of this process, when a session
				 starts;  0: the trace is as it is */
	uint32_t events_lost; /* what the end of a session says */
};

/** A machine with a timer and five sources of the CPU. */
void fake_etw_init(struct fake_etw *fake);
void fake_etw_deinit(struct fake_etw *fake);

/** @fake: must outlive them. */
struct etw_calls fake_etw_calls(struct fake_etw *fake);

/** NULL if there is none. */
struct fake_etw_source *fake_etw_source(struct fake_etw *fake, uint32_t id);
size_t fake_etw_num_sessions(const struct fake_etw *fake);

#endif
