/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_LIB_H
#define WPERF_LIB_H

/**
 * The interface of WindowsPerf's library (3.8.0), for programs that were written for it: they
 * compile unchanged on Windows and Linux. New programs do better with wperf.h.
 *
 * Every call gives false where something failed, or where there is nothing more; wperf_last_error()
 * has the reason. Lists, counts and samples are made by a call whose second argument is NULL; the
 * same call with a place for one item then gives item after item until it returns false:
 *
 *	if (wperf_init() && wperf_stat(&config, NULL))
 *		while (wperf_stat(&config, &item))
 *			...
 *
 * Texts belong to the library, and are valid until the next call with NULL of the same function, or
 * wperf_close(). Each thread goes through the items by itself. The environment variable
 *WPERF_SOURCE says where the numbers come from, as for the program.
 */

#include <stdbool.h>
#include <stdint.h>
#include <wchar.h>

#if defined(_WIN32) && defined(WPERF_LIB_EXPORTS)
#define WPERF_LIB_API __declspec(dllexport)
#elif defined(_WIN32) && !defined(WPERF_LIB_NODLL)
#define WPERF_LIB_API __declspec(dllimport)
#elif defined(__GNUC__) && !defined(_WIN32)
#define WPERF_LIB_API __attribute__((visibility("default")))
#else
#define WPERF_LIB_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define MAX_GITVER_SIZE 32
#define CORE_EVT        1 /* bit of LIST_CONF.list_event_types */

typedef struct _VERSION_INFO {
	unsigned major, minor, patch;
	wchar_t gitver[MAX_GITVER_SIZE];
} VERSION_INFO, *PVERSION_INFO;

typedef struct _LIST_CONF {
	uint64_t list_event_types; /* CORE_EVT */
} LIST_CONF, *PLIST_CONF;

typedef enum _EVT_TYPE {
	CORE_TYPE,
	DSU_TYPE,
	DMC_CLK_TYPE,
	DMC_CLKDIV2_TYPE,
} EVT_TYPE;

typedef struct _EVENT_INFO {
	EVT_TYPE type;
	uint16_t id;
	const wchar_t *name, *desc;
} EVENT_INFO, *PEVENT_INFO;

/** One event of a metric: a metric of three events is three items. */
typedef struct _METRIC_INFO {
	const wchar_t *metric_name;
	uint16_t event_idx;
} METRIC_INFO, *PMETRIC_INFO;

typedef enum _EVT_NOTE_TYPE {
	NORMAL_EVT_NOTE,
	GROUP_EVT_NOTE,
	METRIC_EVT_NOTE,
} EVT_NOTE_TYPE;

typedef struct _GROUP_NOTE {
	uint16_t group_id;
} GROUP_NOTE;

typedef struct _METRIC_NOTE {
	uint16_t group_id;
	const wchar_t *name;
} METRIC_NOTE;

/** Why an event is counted. */
typedef struct _EVENT_NOTE {
	EVT_NOTE_TYPE type;
	union {
		GROUP_NOTE group_note;
		METRIC_NOTE metric_note;
	} note;
} EVENT_NOTE;

typedef struct _GROUP_EVENT_INFO {
	int num_groups;
	int *num_group_events; /* of each group */
	uint16_t **events;
} GROUP_EVENT_INFO;

typedef struct _STAT_CONF {
	int num_cores;
	uint8_t *cores;
	int num_events;
	uint16_t *events;
	GROUP_EVENT_INFO group_events;
	int num_metrics;
	const wchar_t **metric_events;
	double duration; /* in seconds; 0 and less: without an end */
	bool kernel_mode;
	long period; /* of multiplexing, in milliseconds */
	bool timeline;
	int count_timeline;                          /* how many counts; 0: without an end */
	double counting_interval;                    /* seconds between two of them */
	const wchar_t *pe_file, *record_commandline; /* a program that is started; or NULL */
	uint32_t record_spawn_delay;                 /* in milliseconds */
} STAT_CONF, *PSTAT_CONF;

typedef struct _STAT_INFO {
	uint8_t core_idx;
	uint64_t counter_value;
	uint16_t event_idx; /* 0xffff: the cycle counter */
	uint64_t multiplexed_scheduled, multiplexed_round;
	uint64_t scaled_value;
	EVENT_NOTE evt_note;
} STAT_INFO, *PSTAT_INFO;

typedef struct _SAMPLE_CONF {
	const wchar_t *pe_file, *pdb_file, *image_name;
	uint8_t core_idx;
	int num_events;
	uint16_t *events;
	uint32_t *intervals; /* of each event */
	bool display_short;
	double duration; /* in seconds; 0 and less: without an end */
	bool kernel_mode, annotate;
	bool record; /* the program is started */
	const wchar_t *record_commandline;
	uint32_t record_spawn_delay; /* in milliseconds */
	bool export_perf_data;       /* as perf.data in the current folder */
} SAMPLE_CONF, *PSAMPLE_CONF;

typedef struct _SAMPLE_INFO {
	uint16_t event;
	const wchar_t *symbol;
	uint32_t count;
	double overhead; /* in percent of the event's samples */
} SAMPLE_INFO, *PSAMPLE_INFO;

typedef struct _ANNOTATE_INFO {
	uint16_t event;
	const wchar_t *symbol, *source_file;
	uint32_t line_number;
	uint64_t hits;
} ANNOTATE_INFO, *PANNOTATE_INFO;

typedef struct _SAMPLE_STATS {
	uint64_t sample_generated, sample_dropped;
} SAMPLE_STATS, *PSAMPLE_STATS;

typedef struct _TEST_CONF {
	int num_events;
	uint16_t *events;
	int num_metrics;
	const wchar_t **metric_events;
} TEST_CONF, *PTEST_CONF;

typedef enum _RESULT_TYPE {
	NUM_RESULT,
	BOOL_RESULT,
	EVT_NOTE_RESULT,
	WSTRING_RESULT,
} RESULT_TYPE;

/** The peer's header names this type without saying what is in it, which only MSVC takes. */
enum evt_type {
	EVT_NORMAL,
	EVT_GROUPED,
	EVT_METRIC_NORMAL,
	EVT_METRIC_GROUPED,
	EVT_PADDING,
	EVT_HDR,
};

typedef struct _TEST_INFO {
	const wchar_t *name;
	RESULT_TYPE type; /* which of these it is */
	union {
		uint64_t num_result;
		bool bool_result;
		const wchar_t *wstring_result;
		struct {
			uint16_t index;
			enum evt_type type;
		} evt_note_result;
	};
} TEST_INFO, *PTEST_INFO;

/** Open the source. A second call does nothing. */
WPERF_LIB_API bool wperf_init(void);
/** Close it, and forget all results. A second call does nothing. */
WPERF_LIB_API bool wperf_close(void);
/** The names of files that are written, on standard output. */
WPERF_LIB_API bool wperf_set_verbose(bool do_verbose);
/** Of the driver, or of what stands in for it. */
WPERF_LIB_API bool wperf_driver_version(PVERSION_INFO driver_ver);
/** Of the library; before wperf_init(), too. */
WPERF_LIB_API bool wperf_version(PVERSION_INFO wperf_ver);

WPERF_LIB_API bool wperf_list_events(PLIST_CONF list_conf, PEVENT_INFO event_info);
WPERF_LIB_API bool wperf_list_num_events(PLIST_CONF list_conf, int *num_events);
WPERF_LIB_API bool wperf_list_metrics(PLIST_CONF list_conf, PMETRIC_INFO metric_info);
WPERF_LIB_API bool wperf_list_num_metrics(PLIST_CONF list_conf, int *num_metrics);
/** How many items wperf_list_metrics() has: pairs of a metric and an event. */
WPERF_LIB_API bool wperf_list_num_metrics_events(PLIST_CONF list_conf, int *num_metrics_events);

WPERF_LIB_API bool wperf_stat(PSTAT_CONF stat_conf, PSTAT_INFO stat_info);
WPERF_LIB_API bool wperf_sample(PSAMPLE_CONF sample_conf, PSAMPLE_INFO sample_info);
/** After wperf_sample(sample_conf, NULL) with annotate. */
WPERF_LIB_API bool wperf_sample_annotate(PSAMPLE_CONF sample_conf, PANNOTATE_INFO annotate_info);
/** Of the last run. */
WPERF_LIB_API bool wperf_sample_stats(PSAMPLE_CONF sample_conf, PSAMPLE_STATS sample_stats);
WPERF_LIB_API bool wperf_num_cores(int *num_cores);
WPERF_LIB_API bool wperf_test(PTEST_CONF test_conf, PTEST_INFO test_info);

/** Why the last call of this thread gave false; NULL: it did not, or there was nothing more. */
WPERF_LIB_API const wchar_t *wperf_last_error(void);

#ifdef __cplusplus
}
#endif

#endif
