// SPDX-License-Identifier: Apache-2.0
// The structs lie as MSVC lays out those of WindowsPerf's library, for programs that are not
// compiled anew; on Linux, where wchar_t and long are larger, as its compilers would. Compiled,
// never run.

#include "wperf-lib.h"

#include <stddef.h>

#ifdef _WIN32
#define SIZE(windows, linux) (windows)
#else
#define SIZE(windows, linux) (linux)
#endif
#define IS_SIZE(type, size) _Static_assert(sizeof(type) == (size), "the size of " #type)
#define IS_AT(type, member, offset) \
	_Static_assert(offsetof(type, member) == (offset), #type "." #member)

IS_SIZE(VERSION_INFO, SIZE(76, 140));
IS_AT(VERSION_INFO, gitver, 12);
IS_SIZE(LIST_CONF, 8);
IS_SIZE(EVENT_INFO, 24);
IS_AT(EVENT_INFO, id, 4);
IS_AT(EVENT_INFO, name, 8);
IS_AT(EVENT_INFO, desc, 16);
IS_SIZE(METRIC_INFO, 16);
IS_AT(METRIC_INFO, event_idx, 8);
IS_SIZE(GROUP_NOTE, 2);
IS_SIZE(METRIC_NOTE, 16);
IS_AT(METRIC_NOTE, name, 8);
IS_SIZE(EVENT_NOTE, 24);
IS_AT(EVENT_NOTE, note, 8);
IS_SIZE(GROUP_EVENT_INFO, 24);
IS_SIZE(STAT_CONF, SIZE(128, 136));
IS_AT(STAT_CONF, cores, 8);
IS_AT(STAT_CONF, events, 24);
IS_AT(STAT_CONF, group_events, 32);
IS_AT(STAT_CONF, num_metrics, 56);
IS_AT(STAT_CONF, metric_events, 64);
IS_AT(STAT_CONF, duration, 72);
IS_AT(STAT_CONF, kernel_mode, 80);
IS_AT(STAT_CONF, period, SIZE(84, 88));
IS_AT(STAT_CONF, timeline, SIZE(88, 96));
IS_AT(STAT_CONF, count_timeline, SIZE(92, 100));
IS_AT(STAT_CONF, counting_interval, SIZE(96, 104));
IS_AT(STAT_CONF, pe_file, SIZE(104, 112));
IS_AT(STAT_CONF, record_commandline, SIZE(112, 120));
IS_AT(STAT_CONF, record_spawn_delay, SIZE(120, 128));
IS_SIZE(STAT_INFO, 72);
IS_AT(STAT_INFO, counter_value, 8);
IS_AT(STAT_INFO, event_idx, 16);
IS_AT(STAT_INFO, multiplexed_scheduled, 24);
IS_AT(STAT_INFO, scaled_value, 40);
IS_AT(STAT_INFO, evt_note, 48);
IS_SIZE(TEST_CONF, 32);
IS_AT(TEST_CONF, metric_events, 24);
IS_SIZE(TEST_INFO, 24);
IS_AT(TEST_INFO, type, 8);
IS_AT(TEST_INFO, num_result, 16);
IS_AT(TEST_INFO, evt_note_result.type, 20);
IS_SIZE(SAMPLE_CONF, 88);
IS_AT(SAMPLE_CONF, core_idx, 24);
IS_AT(SAMPLE_CONF, num_events, 28);
IS_AT(SAMPLE_CONF, intervals, 40);
IS_AT(SAMPLE_CONF, display_short, 48);
IS_AT(SAMPLE_CONF, duration, 56);
IS_AT(SAMPLE_CONF, kernel_mode, 64);
IS_AT(SAMPLE_CONF, annotate, 65);
IS_AT(SAMPLE_CONF, record, 66);
IS_AT(SAMPLE_CONF, record_commandline, 72);
IS_AT(SAMPLE_CONF, record_spawn_delay, 80);
IS_AT(SAMPLE_CONF, export_perf_data, 84);
IS_SIZE(SAMPLE_INFO, 32);
IS_AT(SAMPLE_INFO, count, 16);
IS_AT(SAMPLE_INFO, overhead, 24);
IS_SIZE(ANNOTATE_INFO, 40);
IS_AT(ANNOTATE_INFO, source_file, 16);
IS_AT(ANNOTATE_INFO, line_number, 24);
IS_AT(ANNOTATE_INFO, hits, 32);
IS_SIZE(SAMPLE_STATS, 16);
