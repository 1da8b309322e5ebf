// SPDX-License-Identifier: Apache-2.0
// Walks its own stack in the deepest call of each scenario, and compares with what the
// compiler's own unwinder says.
// walk_self [fp]: by frame pointers alone, up to main().

#include "tests/unwind/elf_space.h"
#include "tests/unwind/own_registers.h"
#include "tests/unwind/scenarios.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unwind.h>

enum { MAX_FRAMES = 512, MAX_STACK = 256 * 1024 };

static struct elf_space modules;
static const char *scenario_name;
static unsigned num_walks, num_bad;
static uint64_t main_return_limit;
static uint8_t stack_bytes[MAX_STACK];

extern int main(int argc, char **argv);

static uint64_t stack_end(uint64_t sp)
{
	uint64_t alternate = (uint64_t)alternate_stack;
	if (sp >= alternate && sp < alternate + ALTERNATE_STACK)
		return alternate + ALTERNATE_STACK;
	pthread_attr_t attributes;
	void *start;
	size_t size;
	pthread_getattr_np(pthread_self(), &attributes);
	pthread_attr_getstack(&attributes, &start, &size);
	pthread_attr_destroy(&attributes);
	return (uint64_t)start + size;
}

static struct stack_copy copy_stack(uint64_t sp)
{
	size_t size = stack_end(sp) - sp;
	if (size > MAX_STACK)
		size = MAX_STACK;
	memcpy(stack_bytes, (const void *)sp, size);
	return (struct stack_copy){.address = sp, .bytes = stack_bytes, .size = size};
}

static void complain(const char *what, const uint64_t *frames, size_t num, void *const *wanted,
		     int num_wanted, enum unwind_end end)
{
	num_bad++;
	printf("%s: %s; end %d; %zu frames of %d\n", scenario_name, what, end, num, num_wanted);
	for (size_t i = 0; i < num && i < 12; i++)
		printf("  %2zu %" PRIx64 " %" PRIx64 "\n", i, frames[i],
		       (int)i < num_wanted ? (uint64_t)wanted[i] : 0);
}

static bool is_same(const uint64_t *frames, void *const *wanted, size_t num)
{
	for (size_t i = 1; i < num; i++) {
		if (frames[i] != (uint64_t)wanted[i])
			return false;
	}
	return true;
}

static bool is_in_main(uint64_t address)
{
	return address > (uint64_t)main && address < main_return_limit;
}

static size_t frames_up_to_main(const uint64_t *frames, size_t num)
{
	for (size_t i = 0; i < num; i++) {
		if (is_in_main(frames[i]))
			return i + 1;
	}
	return num;
}

static void check(const uint64_t *frames, size_t num, enum unwind_end end, void *const *wanted,
		  int num_wanted)
{
	bool is_other_stack = strcmp(scenario_name, "on_alternate_stack") == 0;
	num_walks++;
	if (modules.without_tables) {
		num = frames_up_to_main(frames, num);
		if (!is_in_main(frames[num - 1]))
			complain("main() not reached", frames, num, wanted, num_wanted, end);
	} else if (is_other_stack) {
		if (end != UNWIND_END_STACK || num < 4)
			complain("the other stack", frames, num, wanted, num_wanted, end);
	} else if (end != UNWIND_END_OUTERMOST || num != (size_t)num_wanted) {
		complain("not whole", frames, num, wanted, num_wanted, end);
	}
	if (!is_same(frames, wanted, num))
		complain("other frames", frames, num, wanted, num_wanted, end);
}

struct wanted_frames {
	void **frames;
	int num;
};

static _Unwind_Reason_Code add_wanted(struct _Unwind_Context *context, void *argument)
{
	struct wanted_frames *list = argument;
	uint64_t ip = _Unwind_GetIP(context);
	// Behind the last one it says that there is nothing.
	if (ip && list->num < MAX_FRAMES)
		list->frames[list->num++] = (void *)ip;
	return _URC_NO_REASON;
}

static __attribute__((noinline)) int walk_here(int value)
{
	struct unwind_regs regs;
	OWN_REGISTERS(&regs);
	struct stack_copy stack = copy_stack(regs.sp);
	struct unwind_space space = {
		.machine = OWN_MACHINE, .find_module = elf_space_find, .context = &modules};
	static uint64_t frames[MAX_FRAMES];
	static bool is_return_address[MAX_FRAMES];
	static void *wanted[MAX_FRAMES];
	size_t num;
	enum unwind_end end = native_unwind(&space, &regs, &stack, frames, is_return_address, NULL,
					    MAX_FRAMES, &num);
	struct wanted_frames list = {.frames = wanted};
	_Unwind_Backtrace(add_wanted, &list);
	check(frames, num, end, wanted, list.num);
	return value;
}

static __attribute__((noinline)) int measure_here(int value)
{
	enum { ROUNDS = 20000 };
	struct unwind_regs regs;
	OWN_REGISTERS(&regs);
	struct stack_copy stack = copy_stack(regs.sp);
	struct unwind_space space = {
		.machine = OWN_MACHINE, .find_module = elf_space_find, .context = &modules};
	static uint64_t frames[MAX_FRAMES];
	static bool is_return_address[MAX_FRAMES];
	size_t num = 0, total = 0;
	struct timespec start, end;
	clock_gettime(CLOCK_MONOTONIC, &start);
	for (int i = 0; i < ROUNDS; i++, total += num)
		native_unwind(&space, &regs, &stack, frames, is_return_address, NULL, MAX_FRAMES,
			      &num);
	clock_gettime(CLOCK_MONOTONIC, &end);
	double seconds =
		(double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) / 1e9;
	printf("%zu frames a walk, %.1f million frames a second\n", num,
	       (double)total / seconds / 1e6);
	return value;
}

int main(int argc, char **argv)
{
	elf_space_init(&modules);
	modules.without_tables = argc > 1 && strcmp(argv[1], "fp") == 0;
	main_return_limit = (uint64_t)main + 4096;
	for (size_t i = 0; i < num_scenarios; i++) {
		scenario_name = scenarios[i].name;
		// Without tables nothing leads out of libc.
		bool needs_tables = strstr(scenario_name, "through_qsort") ||
				    strncmp(scenario_name, "in_", 3) == 0 ||
				    strncmp(scenario_name, "on_", 3) == 0;
		if (!modules.without_tables || !needs_tables)
			scenarios[i].run(walk_here, (int)i);
	}
	if (argc > 1 && strcmp(argv[1], "speed") == 0)
		scenarios[7].run(measure_here, 0);
	printf("%u walks, %u bad\n", num_walks, num_bad);
	return num_bad || num_walks < num_scenarios / 2;
}
