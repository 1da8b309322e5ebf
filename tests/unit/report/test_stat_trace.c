// SPDX-License-Identifier: Apache-2.0

// Events for Windows Performance Analyzer, decoded as their own metadata describes them.

#include "report/stat/stat_trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/stat_fixture.h"

enum { TYPE_UTF16 = 1, TYPE_UINT32 = 8, TYPE_UINT64 = 10 };

/** Notes "Core=1 Event=cycle ...", a line for each event. */
struct listener {
	bool is_there;
	unsigned num_events;
	char text[2048];
	const struct trace_event *event;
};

static bool listener_is_there(void *context, const struct trace_event *event)
{
	struct listener *listener = context;
	listener->event = event;
	return listener->is_there;
}

static void note_field(struct listener *listener, const char *name, uint8_t type,
		       const struct trace_field *field)
{
	size_t at = strlen(listener->text), room = sizeof(listener->text) - at;
	uint64_t number = 0;
	char text[256] = "";
	if (type == TYPE_UTF16) {
		const uint16_t *units = field->data;
		size_t num = field->size / sizeof(units[0]);
		assert_true(num > 0 && num < sizeof(text) && units[num - 1] == 0);
		for (size_t i = 0; i < num; i++)
			text[i] = (char)(units[i] < 0x80 ? units[i] : '?');
	} else {
		assert_int_equal(field->size, type == TYPE_UINT32 ? 4 : 8);
		assert_true(type == TYPE_UINT32 || type == TYPE_UINT64);
		memcpy(&number, field->data, field->size);
		snprintf(text, sizeof(text), "%llu", (unsigned long long)number);
	}
	snprintf(listener->text + at, room, "%s=%s ", name, text);
}

static void listener_hear(void *context, const struct trace_event *event,
			  const struct trace_field *fields, unsigned num_fields)
{
	struct listener *listener = context;
	const char *at = event->metadata, *end = at + event->metadata_size;
	assert_int_equal((uint8_t)at[0] | (uint8_t)at[1] << 8, event->metadata_size);
	assert_int_equal(at[2], 0); // no tags
	assert_string_equal(at + 3, "ReadGPC");
	at += 3 + sizeof("ReadGPC");
	for (unsigned i = 0; i < num_fields; i++) {
		const char *name = at;
		at += strlen(at) + 1;
		note_field(listener, name, (uint8_t)*at++, &fields[i]);
	}
	assert_ptr_equal(at, end);
	listener->num_events++;
	strcat(listener->text, "\n");
}

static void write_report(struct listener *listener)
{
	static const struct stat_event events[] = {
		{.name = "cycle", .note = "e", .is_fixed = true, .scale = 1},
		{.name = "inst_retired", .note = "g0,imix", .code = 8, .scale = 1},
		{.name = "padding", .is_hidden = true, .scale = 1},
		{.name = "\xf0\x9f\x98\x80x", .code = 0x1b, .scale = 1},
	};
	static const struct stat_event of_clusters[] = {{.name = "l3d_cache", .scale = 1}};
	uint32_t cores[] = {0, 3}, clusters[] = {0};
	struct count counts[] = {{100, 2, 4}, {200, 1, 4}, {0, 0, 4}, {300, 4, 4},
				 {101, 2, 4}, {201, 1, 4}, {0, 0, 4}, {UINT64_MAX, 4, 4}};
	struct count cluster_counts[] = {{5, 1, 1}};
	const struct count_set set = STAT_COUNTS(COUNT_UNIT_CORE, cores, counts);
	const struct count_set cluster_set =
		STAT_COUNTS(COUNT_UNIT_CLUSTER, clusters, cluster_counts);
	const struct stat_section sections[] = {STAT_SECTION(EVENT_CORE, events, &set),
						STAT_SECTION(EVENT_DSU, of_clusters, &cluster_set)};
	const struct stat_report report = {.sections = sections, .num_sections = 2};
	const struct stat_trace_sink sink = {listener_is_there, listener_hear, listener};
	stat_trace_write_to(&sink, &report);
}

static void every_row_of_cores_is_an_event(void **state)
{
	struct listener listener = {.is_there = true};
	write_report(&listener);
	assert_string_equal(
		listener.text,
		"Core=0 Event=cycle EventIdx=4294967295 EventNote=e Value=100 \n"
		"Core=0 Event=inst_retired EventIdx=8 EventNote=g0,imix Value=200 \n"
		"Core=0 Event=??x EventIdx=27 EventNote= Value=300 \n"
		"Core=3 Event=cycle EventIdx=4294967295 EventNote=e Value=101 \n"
		"Core=3 Event=inst_retired EventIdx=8 EventNote=g0,imix Value=201 \n"
		"Core=3 Event=??x EventIdx=27 EventNote= Value=18446744073709551615 \n");
	const struct trace_event *event = listener.event;
	assert_true(event && event->id == 1 && event->level == 0 &&
		    event->keyword == UINT64_C(0x8000000000000005));
}

static void nothing_is_written_if_nobody_listens(void **state)
{
	struct listener listener = {.is_there = false};
	write_report(&listener);
	assert_non_null(listener.event); // it was asked
	assert_int_equal(listener.num_events, 0);
}

static void the_provider_is_windowsperfs(void **state)
{
	static const uint8_t guid[] = {0x81, 0xcf, 0xfc, 0x6a, 0x0c, 0x3a, 0x1e, 0x41,
				       0xa4, 0xaa, 0xc4, 0xcf, 0x02, 0xeb, 0x84, 0x0d};
	struct trace_provider provider;
	stat_trace_open(&provider);
	const struct trace_identity *identity = provider.identity;
	assert_memory_equal(identity->guid, guid, sizeof(guid));
	assert_int_equal(identity->traits_size, 2 + sizeof("WindowsPerf App"));
	assert_int_equal((uint8_t)identity->traits[0], identity->traits_size);
	assert_string_equal(identity->traits + 2, "WindowsPerf App");
	trace_provider_deinit(&provider);
}

int stat_trace_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_row_of_cores_is_an_event),
		cmocka_unit_test(nothing_is_written_if_nobody_listens),
		cmocka_unit_test(the_provider_is_windowsperfs),
	};
	return cmocka_run_group_tests_name("stat_trace", tests, NULL, NULL);
}
