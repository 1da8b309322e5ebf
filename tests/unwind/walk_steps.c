// SPDX-License-Identifier: Apache-2.0
// Runs each scenario step by step, instruction after instruction, and walks the stack at each.
// What the stack must be is known from the calls, returns and signals that were seen.

#include "tests/unwind/elf_space.h"
#include "tests/unwind/scenarios.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	MAX_FRAMES = 512,
	MAX_STACK = 192 * 1024,
	MAX_COMPLAINTS = 12,
	MAX_STEPS = 400000,
	CALL_MIN = 2,
	CALL_MAX = 8,
	SIGNAL_FRAME_MIN = 256,
	SKIPPED = 77,
};

/** One call that has not returned. */
struct call {
	uint64_t address; /* where it goes on */
	uint64_t sp; /* where that address is on the stack; of a signal: of what it interrupted */
	bool is_signal;
};

struct tracer {
	struct elf_space modules;
	pid_t child;
	struct call calls[MAX_FRAMES];
	size_t num_calls;
	uint64_t base[MAX_FRAMES]; /* the callers of the scenario */
	size_t num_base;
	struct user_regs_struct regs, before;
	uint8_t stack_bytes[MAX_STACK];
	uint64_t frames[MAX_FRAMES];
	bool is_return_address[MAX_FRAMES];
	size_t num_frames;
	enum unwind_end end;
	size_t num_steps, num_short, num_wrong;
	const char *scenario;
};

static int deepest(int value)
{
	char text[32];
	strcpy(text, value & 1 ? "odd" : "even number");
	return (int)strlen(text) + (int)(getpid() != 0);
}

static __attribute__((noinline)) int run_traced(const struct scenario *scenario, int value)
{
	int result = scenario->run(deepest, value);
	__asm__ volatile("");
	return result + 1;
}

static struct stack_copy copy_stack(struct tracer *tracer)
{
	size_t size = 0;
	// Up to the first page that is not there.
	while (size < MAX_STACK) {
		uint64_t place = tracer->regs.rsp + size;
		size_t length = 4096 - place % 4096;
		if (length > MAX_STACK - size)
			length = MAX_STACK - size;
		struct iovec local = {tracer->stack_bytes + size, length};
		struct iovec remote = {(void *)place, length};
		if (process_vm_readv(tracer->child, &local, 1, &remote, 1, 0) != (ssize_t)length)
			break;
		size += length;
	}
	return (struct stack_copy){
		.address = tracer->regs.rsp, .bytes = tracer->stack_bytes, .size = size};
}

static void walk(struct tracer *tracer)
{
	struct unwind_space space = {
		.machine = CFI_X86_64, .find_module = elf_space_find, .context = &tracer->modules};
	struct unwind_regs regs = {
		.ip = tracer->regs.rip, .sp = tracer->regs.rsp, .fp = tracer->regs.rbp};
	struct stack_copy stack = copy_stack(tracer);
	tracer->end =
		native_unwind(&space, &regs, &stack, tracer->frames, tracer->is_return_address,
			      NULL, MAX_FRAMES, &tracer->num_frames);
}

static uint64_t peek(const struct tracer *tracer, uint64_t address)
{
	return (uint64_t)ptrace(PTRACE_PEEKDATA, tracer->child, address, NULL);
}

static void push_call(struct tracer *tracer, uint64_t address, uint64_t sp, bool is_signal)
{
	if (tracer->num_calls == MAX_FRAMES)
		abort();
	tracer->calls[tracer->num_calls++] =
		(struct call){.address = address, .sp = sp, .is_signal = is_signal};
}

static bool is_at_end_of(const struct tracer *tracer, const struct call *call)
{
	return tracer->regs.rip == call->address && tracer->regs.rsp == call->sp + 8;
}

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

static void follow_return(struct tracer *tracer)
{
	struct call *top = &tracer->calls[tracer->num_calls - 1];
	bool is_sigreturn = top->is_signal &&
			    distance(tracer->regs.rsp, tracer->before.rsp) >= SIGNAL_FRAME_MIN;
	if (is_sigreturn)
		tracer->num_calls--, top--;
	if (tracer->num_calls && !top->is_signal && is_at_end_of(tracer, top))
		tracer->num_calls--;
}

static void follow_step(struct tracer *tracer)
{
	if (tracer->regs.rsp == tracer->before.rsp - 8) {
		uint64_t pushed = peek(tracer, tracer->regs.rsp);
		uint64_t size = pushed - tracer->before.rip;
		if (size >= CALL_MIN && size <= CALL_MAX && pushed != tracer->regs.rip)
			push_call(tracer, pushed, tracer->regs.rsp, false);
		return;
	}
	if (tracer->regs.rsp != tracer->before.rsp)
		follow_return(tracer);
}

static uint64_t wanted_frame(const struct tracer *tracer, size_t i)
{
	if (i == 0)
		return tracer->regs.rip;
	if (i <= tracer->num_calls)
		return tracer->calls[tracer->num_calls - i].address;
	return tracer->base[i - tracer->num_calls - 1];
}

static void complain(struct tracer *tracer, const char *what)
{
	if (tracer->num_wrong++ >= MAX_COMPLAINTS)
		return;
	printf("%s: %s at %llx after step %zu, end %d\n", tracer->scenario, what, tracer->regs.rip,
	       tracer->num_steps, tracer->end);
	for (size_t i = 0; i < 8; i++)
		printf("  %zu %" PRIx64 " %" PRIx64 "\n", i,
		       i < tracer->num_frames ? tracer->frames[i] : 0, wanted_frame(tracer, i));
}

/** The last frame that was found has a rule of registers that nobody knows. */
static bool is_beyond_rows(const struct tracer *tracer)
{
	size_t last = tracer->num_frames - 1;
	uint64_t address = tracer->frames[last] - tracer->is_return_address[last];
	struct unwind_module module;
	if (!elf_space_find((void *)&tracer->modules, address, &module) || !module.table)
		return false;
	const struct cfi_row *row = cfi_table_find(module.table, address - module.bias);
	return row && row->cfa == CFI_CFA_UNKNOWN;
}

static bool is_on_other_stack(const struct tracer *tracer)
{
	return strcmp(tracer->scenario, "on_alternate_stack") == 0 &&
	       tracer->end == UNWIND_END_STACK && tracer->num_frames > 1;
}

static void check_step(struct tracer *tracer)
{
	walk(tracer);
	size_t wanted = 1 + tracer->num_calls + tracer->num_base;
	for (size_t i = 0; i < tracer->num_frames; i++) {
		if (i >= wanted || tracer->frames[i] != wanted_frame(tracer, i)) {
			complain(tracer, "wrong frame");
			return;
		}
	}
	if (tracer->num_frames == wanted && tracer->end == UNWIND_END_OUTERMOST)
		return;
	if (is_on_other_stack(tracer))
		return;
	tracer->num_short++;
	if (tracer->end != UNWIND_END_NO_RULE || !is_beyond_rows(tracer))
		complain(tracer, "frames missing");
}

/** The signal that stopped the child, 0 for a step; -1: the child has ended. */
static int step(struct tracer *tracer, int signal_number)
{
	int status;
	tracer->before = tracer->regs;
	if (ptrace(PTRACE_SINGLESTEP, tracer->child, NULL, (void *)(intptr_t)signal_number) < 0 ||
	    waitpid(tracer->child, &status, 0) < 0 || !WIFSTOPPED(status))
		return -1;
	ptrace(PTRACE_GETREGS, tracer->child, NULL, &tracer->regs);
	int stop = WSTOPSIG(status);
	return stop == SIGTRAP ? 0 : stop;
}

static bool run_up_to_scenario(struct tracer *tracer)
{
	while (tracer->regs.rip != (uint64_t)run_traced) {
		if (step(tracer, 0) < 0)
			return false;
	}
	walk(tracer);
	if (tracer->end != UNWIND_END_OUTERMOST || tracer->num_frames < 4)
		return false;
	push_call(tracer, tracer->frames[1], tracer->regs.rsp, false);
	tracer->num_base = tracer->num_frames - 2;
	memcpy(tracer->base, tracer->frames + 2, tracer->num_base * sizeof(tracer->base[0]));
	return tracer->frames[1] == peek(tracer, tracer->regs.rsp);
}

static void deliver(struct tracer *tracer, int *signal_number)
{
	uint64_t ip = tracer->regs.rip, sp = tracer->regs.rsp;
	*signal_number = step(tracer, *signal_number);
	push_call(tracer, ip, sp, true);
	push_call(tracer, peek(tracer, tracer->regs.rsp), tracer->regs.rsp, false);
}

static bool trace(struct tracer *tracer)
{
	if (!run_up_to_scenario(tracer))
		return false;
	int signal_number = 0;
	while (tracer->num_calls && tracer->num_steps < MAX_STEPS) {
		check_step(tracer);
		if (signal_number > 0) {
			deliver(tracer, &signal_number);
		} else {
			signal_number = step(tracer, 0);
			if (signal_number == 0)
				follow_step(tracer);
		}
		if (signal_number < 0)
			return false;
		tracer->num_steps++;
	}
	return tracer->num_calls == 0;
}

static int run_scenario(struct tracer *tracer, const struct scenario *scenario)
{
	tracer->num_calls = tracer->num_steps = tracer->num_short = tracer->num_wrong = 0;
	tracer->scenario = scenario->name;
	tracer->child = fork();
	if (tracer->child == 0) {
		if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0)
			_exit(SKIPPED);
		raise(SIGSTOP);
		run_traced(scenario, 1);
		_exit(0);
	}
	int status;
	waitpid(tracer->child, &status, 0);
	if (!WIFSTOPPED(status))
		return SKIPPED;
	ptrace(PTRACE_GETREGS, tracer->child, NULL, &tracer->regs);
	bool is_whole = trace(tracer);
	kill(tracer->child, SIGKILL);
	waitpid(tracer->child, &status, 0);
	printf("%-20s %7zu steps, %zu cut short, %zu wrong%s\n", scenario->name, tracer->num_steps,
	       tracer->num_short, tracer->num_wrong, is_whole ? "" : ", NOT TRACED TO ITS END");
	return !is_whole || tracer->num_wrong || tracer->num_steps < 20;
}

int main(int argc, char **argv)
{
	static struct tracer tracer;
	elf_space_init(&tracer.modules);
	int worst = 0;
	for (size_t i = 0; i < num_scenarios; i++) {
		if (argc > 1 && strcmp(argv[1], scenarios[i].name) != 0)
			continue;
		fflush(stdout);
		int result = run_scenario(&tracer, &scenarios[i]);
		if (result == SKIPPED)
			return SKIPPED;
		worst |= result;
	}
	return worst;
}
