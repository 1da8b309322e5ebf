// SPDX-License-Identifier: Apache-2.0

#include "interpreter/python/python_loops.h"

#include "interpreter/python/layout/python_opcodes.h"
#include "interpreter/python/python_interpreter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"
#include "tests/unit/object_fixture.h"

// A loop of labels, and of functions: 120 instructions; what is none comes 136 times.
static const char write_labels[] =
	"{ echo 'int other(int x) { return x + 1; }';"
	"  echo 'int run(const unsigned char *code) {';"
	"  echo 'static const void *const table[256] = {';"
	"  for i in $(seq 0 255); do echo \"&&op_$((i < 120 ? i : 120)),\"; done;"
	"  echo '}; int x = 0; goto *table[*code];';"
	"  for i in $(seq 0 119); do"
	"    echo \"op_$i: x = x * $i + other(x); goto *table[*++code];\"; done;"
	"  echo 'op_120: return x; } int main(int argc, char **argv)';"
	"  echo '{ return argv[0] ? run((unsigned char *)argv[argc - 1]) : 0; }';"
	"} > labels.c";

static const char write_functions[] =
	"{ echo 'int other(int x) { return x + 1; }';"
	"  for i in $(seq 0 120); do"
	"    echo \"static int op_$i(int x) { return x * $i + other(x); }\"; done;"
	"  echo 'typedef int op_fn(int); static op_fn *const volatile table[256] = {';"
	"  for i in $(seq 0 255); do echo \"op_$((i < 120 ? i : 120)),\"; done;"
	"  echo '}; int main(int argc, char **argv) { return table[argc](argv[0][0]); }';"
	"} > functions.c";

static int compile(void **state)
{
	static const char build[] =
		"for p in labels functions; do for how in -pie -no-pie; do"
		" f=$p$how; gcc -O1 -fno-inline $([ $how = -pie ] && echo -fPIE) $how $p.c -o $f &&"
		" nm $f > $f.names && strip -s $f || exit 1; done; done";
	if (object_fixture_create(state))
		return -1;
	free(run_in(state, "%s", write_labels));
	free(run_in(state, "%s", write_functions));
	free(run_in(state, "%s", build));
	return 0;
}

static uint64_t address_of(void **state, const char *file, const char *name)
{
	_cleanup_free_ char *text =
		run_in(state, "awk '$3 == \"%s\" { print $1 }' %s.names", name, file);
	uint64_t address = strtoull(text, NULL, 16);
	assert_int_not_equal(address, 0);
	return address;
}

/** Does the interpreter in this file hold the address behind that of the function? */
static bool holds(void **state, const char *file, const char *function, uint64_t behind)
{
	_cleanup_(eval_loops_deinit) struct eval_loops loops = EVAL_LOOPS_INIT;
	const struct module module = {.kind = MODULE_FILE, .path = path_in(state, file)};
	uint32_t number;
	assert_no_error(eval_loops_add(&loops, &python_interpreter_ops, &module, &number));
	return eval_loops_hold(&loops, number, address_of(state, file, function) + behind);
}

static void stripped_files_have_the_function_of_the_labels(void **state)
{
	static const char *const files[] = {"labels-pie", "labels-no-pie"};
	for (size_t i = 0; i < 2; i++) {
		assert_true(holds(state, files[i], "run", 0));
		assert_true(holds(state, files[i], "run", 500));
		assert_false(holds(state, files[i], "other", 0));
		assert_false(holds(state, files[i], "main", 1));
	}
}

static void stripped_files_have_the_functions_of_tail_calls(void **state)
{
	static const char *const files[] = {"functions-pie", "functions-no-pie"};
	for (size_t i = 0; i < 2; i++) {
		assert_true(holds(state, files[i], "op_0", 0));
		assert_true(holds(state, files[i], "op_77", 3));
		assert_true(holds(state, files[i], "op_120", 0));
		assert_false(holds(state, files[i], "_start", 0));
	}
}

static void those_of_windows_have_both(void **state)
{
	static const uint64_t linked = 0x140000000; // names of nm have this more
	if (system("command -v x86_64-w64-mingw32-gcc >/dev/null"))
		skip();
	free(run_in(state, "for p in labels functions; do f=$p.exe;"
			   " x86_64-w64-mingw32-gcc -O1 -fno-inline $p.c -o $f &&"
			   " nm $f > $f.names && x86_64-w64-mingw32-strip $f || exit 1; done"));
	assert_true(holds(state, "labels.exe", "run", 0 - linked));
	assert_true(holds(state, "labels.exe", "run", 500 - linked));
	assert_false(holds(state, "labels.exe", "other", 0 - linked));
	assert_true(holds(state, "functions.exe", "op_0", 0 - linked));
	assert_true(holds(state, "functions.exe", "op_77", 3 - linked));
	assert_false(holds(state, "functions.exe", "other", 0 - linked));
}

static void other_tables_are_none(void **state)
{
	uint64_t opcodes[PYTHON_NUM_OPCODES];
	_cleanup_(object_destroyp) struct object *object = NULL;
	// 256 different functions, the same one 256 times, and one too few.
	free(run_in(state,
		    "for i in $(seq 0 255); do echo \"int f_$i(void) { return $i; }\"; done > "
		    "others.c; { echo 'int (*many[256])(void) = {';"
		    "for i in $(seq 0 255); do echo \"f_$i,\"; done; echo '};';"
		    "echo 'int (*alike[256])(void) = {[0 ... 255] = f_1};';"
		    "echo 'int (*few[255])(void) = {';"
		    "for i in $(seq 0 254); do echo \"f_$((i < 120 ? i : 120)),\"; done;"
		    "echo '}; int main() {}'; } >> others.c; gcc others.c -o others"));
	assert_no_error(object_open(path_in(state, "others"), "", &object));
	assert_false(python_opcodes_find(object, opcodes));
}

static void names_tell(void **state)
{
	(void)state;
	assert_true(python_loops_is_name("_PyEval_EvalFrameDefault"));
	assert_true(python_loops_is_name("PyEval_EvalFrameEx"));
	assert_true(python_loops_is_name("_TAIL_CALL_BINARY_OP"));
	assert_false(python_loops_is_name("PyEval_EvalCode"));
	assert_false(python_loops_is_name("__PyEval_EvalFrame"));
	assert_false(eval_loops_is_name("interpreter loop]"));
	char name[EVAL_LOOPS_NAME_SIZE];
	eval_loops_make_name("/usr/bin/python3.8", name);
	assert_string_equal(name, "[python3.8 interpreter loop]");
	assert_true(eval_loops_is_name(name));
	static const char *const interpreters[] = {
		"/usr/bin/python3.11", "/usr/lib/libpython3.8.so.1.0", "C:\\Python\\python312.dll"};
	for (size_t i = 0; i < 3; i++)
		assert_true(python_loops_are_named_in(interpreters[i]));
	assert_false(python_loops_are_named_in("/x/_bz2.cpython-311-x86_64-linux-gnu.so"));
	assert_false(python_loops_are_named_in("/opt/python3/bin/perl"));
}

int python_loops_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stripped_files_have_the_function_of_the_labels),
		cmocka_unit_test(stripped_files_have_the_functions_of_tail_calls),
		cmocka_unit_test(those_of_windows_have_both),
		cmocka_unit_test(other_tables_are_none),
		cmocka_unit_test(names_tell),
	};
	return cmocka_run_group_tests_name("python_loops", tests, compile, object_fixture_destroy);
}
