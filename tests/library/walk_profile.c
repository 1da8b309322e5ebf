/* SPDX-License-Identifier: Apache-2.0 */

/* walk_profile FILE...: asks libwperf for everything that it knows of recordings, which may be
 * damaged, and checks that all numbers lead somewhere. A line for each: samples, or the error. */

#include <wperf.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                          \
	do {                                                                                      \
		if (!(condition)) {                                                               \
			fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
			abort();                                                                  \
		}                                                                                 \
	} while (0)

static size_t num_bytes; /* of all texts: they are read */

static void read_text(const char *text)
{
	CHECK(text);
	num_bytes += strlen(text);
}

static void check_index(uint32_t index, size_t num)
{
	CHECK(index == WPERF_NONE || index < num);
}

static void walk_names(const struct wperf_profile *profile, const struct wperf_profile_facts *facts)
{
	struct wperf_sampled_event event;
	struct wperf_sampled_thread thread;
	struct wperf_module module;
	struct wperf_function function;
	struct wperf_frame frame;
	size_t i;
	for (i = 0; wperf_profile_event_at(profile, i, &event); i++)
		read_text(event.name), read_text(event.unit);
	CHECK(i == facts->num_events);
	for (i = 0; wperf_profile_thread_at(profile, i, &thread); i++)
		read_text(thread.name), read_text(thread.process_name);
	CHECK(i == facts->num_threads);
	for (i = 0; wperf_profile_module_at(profile, i, &module); i++)
		read_text(module.name), read_text(module.path), read_text(module.build_id);
	CHECK(i == facts->num_modules);
	for (i = 0; wperf_profile_function_at(profile, i, &function); i++) {
		read_text(function.name), read_text(function.linkage_name);
		read_text(function.file);
		check_index(function.module, facts->num_modules);
	}
	CHECK(i == facts->num_functions);
	for (i = 0; wperf_profile_frame_at(profile, i, &frame); i++) {
		read_text(frame.file);
		CHECK(frame.function < facts->num_functions);
	}
	CHECK(i == facts->num_frames);
}

static void walk_samples(const struct wperf_profile *profile,
			 const struct wperf_profile_facts *facts)
{
	struct wperf_stack stack, caller;
	struct wperf_sampled sample;
	size_t i;
	for (i = 0; wperf_profile_stack_at(profile, i, &stack); i++) {
		CHECK(stack.frame < facts->num_frames);
		CHECK(stack.caller == WPERF_NONE || stack.caller < i);
		if (wperf_profile_stack_at(profile, stack.caller, &caller))
			CHECK(stack.depth == caller.depth + 1);
		else
			CHECK(stack.depth == 1);
	}
	CHECK(i == facts->num_stacks);
	for (i = 0; wperf_profile_sample_at(profile, i, &sample); i++) {
		check_index(sample.stack, facts->num_stacks);
		CHECK(sample.thread < facts->num_threads && sample.event < facts->num_events);
		CHECK(sample.count);
	}
	CHECK(i == facts->num_samples);
}

static void annotate(const struct wperf_profile *profile, const char *function, const char *file)
{
	struct wperf_annotation *annotation;
	struct wperf_error *error =
		wperf_profile_annotate(profile, function, file, NULL, &annotation);
	struct wperf_line line;
	struct wperf_instruction instruction;
	if (error) {
		read_text(wperf_error_message(error));
		wperf_error_free(error);
		return;
	}
	for (size_t i = 0; wperf_annotation_line_at(annotation, i, &line); i++) {
		read_text(line.file);
		CHECK(line.self_count <= line.total_count);
		if (line.text)
			read_text(line.text);
	}
	for (size_t i = 0; wperf_annotation_instruction_at(annotation, i, &instruction); i++)
		if (instruction.text)
			read_text(instruction.text);
	wperf_annotation_free(annotation);
}

static void sum_up(const struct wperf_profile *profile, const struct wperf_profile_facts *facts)
{
	struct wperf_choice all = WPERF_CHOICE_INIT;
	all.event = WPERF_NONE;
	for (int key = WPERF_HOT_FUNCTION; key <= WPERF_HOT_PYTHON_FILE; key++) {
		struct wperf_hot *hot;
		struct wperf_hot_row row;
		struct wperf_error *error =
			wperf_profile_hot(profile, (enum wperf_hot_key)key, &all, key % 2, &hot);
		CHECK(!error == (facts->num_events > 0));
		wperf_error_free(error);
		if (error)
			continue;
		for (size_t i = 0; wperf_hot_row_at(hot, i, &row); i++) {
			read_text(row.label);
			check_index(row.function, facts->num_functions);
			check_index(row.frame, facts->num_frames);
			check_index(row.module, facts->num_modules);
			check_index(row.thread, facts->num_threads);
			CHECK(row.self_count <= row.total_count);
			CHECK(row.self_low <= row.self_high);
		}
		if (key == WPERF_HOT_FUNCTION && wperf_hot_row_at(hot, 0, &row))
			annotate(profile, row.label, NULL);
		wperf_hot_free(hot);
	}
	struct wperf_frame frame;
	if (wperf_profile_frame_at(profile, 0, &frame))
		annotate(profile, NULL, frame.file);
}

static void export_all(const struct wperf_profile *profile)
{
	const char *format;
	for (size_t i = 0; (format = wperf_export_format_at(i)); i++) {
		struct wperf_error *error =
			wperf_profile_export(profile, format, "walk_profile.export");
		if (error)
			read_text(wperf_error_message(error));
		wperf_error_free(error);
	}
	remove("walk_profile.export");
}

/** @data: how often it may still go on. */
static bool count_down(void *data, const struct wperf_progress *progress)
{
	int *left = data;
	CHECK(!progress->whole || progress->done <= progress->whole);
	return (*left)-- > 0;
}

/** @may_go_on: how often the callback lets it. @ret: NULL after an error. */
static enum wperf_error_kind open_file(const char *path, int may_go_on, char *message, size_t size,
				       struct wperf_profile **ret)
{
	struct wperf_profile_config config = WPERF_PROFILE_CONFIG_INIT;
	config.path = path;
	config.is_forced = config.keeps_times = config.with_idle = true;
	config.watch.progress = count_down;
	config.watch.data = &may_go_on;
	*ret = NULL;
	struct wperf_error *error = wperf_profile_open(&config, ret);
	if (!error)
		return WPERF_ERROR_FAILED;
	enum wperf_error_kind kind = wperf_error_kind_of(error);
	CHECK(!*ret);
	snprintf(message, size, "%s", wperf_error_message(error));
	wperf_error_free(error);
	return kind;
}

static void walk_file(const char *path)
{
	enum { OFTEN = 1000000 };
	char message[256] = "";
	struct wperf_profile *profile;
	open_file(path, OFTEN, message, sizeof(message), &profile);
	if (!profile) {
		printf("%s: error: %s\n", path, message);
		return;
	}
	struct wperf_profile_facts facts;
	wperf_profile_describe(profile, &facts);
	read_text(wperf_profile_notes(profile));
	read_text(facts.command_line), read_text(facts.host), read_text(facts.system);
	read_text(facts.machine), read_text(facts.language);
	walk_names(profile, &facts);
	walk_samples(profile, &facts);
	sum_up(profile, &facts);
	export_all(profile);
	printf("%s: %zu samples\n", path, facts.num_samples);
	wperf_profile_close(profile);
	/* At the begin, and in the middle: after the records. */
	for (int i = 0; i < 2; i++) {
		enum wperf_error_kind kind = open_file(path, i, message, sizeof(message), &profile);
		CHECK(kind == WPERF_ERROR_CANCELLED && !profile);
	}
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		walk_file(argv[i]);
	printf("%zu bytes of texts\n", num_bytes);
	return 0;
}
