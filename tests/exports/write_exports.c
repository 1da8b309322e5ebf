// SPDX-License-Identifier: Apache-2.0

/**
 * Writes the same profile in every format into a folder, and what its own hot list says of it:
 *
 *	write_exports FOLDER [SAMPLES [FILE]]
 *	write_exports FOLDER names FILE
 *
 * The names are those that formats and readers stumble over. With a number of samples the profile
 * is a large one, and the time of each format is printed. With `names` they are those that a
 * terminal or a pattern stumbles over.
 */

#include "base/container/array.h"
#include "fleet/otlp/otlp_encoder.h"
#include "interpreter/python/python_language.h"
#include "profile/hot/hot_list.h"
#include "profile/profile_filter.h"
#include "view/export/collapsed.h"
#include "view/export/firefox.h"
#include "view/export/flame_svg.h"
#include "view/export/perf_script.h"
#include "view/export/pprof.h"
#include "view/export/speedscope.h"
#include "view/json/json_writer.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static void fail(struct error *err)
{
	if (!err)
		return;
	fprintf(stderr, "%s\n", err->message);
	exit(1);
}

static uint32_t string(struct named_profile *profile, const char *text)
{
	uint32_t id = 0;
	fail(named_profile_string(profile, text, &id));
	return id;
}

struct known_module {
	const char *name, *path, *build_id;
};

static const struct known_module modules[] = {
	{"app", "/opt/my app/app", "00112233445566778899aabbccddeeff01020304"},
	{"libc.so.6", "/usr/lib/libc.so.6", ""},
	{"[kernel]", "[kernel.kallsyms]", ""},
};

enum { APP, LIBC, KERNEL, NO_MODULE };

struct known_function {
	const char *name, *linkage_name;
	unsigned module;
	const char *file;
	uint32_t line;
	enum frame_kind kind;
	bool is_inlined;
};

static const struct known_function functions[] = {
	{"_start", "", APP, "", 0, FRAME_NATIVE, false},
	{"main", "", APP, "/src/app \"one\".cpp", 20, FRAME_NATIVE, false},
	{"std::vector<int, std::allocator<int> >::push_back(int const&)",
	 "_ZNSt6vectorIiSaIiEE9push_backERKi", APP, "/usr/include/vector.h", 1200, FRAME_NATIVE,
	 true},
	{"<module>", "", NO_MODULE, "/src/job.py", 1, FRAME_INTERPRETED, false},
	{"Parser.parse", "", NO_MODULE, "/src/job.py", 7, FRAME_INTERPRETED, false},
	{"Model.<listcomp>", "", NO_MODULE, "/src/größe.py", 3, FRAME_INTERPRETED, false},
	{"say \"hi\" \\ there", "", NO_MODULE, "/src/größe.py", 30, FRAME_INTERPRETED, false},
	{"größe_µ", "", APP, "/src/größe.c", 5, FRAME_NATIVE, false},
	{"memcpy", "", LIBC, "", 0, FRAME_NATIVE, false},
	{"do_syscall_64", "", KERNEL, "", 0, FRAME_KERNEL, false},
	{"copy_page", "", KERNEL, "", 0, FRAME_KERNEL, false},
	{"jitted", "", NO_MODULE, "", 0, FRAME_JIT, false},
	{"recurse", "", APP, "/src/app \"one\".cpp", 90, FRAME_NATIVE, false},
	{"[truncated stack]", "", NO_MODULE, "", 0, FRAME_MARKER, false},
};

static void add_names(struct named_profile *profile)
{
	for (size_t i = 0; i < ARRAY_SIZE(modules); i++) {
		struct named_module module = {
			.name = string(profile, modules[i].name),
			.path = string(profile, modules[i].path),
			.build_id = string(profile, modules[i].build_id),
		};
		uint32_t index;
		fail(named_profile_module(profile, &module, &index));
	}
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++) {
		const struct known_function *known = &functions[i];
		struct named_function function = {
			.name = string(profile, known->name),
			.linkage_name = string(profile, known->linkage_name),
			.module = known->module == NO_MODULE ? NAMED_NONE : known->module,
			.file = string(profile, known->file),
			.line = known->line,
			.kind = known->kind,
		};
		uint32_t index;
		fail(named_profile_function(profile, &function, &index));
	}
}

static void add_threads(struct named_profile *profile)
{
	static const char *const names[] = {"python3", "wörker \"2\"", "kworker/0:1"};
	for (uint32_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct named_thread thread = {
			.pid = i == 2 ? 77 : 4242,
			.tid = i == 2 ? 77 : 4242 + i,
			.name = string(profile, names[i]),
			.process_name = string(profile, i == 2 ? names[2] : names[0]),
		};
		uint32_t index;
		fail(named_profile_thread(profile, &thread, &index));
	}
}

static uint32_t frame(struct named_profile *profile, uint32_t function, uint32_t line_offset)
{
	const struct known_function *known = &functions[function];
	struct named_frame frame = {
		.function = function,
		.file = profile->functions[function].file,
		.line = known->line ? known->line + line_offset : 0,
		.is_inlined = known->is_inlined,
		.address = known->kind == FRAME_INTERPRETED
				   ? 0
				   : 0x1000 + 0x100 * function + line_offset,
	};
	// It stands at the address of the function that it is inlined into.
	if (known->is_inlined)
		frame.address = 0x1000 + 0x100 * 1 + line_offset;
	uint32_t index = 0;
	fail(named_profile_frame(profile, &frame, &index));
	return index;
}

enum { PATH_MAX_FRAMES = 8, PATH_END = 255 };

struct known_path {
	uint32_t num_samples;
	unsigned char functions[PATH_MAX_FRAMES]; /* outermost first */
};

// Each number of samples is another one, so that no order is left to chance.
static const struct known_path paths[] = {
	{101, {0, 1, 2, PATH_END}},
	{53, {0, 1, 3, 4, PATH_END}},
	{79, {0, 1, 3, 4, 5, 7, PATH_END}},
	{31, {0, 1, 3, 6, PATH_END}},
	{23, {0, 1, 3, 6, 8, PATH_END}},
	{17, {0, 1, 3, 6, 8, 9, 10, PATH_END}},
	{13, {0, 1, 11, PATH_END}},
	{43, {0, 1, 12, 12, 12, PATH_END}},
	{7, {13, 12, PATH_END}},
	{3, {9, PATH_END}},
	{5, {0, 1, 3, 5, PATH_END}},
	{2, {PATH_END}},
};

static uint32_t intern_path(struct named_profile *profile, const struct known_path *path,
			    uint32_t number)
{
	uint32_t stack = STACK_NONE;
	for (size_t i = 0; i < PATH_MAX_FRAMES && path->functions[i] != PATH_END; i++)
		fail(stack_table_push(&profile->stacks, stack,
				      frame(profile, path->functions[i], number % 3), &stack));
	return stack;
}

enum { SAMPLE_NS = 1000003 };

static void add_samples(struct named_profile *profile)
{
	uint64_t time_ns = 5000000000;
	for (uint32_t i = 0; i < 101; i++) {
		for (size_t j = 0; j < ARRAY_SIZE(paths); j++) {
			if (i >= paths[j].num_samples)
				continue;
			struct named_sample sample = {
				.time_ns = time_ns += SAMPLE_NS,
				.weight = SAMPLE_NS,
				.count = 1,
				.stack = intern_path(profile, &paths[j], i),
				.thread = paths[j].functions[0] == 9 ? 2 : i % 2,
				.cpu = i % 5 ? i % 4 : NAMED_NONE,
			};
			fail(named_profile_add(profile, &sample));
		}
	}
}

static void add_event(struct named_profile *profile)
{
	struct named_event event = {
		.name = string(profile, "task-clock"),
		.unit = string(profile, "nanoseconds"),
		.period = SAMPLE_NS,
	};
	uint32_t index;
	fail(named_profile_event(profile, &event, &index));
}

static void build_known(struct named_profile *profile)
{
	add_names(profile);
	add_threads(profile);
	add_event(profile);
	add_samples(profile);
}

#define TEN_MARKS "\u0301\u0302\u0303\u0304\u0305\u0306\u0307\u0308\u0309\u030a"

/** Each a module, a process and a function with one sample more than the next. */
static const char *const hard_names[] = {
	"日本語のライブラリ::計算する関数の長い名前、端末の幅より長い、もっと長い",
	"cafe\u0301 \u0928\u093f", // letters and marks
	"z" TEN_MARKS TEN_MARKS TEN_MARKS "algo",
	"\U0001f469\u200d\U0001f467 emoji \U0001f600\U0001f3fb",
	"operator*",
	"operator**",
	"f[ab]?",
	"fax",
	"^start$",
	"start",
	"START",
	"\u202egnol\u2066",
};

static void build_hard_names(struct named_profile *profile)
{
	add_event(profile);
	for (uint32_t i = 0; i < ARRAY_SIZE(hard_names); i++) {
		uint32_t index, name = string(profile, hard_names[i]);
		struct named_module module = {.name = name, .path = name};
		fail(named_profile_module(profile, &module, &index));
		struct named_function function = {.name = name, .module = index};
		fail(named_profile_function(profile, &function, &index));
		struct named_frame frame = {.function = index, .address = 0x100 + i};
		fail(named_profile_frame(profile, &frame, &index));
		struct named_sample sample = {
			.weight = SAMPLE_NS * (ARRAY_SIZE(hard_names) - i),
			.count = (uint32_t)ARRAY_SIZE(hard_names) - i,
			.cpu = NAMED_NONE,
		};
		fail(stack_table_push(&profile->stacks, STACK_NONE, index, &sample.stack));
		struct named_thread thread = {
			.pid = 100 + i, .tid = 100 + i, .name = name, .process_name = name};
		fail(named_profile_thread(profile, &thread, &sample.thread));
		fail(named_profile_add(profile, &sample));
	}
}

static uint32_t next_random(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005 + 1442695040888963407;
	return (uint32_t)(*seed >> 33);
}

enum { LARGE_FUNCTIONS = 20000, LARGE_STACKS = 100000, LARGE_DEPTH = 24 };

static void build_large(struct named_profile *profile, size_t num_samples)
{
	static uint32_t stacks[LARGE_STACKS];
	uint64_t seed = 1;
	add_names(profile);
	add_threads(profile);
	add_event(profile);
	for (uint32_t i = 0; i < LARGE_FUNCTIONS; i++) {
		char name[64];
		snprintf(name, sizeof(name), "package::component::function_%u", i);
		struct named_function function = {
			.name = string(profile, name), .module = i % 3, .file = 0};
		uint32_t index;
		fail(named_profile_function(profile, &function, &index));
		struct named_frame large = {.function = index, .line = i, .address = 64 + i};
		fail(named_profile_frame(profile, &large, &index));
	}
	// Ways down a tree: a caller calls few functions.
	for (uint32_t i = 0; i < LARGE_STACKS; i++) {
		uint32_t stack = STACK_NONE;
		uint32_t at = 0;
		uint32_t depth = 8 + next_random(&seed) % (2 * (LARGE_DEPTH - 8));
		for (uint32_t j = 0; j < depth; j++) {
			at = (at * 3 + 1 + next_random(&seed) % (j < 3 ? 2 : 3)) % LARGE_FUNCTIONS;
			fail(stack_table_push(&profile->stacks, stack, at, &stack));
		}
		stacks[i] = stack;
	}
	for (size_t i = 0; i < num_samples; i++) {
		// Few stacks are hot, as in programs.
		uint32_t hot = next_random(&seed) % LARGE_STACKS;
		hot = (uint32_t)((uint64_t)hot * (next_random(&seed) % LARGE_STACKS) /
				 LARGE_STACKS);
		struct named_sample sample = {
			.time_ns = 1000 * i,
			.weight = SAMPLE_NS,
			.count = 1,
			.stack = stacks[hot],
			.thread = next_random(&seed) % 3,
			.cpu = next_random(&seed) % 8,
		};
		fail(named_profile_add(profile, &sample));
	}
}

static double seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static FILE *open_in(const char *folder, const char *file)
{
	char path[4096];
	snprintf(path, sizeof(path), "%s/%s", folder, file);
	FILE *stream = fopen(path, "wb");
	if (!stream) {
		perror(path);
		exit(1);
	}
	return stream;
}

static void write_list(const struct named_profile *profile, const struct profile_filter *filter,
		       struct json_writer *json)
{
	_cleanup_(hot_list_deinit) struct hot_list list = HOT_LIST_INIT;
	fail(hot_list_create(profile, HOT_FUNCTION, HOT_BY_SELF, filter, &list));
	json_begin_object(json);
	for (size_t i = 0; i < list.num_entries; i++) {
		const struct hot_entry *entry = &list.entries[i];
		if (entry->item == NAMED_NONE)
			continue;
		json_key(json, named_profile_text(profile, profile->functions[entry->item].name));
		json_begin_array(json);
		json_u64(json, entry->self.count);
		json_u64(json, entry->total.count);
		json_end_array(json);
	}
	json_end_object(json);
}

static void write_thread(const struct named_profile *profile, const char *name,
			 struct json_writer *json)
{
	_cleanup_(profile_filter_destroyp) struct profile_filter *filter = NULL;
	struct profile_criteria criteria = PROFILE_CRITERIA_ALL;
	criteria.thread = name;
	fail(profile_filter_create(profile, &criteria, &filter));
	json_key(json, name);
	write_list(profile, filter, json);
}

// What every reader must find, in all and per thread: self and total samples of each function.
static struct error *write_truth(const struct named_profile *profile, uint32_t event, FILE *stream,
				 const char *name)
{
	struct json_writer json = json_writer_create(stream);
	json_begin_object(&json);
	json_key(&json, "all");
	write_list(profile, NULL, &json);
	json_key(&json, "threads");
	json_begin_object(&json);
	for (size_t i = 0; i < profile->num_threads; i++)
		write_thread(profile, named_profile_text(profile, profile->threads[i].name), &json);
	json_end_object(&json);
	json_key(&json, "sample_ns");
	json_u64(&json, SAMPLE_NS);
	json_end_object(&json);
	return json_finish(&json, name);
}

static struct error *write_otlp(const struct named_profile *profile, uint32_t event, FILE *stream,
				const char *name)
{
	struct fleet_batch batch = {.id = strdup("agent-1-7"), .profile = *profile};
	fail(fleet_batch_set_label(&batch, "service.name", "my job"));
	struct error *err = otlp_encoder_write(&batch, false, stream, name);
	fleet_batch_deinit_labels(&batch);
	free(batch.id);
	return err;
}

struct format {
	const char *file;
	struct error *(*write)(const struct named_profile *profile, uint32_t event, FILE *stream,
			       const char *name);
};

static const struct format formats[] = {
	{"truth.json", write_truth},
	{"profile.folded", collapsed_write},
	{"profile.perf.txt", perf_script_write},
	{"profile.speedscope.json", speedscope_write},
	{"profile.pb.gz", pprof_write},
	{"profile.firefox.json", firefox_write},
	{"profile.svg", flame_svg_write},
	{"profile.otlp", write_otlp},
};

/** @only: this file; NULL: all. */
static void write_all(const struct named_profile *profile, const char *folder, const char *only,
		      bool with_times)
{
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
		if (only && strcmp(only, formats[i].file) != 0)
			continue;
		FILE *stream = open_in(folder, formats[i].file);
		double start = seconds();
		fail(formats[i].write(profile, 0, stream, formats[i].file));
		if (with_times)
			printf("%-24s %6.3f s %12ld bytes\n", formats[i].file, seconds() - start,
			       ftell(stream));
		fclose(stream);
	}
}

static void time_hot_list(const struct named_profile *profile)
{
	for (enum hot_key key = 0; key < HOT_NUM_KEYS; key++) {
		_cleanup_(hot_list_deinit) struct hot_list list = HOT_LIST_INIT;
		double start = seconds();
		fail(hot_list_create(profile, key, HOT_BY_SELF, NULL, &list));
		printf("hot list by %-10s %6.3f s, %zu entries\n", hot_key_name(key),
		       seconds() - start, list.num_entries);
	}
}

int main(int argc, char **argv)
{
	if (argc < 2 || argc > 4) {
		fprintf(stderr, "usage: write_exports FOLDER [SAMPLES [FILE]]\n");
		return 2;
	}
	_cleanup_(named_profile_deinit) struct named_profile profile;
	fail(named_profile_init(&profile));
	profile.language = &python_language;
	profile.command_line = string(&profile, "python3 \"my job\".py");
	profile.machine = string(&profile, "x86_64");
	profile.system = string(&profile, "Linux");
	profile.start_time_ns = argc > 2 ? 0 : 5000000000;
	profile.start_wall_ns = UINT64_C(1760000000000000000);
	profile.duration_ns = 1000000000;
	bool is_hard = argc > 2 && strcmp(argv[2], "names") == 0;
	if (is_hard) {
		build_hard_names(&profile);
	} else if (argc > 2) {
		build_large(&profile, strtoul(argv[2], NULL, 10));
		printf("%zu samples, %zu nodes of stacks\n", profile.num_samples,
		       profile.stacks.num_nodes);
		if (argc == 3)
			time_hot_list(&profile);
	} else {
		build_known(&profile);
	}
	if (strcmp(argv[1], "-") != 0)
		write_all(&profile, argv[1], argc > 3 ? argv[3] : NULL, argc > 2);
	return 0;
}
