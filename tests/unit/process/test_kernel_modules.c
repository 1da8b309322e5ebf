// SPDX-License-Identifier: Apache-2.0

#include "process/system/kernel_modules.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/container/array.h"
#include "tests/unit/assert_error.h"

enum {
	ENTRY_BYTES = 296,
	MOST_ENTRIES = 8,
	BASE_AT = 16,
	SIZE_AT = 24,
	PATH_AT = 40,
};

#define KERNEL UINT64_C(0xfffff80102000000)

struct told {
	uint64_t base;
	uint32_t size;
	const char *path;
};

struct list {
	uint8_t bytes[8 + MOST_ENTRIES * ENTRY_BYTES];
	size_t size;
};

static const struct told usual[] = {
	{KERNEL, 0x1000000, "\\SystemRoot\\system32\\ntoskrnl.exe"},
	{KERNEL + 0x2000000, 0x20000, "\\SystemRoot\\System32\\drivers\\disk.sys"},
	{KERNEL + 0x3000000, 0x8000, "\\??\\C:\\Tools\\wperf.sys"},
};

static struct list list_of(const struct told *told, uint32_t num)
{
	struct list list = {.size = 8 + num * (size_t)ENTRY_BYTES};
	memcpy(list.bytes, &num, sizeof(num));
	for (uint32_t i = 0; i < num; i++) {
		uint8_t *entry = list.bytes + 8 + i * (size_t)ENTRY_BYTES;
		memset(entry, 0x7f, PATH_AT); // what nobody asks for
		memcpy(entry + BASE_AT, &told[i].base, sizeof(told[i].base));
		memcpy(entry + SIZE_AT, &told[i].size, sizeof(told[i].size));
		strcpy((char *)entry + PATH_AT, told[i].path);
	}
	return list;
}

static void look(struct kernel_modules *modules, const struct told *told, uint32_t num)
{
	struct list list = list_of(told, num);
	assert_no_error(kernel_modules_look(modules, list.bytes, list.size));
}

static void assert_modules(const struct kernel_modules *modules, const struct told *told,
			   size_t num)
{
	assert_int_equal(modules->num_items, num);
	for (size_t i = 0; i < num; i++) {
		assert_int_equal(modules->items[i].base, told[i].base);
		assert_int_equal(modules->items[i].size, told[i].size);
		assert_string_equal(modules->items[i].path, told[i].path);
	}
}

static void modules_are_told(void **state)
{
	_cleanup_(kernel_modules_deinit) struct kernel_modules modules = KERNEL_MODULES_INIT;
	look(&modules, usual, ARRAY_SIZE(usual));
	assert_modules(&modules, usual, ARRAY_SIZE(usual));
}

static void what_is_loaded_later_is_new(void **state)
{
	_cleanup_(kernel_modules_deinit) struct kernel_modules modules = KERNEL_MODULES_INIT;
	look(&modules, usual, 2);
	assert_true(modules.items[0].is_new && modules.items[1].is_new);
	look(&modules, usual, 3);
	assert_false(modules.items[0].is_new || modules.items[1].is_new);
	assert_true(modules.items[2].is_new);
	look(&modules, usual + 1, 2); // the others have another place now
	assert_false(modules.items[0].is_new || modules.items[1].is_new);
	struct told moved[] = {usual[1], usual[2]};
	moved[0].base += 0x100000;
	look(&modules, moved, 2);
	assert_true(modules.items[0].is_new);
	assert_false(modules.items[1].is_new);
}

/** So it is for users who may not know where the kernel is. */
static void hidden_addresses_are_no_modules(void **state)
{
	_cleanup_(kernel_modules_deinit) struct kernel_modules modules = KERNEL_MODULES_INIT;
	static const struct told hidden[] = {{0, 0x1000000, "\\SystemRoot\\system32\\ntoskrnl.exe"},
					     {0, 0x20000, "\\SystemRoot\\System32\\hal.dll"}};
	look(&modules, hidden, ARRAY_SIZE(hidden));
	assert_int_equal(modules.num_items, 0);
}

static void what_cannot_be_is_left_out(void **state)
{
	_cleanup_(kernel_modules_deinit) struct kernel_modules modules = KERNEL_MODULES_INIT;
	const struct told told[] = {{UINT64_MAX - 10, 0x1000, "\\over the end"},
				    {KERNEL, 0, "\\empty"},
				    {KERNEL, 0x1000, ""},
				    usual[1]};
	look(&modules, told, ARRAY_SIZE(told));
	assert_modules(&modules, &usual[1], 1);
	struct list list = list_of(usual, 2);
	memset(list.bytes + 8 + PATH_AT, 'a', KERNEL_MODULE_PATH_SIZE); // without an end
	assert_no_error(kernel_modules_look(&modules, list.bytes, list.size));
	assert_modules(&modules, &usual[1], 1);
}

static void whole_entries_of_a_cut_list_are_told(void **state)
{
	struct list list = list_of(usual, ARRAY_SIZE(usual));
	uint32_t too_many = UINT32_MAX;
	memcpy(list.bytes, &too_many, sizeof(too_many));
	for (size_t size = 0; size <= list.size; size++) {
		_cleanup_(kernel_modules_deinit) struct kernel_modules modules =
			KERNEL_MODULES_INIT;
		uint8_t *cut = malloc(size ? size : 1);
		memcpy(cut, list.bytes, size);
		assert_no_error(kernel_modules_look(&modules, cut, size));
		assert_modules(&modules, usual, size < 8 ? 0 : (size - 8) / ENTRY_BYTES);
		free(cut);
	}
}

static void words_of_the_kernel_lead_to_files(void **state)
{
	static const struct {
		const char *told, *file;
	} rows[] = {
		{"\\SystemRoot\\system32\\ntoskrnl.exe", "D:\\Win\\system32\\ntoskrnl.exe"},
		{"\\SYSTEMROOT\\System32\\x.sys", "D:\\Win\\System32\\x.sys"},
		{"\\??\\C:\\Tools\\wperf.sys", "C:\\Tools\\wperf.sys"},
		{"C:\\Tools\\wperf.sys", "C:\\Tools\\wperf.sys"},
		{"\\SystemRootsystem32\\x.sys", NULL},
		{"\\SystemRoot", NULL},
		{"\\??\\", NULL},
		{"\\??\\UNC\\host\\x.sys", NULL},
		{"\\Device\\HarddiskVolume3\\x.sys", NULL},
		{"x.sys", NULL},
		{"", NULL},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_free_ char *file = NULL;
		assert_no_error(kernel_module_file(rows[i].told, "D:\\Win", &file));
		if (rows[i].file)
			assert_string_equal(file, rows[i].file);
		else
			assert_null(file);
	}
}

int kernel_modules_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(modules_are_told),
		cmocka_unit_test(what_is_loaded_later_is_new),
		cmocka_unit_test(hidden_addresses_are_no_modules),
		cmocka_unit_test(what_cannot_be_is_left_out),
		cmocka_unit_test(whole_entries_of_a_cut_list_are_told),
		cmocka_unit_test(words_of_the_kernel_lead_to_files),
	};
	return cmocka_run_group_tests_name("kernel_modules", tests, NULL, NULL);
}
