// SPDX-License-Identifier: Apache-2.0

#include "object/object.h"

#include "base/container/array.h"

#include <elf.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"
#include "tests/unit/object_fixture.h"

static const char program[] =
	"#include <stdio.h>\n"
	"static __attribute__((noinline)) int hidden(int x) { return x * 3; }\n"
	"int __visible(int x) { return hidden(x) + 1; }\n"
	"extern int visible(int) __attribute__((alias(\"__visible\")));\n"
	"extern int weak_one(int) __attribute__((weak, alias(\"__visible\")));\n"
	"static int chosen(void) { return 1; }\n"
	"static void *choose(void) { return chosen; }\n"
	"int indirect(void) __attribute__((ifunc(\"choose\")));\n"
	"asm(\".text\\n.globl label\\nlabel: nop\\n ret\\nnext_label: ret\\n\");\n"
	"asm(\".symver visible, old_name@VERSION_1\\n\");\n"
	"int counter[3] = {1}; static long secret = 7;\n"
	"int main(int argc, char **argv) { secret += counter[0]; puts(argv[0]); return "
	"visible(argc) + indirect(); }\n";

static struct object *open_at(void **state, const char *name, const char *root)
{
	struct object *object;
	assert_no_error(object_open(path_in(state, name), root, &object));
	return object;
}

static const char *name_at(struct object *object, uint64_t address)
{
	const struct object_symbol *symbol;
	assert_no_error(object_find_symbol(object, address, &symbol));
	return symbol ? symbol->name : NULL;
}

static const struct object_symbol *find_name(struct object *object, const char *name)
{
	const struct object_symbol *symbols;
	size_t num_symbols;
	assert_no_error(object_symbols(object, &symbols, &num_symbols));
	for (size_t i = 0; i < num_symbols; i++)
		if (!strcmp(symbols[i].name, name))
			return &symbols[i];
	return NULL;
}

/** The program as it is, stripped, and with its symbols in a file of their own. */
static int compile(void **state)
{
	if (object_fixture_create(state))
		return -1;
	write_in(state, "a.c", program);
	free(run_in(
		state,
		"echo 'VERSION_1 { };' > map; gcc -g -O1 -fPIC -rdynamic -Wl,--version-script=map "
		"-Wl,--build-id a.c -o a && strip -o stripped a && objcopy "
		"--only-keep-debug a a.debug && objcopy -S --add-gnu-debuglink=a.debug "
		"a linked && objcopy -S -R .note.gnu.build-id --add-gnu-debuglink=a.debug a "
		"by_link"));
	return 0;
}

// Every function that nm lists has the address that nm says, and one of the names there.
static void compare_with_nm(void **state, const char *name, const char *options)
{
	_cleanup_(object_destroyp) struct object *object = open_at(state, name, "");
	_cleanup_free_ char *listing =
		run_in(state, "nm %s --defined-only -S %s | grep -E ' [tTi] '", options, name);
	size_t num_lines = 0;
	uint64_t last = 0;
	bool found = true;
	char *rest = NULL;
	for (char *line = strtok_r(listing, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest)) {
		uint64_t address = strtoull(line, NULL, 16);
		char *listed = strrchr(line, ' ') + 1;
		listed[strcspn(listed, "@")] = '\0';
		if (address != last)
			assert_true(found);
		found = address == last && found;
		last = address;
		const char *own = name_at(object, address);
		assert_non_null(own);
		found |= !strcmp(own, listed);
		num_lines++;
	}
	assert_true(num_lines > 5);
}

static void it_has_the_functions_of_nm(void **state)
{
	compare_with_nm(state, "a", "-n");
	compare_with_nm(state, "/usr/bin/python3.11", "-n -D");
	compare_with_nm(state, "/usr/lib/x86_64-linux-gnu/libc.so.6", "-n -D");
}

static void it_finds_functions_by_all_their_bytes(void **state)
{
	_cleanup_(object_destroyp) struct object *object = open_at(state, "a", "");
	const struct object_symbol *symbols;
	size_t num_symbols;
	assert_no_error(object_symbols(object, &symbols, &num_symbols));
	for (size_t i = 0; i < num_symbols; i++) {
		assert_true(symbols[i].size > 0);
		assert_string_equal(name_at(object, symbols[i].address), symbols[i].name);
		assert_string_equal(name_at(object, symbols[i].address + symbols[i].size - 1),
				    symbols[i].name);
		if (i)
			assert_true(symbols[i - 1].address < symbols[i].address);
	}
	assert_null(name_at(object, 0));
	assert_null(name_at(object, UINT64_MAX));
}

static void it_chooses_among_aliases(void **state)
{
	_cleanup_(object_destroyp) struct object *object = open_at(state, "a", "");
	assert_null(find_name(object, "__visible"));
	assert_null(find_name(object, "weak_one"));
	// Two without underscores: the longer one, and its version is cut off.
	assert_non_null(find_name(object, "old_name"));
	assert_non_null(find_name(object, "hidden"));
	assert_non_null(find_name(object, "indirect"));
	assert_non_null(find_name(object, "puts@plt"));
}

static void it_counts_labels_outside_of_functions(void **state)
{
	_cleanup_(object_destroyp) struct object *object = open_at(state, "a", "");
	const struct object_symbol *label = find_name(object, "label");
	assert_non_null(label);
	assert_int_equal(label->size, 2); // up to the next one: nop, ret
	assert_string_equal(name_at(object, label->address + 2), "next_label");
}

static void it_finds_debug_files(void **state)
{
	_cleanup_(object_destroyp) struct object *stripped = open_at(state, "stripped", "");
	assert_null(find_name(stripped, "hidden"));
	assert_string_equal(object_symbol_origin(stripped), "dynsym");

	_cleanup_(object_destroyp) struct object *linked = open_at(state, "by_link", "");
	assert_non_null(find_name(linked, "hidden"));
	assert_non_null(strstr(object_symbol_origin(linked), "debug file /tmp/"));
	assert_non_null(strstr(object_symbol_origin(linked), "/a.debug"));

	// By the build-id, below another root.
	uint8_t id[20];
	assert_int_equal(object_build_id(stripped, id), sizeof(id));
	char hex[41];
	for (size_t i = 0; i < sizeof(id); i++)
		snprintf(hex + 2 * i, 3, "%02x", id[i]);
	free(run_in(state,
		    "mkdir -p root/usr/lib/debug/.build-id/%.2s && cp a.debug "
		    "root/usr/lib/debug/.build-id/%.2s/%s.debug",
		    hex, hex, hex + 2));
	_cleanup_free_ char *root = strdup(path_in(state, "root"));
	_cleanup_(object_destroyp) struct object *rooted = open_at(state, "stripped", root);
	assert_non_null(find_name(rooted, "hidden"));
	assert_non_null(strstr(object_symbol_origin(rooted), "/root/usr/lib/debug/.build-id/"));
}

static void it_refuses_a_debug_file_of_something_else(void **state)
{
	free(run_in(state, "mkdir -p other && cp by_link other/ && cp a.debug other/ && "
			   "printf x >> other/a.debug"));
	_cleanup_(object_destroyp) struct object *object = open_at(state, "other/by_link", "");
	assert_null(find_name(object, "hidden"));
}

static bool has_global(void **state, const char *file, const char *function, bool is_program)
{
	_cleanup_(object_destroyp) struct object *object = open_at(state, file, "");
	struct object_function found;
	return object_find_global_function(object, function, is_program, &found);
}

/** What a linker could bind a call to, without any other file. */
static void it_tells_what_others_can_call(void **state)
{
	free(run_in(state,
		    "echo 'static int hidden(void) { return 1; } int shown(void) { return "
		    "hidden(); } int main(void) { return shown(); }' > own.c && gcc -O0 own.c "
		    "-o own && objcopy --only-keep-debug own own.debug && objcopy -S "
		    "--add-gnu-debuglink=own.debug own own_linked"));
	assert_true(has_global(state, "a", "visible", false));
	assert_true(has_global(state, "stripped", "weak_one", false));
	assert_false(has_global(state, "a", "hidden", false));
	assert_false(has_global(state, "a", "hidden", true));
	assert_false(has_global(state, "a", "puts", true));
	assert_false(has_global(state, "a", "counter", true));
	assert_false(has_global(state, "own", "shown", false));
	assert_true(has_global(state, "own", "shown", true));
	assert_false(has_global(state, "own", "hidden", true));
	assert_false(has_global(state, "own_linked", "shown", true));
}

static void it_reads_the_build_id(void **state)
{
	_cleanup_(object_destroyp) struct object *object = open_at(state, "a", "");
	_cleanup_free_ char *oracle = run_in(state, "readelf -n a | grep 'Build ID'");
	uint8_t id[20];
	assert_int_equal(object_build_id(object, id), 20);
	char first[9];
	snprintf(first, sizeof(first), "%02x%02x%02x%02x", id[0], id[1], id[2], id[3]);
	assert_non_null(strstr(oracle, first));
	_cleanup_(object_destroyp) struct object *without = open_at(state, "by_link", "");
	assert_int_equal(object_build_id(without, id), 0);
}

static void it_gives_code_and_addresses(void **state)
{
	_cleanup_(object_destroyp) struct object *object = open_at(state, "a", "");
	assert_int_equal(object_machine(object), OBJECT_MACHINE_X86_64);
	struct object_bytes text = object_section(object, ".text");
	assert_true(text.size > 0);
	struct object_bytes code = object_code(object, text.address, 16);
	assert_int_equal(code.size, 16);
	assert_memory_equal(code.data, text.data, 16);
	_cleanup_free_ char *offset =
		run_in(state, "readelf -SW a | sed -n 's/.* .text "
			      "*PROGBITS *[0-9a-f]* \\([0-9a-f]*\\).*/\\1/p'");
	uint64_t address;
	assert_true(object_offset_to_address(object, strtoull(offset, NULL, 16), &address));
	assert_int_equal(address, text.address);
	assert_false(object_offset_to_address(object, UINT64_MAX, &address));
	assert_null(object_code(object, UINT64_MAX, 1).data);
	assert_true(object_code(object, text.address, SIZE_MAX).size < 1 << 20);
	assert_null(object_section(object, ".bss").data);
	assert_null(object_section(object, ".nothing").data);
}

static void it_finds_variables(void **state)
{
	_cleanup_(object_destroyp) struct object *object = open_at(state, "a", "");
	static const char *const names[] = {"counter", "secret"};
	static const uint64_t sizes[] = {3 * sizeof(int), sizeof(long)};
	for (size_t i = 0; i < 2; i++) {
		_cleanup_free_ char *address = run_in(state, "nm a | grep ' %s$'", names[i]);
		struct object_variable found;
		assert_true(object_find_variable(object, names[i], &found));
		assert_int_equal(found.address, strtoull(address, NULL, 16));
		assert_int_equal(found.size, sizes[i]);
	}
	struct object_variable found;
	assert_false(object_find_variable(object, "main", &found)); // a function
	assert_false(object_find_variable(object, "nothing", &found));
}

static void it_unpacks_sections(void **state)
{
	free(run_in(state, "objcopy --compress-debug-sections=zlib a packed"));
	_cleanup_(object_destroyp) struct object *plain = open_at(state, "a", "");
	_cleanup_(object_destroyp) struct object *packed = open_at(state, "packed", "");
	struct object_bytes expected = object_section(plain, ".debug_info");
	struct object_bytes unpacked = object_section(packed, ".debug_info");
	assert_true(expected.size > 0);
	assert_int_equal(unpacked.size, expected.size);
	assert_memory_equal(unpacked.data, expected.data, expected.size);
}

static void it_reads_symbols_packed_into_the_object(void **state)
{
	free(run_in(state,
		    "objcopy -R .debug_info -R .debug_line -R .debug_str a mini && xz -k "
		    "mini && objcopy --add-section .gnu_debugdata=mini.xz by_link embedded && "
		    "objcopy -R .gnu_debuglink embedded"));
	_cleanup_(object_destroyp) struct object *object = open_at(state, "embedded", "");
	assert_non_null(find_name(object, "hidden"));
	assert_string_equal(object_symbol_origin(object), "symtab in .gnu_debugdata");
}

static void it_says_what_is_wrong_with_a_file(void **state)
{
	static const struct {
		size_t place;
		uint8_t byte;
		const char *said;
	} changes[] = {
		{0, 'X', "not an ELF file, a Windows program or a PDB"},
		{EI_CLASS, ELFCLASS32, "32-bit"},
		{EI_CLASS, 9, "neither 32-bit nor 64-bit"},
		{EI_DATA, ELFDATA2MSB, "big-endian"},
	};
	Elf64_Ehdr good = {.e_ident = ELFMAG};
	good.e_ident[EI_CLASS] = ELFCLASS64;
	good.e_ident[EI_DATA] = ELFDATA2LSB;
	struct object *object;
	for (size_t i = 0; i < ARRAY_SIZE(changes); i++) {
		Elf64_Ehdr header = good;
		header.e_ident[changes[i].place] = changes[i].byte;
		_cleanup_(error_destroyp) struct error *err =
			object_open_memory(&header, sizeof(header), "what", &object);
		assert_non_null(err);
		assert_non_null(strstr(err->message, "'what'"));
		assert_non_null(strstr(err->message, changes[i].said));
	}
	_cleanup_(error_destroyp) struct error *err = object_open_memory("", 0, "what", &object);
	assert_non_null(strstr(err->message, "too short"));
	_cleanup_(error_destroyp) struct error *absent = object_open("/nonexistent", "", &object);
	assert_int_equal(absent->code, ERROR_ABSENT);

	_cleanup_(object_destroyp) struct object *empty = NULL;
	assert_no_error(object_open_memory(&good, sizeof(good), "empty", &empty));
	assert_null(name_at(empty, 0));
	assert_string_equal(object_symbol_origin(empty), "none");
}

static void it_reads_aarch64(void **state)
{
	free(run_in(state,
		    "printf 'int other(int); int f(int x) { return other(x) + 1; }' > b.c && "
		    "clang --target=aarch64-linux-gnu -fPIC -shared -nostdlib -fuse-ld=lld "
		    "-O1 b.c -o b.so"));
	_cleanup_(object_destroyp) struct object *object = open_at(state, "b.so", "");
	assert_int_equal(object_machine(object), OBJECT_MACHINE_AARCH64);
	assert_non_null(find_name(object, "f"));
	assert_non_null(find_name(object, "other@plt"));
	assert_null(find_name(object, "$x"));
}

int object_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_has_the_functions_of_nm),
		cmocka_unit_test(it_finds_functions_by_all_their_bytes),
		cmocka_unit_test(it_chooses_among_aliases),
		cmocka_unit_test(it_counts_labels_outside_of_functions),
		cmocka_unit_test(it_finds_debug_files),
		cmocka_unit_test(it_refuses_a_debug_file_of_something_else),
		cmocka_unit_test(it_tells_what_others_can_call),
		cmocka_unit_test(it_reads_the_build_id),
		cmocka_unit_test(it_gives_code_and_addresses),
		cmocka_unit_test(it_finds_variables),
		cmocka_unit_test(it_unpacks_sections),
		cmocka_unit_test(it_reads_symbols_packed_into_the_object),
		cmocka_unit_test(it_says_what_is_wrong_with_a_file),
		cmocka_unit_test(it_reads_aarch64),
	};
	return cmocka_run_group_tests_name("object", tests, compile, object_fixture_destroy);
}
