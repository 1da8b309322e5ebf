// SPDX-License-Identifier: Apache-2.0
#include "view/stat_report.h"

#include "view/json/json_writer.h"
#include "view/json/timeline_json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"
#include "tests/unit/capture.h"
#include "tests/unit/stat_fixture.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#define NOTE                                                                                    \
	"note: 'e' - normal event, 'gN' - grouped event with group number N, metric name will " \
	"be appended if 'e' or 'g' comes from it\n\n"

/** As wperf 3.8.0, to the last blank. */
static char *print(const struct stat_report *report)
{
	struct stat_report padded = *report;
	padded.layout.is_padded = true;
	FILE *stream = capture_begin();
	assert_no_error(stat_report_print(&padded, stream));
	return capture_end(stream);
}

static void assert_printed(const struct stat_report *report, const char *expected)
{
	_cleanup_free_ char *printed = print(report);
	_cleanup_free_ char *trimmed = without_trailing_blanks(printed);
	assert_string_equal(trimmed, expected);
}

static char *write_json(const struct stat_report *report)
{
	struct json_writer json = json_writer_create(capture_begin());
	assert_no_error(stat_report_write_json(report, &json));
	assert_no_error(json_finish(&json, "test"));
	return capture_end(json.stream);
}

static void assert_json(const struct stat_report *report, const char *expected)
{
	_cleanup_free_ char *written = write_json(report);
	assert_string_equal(written, expected);
}

// ---- what the peer printed ---------------------------------------------------------------

enum { MAX_REPLAY_EVENTS = 32, MAX_REPLAY_UNITS = 16, MAX_REPLAY_METRICS = 16 };

/** A report taken from its own print. */
struct replay {
	char names[MAX_REPLAY_EVENTS][64], notes[MAX_REPLAY_EVENTS][64];
	struct stat_event events[MAX_REPLAY_EVENTS];
	uint32_t units[MAX_REPLAY_UNITS];
	struct count values[MAX_REPLAY_UNITS][MAX_REPLAY_EVENTS];
	size_t num_events, num_units;
	struct count counts[MAX_REPLAY_UNITS * MAX_REPLAY_EVENTS];
	struct count_set set;
	char metric_texts[MAX_REPLAY_METRICS][4][64];
	struct stat_metric metrics[MAX_REPLAY_METRICS];
	char vendor[64];
	struct stat_section section;
	struct stat_report report;
};

static uint64_t parse_grouped(const char *text)
{
	uint64_t value = 0;
	for (; *text; text++) {
		if (*text != ',')
			value = value * 10 + (uint64_t)(*text - '0');
	}
	return value;
}

static void take_heading(struct replay *replay, const char *line)
{
	char multiplexing[64], kernel[64];
	uint32_t core;
	assert_int_equal(sscanf(line,
				"Performance counter stats for core %" SCNu32
				", %63[^,], kernel mode %63[^,], on %63[^:]",
				&core, multiplexing, kernel, replay->vendor),
			 4);
	*strstr(replay->vendor, " core implementation") = '\0';
	assert_in_range(replay->num_units, 0, MAX_REPLAY_UNITS - 1);
	replay->units[replay->num_units++] = core;
	replay->num_events = 0;
	replay->section.multiplexed = strcmp(multiplexing, "multiplexed") == 0;
	replay->report.kernel_mode = strcmp(kernel, "included") == 0;
}

static void take_count(struct replay *replay, const char *line)
{
	size_t i = replay->num_events++;
	assert_in_range(i, 0, MAX_REPLAY_EVENTS - 1);
	char value[64], index[64];
	struct count count = {.scheduled = 1, .total = 1};
	int num_cells =
		sscanf(line, "%63s %63s %63s %63s %" SCNu64 "/%" SCNu64, value, replay->names[i],
		       index, replay->notes[i], &count.scheduled, &count.total);
	assert_int_equal(num_cells, replay->section.multiplexed ? 6 : 4);
	count.value = parse_grouped(value);
	replay->values[replay->num_units - 1][i] = count;
	replay->events[i] = (struct stat_event){
		.name = replay->names[i],
		.note = replay->notes[i],
		.is_fixed = strcmp(index, "fixed") == 0,
		.code = strtoul(index, NULL, 16),
		.scale = 1,
	};
}

static void take_metric(struct replay *replay, const char *line)
{
	size_t i = replay->report.num_metrics++;
	assert_in_range(i, 0, MAX_REPLAY_METRICS - 1);
	char(*texts)[64] = replay->metric_texts[i];
	double value;
	assert_int_equal(sscanf(line, "%63s %63s %63s %lf %63[^\n]", texts[0], texts[1], texts[2],
				&value, texts[3]),
			 5);
	replay->metrics[i] = (struct stat_metric){
		.core = texts[0],
		.product_name = texts[1],
		.metric_name = texts[2],
		.unit = texts[3],
		.value = value,
	};
}

static void finish_replay(struct replay *replay)
{
	for (size_t unit = 0; unit < replay->num_units; unit++)
		memcpy(&replay->counts[unit * replay->num_events], replay->values[unit],
		       replay->num_events * sizeof(struct count));
	replay->set = (struct count_set){
		.num_units = replay->num_units,
		.num_columns = replay->num_events,
		.units = replay->units,
		.counts = replay->counts,
	};
	replay->section.events = replay->events;
	replay->section.num_events = replay->num_events;
	replay->section.counts = &replay->set;
	replay->report.sections = &replay->section;
	replay->report.num_sections = 1;
	replay->report.metrics = replay->metrics;
	replay->report.metric_precision = 3;
	replay->report.vendor_name = replay->vendor;
}

static void take_report(struct replay *replay, const char *text)
{
	void (*take_row)(struct replay *, const char *) = NULL;
	bool in_rows = false;
	while (*text) {
		size_t length = strcspn(text, "\n");
		_cleanup_free_ char *line = strndup(text, length);
		assert_non_null(line);
		text += length + (text[length] == '\n');
		double seconds;
		if (!*line) {
			in_rows = false;
		} else if (strncmp(line, "Performance", 11) == 0) {
			take_heading(replay, line);
			take_row = take_count;
		} else if (strstr(line, "Overall:")) {
			take_row = NULL; // these are for the view to find out
		} else if (strstr(line, "Metrics:")) {
			take_row = take_metric;
		} else if (strstr(line, "time elapsed") && sscanf(line, "%lf", &seconds) == 1) {
			replay->report.elapsed_ns = (uint64_t)(seconds * 1e9 + 0.5);
		} else if (in_rows && take_row) {
			take_row(replay, line);
		} else {
			in_rows |= strstr(line, "=====") != NULL;
		}
	}
	finish_replay(replay);
}

/** From the blank line before the first heading to the end of the last line; NULL if unusable. */
static char *find_report(const char *block, size_t length)
{
	_cleanup_free_ char *text = strndup(block, length);
	char *start = strstr(text, "\nPerformance counter stats for core");
	char *end = strstr(text, " seconds time elapsed\n");
	// Left out: prints of other commands, and two that are of old versions or were changed by
	// hand.
	if (!start || !end || strstr(text, "sample source") || strstr(text, "customizedmetric") ||
	    !strstr(start, " core implementation:"))
		return NULL;
	*(strchr(end, '\n') + 1) = '\0';
	return strdup(start);
}

static void test_prints_what_the_peer_prints(void **state)
{
	_cleanup_free_ char *blocks = read_shared("data/wperf/wperf-README-console-blocks.txt");
	size_t num_reports = 0, num_units = 0;
	for (char *block = blocks, *next; block; block = next) {
		next = strstr(block + 1, "\n@@ ");
		size_t length = next ? (size_t)(next - block) : strlen(block);
		_cleanup_free_ char *expected = find_report(block, length);
		if (!expected)
			continue;
		_cleanup_free_ struct replay *replay = calloc(1, sizeof(*replay));
		assert_non_null(replay);
		take_report(replay, expected);
		_cleanup_free_ char *trimmed = without_trailing_blanks(expected);
		assert_printed(&replay->report, trimmed);
		num_reports++;
		num_units += replay->num_units;
	}
	assert_int_equal(num_reports, 9);
	assert_int_equal(num_units, 15);
}

/** Take the rows of the fixture's cores, which all have the same events. */
static void take_json_cores(struct replay *replay, const json_t *cores)
{
	size_t unit, i;
	const json_t *core, *row;
	json_array_foreach (cores, unit, core) {
		assert_in_range(replay->num_units, 0, MAX_REPLAY_UNITS - 1);
		replay->units[replay->num_units++] =
			(uint32_t)json_integer_value(json_object_get(core, "core_number"));
		replay->num_events = 0;
		json_array_foreach (json_object_get(core, "Performance_counter"), i, row) {
			char line[256];
			snprintf(line, sizeof(line), "%" JSON_INTEGER_FORMAT " %s %s %s %s",
				 json_integer_value(json_object_get(row, "counter_value")),
				 json_string_value(json_object_get(row, "event_name")),
				 json_string_value(json_object_get(row, "event_idx")),
				 json_string_value(json_object_get(row, "event_note")),
				 json_string_value(json_object_get(row, "multiplexed")));
			take_count(replay, line);
		}
	}
}

static void test_writes_the_json_of_the_peer(void **state)
{
	_cleanup_free_ char *text = read_shared("data/wperf/vs-extension/count_05.json");
	json_t *fixture = json_loads(text, 0, NULL);
	const json_t *core = json_object_get(fixture, "core");
	const json_t *metrics =
		json_object_get(json_object_get(core, "ts_metric"), "Telemetry_Solution_Metrics");
	_cleanup_free_ struct replay *replay = calloc(1, sizeof(*replay));
	assert_non_null(replay);
	replay->section.multiplexed = true;
	take_json_cores(replay, json_object_get(core, "cores"));
	finish_replay(replay);
	assert_int_equal(replay->num_events, 16);

	size_t num_metrics = json_array_size(metrics);
	_cleanup_free_ struct stat_metric *rows = calloc(num_metrics, sizeof(*rows));
	assert_non_null(rows);
	for (size_t i = 0; i < num_metrics; i++) {
		const json_t *row = json_array_get(metrics, i);
		rows[i] = (struct stat_metric){
			.core = json_string_value(json_object_get(row, "core")),
			.product_name = json_string_value(json_object_get(row, "product_name")),
			.metric_name = json_string_value(json_object_get(row, "metric_name")),
			.unit = json_string_value(json_object_get(row, "unit")),
			.value = strtod(json_string_value(json_object_get(row, "value")), NULL),
		};
	}
	replay->report.metrics = rows;
	replay->report.num_metrics = num_metrics;
	replay->report.elapsed_ns = 10849000000;

	_cleanup_free_ char *written = write_json(&replay->report);
	json_t *ours = json_loads(written, 0, NULL);
	assert_non_null(ours);
	_cleanup_free_ char *our_text = json_dumps(ours, JSON_COMPACT);
	_cleanup_free_ char *their_text = json_dumps(fixture, JSON_COMPACT);
	assert_string_equal(our_text, their_text); // the order of keys, too
	json_decref(ours);
	json_decref(fixture);
}

// ---- what it prints beside that ------------------------------------------------------------

static uint32_t unit_0[] = {0};
static uint32_t units_0_1[] = {0, 1};

static const struct stat_event core_events[] = {
	{.name = "cycle", .note = "e", .is_fixed = true, .scale = 1},
	{.name = "inst_spec", .note = "g0,imix", .code = 0x1b, .scale = 1},
	{.name = "inst_spec", .note = "p", .code = 0x1b, .is_hidden = true, .scale = 1},
	{.name = "l1d_cache", .note = "e", .code = 0x4, .scale = 1},
};

static void test_padding_is_hidden_and_missing_is_not_zero(void **state)
{
	struct count values[] = {{2000, 3, 3}, {1000, 2, 3}, {7, 1, 3}, {0, 0, 3}};
	struct count_set set = STAT_COUNTS(COUNT_UNIT_CORE, unit_0, values);
	struct stat_section section = STAT_SECTION(EVENT_CORE, core_events, &set);
	section.multiplexed = true;
	struct stat_report report = {
		.kernel_mode = true,
		.vendor_name = "Arm Limited",
		.sections = &section,
		.num_sections = 1,
		.elapsed_ns = 1234567890,
	};
	// clang-format off
	assert_printed(&report,
		"\nPerformance counter stats for core 0, multiplexed, kernel mode included, on "
		"Arm Limited core implementation:\n" NOTE
		"        counter value  event name  event idx  event note  multiplexed   scaled value\n"
		"        =============  ==========  =========  ==========  ===========   ============\n"
		"                2,000  cycle       fixed      e                   3/3          2,000\n"
		"                1,000  inst_spec   0x1b       g0,imix             2/3          1,500\n"
		"        <not counted>  l1d_cache   0x04       e                   0/3  <not counted>\n"
		"\n             1.23457 seconds time elapsed\n");
	assert_json(&report,
		"{\"core\":{\"Multiplexing\":true,\"Kernel_mode\":true,\"cores\":[{\"core_number\":0,"
		"\"Performance_counter\":[{\"counter_value\":2000,\"event_name\":\"cycle\","
		"\"event_idx\":\"fixed\",\"event_note\":\"e\",\"multiplexed\":\"3/3\","
		"\"scaled_value\":2000},{\"counter_value\":1000,\"event_name\":\"inst_spec\","
		"\"event_idx\":\"0x1b\",\"event_note\":\"g0,imix\",\"multiplexed\":\"2/3\","
		"\"scaled_value\":1500},{\"counter_value\":0,\"event_name\":\"l1d_cache\","
		"\"event_idx\":\"0x04\",\"event_note\":\"e\",\"multiplexed\":\"0/3\","
		"\"scaled_value\":null}]}],\"overall\":{},\"ts_metric\":{}},"
		"\"dsu\":{\"l3metric\":{},\"overall\":{}},\"dmc\":{\"pmu\":{},\"ddr\":{}},"
		"\"Time_elapsed\":1.23457}\n");
	// clang-format on
	section.only_numbers = true; // for the peer's clients
	_cleanup_free_ char *json = write_json(&report);
	assert_non_null(strstr(json, "\"multiplexed\":\"0/3\",\"scaled_value\":0}"));
}

static void test_an_event_that_the_machine_has_not(void **state)
{
	static const struct stat_event events[] = {
		{.name = "cycles", .note = "e", .scale = 1, .is_absent = true},
		{.name = "page-faults", .note = "e", .scale = 1},
	};
	struct count values[] = {{0, 0, 0}, {7, 10, 10}};
	struct count_set set = STAT_COUNTS(COUNT_UNIT_CORE, unit_0, values);
	struct stat_section section = STAT_SECTION(EVENT_PERF, events, &set);
	struct stat_report report = {
		.vendor_name = "AMD", .sections = &section, .num_sections = 1, .elapsed_ns = 1000};
	_cleanup_free_ char *printed = print(&report);
	assert_non_null(strstr(printed, "<not supported>        cycles"));
	assert_non_null(strstr(printed, "  7        page-faults"));
	_cleanup_free_ char *json = write_json(&report);
	assert_non_null(strstr(json, "{\"counter_value\":null,\"event_name\":\"cycles\""));
	assert_non_null(strstr(json, "{\"counter_value\":7,\"event_name\":\"page-faults\""));
}

static void test_no_time_is_no_count_but_nothing_missing(void **state)
{
	struct count values[4] = {{0}};
	struct count_set set = STAT_COUNTS(COUNT_UNIT_CORE, unit_0, values);
	struct stat_section section = STAT_SECTION(EVENT_CORE, core_events, &set);
	struct stat_report report = {
		.vendor_name = "Arm Limited", .sections = &section, .num_sections = 1};
	_cleanup_free_ char *printed = print(&report);
	assert_null(strstr(printed, "<not counted>"));
	assert_non_null(strstr(printed, "               0.000 seconds time elapsed\n"));
}

static void test_overall_that_does_not_fit(void **state)
{
	static const struct stat_event events[] = {
		{.name = "cycle", .note = "e", .is_fixed = true}};
	struct count values[] = {{UINT64_MAX / 2, 1, 4}, {UINT64_MAX / 4, 1, 4}};
	struct count_set set = STAT_COUNTS(COUNT_UNIT_CORE, units_0_1, values);
	struct stat_section section = STAT_SECTION(EVENT_CORE, events, &set);
	section.multiplexed = true;
	struct stat_report report = {
		.vendor_name = "Arm Limited", .sections = &section, .num_sections = 1};
	_cleanup_free_ char *printed = print(&report);
	const char *overall = strstr(printed, "System-wide Overall:");
	assert_non_null(overall);
	assert_non_null(strstr(overall, "18,446,744,073,709,551,615"));
}

static const struct stat_event dsu_events[] = {
	{.name = "cycle", .note = "e", .is_fixed = true, .scale = 1},
	{.name = "l3d_cache", .note = "g0,l3_cache", .code = 0x2b, .scale = 1},
};
static const struct stat_event clk_events[] = {
	{.name = "clk_cycle_count", .note = "e", .code = 0, .scale = 1}};
static const struct stat_event clkdiv2_events[] = {
	{.name = "clkdiv2_rdwr", .note = "e,ddr_bw", .code = 0x12, .scale = 1}};

/** DSU clusters, both classes of memory controllers, and their metrics. */
struct uncore {
	struct count dsu_values[4], clk_values[2], clkdiv2_values[2];
	struct count_set sets[3];
	struct stat_section sections[3];
	struct stat_report report;
};

static void uncore_init(struct uncore *uncore)
{
	static const struct stat_l3_metric l3[] = {{"0", "0, 1", "12.34MB", "56.78%"},
						   {"all", "all", "120.34MB", "6.78%"}};
	static const struct stat_ddr_metric ddr[] = {{"0", "1.50MB"}, {"all", "21.50MB"}};
	*uncore = (struct uncore){
		.dsu_values = {{1000, 1, 1}, {20, 1, 1}, {3000, 1, 1}, {40, 1, 1}},
		.clk_values = {{5, 1, 1}, {6, 1, 1}},
		.clkdiv2_values = {{7, 1, 1}, {8, 1, 1}},
		.sets = {STAT_COUNTS(COUNT_UNIT_CLUSTER, units_0_1, uncore->dsu_values),
			 STAT_COUNTS(COUNT_UNIT_CHANNEL, units_0_1, uncore->clk_values),
			 STAT_COUNTS(COUNT_UNIT_CHANNEL, units_0_1, uncore->clkdiv2_values)},
		.sections = {STAT_SECTION(EVENT_DSU, dsu_events, &uncore->sets[0]),
			     STAT_SECTION(EVENT_DMC_CLK, clk_events, &uncore->sets[1]),
			     STAT_SECTION(EVENT_DMC_CLKDIV2, clkdiv2_events, &uncore->sets[2])},
		.report = {.vendor_name = "Arm Limited",
			   .sections = uncore->sections,
			   .num_sections = ARRAY_SIZE(uncore->sections),
			   .l3_metrics = l3,
			   .num_l3_metrics = ARRAY_SIZE(l3),
			   .ddr_metrics = ddr,
			   .num_ddr_metrics = ARRAY_SIZE(ddr),
			   .elapsed_ns = 1000000000},
	};
}

static void test_uncore_text(void **state)
{
	struct uncore uncore;
	uncore_init(&uncore);
	// clang-format off
	assert_printed(&uncore.report,
		"\nPerformance counter stats for DSU cluster 0, no multiplexing, on Arm Limited core "
		"implementation:\n" NOTE
		"        counter value  event name  event idx  event note\n"
		"        =============  ==========  =========  ==========\n"
		"                1,000  cycle       fixed      e\n"
		"                   20  l3d_cache   0x002b     g0,l3_cache\n"
		"\nPerformance counter stats for DSU cluster 1, no multiplexing, on Arm Limited core "
		"implementation:\n" NOTE
		"        counter value  event name  event idx  event note\n"
		"        =============  ==========  =========  ==========\n"
		"                3,000  cycle       fixed      e\n"
		"                   40  l3d_cache   0x002b     g0,l3_cache\n"
		"\nSystem-wide Overall:\n"
		"        counter value  event name  event idx  event note\n"
		"        =============  ==========  =========  ==========\n"
		"                4,000  cycle       fixed      e\n"
		"                   60  l3d_cache   0x002b     g0,l3_cache\n"
		"\nL3 cache metrics:\n"
		"        cluster  cores  read_bandwidth  miss_rate\n"
		"        =======  =====  ==============  =========\n"
		"              0   0, 1         12.34MB     56.78%\n"
		"            all    all        120.34MB      6.78%\n"
		"\n"
		"        pmu id   counter value  event name       event idx  event note\n"
		"        ======   =============  ==========       =========  ==========\n"
		"        dmc 0                5  clk_cycle_count  0x0000     e\n"
		"        dmc 0                7  clkdiv2_rdwr     0x0012     e,ddr_bw\n"
		"        dmc 1                6  clk_cycle_count  0x0000     e\n"
		"        dmc 1                8  clkdiv2_rdwr     0x0012     e,ddr_bw\n"
		"        overall             11  clk_cycle_count  0x0000     e\n"
		"        overall             15  clkdiv2_rdwr     0x0012     e,ddr_bw\n"
		"\nddr metrics:\n"
		"        channel  rw_bandwidth\n"
		"        =======  ============\n"
		"              0        1.50MB\n"
		"            all       21.50MB\n"
		"\n               1.000 seconds time elapsed\n");
	// clang-format on
}

static void test_uncore_json(void **state)
{
	struct uncore uncore;
	uncore_init(&uncore);
	uncore.sets[1].num_units = 1;
	uncore.sets[2].num_units = 0;
	// clang-format off
	assert_json(&uncore.report,
		"{\"core\":{\"Multiplexing\":false,\"Kernel_mode\":false,\"cores\":[],\"overall\":{},"
		"\"ts_metric\":{}},\"dsu\":{"
		"\"0\":{\"Performance_counter\":[{\"counter_value\":1000,\"event_name\":\"cycle\","
		"\"event_idx\":\"fixed\",\"event_note\":\"e\"},{\"counter_value\":20,"
		"\"event_name\":\"l3d_cache\",\"event_idx\":\"0x002b\","
		"\"event_note\":\"g0,l3_cache\"}]},"
		"\"1\":{\"Performance_counter\":[{\"counter_value\":3000,\"event_name\":\"cycle\","
		"\"event_idx\":\"fixed\",\"event_note\":\"e\"},{\"counter_value\":40,"
		"\"event_name\":\"l3d_cache\",\"event_idx\":\"0x002b\","
		"\"event_note\":\"g0,l3_cache\"}]},"
		"\"l3metric\":{\"L3_Cache_Metrics\":[{\"cluster\":\"0\",\"cores\":\"0, 1\","
		"\"read_bandwidth\":\"12.34MB\",\"miss_rate\":\"56.78%\"},{\"cluster\":\"all\","
		"\"cores\":\"all\",\"read_bandwidth\":\"120.34MB\",\"miss_rate\":\"6.78%\"}]},"
		"\"overall\":{\"Systemwide_Overall_Performance_Counters\":[{\"counter_value\":4000,"
		"\"event_name\":\"cycle\",\"event_idx\":\"fixed\",\"event_note\":\"e\"},"
		"{\"counter_value\":60,\"event_name\":\"l3d_cache\",\"event_idx\":\"0x002b\","
		"\"event_note\":\"g0,l3_cache\"}]}},"
		"\"dmc\":{\"pmu\":{\"PMU_Performance_Counters\":["
		"{\"pmu_id\":\"dmc 0\",\"counter_value\":5,\"event_name\":\"clk_cycle_count\","
		"\"event_idx\":\"0x0000\",\"event_note\":\"e\"},"
		"{\"pmu_id\":\"overall\",\"counter_value\":5,\"event_name\":\"clk_cycle_count\","
		"\"event_idx\":\"0x0000\",\"event_note\":\"e\"}]},"
		"\"ddr\":{\"DDR_Metrics\":[{\"channel\":\"0\",\"rw_bandwidth\":\"1.50MB\"},"
		"{\"channel\":\"all\",\"rw_bandwidth\":\"21.50MB\"}]}},\"Time_elapsed\":1}\n");
	// clang-format on
}

static void test_sum_of_an_only_cluster_beside_several_cores(void **state)
{
	struct uncore uncore;
	uncore_init(&uncore);
	uncore.sets[0].num_units = 1;
	uncore.report.num_sections = 1;
	_cleanup_free_ char *alone = print(&uncore.report);
	assert_null(strstr(alone, "System-wide Overall:"));

	struct count values[8] = {{1, 1, 1}};
	struct count_set set = STAT_COUNTS(COUNT_UNIT_CORE, units_0_1, values);
	struct stat_section sections[] = {STAT_SECTION(EVENT_CORE, core_events, &set),
					  uncore.sections[0]};
	uncore.report.sections = sections;
	uncore.report.num_sections = 2;
	_cleanup_free_ char *beside = print(&uncore.report);
	const char *dsu = strstr(beside, "DSU cluster 0");
	assert_non_null(dsu);
	assert_non_null(strstr(dsu, "System-wide Overall:"));
}

static void test_metrics_that_were_split(void **state)
{
	struct stat_metric metrics[] = {
		{"0", "neoverse-n1", "ipc", "per cycle", 1.23456, false, false, 0},
		{"0", "neoverse-n1", "l1d_cache_mpki", "MPKI", NAN, false, false, 0},
	};
	struct stat_report report = {
		.metrics = metrics, .num_metrics = ARRAY_SIZE(metrics), .metric_precision = 3};
	// clang-format off
	assert_printed(&report,
		"\nTelemetry Solution Metrics:\n"
		"        core  product_name  metric_name             value  unit\n"
		"        ====  ============  ===========             =====  ====\n"
		"           0  neoverse-n1   ipc                     1.235  per cycle\n"
		"           0  neoverse-n1   l1d_cache_mpki  <not counted>  MPKI\n"
		"\n               0.000 seconds time elapsed\n");
	metrics[0].is_split = true;
	assert_printed(&report,
		"\nTelemetry Solution Metrics:\n"
		"        core  product_name  metric_name             value  unit       note\n"
		"        ====  ============  ===========             =====  ====       ====\n"
		"           0  neoverse-n1   ipc                     1.235  per cycle  not simultaneous\n"
		"           0  neoverse-n1   l1d_cache_mpki  <not counted>  MPKI\n"
		"\n               0.000 seconds time elapsed\n");
	// clang-format on
}

// ---- kernel events -------------------------------------------------------------------------

static const char *const derived_clock[] = {"0.998 CPUs utilized"};
static const char *const derived_faults[] = {"12.3 K/sec"};

static const struct stat_event clock_event = {
	.name = "task-clock", .note = "e", .unit = "msec", .scale = 1e-6, .derived = derived_clock};
static const struct stat_event faults_event = {
	.name = "page-faults", .note = "e", .code = 2, .scale = 1, .derived = derived_faults};
static const struct stat_event cycles_event = {
	.name = "cycles", .note = "g0", .unit = "", .scale = 1, .code = 0x11};

static void test_a_process(void **state)
{
	static const char *const names[] = {"'true'"};
	struct stat_event events[] = {clock_event, faults_event, cycles_event};
	uint32_t units[] = {4711};
	struct count values[] = {
		{1234567, 1234567, 1234567}, {56789, 1234567, 1234567}, {4000, 800000, 1200000}};
	struct count_set set = STAT_COUNTS(COUNT_UNIT_PROCESS, units, values);
	struct stat_section section = STAT_SECTION(EVENT_PERF, events, &set);
	section.unit_names = names;
	struct stat_report report = {
		.sections = &section,
		.num_sections = 1,
		.elapsed_ns = 1300000,
		.has_cpu_times = true,
		.user_ns = 1000000,
		.system_ns = 234567,
	};
	// clang-format off
	assert_printed(&report,
		"\nPerformance counter stats for 'true', kernel mode excluded:\n\n"
		"        counter value  unit  event name   event note  running  scaled value  derived\n"
		"        =============  ====  ==========   ==========  =======  ============  =======\n"
		"                 1.23  msec  task-clock   e           100.00%          1.23  0.998 CPUs utilized\n"
		"               56,789        page-faults  e           100.00%        56,789  12.3 K/sec\n"
		"                4,000        cycles       g0           66.67%         6,000\n"
		"\n              0.0013 seconds time elapsed\n"
		"               0.001 seconds user\n"
		"         0.000234567 seconds sys\n");
	assert_json(&report,
		"{\"core\":{\"Multiplexing\":true,\"Kernel_mode\":false,\"cores\":[],\"overall\":{},"
		"\"ts_metric\":{}},\"dsu\":{\"l3metric\":{},\"overall\":{}},"
		"\"dmc\":{\"pmu\":{},\"ddr\":{}},\"processes\":[{\"id\":4711,\"name\":\"'true'\","
		"\"Performance_counter\":[{\"counter_value\":1.234567,\"unit\":\"msec\","
		"\"event_name\":\"task-clock\",\"event_note\":\"e\",\"running_ns\":1234567,"
		"\"enabled_ns\":1234567,\"scaled_value\":1.234567,"
		"\"derived\":\"0.998 CPUs utilized\"},{\"counter_value\":56789,\"unit\":\"\","
		"\"event_name\":\"page-faults\",\"event_note\":\"e\",\"running_ns\":1234567,"
		"\"enabled_ns\":1234567,\"scaled_value\":56789,\"derived\":\"12.3 K/sec\"},"
		"{\"counter_value\":4000,\"unit\":\"\",\"event_name\":\"cycles\","
		"\"event_note\":\"g0\",\"running_ns\":800000,\"enabled_ns\":1200000,"
		"\"scaled_value\":6000}]}],\"Time_elapsed\":0.0013}\n");
	// clang-format on
}

static void test_threads_without_names(void **state)
{
	struct stat_event events[] = {clock_event, faults_event};
	events[0].derived = events[1].derived = NULL;
	uint32_t units[] = {10, 4294967295};
	struct count values[] = {{5000000, 9, 9}, {1, 9, 9}, {0, 0, 9}, {0, 0, 9}};
	struct count_set set = STAT_COUNTS(COUNT_UNIT_THREAD, units, values);
	struct stat_section section = STAT_SECTION(EVENT_PERF, events, &set);
	struct stat_report report = {.sections = &section, .num_sections = 1, .kernel_mode = true};
	// clang-format off
	assert_printed(&report,
		"\nPerformance counter stats for thread 10, kernel mode included:\n\n"
		"        counter value  unit  event name   event note  running  scaled value\n"
		"        =============  ====  ==========   ==========  =======  ============\n"
		"                 5.00  msec  task-clock   e           100.00%          5.00\n"
		"                    1        page-faults  e           100.00%             1\n"
		"\nPerformance counter stats for thread 4294967295, kernel mode included:\n\n"
		"        counter value  unit  event name   event note  running   scaled value\n"
		"        =============  ====  ==========   ==========  =======   ============\n"
		"        <not counted>  msec  task-clock   e             0.00%  <not counted>\n"
		"        <not counted>        page-faults  e             0.00%  <not counted>\n"
		"\n               0.000 seconds time elapsed\n");
	// clang-format on
}

static void test_kernel_events_of_cores(void **state)
{
	struct stat_event events[] = {cycles_event};
	struct count values[] = {{10, 5, 5}, {20, 5, 5}};
	struct count_set set = STAT_COUNTS(COUNT_UNIT_CORE, units_0_1, values);
	struct stat_section section = STAT_SECTION(EVENT_PERF, events, &set);
	struct stat_report report = {.sections = &section, .num_sections = 1};
	// clang-format off
	assert_printed(&report,
		"\nPerformance counter stats for core 0, kernel mode excluded:\n\n"
		"        counter value  unit  event name  event note\n"
		"        =============  ====  ==========  ==========\n"
		"                   10        cycles      g0\n"
		"\nPerformance counter stats for core 1, kernel mode excluded:\n\n"
		"        counter value  unit  event name  event note\n"
		"        =============  ====  ==========  ==========\n"
		"                   20        cycles      g0\n"
		"\nSystem-wide Overall:\n"
		"        counter value  unit  event name  event note\n"
		"        =============  ====  ==========  ==========\n"
		"                   30        cycles      g0\n"
		"\n               0.000 seconds time elapsed\n");
	assert_json(&report,
		"{\"core\":{\"Multiplexing\":false,\"Kernel_mode\":false,\"cores\":["
		"{\"core_number\":0,\"Performance_counter\":[{\"counter_value\":10,"
		"\"event_name\":\"cycles\",\"event_idx\":\"0x11\",\"event_note\":\"g0\"}]},"
		"{\"core_number\":1,\"Performance_counter\":[{\"counter_value\":20,"
		"\"event_name\":\"cycles\",\"event_idx\":\"0x11\",\"event_note\":\"g0\"}]}],"
		"\"overall\":{\"Systemwide_Overall_Performance_Counters\":[{\"counter_value\":30,"
		"\"event_name\":\"cycles\",\"event_idx\":\"0x0011\",\"event_note\":\"g0\"}]},"
		"\"ts_metric\":{}},\"dsu\":{\"l3metric\":{},\"overall\":{}},"
		"\"dmc\":{\"pmu\":{},\"ddr\":{}},\"Time_elapsed\":0}\n");
	// clang-format on
}

static void test_hostile_names(void **state)
{
	static const char *const names[] = {"'\x1b[2J\n\"x\xff'"};
	struct stat_event events[] = {
		{.name = "a\x07\"b", .note = "\xe2\x80\xae", .unit = "\r", .scale = 2}};
	uint32_t units[] = {1};
	struct count values[] = {{1, 1, 1}};
	struct count_set set = STAT_COUNTS(COUNT_UNIT_PROCESS, units, values);
	struct stat_section section = STAT_SECTION(EVENT_PERF, events, &set);
	section.unit_names = names;
	struct stat_report report = {.sections = &section, .num_sections = 1};
	// clang-format off
	assert_printed(&report,
		"\nPerformance counter stats for '\\x1b[2J\\x0a\"x\xef\xbf\xbd', "
		"kernel mode excluded:\n\n"
		"        counter value  unit  event name  event note\n"
		"        =============  ====  ==========  ==========\n"
		"                 2.00  \\x0d  a\\x07\"b     \\u202e\n"
		"\n               0.000 seconds time elapsed\n");
	// clang-format on
	_cleanup_free_ char *written = write_json(&report);
	assert_non_null(strstr(written, "\"name\":\"'\\u001b[2J\\n\\\"x\\ufffd'\""));
}

static void test_timeline_around_reports(void **state)
{
	struct stat_report report = {.elapsed_ns = 2200000000};
	struct json_writer json = json_writer_create(capture_begin());
	timeline_json_begin(&(struct timeline_json){2.2, 1.3, 2}, &json);
	for (int i = 0; i < 2; i++)
		assert_no_error(stat_report_write_json(&report, &json));
	timeline_json_end(&json);
	assert_no_error(json_finish(&json, "test"));
	_cleanup_free_ char *written = capture_end(json.stream);
	_cleanup_free_ char *one = write_json(&report);
	one[strlen(one) - 1] = '\0';
	char expected[2048];
	snprintf(expected, sizeof(expected),
		 "{\"count_duration\":2.2,\"count_interval\":1.3,\"count_timeline\":2,"
		 "\"timeline\":[%s,%s]}\n",
		 one, one);
	assert_string_equal(written, expected);
}

int stat_report_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_prints_what_the_peer_prints),
		cmocka_unit_test(test_writes_the_json_of_the_peer),
		cmocka_unit_test(test_padding_is_hidden_and_missing_is_not_zero),
		cmocka_unit_test(test_an_event_that_the_machine_has_not),
		cmocka_unit_test(test_no_time_is_no_count_but_nothing_missing),
		cmocka_unit_test(test_overall_that_does_not_fit),
		cmocka_unit_test(test_uncore_text),
		cmocka_unit_test(test_uncore_json),
		cmocka_unit_test(test_sum_of_an_only_cluster_beside_several_cores),
		cmocka_unit_test(test_metrics_that_were_split),
		cmocka_unit_test(test_a_process),
		cmocka_unit_test(test_threads_without_names),
		cmocka_unit_test(test_kernel_events_of_cores),
		cmocka_unit_test(test_hostile_names),
		cmocka_unit_test(test_timeline_around_reports),
	};
	return cmocka_run_group_tests_name("stat_report", tests, NULL, NULL);
}
