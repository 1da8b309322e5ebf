// SPDX-License-Identifier: Apache-2.0

#include "object/object.h"

#include "base/container/array.h"
#include "base/file/file_name.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"
#include "tests/unit/object_fixture.h"

static const char c_program[] = "extern int outer(int);\n"
				"static inline __attribute__((always_inline)) int inner(int x)\n"
				"{\n"
				"	return outer(x) * 2;\n"
				"}\n"
				"static inline __attribute__((always_inline)) int middle(int x)\n"
				"{\n"
				"	return inner(x) + inner(x + 1);\n"
				"}\n"
				"int outer(int x)\n"
				"{\n"
				"	for (int i = 0; i < 3; i++)\n"
				"		x += x < 9 ? middle(i) : 0;\n"
				"	return x;\n"
				"}\n"
				"int main(int argc, char **argv)\n"
				"{\n"
				"	return outer(argc) + middle(argc);\n"
				"}\n";

static const char cxx_program[] =
	"#include <algorithm>\n"
	"#include <map>\n"
	"#include <string>\n"
	"#include <vector>\n"
	"namespace deep { struct Thing {\n"
	"	std::map<std::string, std::vector<int>> all;\n"
	"	__attribute__((noinline)) int add(int x) {\n"
	"		auto &some = all[std::to_string(x)];\n"
	"		some.push_back(x);\n"
	"		std::sort(some.begin(), some.end());\n"
	"		return std::count_if(some.begin(), some.end(),\n"
	"				     [&](int y) { return y < x; });\n"
	"	}\n"
	"}; }\n"
	"int main(int argc, char **) {\n"
	"	deep::Thing thing;\n"
	"	int sum = 0;\n"
	"	for (int i = 0; i < 9; i++) sum += thing.add(i % argc);\n"
	"	return sum;\n"
	"}\n";

static int write_programs(void **state)
{
	if (object_fixture_create(state))
		return -1;
	write_in(state, "a.c", c_program);
	write_in(state, "b.cc", cxx_program);
	return 0;
}

/** What llvm-symbolizer says of one address, taken apart while it is compared. */
struct oracle {
	FILE *lines;
	char text[65536];
};

static bool next_line(struct oracle *oracle)
{
	bool more = fgets(oracle->text, sizeof(oracle->text), oracle->lines);
	oracle->text[strcspn(oracle->text, "\n")] = '\0';
	return more && oracle->text[0];
}

/** Constructors of one code have several names, and parts of functions have one of their own. */
static bool same_function(const char *own, const char *said)
{
	size_t length = strcspn(said, ".");
	if (strlen(own) != length)
		return false;
	for (size_t i = 0; i < length; i++)
		if (own[i] != said[i] && !(i && strchr("CD", own[i - 1])))
			return false;
	return true;
}

static void compare_line(const struct object_line *line, struct oracle *oracle, const char *name)
{
	assert_non_null(line->function);
	if (!same_function(line->function, name))
		fail_msg("%s is not %s", line->function, name);
	char place[5000];
	snprintf(place, sizeof(place), "%s:%" PRIu32 ":%" PRIu32, line->file ? line->file : "?",
		 line->line, line->column);
	assert_string_equal(place, oracle->text);
}

/** @return: is anything known of it? */
static bool compare_address(struct object *object, uint64_t address, struct oracle *oracle)
{
	const struct object_line *lines;
	size_t num_lines;
	assert_no_error(object_find_lines(object, address, &lines, &num_lines));
	assert_true(next_line(oracle)); // the address
	for (size_t i = 0; next_line(oracle); i++) {
		_cleanup_free_ char *name = strdup(oracle->text);
		assert_true(next_line(oracle));
		bool known = !strstr(oracle->text, ":0:0");
		if (num_lines && !lines[0].function) // assembly: the line is known, no function
			continue;
		if (known || num_lines) {
			assert_true(i < num_lines);
			compare_line(&lines[i], oracle, name);
		}
	}
	return num_lines;
}

enum { NUM_ADDRESSES = 5000 };

/** Random addresses in functions, also in a file for llvm-symbolizer. */
static void choose_addresses(void **state, struct object *object, uint64_t *addresses)
{
	const struct object_symbol *symbols;
	size_t num_symbols;
	assert_no_error(object_symbols(object, &symbols, &num_symbols));
	assert_true(num_symbols > 0);
	FILE *file = fopen(path_in(state, "addresses"), "w");
	assert_non_null(file);
	srand(7);
	for (size_t i = 0; i < NUM_ADDRESSES; i++) {
		const struct object_symbol *symbol = &symbols[(size_t)rand() % num_symbols];
		addresses[i] = symbol->address + (uint64_t)rand() % symbol->size;
		fprintf(file, "0x%" PRIx64 "\n", addresses[i]);
	}
	assert_int_equal(fclose(file), 0);
}

/** @least: so many of the addresses have lines. */
static void compare_with_symbolizer(void **state, const char *name, size_t least)
{
	_cleanup_(object_destroyp) struct object *object = NULL;
	assert_no_error(object_open(path_in(state, name), "", &object));
	uint64_t addresses[NUM_ADDRESSES];
	choose_addresses(state, object, addresses);
	free(run_in(state, "llvm-symbolizer --inlines --no-demangle -a --obj=%s < addresses > said",
		    name));
	struct oracle oracle = {.lines = fopen(path_in(state, "said"), "r")};
	assert_non_null(oracle.lines);
	size_t num_known = 0;
	for (size_t i = 0; i < NUM_ADDRESSES; i++)
		num_known += compare_address(object, addresses[i], &oracle);
	fclose(oracle.lines);
	if (num_known < least)
		fail_msg("%s: only %zu are known", name, num_known);
}

static void it_agrees_with_llvm_symbolizer(void **state)
{
	static const struct {
		const char *compile;
		size_t least;
	} cases[] = {
		{"gcc -g -gdwarf-2 -O2 a.c -o x", 500},
		{"gcc -g -gdwarf-4 -O2 a.c -o x", 500},
		{"gcc -g -gdwarf-5 -O0 a.c -o x", 500},
		{"gcc -g -gdwarf-5 -gz -O2 -static-pie a.c -o x", 1},
		{"clang -g -O2 a.c -o x", 500},
		{"g++ -g -gdwarf-4 -O2 b.cc -o x", 1000},
		{"g++ -g -gdwarf-5 -O2 b.cc -o x", 1000},
		{"g++ -g -gsplit-dwarf -O2 b.cc -o x", 1000},
		{"g++ -g -O2 -flto=1 -ffunction-sections -Wl,--gc-sections b.cc -o x", 1000},
		{"clang++ -g -O2 b.cc -o x", 1000},
		{"clang --target=aarch64-linux-gnu -g -O2 -fPIC -shared -nostdlib -fuse-ld=lld a.c "
		 "-o x",
		 500},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		free(run_in(state, "%s", cases[i].compile));
		compare_with_symbolizer(state, "x", cases[i].least);
	}
}

static void it_reads_lines_from_the_debug_file(void **state)
{
	free(run_in(state, "gcc -g -O2 a.c -o full && objcopy --only-keep-debug full full.debug && "
			   "objcopy -S --add-gnu-debuglink=full.debug full stripped"));
	compare_with_symbolizer(state, "stripped", 500);
}

/** Both objects have the same code, and must have the same lines. */
static void compare_objects(void **state, const char *name, const char *other_name)
{
	_cleanup_(object_destroyp) struct object *object = NULL;
	_cleanup_(object_destroyp) struct object *other = NULL;
	assert_no_error(object_open(path_in(state, name), "", &object));
	assert_no_error(object_open(path_in(state, other_name), "", &other));
	uint64_t addresses[NUM_ADDRESSES];
	choose_addresses(state, object, addresses);
	size_t num_known = 0;
	for (size_t i = 0; i < NUM_ADDRESSES; i++) {
		const struct object_line *lines, *expected;
		size_t num_lines, num_expected;
		assert_no_error(object_find_lines(object, addresses[i], &lines, &num_lines));
		assert_no_error(object_find_lines(other, addresses[i], &expected, &num_expected));
		assert_int_equal(num_lines, num_expected);
		num_known += num_lines > 0;
		for (size_t k = 0; k < num_lines && lines[k].function; k++) {
			assert_string_equal(lines[k].function, expected[k].function);
			assert_string_equal(file_name_of(lines[k].file),
					    file_name_of(expected[k].file));
			assert_int_equal(lines[k].line, expected[k].line);
		}
	}
	assert_true(num_known > 1000);
}

// llvm-symbolizer of Debian 12 cannot read them, so we compare with what was before.
static void it_reads_parts_that_files_have_in_common(void **state)
{
	if (system("command -v dwz > /dev/null") != 0)
		skip();
	static const char *const cases[][2] = {{"-gdwarf-4", ""}, {"-gdwarf-5", "--dwarf-5"}};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		free(run_in(state,
			    "g++ %s -O2 b.cc -o one && g++ %s -O1 b.cc -o two && "
			    "cp one before && dwz %s -m common one two",
			    cases[i][0], cases[i][0], cases[i][1]));
		compare_objects(state, "one", "before");
	}
}

static void it_reads_packed_sections(void **state)
{
	static const char *const methods[] = {"zlib", "zlib-gnu", "zstd"};
	free(run_in(state, "g++ -g -O2 b.cc -o before"));
	for (size_t i = 0; i < ARRAY_SIZE(methods); i++) {
		free(run_in(state, "objcopy --compress-debug-sections=%s before packed",
			    methods[i]));
		compare_objects(state, "packed", "before");
	}
}

// The compiler wrote where it was, which is nowhere now.
static void it_finds_split_parts_beside_the_program(void **state)
{
	free(run_in(state, "g++ -g -O2 b.cc -o before && "
			   "g++ -g -O2 -gsplit-dwarf -fdebug-prefix-map=$PWD=/nowhere -o one -c "
			   "b.cc && mv one one.o && g++ one.o -o one"));
	compare_objects(state, "one", "before");
}

/** Writes into a section of a file, at an offset. */
static void damage(void **state, const char *name, const char *section, size_t offset)
{
	_cleanup_free_ char *place = run_in(
		state,
		"readelf -SW %s | sed -n 's/.* %s *PROGBITS *[0-9a-f]* \\([0-9a-f]*\\).*/\\1/p'",
		name, section);
	FILE *file = fopen(path_in(state, name), "r+");
	assert_non_null(file);
	assert_int_equal(fseek(file, (long)(strtoul(place, NULL, 16) + offset), SEEK_SET), 0);
	assert_int_equal(fwrite("\xff\xff\xff", 1, 3, file), 3);
	assert_int_equal(fclose(file), 0);
}

/** Where a function of its name has lines, the lines are right. @return: has it any? */
static bool has_lines(struct object *object, const char *name)
{
	const struct object_symbol *symbols;
	size_t num_symbols;
	assert_no_error(object_symbols(object, &symbols, &num_symbols));
	for (size_t i = 0; i < num_symbols; i++) {
		if (strcmp(symbols[i].name, name) != 0)
			continue;
		const struct object_line *lines;
		size_t num_lines;
		assert_no_error(object_find_lines(object, symbols[i].address, &lines, &num_lines));
		return num_lines && lines[num_lines - 1].function &&
		       !strcmp(lines[num_lines - 1].function, name);
	}
	fail_msg("no %s", name);
	return false;
}

static void a_damaged_unit_costs_its_own_lines(void **state)
{
	static const struct {
		const char *section;
		size_t offset;
	} places[] = {
		{".debug_info", 4},   // the version
		{".debug_info", 8},   // where its abbreviations are
		{".debug_info", 12},  // its first die
		{".debug_abbrev", 0}, // its first abbreviation
	};
	write_in(state, "first.c", "int first(int x) { return x + 1; }\n");
	write_in(state, "second.c",
		 "int second(int x) { return x + 1; }\nint main() { return 0; }\n");
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		// Without the C library's own start files, whose units come first where they have
		// any.
		free(run_in(state, "gcc -g -shared -fPIC -nostdlib first.c second.c -o both"));
		damage(state, "both", places[i].section, places[i].offset);
		_cleanup_(object_destroyp) struct object *object = NULL;
		assert_no_error(object_open(path_in(state, "both"), "", &object));
		assert_false(has_lines(object, "first"));
		assert_true(has_lines(object, "second"));
	}
}

/** The line of a call, by its text. */
static uint32_t line_of(const char *text)
{
	uint32_t line = 1;
	for (const char *at = c_program; at < strstr(c_program, text); at++)
		line += *at == '\n';
	return line;
}

static void it_shows_inlined_calls_innermost_first(void **state)
{
	free(run_in(state, "gcc -g -O1 a.c -o x"));
	_cleanup_(object_destroyp) struct object *object = NULL;
	assert_no_error(object_open(path_in(state, "x"), "", &object));
	_cleanup_free_ char *calls = run_in(
		state,
		"objdump -d x --disassemble=main | sed -n 's/^ *\\([0-9a-f]*\\):.*<outer>/\\1/p'");
	char *second = strchr(calls, '\n') + 1; // the first one is that of main itself
	const struct object_line *lines;
	size_t num_lines;
	assert_no_error(object_find_lines(object, strtoull(second, NULL, 16), &lines, &num_lines));
	assert_int_equal(num_lines, 3);
	static const struct {
		const char *function, *call, *definition;
	} expected[] = {
		{"inner", "return outer(x) * 2", "int inner("},
		{"middle", "return inner(x) +", "int middle("},
		{"main", "return outer(argc)", "int main("},
	};
	for (size_t i = 0; i < num_lines; i++) {
		assert_string_equal(lines[i].function, expected[i].function);
		assert_int_equal(lines[i].line, line_of(expected[i].call));
		assert_int_equal(lines[i].definition_line, line_of(expected[i].definition));
		assert_non_null(strstr(lines[i].file, "/a.c"));
		assert_non_null(strstr(lines[i].definition_file, "/a.c"));
	}
}

static void say_nothing(void **state)
{
	_cleanup_(object_destroyp) struct object *object = NULL;
	assert_no_error(object_open(path_in(state, "x"), "", &object));
	const struct object_symbol *symbols;
	const struct object_line *lines;
	size_t num_symbols, num_lines = 1;
	assert_no_error(object_symbols(object, &symbols, &num_symbols));
	assert_true(num_symbols > 0);
	assert_no_error(object_find_lines(object, symbols[0].address, &lines, &num_lines));
	assert_int_equal(num_lines, 0);
}

static void it_says_nothing_without_debug_information(void **state)
{
	free(run_in(state, "gcc a.c -o x"));
	say_nothing(state);
}

// Its DWARF has no addresses and no names before it is linked: they would be wrong.
static void it_says_nothing_of_what_is_not_linked(void **state)
{
	free(run_in(state, "gcc -g -c a.c -o x"));
	say_nothing(state);
}

int line_finder_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_agrees_with_llvm_symbolizer),
		cmocka_unit_test(it_reads_lines_from_the_debug_file),
		cmocka_unit_test(it_reads_parts_that_files_have_in_common),
		cmocka_unit_test(it_reads_packed_sections),
		cmocka_unit_test(it_finds_split_parts_beside_the_program),
		cmocka_unit_test(a_damaged_unit_costs_its_own_lines),
		cmocka_unit_test(it_shows_inlined_calls_innermost_first),
		cmocka_unit_test(it_says_nothing_without_debug_information),
		cmocka_unit_test(it_says_nothing_of_what_is_not_linked),
	};
	return cmocka_run_group_tests_name("line_finder", tests, write_programs,
					   object_fixture_destroy);
}
