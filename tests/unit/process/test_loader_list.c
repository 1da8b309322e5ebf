// SPDX-License-Identifier: Apache-2.0

#include "process/loader_list.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/container/array.h"
#include "process/memory/memory_pieces.h"
#include "tests/unit/assert_error.h"

enum {
	BLOCK = 0x1000,
	LOADER = 0x2000,
	HEAD = LOADER + 0x10,
	ENTRIES = 0x3000,
	ENTRY_SIZE = 0x100,
	MAX_ENTRIES = 4,
	PATHS = 0x8000,
};

/** A process with a list, as the loader of Windows keeps it. */
struct fixture {
	uint64_t block[0x20];
	uint64_t loader[8];
	uint8_t entries[MAX_ENTRIES][ENTRY_SIZE];
	uint16_t path[4];
	struct memory_piece items[4];
	struct memory_pieces pieces;
	struct loader_list list;
};

static uint64_t entry_address(size_t index)
{
	return ENTRIES + index * ENTRY_SIZE;
}

static void put(void *to, uint64_t value)
{
	memcpy(to, &value, sizeof(value));
}

static void add_entry(struct fixture *fixture, size_t index, uint64_t base)
{
	uint8_t *entry = fixture->entries[index];
	put(entry, HEAD);
	put(entry + 0x30, base);
	put(entry + 0x40, 0x5000);
	put(entry + 0x48, sizeof(fixture->path));
	put(entry + 0x50, PATHS);
	if (index)
		put(fixture->entries[index - 1], entry_address(index));
	fixture->loader[2] = entry_address(0);
	fixture->loader[3] = entry_address(index);
}

static void fixture_init(struct fixture *fixture)
{
	*fixture = (struct fixture){.path = {'C', ':', '\\', 'x'}};
	fixture->items[0] = (struct memory_piece){BLOCK, fixture->block, sizeof(fixture->block)};
	fixture->items[1] = (struct memory_piece){LOADER, fixture->loader, sizeof(fixture->loader)};
	fixture->items[2] =
		(struct memory_piece){ENTRIES, fixture->entries, sizeof(fixture->entries)};
	fixture->items[3] = (struct memory_piece){PATHS, fixture->path, sizeof(fixture->path)};
	fixture->pieces = (struct memory_pieces){fixture->items, ARRAY_SIZE(fixture->items)};
	fixture->block[3] = LOADER;
	fixture->loader[2] = fixture->loader[3] = HEAD;
	loader_list_init(&fixture->list, memory_pieces_memory(&fixture->pieces), BLOCK);
}

static bool look(struct fixture *fixture)
{
	bool is_changed;
	assert_no_error(loader_list_look(&fixture->list, &is_changed));
	return is_changed;
}

static void what_is_new_is_told_apart(void **state)
{
	struct fixture fixture;
	fixture_init(&fixture);
	add_entry(&fixture, 0, 0x10000);
	add_entry(&fixture, 1, 0x20000);
	assert_true(look(&fixture));
	assert_int_equal(fixture.list.num_modules, 2);
	assert_true(fixture.list.modules[0].is_new && fixture.list.modules[1].is_new);
	assert_int_equal(fixture.list.modules[1].base, 0x20000);
	assert_int_equal(fixture.list.modules[1].size, 0x5000);
	assert_false(look(&fixture));
	add_entry(&fixture, 2, 0x30000);
	assert_true(look(&fixture));
	assert_int_equal(fixture.list.num_modules, 3);
	assert_false(fixture.list.modules[1].is_new);
	assert_true(fixture.list.modules[2].is_new);
	// Another one in its place.
	add_entry(&fixture, 2, 0x40000);
	assert_true(look(&fixture));
	assert_true(fixture.list.modules[2].is_new);
	loader_list_deinit(&fixture.list);
}

static void paths_are_read_as_they_are(void **state)
{
	struct fixture fixture;
	static uint16_t path[LOADER_LIST_MAX_PATH];
	fixture_init(&fixture);
	add_entry(&fixture, 0, 0x10000);
	assert_true(look(&fixture));
	assert_int_equal(fixture.list.modules[0].path_length, 4);
	assert_true(loader_list_path(&fixture.list, &fixture.list.modules[0], path));
	assert_memory_equal(path, fixture.path, sizeof(fixture.path));
	put(fixture.entries[0] + 0x30, 0x11000);
	put(fixture.entries[0] + 0x50, 0x9999999);
	assert_true(look(&fixture));
	assert_false(loader_list_path(&fixture.list, &fixture.list.modules[0], path));
	loader_list_deinit(&fixture.list);
}

static void before_the_loader_ran_there_is_nothing(void **state)
{
	struct fixture fixture;
	fixture_init(&fixture);
	assert_false(loader_list_is_there(&fixture.list));
	assert_false(look(&fixture));
	fixture.block[3] = 0;
	assert_false(look(&fixture));
	fixture.block[3] = 0x77777777;
	assert_false(look(&fixture));
	fixture.block[3] = LOADER;
	add_entry(&fixture, 0, 0x10000);
	assert_true(loader_list_is_there(&fixture.list));
	assert_true(look(&fixture));
	loader_list_deinit(&fixture.list);
}

static void a_list_that_is_torn_is_taken_up_again(void **state)
{
	struct fixture fixture;
	fixture_init(&fixture);
	add_entry(&fixture, 0, 0x10000);
	add_entry(&fixture, 1, 0x20000);
	put(fixture.entries[0], 0x66666666);
	assert_true(look(&fixture));
	assert_int_equal(fixture.list.num_modules, 1);
	put(fixture.entries[0], entry_address(1));
	assert_true(look(&fixture));
	assert_int_equal(fixture.list.num_modules, 2);
	assert_true(fixture.list.modules[1].is_new);
	assert_false(fixture.list.modules[0].is_new);
	loader_list_deinit(&fixture.list);
}

static void a_ring_without_its_head_ends(void **state)
{
	struct fixture fixture;
	fixture_init(&fixture);
	add_entry(&fixture, 0, 0x10000);
	add_entry(&fixture, 1, 0x20000);
	put(fixture.entries[1], entry_address(0));
	assert_true(look(&fixture));
	assert_int_equal(fixture.list.num_modules, LOADER_LIST_MAX_MODULES);
	loader_list_deinit(&fixture.list);
}

int loader_list_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_new_is_told_apart),
		cmocka_unit_test(paths_are_read_as_they_are),
		cmocka_unit_test(before_the_loader_ran_there_is_nothing),
		cmocka_unit_test(a_list_that_is_torn_is_taken_up_again),
		cmocka_unit_test(a_ring_without_its_head_ends),
	};
	return cmocka_run_group_tests_name("loader_list", tests, NULL, NULL);
}
