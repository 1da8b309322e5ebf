// SPDX-License-Identifier: Apache-2.0

// Lines and inlined calls beside those that elfutils reads, which knows all that compilers write.

#include "object/object.h"

#include "base/container/array.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"
#include "tests/unit/object_fixture.h"

static const char program[] =
	"#include <algorithm>\n"
	"#include <map>\n"
	"#include <string>\n"
	"#include <vector>\n"
	"static std::map<std::string, std::vector<int>> all;\n"
	"template <int N> __attribute__((noinline)) int add(int x) {\n"
	"	auto &some = all[std::to_string(x * N)];\n"
	"	some.push_back(x);\n"
	"	std::sort(some.begin(), some.end());\n"
	"	return std::count_if(some.begin(), some.end(), [&](int y) { return y < x; });\n"
	"}\n"
	"int main(int argc, char **) {\n"
	"	int sum = 0;\n"
	"	for (int i = 0; i < 9; i++) sum += add<2>(i % argc) + add<3>(i);\n"
	"	return sum;\n"
	"}\n";

static int write_program(void **state)
{
	if (object_fixture_create(state))
		return -1;
	write_in(state, "a.cc", program);
	return 0;
}

struct both {
	struct object *object;
	Dwarf *dwarf;
	size_t step; // every so many rows are compared
	size_t num_compared, num_inlined;
};

static const char *text_of(const char *text)
{
	return text ? text : "";
}

/** libdw may leave out the folder of the compiler. */
static bool same_file(const char *own, const char *said)
{
	size_t own_length = strlen(text_of(own)), length = strlen(text_of(said));
	return length <= own_length && !strcmp(text_of(own) + own_length - length, text_of(said));
}

static void compare_row(Dwarf_Die *unit, uint64_t address, const struct object_line *line)
{
	Dwarf_Line *row = dwarf_getsrc_die(unit, address);
	int number = 0, column = 0;
	assert_non_null(row);
	dwarf_lineno(row, &number);
	dwarf_linecol(row, &column);
	const char *file = dwarf_linesrc(row, NULL, NULL);
	if ((int)line->line != number || (int)line->column != column ||
	    !same_file(line->file, file))
		fail_msg("0x%" PRIx64 " is %s:%u:%u instead of %s:%d:%d", address,
			 text_of(line->file), line->line, line->column, file, number, column);
}

static const char *name_of(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute) ||
	    dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attribute))
		return dwarf_formstring(&attribute);
	return dwarf_diename(die);
}

static void compare_call(Dwarf_Die *die, uint64_t address, const struct object_line *caller)
{
	Dwarf_Attribute attribute;
	Dwarf_Word line = 0;
	if (dwarf_attr(die, DW_AT_call_line, &attribute))
		dwarf_formudata(&attribute, &line);
	if (caller->line != line)
		fail_msg("0x%" PRIx64 " is called in %u instead of %" PRIu64, address, caller->line,
			 (uint64_t)line);
}

static void compare_scopes(struct both *both, Dwarf_Die *unit, uint64_t address,
			   const struct object_line *lines, size_t num_lines)
{
	// What is around an inlined call in the source comes first; where it is called, with its
	// die.
	Dwarf_Die *innermost = NULL, *scopes = NULL;
	int num_scopes = dwarf_getscopes(unit, address, &innermost);
	if (num_scopes > 0)
		num_scopes = dwarf_getscopes_die(&innermost[0], &scopes);
	if (num_scopes <= 0) { // of some that clang writes it says nothing
		free(innermost);
		return;
	}
	size_t num_found = 0;
	for (int i = 0; i < num_scopes; i++) {
		int tag = dwarf_tag(&scopes[i]);
		if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram)
			continue;
		assert_true(num_found < num_lines);
		const char *name = text_of(name_of(&scopes[i]));
		// In assembly several functions may be one.
		if (dwarf_srclang(unit) != DW_LANG_Mips_Assembler &&
		    strcmp(text_of(lines[num_found].function), name) != 0)
			fail_msg("0x%" PRIx64 " is %s instead of %s", address,
				 text_of(lines[num_found].function), name);
		num_found++;
		if (tag == DW_TAG_subprogram)
			break;
		assert_true(num_found < num_lines);
		compare_call(&scopes[i], address, &lines[num_found]);
		both->num_inlined++;
	}
	free(innermost);
	free(scopes);
	// Code without a function has a line and no name.
	if (num_lines != (num_found ? num_found : 1))
		fail_msg("0x%" PRIx64 " has %zu lines instead of %zu", address, num_lines,
			 num_found);
}

static void compare_address(struct both *both, Dwarf_Die *unit, Dwarf_Die *tree, uint64_t address)
{
	const struct object_line *lines;
	size_t num_lines;
	assert_no_error(object_find_lines(both->object, address, &lines, &num_lines));
	assert_true(num_lines > 0);
	compare_row(unit, address, &lines[0]);
	compare_scopes(both, tree, address, lines, num_lines);
	both->num_compared++;
}

static void compare_unit(struct both *both, Dwarf_Die *unit, Dwarf_Die *tree)
{
	Dwarf_Lines *rows;
	size_t num_rows;
	if (dwarf_getsrclines(unit, &rows, &num_rows) != 0)
		return;
	for (size_t i = both->num_compared % both->step; i < num_rows; i += both->step) {
		Dwarf_Line *row = dwarf_onesrcline(rows, i);
		Dwarf_Addr address;
		bool is_end;
		dwarf_lineaddr(row, &address);
		dwarf_lineendsequence(row, &is_end);
		// Where it ends another may begin, and what was left out is at 0.
		if (!is_end && address && dwarf_haspc(unit, address) > 0)
			compare_address(both, unit, tree, address);
	}
}

static void compare_file(const char *path, size_t step, size_t least, size_t least_inlined)
{
	struct both both = {.step = step};
	assert_no_error(object_open(path, "", &both.object));
	int file = open(path, O_RDONLY | O_CLOEXEC);
	both.dwarf = dwarf_begin(file, DWARF_C_READ);
	assert_non_null(both.dwarf);
	Dwarf_CU *unit = NULL;
	Dwarf_Die die, split;
	while (dwarf_get_units(both.dwarf, unit, &unit, NULL, NULL, &die, &split) == 0)
		compare_unit(&both, &die, split.cu ? &split : &die);
	dwarf_end(both.dwarf);
	close(file);
	object_destroy(both.object);
	print_message("%s: %zu addresses, %zu inlined calls\n", path, both.num_compared,
		      both.num_inlined);
	assert_true(both.num_compared >= least && both.num_inlined >= least_inlined);
}

static void it_agrees_about_what_compilers_write(void **state)
{
	static const char *const compilers[] = {
		"g++ -gdwarf-2 -O2",
		"g++ -gdwarf-3 -O3 -ffunction-sections -Wl,--gc-sections",
		"g++ -gdwarf-4 -O2 -fdebug-types-section",
		"g++ -gdwarf-4 -O2 -gsplit-dwarf",
		"g++ -gdwarf-5 -O2 -gdwarf64",
		"g++ -gdwarf-5 -O2 -gsplit-dwarf",
		"clang++ -gdwarf-3 -O2",
		"clang++-19 -gdwarf-5 -O2 -gsplit-dwarf",
		"clang++-19 -gdwarf-5 -O3 -gz=zlib",
	};
	for (size_t i = 0; i < ARRAY_SIZE(compilers); i++) {
		print_message("%s: ", compilers[i]);
		free(run_in(state, "%s a.cc -o a", compilers[i]));
		compare_file(path_in(state, "a"), 3, 200, 300);
	}
}

static void it_agrees_about_this_program(void **state)
{
	compare_file("/proc/self/exe", 5, 500, 0);
}

/** Of thousands of files, by some compilers, packed. */
static void it_agrees_about_the_c_library(void **state)
{
	_cleanup_free_ char *path =
		run_in(state,
		       "id=$(readelf -n /lib/*-linux-gnu/libc.so.6 | sed -n 's/.*Build ID: //p'); "
		       "printf /usr/lib/debug/.build-id/%%.2s/%%s.debug $id ${id#??}");
	if (access(path, R_OK) != 0)
		skip();
	compare_file(path, 301, 500, 100);
}

int line_finder_beside_libdw_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_agrees_about_what_compilers_write),
		cmocka_unit_test(it_agrees_about_this_program),
		cmocka_unit_test(it_agrees_about_the_c_library),
	};
	return cmocka_run_group_tests_name("line_finder_beside_libdw", tests, write_program,
					   object_fixture_destroy);
}
