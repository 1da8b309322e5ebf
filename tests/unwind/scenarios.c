// SPDX-License-Identifier: Apache-2.0

#include "tests/unwind/scenarios.h"

#include <alloca.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define NOINLINE __attribute__((noinline, noclone))
#ifdef __clang__
#undef NOINLINE
#define NOINLINE __attribute__((noinline))
#endif

enum { RECURSION = 200 };

// Signal handlers have no arguments of ours.
static deepest_fn handler_deepest;
static volatile int sink;
// Not in main()'s frame: there the walk could go on from it.
char alternate_stack[ALTERNATE_STACK];

static NOINLINE int plain(deepest_fn deepest, int value)
{
	int result = deepest(value + 1);
	sink = result;
	return result + 1;
}

static NOINLINE int many_registers(deepest_fn deepest, int value)
{
	int a = sink + value, b = sink * 3, c = sink ^ a, d = sink - b, e = sink | c, f = sink & d;
	int result = plain(deepest, value);
	return result + a * b + c * d + e * f + plain(deepest, a ^ b ^ c ^ d ^ e ^ f);
}

static NOINLINE int big_frame(deepest_fn deepest, int value)
{
	volatile char bytes[9000];
	bytes[value & 1023] = 1;
	int result = plain(deepest, value);
	return result + bytes[value & 1023];
}

static NOINLINE int dynamic_frame(deepest_fn deepest, int value)
{
	char *bytes = alloca((size_t)(value & 7) * 100 + 16);
	memset(bytes, value, 16);
	int result = plain(deepest, value + bytes[3]);
	return result + bytes[7];
}

static NOINLINE int realigned(deepest_fn deepest, int value)
{
	_Alignas(64) volatile char bytes[128];
	bytes[value & 127] = 2;
	int result = plain(deepest, value);
	return result + bytes[value & 127] + (int)((uintptr_t)bytes & 63);
}

static NOINLINE int realigned_dynamic(deepest_fn deepest, int value)
{
	_Alignas(64) volatile char bytes[64];
	volatile char *more = alloca((size_t)(value & 15) * 16 + 16);
	bytes[value & 63] = 2;
	more[3] = 1;
	int result = plain(deepest, value);
	return result + bytes[value & 63] + more[3];
}

static NOINLINE int recursive(deepest_fn deepest, int value, int depth)
{
	if (depth == 0)
		return plain(deepest, value);
	int result = recursive(deepest, value + depth, depth - 1);
	sink = result;
	return result * 3 + depth;
}

static int recursion(deepest_fn deepest, int value)
{
	return recursive(deepest, value, RECURSION) + 1;
}

static int short_recursion(deepest_fn deepest, int value)
{
	return recursive(deepest, value, 5) + 1;
}

static NOINLINE int many_arguments(deepest_fn deepest, int a, int b, int c, int d, int e, int f,
				   int g, int h)
{
	return plain(deepest, a + b + c + d) + e + f + g + h;
}

static NOINLINE int pushes_arguments(deepest_fn deepest, int value)
{
	int result = many_arguments(deepest, value, 2, 3, 4, 5, 6, value + 7, value + 8);
	return result + many_arguments(deepest, value, 1, 2, 3, 4, 5, result, value);
}

static int compare(const void *left, const void *right)
{
	int a = *(const int *)left, b = *(const int *)right;
	sink = plain(handler_deepest, a);
	return a < b ? -1 : a > b;
}

static NOINLINE int through_qsort(deepest_fn deepest, int value)
{
	int numbers[] = {3, value & 7, 2};
	handler_deepest = deepest;
	qsort(numbers, 3, sizeof(numbers[0]), compare);
	return numbers[0] + numbers[2];
}

static NOINLINE int through_library(deepest_fn deepest, int value)
{
	char text[64];
	snprintf(text, sizeof(text), "%d %s %5.2f", value, "text", value * 0.5);
	char *copy = strdup(text);
	int result = (int)strlen(copy) + plain(deepest, value);
	free(copy);
	return result;
}

static void handler(int number)
{
	sink = plain(handler_deepest, number);
}

static void run_handler(int flags)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
}

static NOINLINE int in_handler(deepest_fn deepest, int value)
{
	handler_deepest = deepest;
	run_handler(0);
	return value + sink;
}

static NOINLINE int on_alternate_stack(deepest_fn deepest, int value)
{
	stack_t stack = {.ss_sp = alternate_stack, .ss_size = sizeof(alternate_stack)};
	handler_deepest = deepest;
	sigaltstack(&stack, NULL);
	run_handler(SA_ONSTACK);
	return value + sink;
}

// Its pages can be read only after the handler.
static char *guarded;
enum { GUARDED_SIZE = 4096 };

static void open_guarded(int number)
{
	sink = handler_deepest(number);
	mprotect(guarded, GUARDED_SIZE, PROT_READ);
}

// The instruction that is interrupted is the function's first: its frame has not begun.
static NOINLINE int faults_at_once(int value)
{
	return guarded[value & 1023];
}

static NOINLINE int in_fault(deepest_fn deepest, int value)
{
	struct sigaction action = {.sa_handler = open_guarded};
	handler_deepest = deepest;
	sigaction(SIGSEGV, &action, NULL);
	guarded = mmap(NULL, GUARDED_SIZE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int result = faults_at_once(value);
	munmap(guarded, GUARDED_SIZE);
	return result + value;
}

const struct scenario scenarios[] = {
	{"plain", plain},
	{"many_registers", many_registers},
	{"big_frame", big_frame},
	{"dynamic_frame", dynamic_frame},
	{"realigned", realigned},
	{"realigned_dynamic", realigned_dynamic},
	{"short_recursion", short_recursion},
	{"recursion", recursion},
	{"pushes_arguments", pushes_arguments},
	{"through_qsort", through_qsort},
	{"through_library", through_library},
	{"in_handler", in_handler},
	{"on_alternate_stack", on_alternate_stack},
	{"in_fault", in_fault},
};
const size_t num_scenarios = sizeof(scenarios) / sizeof(scenarios[0]);
