// SPDX-License-Identifier: Apache-2.0
#include "view/page/timeline_html.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "catalog/topdown.h"
#include "tests/unit/assert_error.h"
#include "tests/unit/capture.h"
#include "tests/unit/stat_fixture.h"

#include <jansson.h>
#include <string.h>

static const char legend_tag[] = "<script type=\"application/json\" class=\"wperf-legend\">";
static const char count_tag[] = "<script type=\"application/json\" class=\"wperf-count\">";
static const char end_tag[] = "<script type=\"application/json\" class=\"wperf-end\">";

/** Two cores of which the second was never on the counter of the second event. */
struct page {
	struct stat_event events[3];
	struct count values[6];
	uint32_t units[2];
	struct count_set set;
	struct stat_section section;
	struct stat_metric metrics[2];
	struct stat_report report;
};

static void page_init(struct page *page)
{
	*page = (struct page){
		.events = {{.name = "cycle", .note = "e", .is_fixed = true, .scale = 1},
			   {.name = "inst_spec", .note = "g0,ipc", .code = 0x1b, .scale = 1},
			   {.name = "inst_spec", .note = "p", .is_hidden = true, .scale = 1}},
		.values = {{100, 4, 4}, {50, 2, 4}, {7, 1, 4}, {200, 4, 4}, {0, 0, 4}, {7, 1, 4}},
		.units = {0, 3},
		.set = STAT_COUNTS(COUNT_UNIT_CORE, page->units, page->values),
		.section = STAT_SECTION(EVENT_CORE, page->events, &page->set),
		.metrics = {{"0", "neoverse-n1", "ipc", "per cycle", 0.5, false, false, 0},
			    {"3", "neoverse-n1", "ipc", "per cycle", 2.25, false, false, 0}},
		.report = {.vendor_name = "Arm Limited",
			   .sections = &page->section,
			   .num_sections = 1,
			   .metrics = page->metrics,
			   .num_metrics = ARRAY_SIZE(page->metrics),
			   .metric_precision = 3},
	};
	page->section.multiplexed = true;
}

static const struct topdown_node nodes[] = {{"ipc", "inner,not_counted"},
					    {"inner", "deep"},
					    {"deep", ""},
					    {"not_counted", ""},
					    {"stalled", ""}};
static const struct topdown_tree tree = {"ipc,stalled", nodes, ARRAY_SIZE(nodes)};
static const struct timeline_run run = {
	.command = "wperf stat", .host = "here", .count_interval_s = 1.5, .topdown = &tree};

static char *write_page(const struct page *page, size_t num_counts)
{
	struct timeline_html html = {.stream = capture_begin(), .name = "test.html"};
	assert_no_error(timeline_html_open(&html));
	assert_no_error(timeline_html_begin(&html, &page->report, &run));
	for (size_t i = 0; i < num_counts; i++) {
		const struct timeline_period period = {
			.time_ns = UINT64_C(1700000000123456789),
			.start_ns = i * UINT64_C(1500001999),
			.length_ns = 1000001999,
		};
		assert_no_error(timeline_html_add(&html, &page->report, &period));
	}
	assert_no_error(timeline_html_end(&html));
	return capture_end(html.stream);
}

/** The block behind the next @tag at *@text, which moves behind it; NULL if there is none. */
static json_t *next_block(const char **text, const char *tag)
{
	const char *start = strstr(*text, tag);
	if (!start)
		return NULL;
	start += strlen(tag);
	const char *end = strstr(start, "</script>");
	assert_non_null(end);
	*text = end;
	json_t *block = json_loadb(start, (size_t)(end - start), 0, NULL);
	assert_non_null(block);
	return block;
}

static void assert_block(const char **text, const char *tag, const char *expected)
{
	json_t *block = next_block(text, tag);
	assert_non_null(block);
	_cleanup_free_ char *written = json_dumps(block, JSON_COMPACT | JSON_REAL_PRECISION(6));
	json_decref(block);
	assert_string_equal(written, expected);
}

static size_t count_of(const char *text, const char *word)
{
	size_t count = 0;
	for (; (text = strstr(text, word)); text += strlen(word))
		count++;
	return count;
}

static void test_data(void **state)
{
	struct page page;
	page_init(&page);
	_cleanup_free_ char *written = write_page(&page, 2);
	const char *at = written;
	assert_block(&at, legend_tag,
		     "{\"command\":\"wperf stat\",\"program\":\"\",\"host\":\"here\","
		     "\"system\":\"\",\"machine\":\"\","
		     "\"vendor\":\"Arm Limited\",\"kernel_mode\":false,\"count_interval\":1.5,"
		     "\"precision\":3,\"sections\":[{\"class\":\"core\","
		     "\"units\":[\"core 0\",\"core 3\"],\"events\":[{\"name\":\"cycle\","
		     "\"note\":\"e\",\"unit\":\"\"},{\"name\":\"inst_spec\",\"note\":\"g0,ipc\","
		     "\"unit\":\"\"}]}],\"metrics\":[{\"core\":\"0\",\"name\":\"ipc\","
		     "\"unit\":\"per cycle\"},{\"core\":\"3\",\"name\":\"ipc\","
		     "\"unit\":\"per cycle\"}],\"topdown\":[{\"metric\":\"ipc\",\"depth\":0,"
		     "\"counted\":true},{\"metric\":\"stalled\",\"depth\":0,\"counted\":false}]}");
	static const char *const starts[] = {"0", "1500001"};
	for (size_t i = 0; i < ARRAY_SIZE(starts); i++) {
		char expected[256];
		snprintf(expected, sizeof(expected),
			 "{\"time_ms\":1700000000123,\"start_us\":%s,\"length_us\":1000001,"
			 "\"multiplexed\":true,\"sections\":[[100,200,100,null]],"
			 "\"metrics\":[0.5,2.25]}",
			 starts[i]);
		assert_block(&at, count_tag, expected);
	}
	assert_null(next_block(&at, count_tag));
	assert_block(&at, end_tag, "{}");
}

static void test_page_needs_nobody_else(void **state)
{
	struct page page;
	page_init(&page);
	_cleanup_free_ char *written = write_page(&page, 1);
	assert_memory_equal(written, "<!DOCTYPE html>\n", 16);
	assert_non_null(strstr(written, "</body>\n</html>\n"));
	assert_non_null(strstr(written, "default-src 'none'"));
	static const char *const others[] = {
		"http:", "https:", "src=", "@import", "url(", "fetch("};
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		assert_null(strstr(written, others[i]));
	// The page's own script, the legend, the count and the end.
	assert_int_equal(count_of(written, "<script"), 4);
	assert_int_equal(count_of(written, "</script>"), 4);
}

static void test_names_do_not_leave_their_block(void **state)
{
	static const char evil[] = "</script><script>alert(1)</script><!--\"\\\x01\xff";
	static const char *const unit_names[] = {evil, evil};
	struct page page;
	page_init(&page);
	page.section.unit_names = unit_names;
	page.events[0].name = page.events[0].note = page.events[0].unit = evil;
	page.metrics[0].core = page.metrics[0].metric_name = page.metrics[0].unit = evil;
	page.report.vendor_name = evil;
	_cleanup_free_ char *written = write_page(&page, 1);
	assert_int_equal(count_of(written, "<script"), 4);
	assert_int_equal(count_of(written, "</script>"), 4);
	assert_null(strstr(written, "<!--"));
	const char *at = written;
	json_t *legend = next_block(&at, legend_tag);
	assert_non_null(legend);
	assert_string_equal(json_string_value(json_object_get(legend, "vendor")),
			    "</script><script>alert(1)</script><!--\"\\\x01\xef\xbf\xbd");
	json_decref(legend);
}

static void test_values_have_their_unit(void **state)
{
	struct page page;
	page_init(&page);
	page.section.event_class = EVENT_PERF;
	page.events[0].unit = "msec";
	page.events[0].scale = 1e-6;
	page.values[0] = (struct count){1234567891, 9, 9};
	_cleanup_free_ char *written = write_page(&page, 1);
	assert_non_null(strstr(written, "\"unit\":\"msec\""));
	assert_non_null(strstr(written, "\"sections\":[[1234.567891,0.000200,100,null]]"));
}

static void test_absent_events_are_told_from_uncounted_ones(void **state)
{
	struct page page;
	page_init(&page);
	page.events[0].is_absent = true;
	_cleanup_free_ char *written = write_page(&page, 1);
	assert_non_null(strstr(written, "\"sections\":[[false,false,100,null]]"));
}

static void test_topdown_has_what_is_counted(void **state)
{
	struct page page;
	page_init(&page);
	page.metrics[1].metric_name = "deep";
	_cleanup_free_ char *written = write_page(&page, 1);
	assert_non_null(strstr(written, "\"topdown\":[{\"metric\":\"ipc\",\"depth\":0,"
					"\"counted\":true},{\"metric\":\"deep\",\"depth\":2,"
					"\"counted\":true},{\"metric\":\"stalled\","));
}

static void test_page_before_the_first_count(void **state)
{
	struct timeline_html html = {.stream = capture_begin(), .name = "test.html"};
	assert_no_error(timeline_html_open(&html));
	_cleanup_free_ char *written = capture_end(html.stream);
	assert_non_null(strstr(written, "<body>"));
	assert_int_equal(count_of(written, "</script>"), 1);
}

static void test_no_counts(void **state)
{
	struct stat_report report = {.vendor_name = ""};
	struct timeline_html html = {.stream = capture_begin(), .name = "test.html"};
	const struct timeline_run nothing = {0};
	assert_no_error(timeline_html_open(&html));
	assert_no_error(timeline_html_begin(&html, &report, &nothing));
	assert_no_error(timeline_html_end(&html));
	_cleanup_free_ char *written = capture_end(html.stream);
	const char *at = written;
	assert_block(&at, legend_tag,
		     "{\"command\":\"\",\"program\":\"\",\"host\":\"\",\"system\":\"\","
		     "\"machine\":\"\",\"vendor\":\"\",\"kernel_mode\":false,"
		     "\"count_interval\":0,\"precision\":0,\"sections\":[],\"metrics\":[],"
		     "\"topdown\":[]}");
}

static void test_other_values_are_refused(void **state)
{
	struct page page;
	page_init(&page);
	struct timeline_html html = {.stream = capture_begin(), .name = "test.html"};
	assert_no_error(timeline_html_begin(&html, &page.report, &run));
	page.report.num_metrics = 1;
	const struct timeline_period period = {0};
	assert_error(timeline_html_add(&html, &page.report, &period), ERROR_FAILED,
		     "a count has 5 values, but test.html began with 6 columns");
	fclose(html.stream);
}

static void test_full_disk(void **state)
{
	FILE *full = fopen("/dev/full", "w");
	if (!full)
		skip();
	struct page page;
	page_init(&page);
	struct timeline_html html = {.stream = full, .name = "test.html"};
	_cleanup_(error_destroyp) struct error *err = timeline_html_open(&html);
	assert_non_null(err);
	// Whether the reason follows depends on how much the C library had buffered.
	assert_memory_equal(err->message, "cannot write test.html", 22);
	fclose(full);
}

int timeline_html_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_data),
		cmocka_unit_test(test_page_needs_nobody_else),
		cmocka_unit_test(test_names_do_not_leave_their_block),
		cmocka_unit_test(test_values_have_their_unit),
		cmocka_unit_test(test_absent_events_are_told_from_uncounted_ones),
		cmocka_unit_test(test_topdown_has_what_is_counted),
		cmocka_unit_test(test_page_before_the_first_count),
		cmocka_unit_test(test_no_counts),
		cmocka_unit_test(test_other_values_are_refused),
		cmocka_unit_test(test_full_disk),
	};
	return cmocka_run_group_tests_name("timeline_html", tests, NULL, NULL);
}
