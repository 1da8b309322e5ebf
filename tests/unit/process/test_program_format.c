// SPDX-License-Identifier: Apache-2.0

#include "process/program_format.h"

#include "base/container/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct program_format read_text(const char *text)
{
	return program_format_read((const uint8_t *)text, strlen(text));
}

static void put(uint8_t *bytes, size_t at, uint64_t value, size_t width)
{
	for (size_t i = 0; i < width; i++)
		bytes[at + i] = (uint8_t)(value >> 8 * i);
}

/** One segment, at 64, that names a loader at 128. */
static void make_elf(uint8_t bytes[256], uint16_t type, uint16_t machine, const char *loader)
{
	memset(bytes, 0, 256);
	memcpy(bytes, "\177ELF\2\1\1", 7);
	put(bytes, 16, type, 2);
	put(bytes, 18, machine, 2);
	put(bytes, 32, 64, 8);
	put(bytes, 54, 56, 2);
	put(bytes, 56, 1, 2);
	put(bytes, 64, 3, 4);
	put(bytes, 64 + 8, 128, 8);
	put(bytes, 64 + 32, strlen(loader) + 1, 8);
	memcpy(bytes + 128, loader, strlen(loader) + 1);
}

static void test_elf(void **state)
{
	uint8_t bytes[256];
	make_elf(bytes, 3, 183, "/lib/ld-linux-aarch64.so.1");
	struct program_format format = program_format_read(bytes, sizeof(bytes));
	assert_int_equal(format.kind, PROGRAM_FORMAT_ELF);
	assert_string_equal(format.machine, "aarch64");
	assert_true(format.is_program);
	assert_string_equal(format.interpreter, "/lib/ld-linux-aarch64.so.1");
	make_elf(bytes, 1, 62, "");
	format = program_format_read(bytes, sizeof(bytes));
	assert_string_equal(format.machine, "x86_64");
	assert_false(format.is_program);
	assert_string_equal(format.interpreter, "");
}

static void test_elf_of_other_orders_and_unknown_machines(void **state)
{
	uint8_t bytes[256];
	make_elf(bytes, 0, 0, "");
	bytes[5] = 2;
	bytes[17] = 2;
	bytes[19] = 22;
	struct program_format format = program_format_read(bytes, sizeof(bytes));
	assert_string_equal(format.machine, "s390x");
	assert_true(format.is_program);
	make_elf(bytes, 2, 0x1234, "");
	assert_null(program_format_read(bytes, sizeof(bytes)).machine);
}

static void test_damaged_elf(void **state)
{
	uint8_t bytes[256];
	make_elf(bytes, 3, 62, "/lib/ld.so");
	for (size_t size = 0; size <= sizeof(bytes); size++)
		program_format_read(bytes, size);
	put(bytes, 64 + 8, UINT64_MAX, 8);
	assert_string_equal(program_format_read(bytes, sizeof(bytes)).interpreter, "");
	put(bytes, 32, UINT64_MAX - 1, 8);
	assert_string_equal(program_format_read(bytes, sizeof(bytes)).interpreter, "");
}

static void test_scripts(void **state)
{
	static const struct {
		const char *text, *interpreter;
	} rows[] = {
		{"#!/bin/sh\necho", "/bin/sh"},
		{"#! \t/usr/bin/env python3\n", "/usr/bin/env"},
		{"#!/bin/sh\r\n", "/bin/sh\r"},
		{"#!/bin/sh", "/bin/sh"},
		{"#!\n", ""},
		{"#!", ""},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct program_format format = read_text(rows[i].text);
		assert_int_equal(format.kind, PROGRAM_FORMAT_SCRIPT);
		assert_string_equal(format.interpreter, rows[i].interpreter);
	}
}

static void test_others(void **state)
{
	uint8_t pe[256] = "MZ";
	put(pe, 60, 128, 4);
	memcpy(pe + 128, "PE\0\0\144\252", 6);
	struct program_format format = program_format_read(pe, sizeof(pe));
	assert_int_equal(format.kind, PROGRAM_FORMAT_PE);
	assert_string_equal(format.machine, "aarch64");
	put(pe, 60, UINT32_MAX, 4);
	assert_null(program_format_read(pe, sizeof(pe)).machine);
	assert_int_equal(read_text("\317\372\355\376").kind, PROGRAM_FORMAT_MACH_O);
	assert_int_equal(read_text("echo hello\n").kind, PROGRAM_FORMAT_TEXT);
	assert_int_equal(read_text("").kind, PROGRAM_FORMAT_EMPTY);
	assert_int_equal(program_format_read((const uint8_t *)"a\0b", 3).kind,
			 PROGRAM_FORMAT_UNKNOWN);
}

int program_format_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_elf),
		cmocka_unit_test(test_elf_of_other_orders_and_unknown_machines),
		cmocka_unit_test(test_damaged_elf),
		cmocka_unit_test(test_scripts),
		cmocka_unit_test(test_others),
	};
	return cmocka_run_group_tests_name("program_format", tests, NULL, NULL);
}
