// SPDX-License-Identifier: Apache-2.0

#include "object/disassembly/disassembler.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"
#include "tests/unit/object_fixture.h"

static const char program[] = "int f(int *p, int n) { int s = 0;\n"
			      "for (int i = 0; i < n; i++) { s += p[i] / (i + 3);\n"
			      "__atomic_fetch_add(p, s, __ATOMIC_SEQ_CST); }\n"
			      "return s + __builtin_clz(n); }\n"
			      "double g(double x, float y) { return x * y + 2.5; }\n";

static int compile(void **state)
{
	if (object_fixture_create(state))
		return -1;
	write_in(state, "a.c", program);
	free(run_in(state,
		    "gcc -O2 -fPIC -shared -nostdlib a.c -o x86.so && clang "
		    "--target=aarch64-linux-gnu -march=armv8.2-a -O2 -fPIC -shared -nostdlib "
		    "-fuse-ld=lld a.c -o arm.so"));
	return 0;
}

/** Every instruction is where the oracle lists one, and has its first word. */
static void compare(struct object *object, struct disassembler *disassembler, char *oracle,
		    bool has_same_names)
{
	_cleanup_(instruction_list_deinit) struct instruction_list list = {0};
	struct object_bytes text = object_section(object, ".text");
	assert_no_error(disassembler_decode(disassembler, text, &list));
	uint64_t next = text.address;
	char *rest = NULL;
	char *line = strtok_r(oracle, "\n", &rest);
	for (size_t i = 0; i < list.num_items; i++, line = strtok_r(NULL, "\n", &rest)) {
		const struct instruction *item = &list.items[i];
		assert_int_equal(item->address, next);
		assert_non_null(line);
		assert_int_equal(strtoull(line, NULL, 16), item->address);
		const char *name = strrchr(line, ' ') + 1;
		if (has_same_names && strncmp(item->text, name, strlen(name)) != 0)
			fail_msg("%s is not %s", item->text, name);
		assert_string_not_equal(item->text, "<unknown>");
		next += item->size;
	}
	assert_true(list.num_items > 20);
	assert_int_equal(next, text.address + text.size);
}

static void it_agrees_with_objdump_on_x86_64(void **state)
{
	_cleanup_(disassembler_destroyp) struct disassembler *disassembler = NULL;
	assert_no_error(disassembler_open(OBJECT_MACHINE_X86_64, &disassembler));
	_cleanup_(object_destroyp) struct object *object = NULL;
	assert_no_error(object_open(path_in(state, "x86.so"), "", &object));
	_cleanup_free_ char *oracle =
		run_in(state, "objdump -d -w -j .text --no-show-raw-insn x86.so | sed -n 's/^ "
			      "*\\([0-9a-f]*\\):[\t ]*\\([^ ]*\\).*/\\1 \\2/p'");
	// LLVM's names have a suffix for the size: movl, where objdump says mov.
	compare(object, disassembler, oracle, false);
}

static void it_agrees_with_llvm_objdump_on_aarch64(void **state)
{
	_cleanup_(disassembler_destroyp) struct disassembler *disassembler = NULL;
	assert_no_error(disassembler_open(OBJECT_MACHINE_AARCH64, &disassembler));
	_cleanup_(object_destroyp) struct object *object = NULL;
	assert_no_error(object_open(path_in(state, "arm.so"), "", &object));
	_cleanup_free_ char *oracle =
		run_in(state, "llvm-objdump --mattr=+v8.2a -d -j .text --no-show-raw-insn arm.so | "
			      "sed -n 's/^ *\\([0-9a-f]*\\):[\t ]*\\([^\t ]*\\).*/\\1 \\2/p'");
	compare(object, disassembler, oracle, true);
}

static void decode_bytes(enum object_machine machine, const char *bytes, size_t size,
			 struct instruction_list *list)
{
	_cleanup_(disassembler_destroyp) struct disassembler *disassembler = NULL;
	assert_no_error(disassembler_open(machine, &disassembler));
	assert_int_equal(strncmp(disassembler_name(disassembler), "LLVM ", 5), 0);
	struct object_bytes code = {(const uint8_t *)bytes, size, 0x1000};
	assert_no_error(disassembler_decode(disassembler, code, list));
}

static void it_leaves_no_gap_where_there_is_no_code(void **state)
{
	_cleanup_(instruction_list_deinit) struct instruction_list list = {0};
	decode_bytes(OBJECT_MACHINE_AARCH64, "\xff\xff\xff\xff\x1f\x20\x03\xd5\xc0\x03", 10, &list);
	assert_int_equal(list.num_items, 3);
	assert_string_equal(list.items[0].text, "<unknown>");
	assert_string_equal(list.items[1].text, "nop");
	assert_string_equal(list.items[2].text, "<unknown>");
	assert_int_equal(list.items[2].size, 2);
}

static void it_says_where_jumps_go(void **state)
{
	_cleanup_(instruction_list_deinit) struct instruction_list list = {0};
	decode_bytes(OBJECT_MACHINE_X86_64, "\xe8\x0b\0\0\0\xf0\x48\x0f\xc1\x01", 10, &list);
	assert_int_equal(list.num_items, 2);
	assert_non_null(strstr(list.items[0].text, "0x1010"));
	assert_int_equal(strncmp(list.items[1].text, "lock xadd", 9), 0);
	assert_int_equal(list.items[1].size, 5);
}

static void it_refuses_other_machines(void **state)
{
	struct disassembler *disassembler;
	assert_error(disassembler_open(OBJECT_MACHINE_OTHER, &disassembler), ERROR_FAILED,
		     "wperf can disassemble only x86-64 and AArch64 code");
}

int disassembler_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_agrees_with_objdump_on_x86_64),
		cmocka_unit_test(it_agrees_with_llvm_objdump_on_aarch64),
		cmocka_unit_test(it_leaves_no_gap_where_there_is_no_code),
		cmocka_unit_test(it_says_where_jumps_go),
		cmocka_unit_test(it_refuses_other_machines),
	};
	return cmocka_run_group_tests_name("disassembler", tests, compile, object_fixture_destroy);
}
