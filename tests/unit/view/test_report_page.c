// SPDX-License-Identifier: Apache-2.0
// What the page does with its data in a browser: tests/page/.
#include "view/page/report_page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/container/array.h"
#include "tests/unit/assert_error.h"
#include "tests/unit/capture.h"
#include "tests/unit/profile_fixture.h"

#include <jansson.h>
#include <string.h>

static const char evil[] = "</script><script>alert(1)</script><!--\"\\\x01\xff";

static char *write_page(const struct named_profile *profile,
			const struct report_page_options *options)
{
	FILE *stream = capture_begin();
	assert_no_error(report_page_write(stream, "test.html", profile, options));
	return capture_end(stream);
}

/** The JSON of the block with that id. */
static json_t *block(const char *page, const char *id)
{
	char tag[64];
	snprintf(tag, sizeof(tag), "id=\"wperf-%s\">", id);
	const char *start = strstr(page, tag);
	assert_non_null(start);
	start += strlen(tag);
	const char *end = strstr(start, "</script>");
	assert_non_null(end);
	json_t *json = json_loadb(start, (size_t)(end - start), 0, NULL);
	assert_non_null(json);
	return json;
}

static size_t count_of(const char *text, const char *word)
{
	size_t count = 0;
	for (; (text = strstr(text, word)); text += strlen(word))
		count++;
	return count;
}

static void test_page_needs_nobody_else(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	assert_no_error(named_profile_init(&profile));
	_cleanup_free_ char *page = write_page(&profile, &(struct report_page_options){0});
	assert_memory_equal(page, "<!DOCTYPE html>\n", 16);
	assert_non_null(strstr(page, "</body>\n</html>\n"));
	assert_non_null(strstr(page, "default-src 'none'"));
	static const char *const others[] = {
		"http:", "https:", "src=", "@import", "url(", "fetch("};
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		assert_null(strstr(page, others[i]));
}

static void test_names_do_not_leave_their_block(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	assert_no_error(named_profile_init(&profile));
	uint32_t frame = fixture_place(&profile, evil, evil, 3);
	fixture_sample(&profile, &frame, 1, 5);
	assert_no_error(named_profile_string(&profile, evil, &profile.command_line));
	const struct report_instruction instruction = {1, evil, 2, 0};
	const struct report_listing listing = {0, &instruction, 1};
	_cleanup_free_ char *page =
		write_page(&profile, &(struct report_page_options){.title = evil,
								   .listings = &listing,
								   .num_listings = 1});
	assert_int_equal(count_of(page, "<script"), count_of(page, "</script>"));
	assert_null(strstr(page, "<!--"));
	assert_null(strstr(page, "<script>alert"));
	json_t *strings = block(page, "strings");
	assert_int_equal(json_array_size(strings), 2);
	assert_string_equal(json_string_value(json_array_get(strings, 1)),
			    "</script><script>alert(1)</script><!--\"\\\x01\xef\xbf\xbd");
	json_decref(strings);
}

static void test_states_are_written_where_any_is_known(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	assert_no_error(named_profile_init(&profile));
	uint32_t frame = fixture_place(&profile, "f", "f.c", 3);
	fixture_sample(&profile, &frame, 1, 5);
	fixture_sample(&profile, &frame, 1, 5);
	_cleanup_free_ char *without = write_page(&profile, &(struct report_page_options){0});
	assert_non_null(strstr(without, "id=\"wperf-sample-state\"></script>"));
	profile.samples[1].gil = GIL_WAITED;
	_cleanup_free_ char *with = write_page(&profile, &(struct report_page_options){0});
	// Bytes 0 and 3.
	assert_non_null(strstr(with, "id=\"wperf-sample-state\">AAM=</script>"));
}

static struct error *open_temporary(void *context, const char *path, struct file_map *ret)
{
	if (strcmp(path, "missing.c") == 0)
		return error_create(ERROR_ABSENT, "no file");
	char full[256];
	snprintf(full, sizeof(full), "%s/%s", (const char *)context, path);
	return file_map_open(ret, full);
}

static void write_file(const char *folder, const char *name, const void *text, size_t size)
{
	char path[256];
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	FILE *file = fopen(path, "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

static void test_sources_are_bounded(void **state)
{
	char folder[] = "/tmp/report_page_XXXXXX";
	assert_non_null(mkdtemp(folder));
	write_file(folder, "hot.c", "hot\n", 4);
	write_file(folder, "large.c", "more than there is room for\n", 28);
	write_file(folder, "cold.c", "cold\n", 5);
	write_file(folder, "binary.c", "a\0b", 3);
	_cleanup_(named_profile_deinit) struct named_profile profile;
	assert_no_error(named_profile_init(&profile));
	static const char *const names[] = {"cold.c", "large.c", "binary.c", "missing.c", "hot.c"};
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		uint32_t frame = fixture_place(&profile, "f", names[i], 1);
		fixture_sample(&profile, &frame, 1, i + 1);
	}
	_cleanup_free_ char *page =
		write_page(&profile, &(struct report_page_options){.open_source = open_temporary,
								   .source_context = folder,
								   .max_source_bytes = 10});
	json_t *sources = block(page, "sources");
	_cleanup_free_ char *written = json_dumps(sources, JSON_COMPACT);
	json_decref(sources);
	// File numbers are those of the page's strings: 1 is "f", 2 is cold.c.
	assert_string_equal(written, "[{\"file\":6,\"text\":\"hot\\n\"},"
				     "{\"file\":2,\"text\":\"cold\\n\"}]");
	char command[64];
	snprintf(command, sizeof(command), "rm -r %s", folder);
	assert_int_equal(system(command), 0);
}

static const char *text_at(const json_t *array, size_t index, const char *key)
{
	return json_string_value(json_object_get(json_array_get(array, index), key));
}

/** -1: it is not there. */
static json_int_t number_at(const json_t *array, size_t index, const char *key)
{
	const json_t *number = json_object_get(json_array_get(array, index), key);
	return number ? json_integer_value(number) : -1;
}

static void fill_recording(struct named_profile *profile, const char *command, uint64_t duration_ns)
{
	assert_no_error(named_profile_init(profile));
	fixture_event(profile, "cycles");
	fixture_thread(profile, 7, 8, "worker", "app");
	uint32_t frame = fixture_place(profile, "f", "f.c", 1);
	fixture_sample(profile, &frame, 1, 5);
	profile->command_line = fixture_string(profile, command);
	profile->start_time_ns = 1;
	profile->samples[0].time_ns = 2;
	profile->duration_ns = duration_ns;
	profile->num_lost = duration_ns / 1000;
}

static void assert_both_recordings(const json_t *recordings)
{
	assert_int_equal(json_array_size(recordings), 2);
	assert_string_equal(text_at(recordings, 0, "name"), "a.data");
	assert_string_equal(text_at(recordings, 1, "name"), "b.data");
	assert_string_equal(text_at(recordings, 0, "command"), "./old");
	assert_string_equal(text_at(recordings, 1, "command"), "./new");
	assert_int_equal(number_at(recordings, 0, "durationNs"), 4000);
	assert_int_equal(number_at(recordings, 1, "durationNs"), 9000);
	assert_int_equal(number_at(recordings, 1, "lost"), 9);
	assert_int_equal(number_at(recordings, 0, "slotNs"), number_at(recordings, 1, "slotNs"));
	assert_int_equal(number_at(recordings, 0, "numSlots"), 3001); // of the longer one
}

static void test_two_recordings(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile later = {0}, profile = {0};
	struct profile_join join;
	fill_recording(&profile, "./old", 4000);
	fill_recording(&later, "./new", 9000);
	assert_no_error(profile_join_add(&profile, &later, &join));
	const struct report_page_options options = {.join = &join,
						    .recording_names = {"a.data", "b.data"}};
	_cleanup_free_ char *page = write_page(&profile, &options);
	json_t *summary = block(page, "summary");
	assert_both_recordings(json_object_get(summary, "recordings"));
	// Where pages of one have it, the first.
	assert_int_equal(json_integer_value(json_object_get(summary, "durationNs")), 4000);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(number_at(json_object_get(summary, "events"), i, "recording"), i);
		assert_int_equal(number_at(json_object_get(summary, "threads"), i, "recording"), i);
	}
	json_decref(summary);
}

static void test_one_recording_has_no_number(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile = {0};
	fill_recording(&profile, "./old", 4000);
	_cleanup_free_ char *page = write_page(&profile, &(struct report_page_options){0});
	json_t *summary = block(page, "summary");
	assert_null(json_object_get(summary, "recordings"));
	assert_int_equal(number_at(json_object_get(summary, "events"), 0, "recording"), -1);
	assert_int_equal(number_at(json_object_get(summary, "threads"), 0, "recording"), -1);
	json_decref(summary);
}

static void test_full_disk(void **state)
{
	FILE *full = fopen("/dev/full", "w");
	if (!full)
		skip();
	_cleanup_(named_profile_deinit) struct named_profile profile;
	assert_no_error(named_profile_init(&profile));
	_cleanup_(error_destroyp) struct error *err =
		report_page_write(full, "test.html", &profile, &(struct report_page_options){0});
	assert_non_null(err);
	assert_memory_equal(err->message, "cannot write test.html", 22);
	fclose(full);
}

int report_page_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_page_needs_nobody_else),
		cmocka_unit_test(test_names_do_not_leave_their_block),
		cmocka_unit_test(test_states_are_written_where_any_is_known),
		cmocka_unit_test(test_sources_are_bounded),
		cmocka_unit_test(test_two_recordings),
		cmocka_unit_test(test_one_recording_has_no_number),
		cmocka_unit_test(test_full_disk),
	};
	return cmocka_run_group_tests_name("report_page", tests, NULL, NULL);
}
