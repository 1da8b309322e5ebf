// SPDX-License-Identifier: Apache-2.0

#include "symbols/recorded/recorded_names.h"

#include "base/cleanup.h"
#include "symbols/recorded/recorded_names_writer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

enum { LIBRARY, PROGRAM, NUM_MODULES, SMALL = 0x1150, LARGE = 0x401150 };

static const struct module modules[NUM_MODULES] = {
	[LIBRARY] = {.kind = MODULE_FILE, .path = "/lib/libz.so", .pid = 3},
	[PROGRAM] = {.kind = MODULE_MEMORY, .path = "//anon", .pid = 7},
};

struct fixture {
	struct named_profile profile;
	struct string_builder bytes;
	uint32_t inner, outer, jit; /* frames */
};

static uint32_t text(struct fixture *fixture, const char *text)
{
	uint32_t ret;
	assert_no_error(named_profile_string(&fixture->profile, text, &ret));
	return ret;
}

static uint32_t add_module(struct fixture *fixture, const char *path)
{
	uint32_t ret;
	const struct named_module module = {.name = text(fixture, path),
					    .path = text(fixture, path)};
	assert_no_error(named_profile_module(&fixture->profile, &module, &ret));
	return ret;
}

static uint32_t add_function(struct fixture *fixture, struct named_function function)
{
	uint32_t ret;
	assert_no_error(named_profile_function(&fixture->profile, &function, &ret));
	return ret;
}

static uint32_t add_frame(struct fixture *fixture, struct named_frame frame)
{
	uint32_t ret;
	assert_no_error(named_profile_frame(&fixture->profile, &frame, &ret));
	return ret;
}

static void set_up(struct fixture *fixture)
{
	*fixture = (struct fixture){.bytes = STRING_BUILDER_INIT};
	assert_no_error(named_profile_init(&fixture->profile));
	uint32_t library = add_module(fixture, "/lib/libz.so");
	uint32_t made = add_module(fixture, "[jit]");
	uint32_t inner = add_function(
		fixture, (struct named_function){.name = text(fixture, "crc(int)"),
						 .linkage_name = text(fixture, "_Z3crci"),
						 .module = library,
						 .file = text(fixture, "crc.h"),
						 .line = 12});
	uint32_t outer =
		add_function(fixture, (struct named_function){.name = text(fixture, "deflate"),
							      .module = library});
	uint32_t loop = add_function(fixture, (struct named_function){.name = text(fixture, "loop"),
								      .module = made,
								      .kind = FRAME_JIT});
	fixture->inner = add_frame(fixture, (struct named_frame){.function = inner,
								 .file = text(fixture, "crc.h"),
								 .line = 15,
								 .is_inlined = true,
								 .address = LARGE});
	fixture->outer =
		add_frame(fixture, (struct named_frame){.function = outer,
							.file = text(fixture, "deflate.c"),
							.line = 200,
							.discriminator = FRAME_DISCRIMINATOR_MASK,
							.address = LARGE});
	fixture->jit = add_frame(fixture, (struct named_frame){.function = loop, .address = SMALL});
}

static void tear_down(struct fixture *fixture)
{
	named_profile_deinit(&fixture->profile);
	string_builder_deinit(&fixture->bytes);
}

static void write_modules(struct fixture *fixture, const struct module *written, size_t num)
{
	_cleanup_(recorded_names_writer_deinit) struct recorded_names_writer writer = {0};
	assert_no_error(recorded_names_writer_init(&writer, &fixture->profile));
	for (size_t i = 0; i < num; i++) {
		bool is_library = written[i].kind == MODULE_FILE;
		recorded_names_writer_module(&writer, &written[i], is_library ? 0 : NAMED_NONE, 1);
		recorded_names_writer_place(
			&writer, SMALL,
			is_library ? (uint32_t[]){fixture->inner, fixture->outer} : &fixture->jit,
			is_library ? 2 : 1);
	}
	assert_no_error(recorded_names_writer_finish(&writer, &fixture->bytes));
}

static struct recorded_names *read_names(const struct fixture *fixture)
{
	struct recorded_names *names = NULL;
	assert_no_error(recorded_names_read((const uint8_t *)fixture->bytes.text,
					    fixture->bytes.length, &names));
	return names;
}

static void what_is_written_is_read(void **state)
{
	_cleanup_(tear_down) struct fixture fixture;
	set_up(&fixture);
	write_modules(&fixture, modules, NUM_MODULES);
	_cleanup_(recorded_names_destroyp) struct recorded_names *names = read_names(&fixture);

	const struct recorded_place *place = recorded_names_find(names, &modules[LIBRARY], SMALL);
	assert_non_null(place);
	assert_int_equal(place->symbol_address, LARGE);
	assert_int_equal(place->num_frames, 2);
	assert_int_equal(place->frames[0].line, 15);
	assert_int_equal(place->frames[0].flags, RECORDED_FRAME_INLINED);
	assert_int_equal(place->frames[0].discriminator, 0);
	assert_string_equal(place->frames[1].file, "deflate.c");
	assert_int_equal(place->frames[1].flags & RECORDED_FRAME_INLINED, 0);
	assert_int_equal(place->frames[1].discriminator, FRAME_DISCRIMINATOR_MASK);
	const struct recorded_function *inner =
		recorded_names_function(names, place->frames[0].function);
	assert_string_equal(inner->name, "_Z3crci"); // readers make of it what they like
	assert_string_equal(inner->module, "");
	assert_string_equal(inner->file, "crc.h");
	assert_int_equal(inner->line, 12);

	place = recorded_names_find(names, &modules[PROGRAM], SMALL);
	assert_non_null(place);
	const struct recorded_function *loop =
		recorded_names_function(names, place->frames[0].function);
	assert_string_equal(loop->name, "loop");
	assert_string_equal(loop->module, "[jit]");
	assert_int_equal(loop->kind, FRAME_JIT);
}

static void places_are_of_their_module_and_process(void **state)
{
	_cleanup_(tear_down) struct fixture fixture;
	set_up(&fixture);
	write_modules(&fixture, modules, NUM_MODULES);
	_cleanup_(recorded_names_destroyp) struct recorded_names *names = read_names(&fixture);

	struct module other = modules[LIBRARY];
	other.pid = 99; // files are the same to all
	assert_non_null(recorded_names_find(names, &other, SMALL));
	assert_null(recorded_names_find(names, &other, SMALL + 1));
	other.path = "/lib/libc.so";
	assert_null(recorded_names_find(names, &other, SMALL));
	other = modules[PROGRAM];
	other.pid = 99;
	assert_null(recorded_names_find(names, &other, SMALL));
}

static void two_of_one_name_are_nobodys(void **state)
{
	_cleanup_(tear_down) struct fixture fixture;
	set_up(&fixture);
	write_modules(&fixture, (const struct module[]){modules[LIBRARY], modules[LIBRARY]}, 2);
	_cleanup_(recorded_names_destroyp) struct recorded_names *names = read_names(&fixture);
	assert_null(recorded_names_find(names, &modules[LIBRARY], SMALL));
}

static void what_is_cut_is_refused(void **state)
{
	_cleanup_(tear_down) struct fixture fixture;
	set_up(&fixture);
	write_modules(&fixture, modules, NUM_MODULES);
	for (size_t size = 0; size < fixture.bytes.length; size++) {
		_cleanup_free_ uint8_t *cut = malloc(size + 1); // so that a sanitizer sees the end
		memcpy(cut, fixture.bytes.text, size);
		struct recorded_names *names = NULL;
		_cleanup_(error_destroyp) struct error *err =
			recorded_names_read(cut, size, &names);
		assert_non_null(err);
		assert_null(names);
	}
}

int recorded_names_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_read),
		cmocka_unit_test(places_are_of_their_module_and_process),
		cmocka_unit_test(two_of_one_name_are_nobodys),
		cmocka_unit_test(what_is_cut_is_refused),
	};
	return cmocka_run_group_tests_name("recorded_names", tests, NULL, NULL);
}
