// SPDX-License-Identifier: Apache-2.0
// Profiles by hand, and debug files of a compiler: what a frame without a name becomes.

#include "server/symbols/debug_names.h"

#include "base/container/array.h"
#include "base/file/file_map.h"
#include "base/thread/thread.h"
#include "object/object.h"
#include "record/build_id.h"
#include "server/symbols/debug_file_cache.h"
#include "server/symbols/debug_folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/profile_fixture.h"
#include "tests/unit/scratch_folder.h"

static const char source[] = "static inline int square(int n)\n"
			     "{\n"
			     "\treturn n * n;\n"
			     "}\n"
			     "__attribute__((noinline)) int price(int n)\n"
			     "{\n"
			     "\treturn square(n) + 1;\n"
			     "}\n"
			     "int main(int argc, char **argv)\n"
			     "{\n"
			     "\treturn price(argc);\n"
			     "}\n";

/** The program, and its debug file by its build id below @folder. */
struct program {
	char build_id[BUILD_ID_DIGITS + 1];
	uint64_t price, main; /* addresses */
};

static void shell(const char *command)
{
	assert_int_equal(system(command), 0);
}

static void compile(const char *folder, struct program *ret)
{
	char command[500];
	scratch_folder_write("app.c", source);
	shell("gcc -O2 -g -Wl,--build-id -o app app.c");
	_cleanup_(object_destroyp) struct object *object = NULL;
	struct record_build_id id;
	const struct object_symbol *symbols;
	size_t num_symbols;
	assert_no_error(object_open("app", "", &object));
	id.size = (uint8_t)object_build_id(object, id.bytes);
	build_id_format(&id, ret->build_id);
	assert_no_error(object_symbols(object, &symbols, &num_symbols));
	for (size_t i = 0; i < num_symbols; i++) {
		if (strcmp(symbols[i].name, "price") == 0)
			ret->price = symbols[i].address;
		if (strcmp(symbols[i].name, "main") == 0)
			ret->main = symbols[i].address;
	}
	snprintf(command, sizeof(command),
		 "mkdir -p %s/%.2s && objcopy --only-keep-debug app %s/%.2s/%s.debug", folder,
		 ret->build_id, folder, ret->build_id, ret->build_id + 2);
	shell(command);
}

/** price() called by main(), both without names, by a kernel function; with a weight of 7. */
static void make_profile(struct named_profile *profile, const char *build_id,
			 const struct program *program)
{
	uint32_t event, thread, stack, module;
	assert_no_error(named_profile_init(profile));
	assert_no_error(named_profile_event(
		profile, &(struct named_event){.name = fixture_string(profile, "cycles")}, &event));
	assert_no_error(named_profile_thread(profile, &(struct named_thread){.pid = 1}, &thread));
	struct named_module app = {.name = fixture_string(profile, "app"),
				   .path = fixture_string(profile, "/srv/app"),
				   .build_id = fixture_string(profile, build_id)};
	assert_no_error(named_profile_module(profile, &app, &module));
	struct named_function function = {.name = fixture_string(profile, "[unknown]"),
					  .module = module};
	struct named_frame frames[3] = {{.address = program->price}, {.address = program->main}};
	uint32_t numbers[3];
	for (size_t i = 0; i < ARRAY_SIZE(frames); i++) {
		function.kind = i == 2 ? FRAME_KERNEL : FRAME_NATIVE;
		frames[i].address = i == 2 ? program->price : frames[i].address;
		assert_no_error(named_profile_function(profile, &function, &frames[i].function));
		assert_no_error(named_profile_frame(profile, &frames[i], &numbers[i]));
	}
	const uint32_t leaf_first[] = {numbers[2], numbers[0], numbers[1]};
	assert_no_error(stack_table_intern(&profile->stacks, leaf_first, 3, &stack));
	assert_no_error(named_profile_add(profile, &(struct named_sample){.weight = 7,
									  .count = 2,
									  .stack = stack,
									  .thread = thread,
									  .event = event}));
}

/** "mix:3 price:7 main:11", innermost first. */
static void print_stack(const struct named_profile *profile, char *text, size_t size)
{
	size_t used = 0;
	assert_int_equal(profile->num_samples, 1);
	assert_int_equal(profile->samples[0].weight, 7);
	assert_int_equal(profile->samples[0].count, 2);
	text[0] = '\0';
	for (uint32_t i = profile->samples[0].stack; i != STACK_NONE;
	     i = profile->stacks.nodes[i].parent) {
		const struct named_frame *frame = &profile->frames[profile->stacks.nodes[i].frame];
		const struct named_function *function = &profile->functions[frame->function];
		used += (size_t)snprintf(text + used, size - used, "%s%s%s:%u", used ? " " : "",
					 frame->is_inlined ? "~" : "",
					 named_profile_text(profile, function->name), frame->line);
	}
}

static void assert_stack(struct debug_names *names, const char *folder, const char *build_id,
			 const struct program *program, const char *wanted)
{
	char text[500];
	struct named_profile profile;
	make_profile(&profile, build_id, program);
	assert_no_error(debug_names_apply(names, folder, &profile));
	print_stack(&profile, text, sizeof(text));
	assert_string_equal(text, wanted);
	named_profile_deinit(&profile);
}

static const char named[] = "[unknown]:0 ~square:3 price:7 main:11";
static const char unnamed[] = "[unknown]:0 [unknown]:0 [unknown]:0";

/** An optimizing compiler may begin a function with any of its lines. */
static void find_lines(struct program *program)
{
	_cleanup_(object_destroyp) struct object *object = NULL;
	const struct object_line *lines;
	size_t num_lines;
	assert_no_error(object_open("app", "", &object));
	for (uint64_t *address = &program->price; address <= &program->main; address++)
		for (uint64_t i = 0; i < 16; i++) {
			bool is_price = address == &program->price;
			assert_no_error(
				object_find_lines(object, *address + i, &lines, &num_lines));
			if (num_lines != (is_price ? 2u : 1u) ||
			    lines[num_lines - 1].line != (is_price ? 7u : 11u))
				continue;
			*address += i;
			break;
		}
}

static void test_names(void **state)
{
	struct program program = {0};
	_cleanup_(debug_names_closep) struct debug_names *names = NULL;
	compile("mine", &program);
	find_lines(&program);
	assert_no_error(debug_names_open(&(struct debug_names_config){0}, &names));
	assert_stack(names, "mine", program.build_id, &program, named);
	assert_stack(names, "mine", program.build_id, &program, named);
	// Nobody else's, and no other build.
	assert_stack(names, "others", program.build_id, &program, unnamed);
	assert_stack(names, NULL, program.build_id, &program, unnamed);
	static const char *const ids[] = {"", "00", "0123456789abcdef", "../../mine", "no digits"};
	for (size_t i = 0; i < ARRAY_SIZE(ids); i++)
		assert_stack(names, "mine", ids[i], &program, unnamed);
}

static void test_system_folder_is_second(void **state)
{
	struct program program = {0};
	_cleanup_(debug_names_closep) struct debug_names *names = NULL;
	compile("system", &program);
	find_lines(&program);
	const struct debug_names_config config = {.system_folder = "system"};
	assert_no_error(debug_names_open(&config, &names));
	assert_stack(names, "mine", program.build_id, &program, named);
	shell("mkdir mine && cp -r system/* mine && objcopy --strip-debug mine/*/*.debug");
	assert_stack(names, "mine", program.build_id, &program, "[unknown]:0 price:0 main:0");
}

static void test_files_come_and_go(void **state)
{
	struct program program = {0};
	_cleanup_(debug_names_closep) struct debug_names *names = NULL;
	compile("mine", &program);
	find_lines(&program);
	assert_no_error(debug_names_open(&(struct debug_names_config){0}, &names));
	shell("mv mine away");
	assert_stack(names, "mine", program.build_id, &program, unnamed);
	shell("mv away mine");
	assert_stack(names, "mine", program.build_id, &program, named);
	shell("for f in mine/*/*.debug; do objcopy --strip-debug $f copy && mv copy $f; done");
	assert_stack(names, "mine", program.build_id, &program, "[unknown]:0 price:0 main:0");
	shell("rm -r mine");
	assert_stack(names, "mine", program.build_id, &program, unnamed);
}

static void test_what_is_known_stays(void **state)
{
	struct program program = {0};
	_cleanup_(debug_names_closep) struct debug_names *names = NULL;
	struct named_profile profile;
	char text[500];
	compile("mine", &program);
	find_lines(&program);
	assert_no_error(debug_names_open(&(struct debug_names_config){0}, &names));
	// Frames with lines, and who has inlined frames, are complete.
	make_profile(&profile, program.build_id, &program);
	for (size_t i = 0; i < profile.num_frames; i++) {
		bool is_price = profile.frames[i].address == program.price;
		profile.frames[i].line = is_price ? 99 : 0;
		profile.frames[i].is_inlined = is_price;
		profile.frames[i].address = program.main;
	}
	assert_no_error(debug_names_apply(names, "mine", &profile));
	print_stack(&profile, text, sizeof(text));
	assert_string_equal(text, "~[unknown]:99 ~[unknown]:99 [unknown]:0");
	named_profile_deinit(&profile);
}

struct applier {
	struct debug_names *names;
	struct named_profile profile;
	struct thread *thread;
	struct error *err;
};

static void applier_run(void *data)
{
	struct applier *applier = data;
	applier->err = debug_names_apply(applier->names, "mine", &applier->profile);
}

static void test_several_threads(void **state)
{
	struct program program = {0};
	struct applier appliers[8];
	char text[500];
	_cleanup_(debug_names_closep) struct debug_names *names = NULL;
	compile("mine", &program);
	find_lines(&program);
	// Too few bytes for any file: each is closed after its use.
	for (uint64_t max_bytes = 0; max_bytes < 2; max_bytes++) {
		const struct debug_names_config config = {.max_bytes = max_bytes};
		assert_no_error(debug_names_open(&config, &names));
		for (size_t i = 0; i < ARRAY_SIZE(appliers); i++) {
			appliers[i] = (struct applier){.names = names};
			make_profile(&appliers[i].profile, program.build_id, &program);
			assert_no_error(thread_start("applier", applier_run, &appliers[i],
						     &appliers[i].thread));
		}
		for (size_t i = 0; i < ARRAY_SIZE(appliers); i++) {
			thread_join(appliers[i].thread);
			assert_no_error(appliers[i].err);
			print_stack(&appliers[i].profile, text, sizeof(text));
			assert_string_equal(text, named);
			named_profile_deinit(&appliers[i].profile);
		}
		debug_names_close(take_ptr(names));
	}
}

static void test_open_files_are_bounded(void **state)
{
	struct program program = {0};
	struct debug_file_cache *cache;
	struct debug_file_use use;
	compile("mine", &program);
	shell("for i in 0 1 2 3 4; do cp mine/*/*.debug $i; done");
	const struct record_build_id id = build_id_parse(program.build_id);
	const struct debug_file_cache_limits limits = {.max_bytes = UINT64_MAX, .max_files = 3};
	assert_no_error(debug_file_cache_create(&limits, &cache));
	for (int i = 0; i < 20; i++) {
		char path[] = {(char)('0' + i % 5), '\0'};
		assert_no_error(debug_file_cache_use(cache, path, &id, i % 2, &use));
		assert_non_null(use.object);
		debug_file_cache_release(cache, &use);
		assert_int_equal(debug_file_cache_num_files(cache), i < 3 ? i + 1 : 3);
	}
	assert_no_error(debug_file_cache_use(cache, "absent", &id, false, &use));
	assert_null(use.object);
	debug_file_cache_release(cache, &use);
	debug_file_cache_destroy(cache);
}

static void test_full_folder(void **state)
{
	struct program program = {0};
	struct debug_facts facts;
	enum debug_folder_result result;
	compile("mine", &program);
	_cleanup_(file_map_close) struct file_map map = FILE_MAP_INIT;
	assert_no_error(file_map_open(&map, "app"));
	assert_no_error(debug_facts_read(map.data, map.size, "app", &facts));
	assert_true(facts.has_symbols && facts.has_lines);
	assert_no_error(debug_folder_put("new", &facts, map.data, map.size, map.size - 1, &result));
	assert_int_equal(result, DEBUG_FOLDER_FULL);
	assert_int_equal(file_path_kind("new"), FILE_PATH_ABSENT);
	assert_no_error(debug_folder_put("new", &facts, map.data, map.size, map.size, &result));
	assert_int_equal(result, DEBUG_FOLDER_STORED);
	assert_no_error(debug_folder_put("new", &facts, map.data, map.size, map.size, &result));
	assert_int_equal(result, DEBUG_FOLDER_KNOWN);
	facts.build_id.bytes[0] ^= 1;
	assert_no_error(debug_folder_put("new", &facts, map.data, map.size, map.size, &result));
	assert_int_equal(result, DEBUG_FOLDER_FULL);
}

/** Each cut and each damage is refused, or is a file that can be read. */
static void test_damaged_files(void **state)
{
	struct program program = {0};
	struct debug_facts facts;
	compile("mine", &program);
	_cleanup_(file_map_close) struct file_map map = FILE_MAP_INIT;
	assert_no_error(file_map_open(&map, "app"));
	_cleanup_free_ uint8_t *copy = malloc(map.size);
	assert_non_null(copy);
	for (size_t size = 0; size < map.size; size += 1 + size / 50) {
		struct error *err = debug_facts_read(map.data, size, "cut", &facts);
		assert_non_null(err);
		error_destroy(err);
	}
	for (size_t i = 0; i < 4096; i++) {
		size_t at = i < 2048 ? i : map.size - i;
		memcpy(copy, map.data, map.size);
		copy[at] ^= 0xff;
		error_destroy(debug_facts_read(copy, map.size, "damaged", &facts));
	}
}

int debug_names_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_names, scratch_folder_enter,
						scratch_folder_leave),
		cmocka_unit_test_setup_teardown(test_system_folder_is_second, scratch_folder_enter,
						scratch_folder_leave),
		cmocka_unit_test_setup_teardown(test_files_come_and_go, scratch_folder_enter,
						scratch_folder_leave),
		cmocka_unit_test_setup_teardown(test_what_is_known_stays, scratch_folder_enter,
						scratch_folder_leave),
		cmocka_unit_test_setup_teardown(test_several_threads, scratch_folder_enter,
						scratch_folder_leave),
		cmocka_unit_test_setup_teardown(test_open_files_are_bounded, scratch_folder_enter,
						scratch_folder_leave),
		cmocka_unit_test_setup_teardown(test_full_folder, scratch_folder_enter,
						scratch_folder_leave),
		cmocka_unit_test_setup_teardown(test_damaged_files, scratch_folder_enter,
						scratch_folder_leave),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
