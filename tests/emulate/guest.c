// SPDX-License-Identifier: Apache-2.0
// A program for the emulator without a C library, so that each of its instructions is known:
// guest MODE ROUNDS [NAME] [NUMBER]. modes[] says what it can do.

#include "guest.h"

enum {
	MAX_THREADS = 64,
	STACK_SIZE = 16384,
	// VM, FS, FILES, SIGHAND, THREAD, SYSVSEM, and CHILD_CLEARTID
	CLONE_THREAD_FLAGS = 0x100 | 0x200 | 0x400 | 0x800 | 0x10000 | 0x40000 | 0x200000,
	SIGNAL_USER = 10,
	SIGNAL_FAULT = 11,
	SIGNAL_ALARM = 14,
	SIGNAL_CHILD = 17,
	SA_RESTORER_SIGINFO = 0x04000000 | 4,
};

struct arguments {
	long rounds, number;
	const char *name, *self;
	char **words, **environment;
};

typedef void loop_fn(long rounds, void *memory);

#define LOOPS(X)          \
	X(int)            \
	X(pair)           \
	X(unaligned)      \
	X(vfp)            \
	X(ase)            \
	X(crypto)         \
	X(exclusive)      \
	X(acquire)        \
	X(exclusive_pair) \
	X(atomic)         \
	X(atomic_pair)    \
	X(barrier)        \
	X(svc)            \
	X(call)           \
	X(branch)         \
	X(prefetch)       \
	X(structure)      \
	X(long)

#define DECLARE(loop) loop_fn loop_##loop;
LOOPS(DECLARE)

#define ENTRY(loop) {#loop, loop_##loop},
static const struct {
	const char *name;
	loop_fn *function;
} loops[] = {LOOPS(ENTRY)};

extern long start_thread(long flags, void *stack, volatile int32_t *tid, void (*function)(void *),
			 void *argument);
extern void return_from_signal(void);
extern int guest_main(long *stack);

static _Alignas(64) char memory[MAX_THREADS][256];
static _Alignas(64) char stacks[MAX_THREADS][STACK_SIZE];

static int is_equal(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return *a == *b;
}

static long parse(const char *text)
{
	long value = 0;
	for (; text && *text; text++)
		value = value * 10 + (*text - '0');
	return value;
}

static loop_fn *find_loop(const char *name)
{
	for (size_t i = 0; i < sizeof(loops) / sizeof(loops[0]); i++)
		if (name && is_equal(loops[i].name, name))
			return loops[i].function;
	return loop_int;
}

static int run_loop(const struct arguments *arguments)
{
	find_loop(arguments->name)(arguments->rounds, memory[0]);
	return 0;
}

struct thread {
	loop_fn *function;
	long rounds;
	volatile int32_t tid; // 0 when it is done
	int index;
};

static struct thread threads[MAX_THREADS];

static void set_name(int index)
{
	char name[] = "worker-00";
	name[7] = (char)('0' + index / 10);
	name[8] = (char)('0' + index % 10);
	SYSCALL_2(SYS_PRCTL, 15, name);
}

static void thread_main(void *argument)
{
	struct thread *thread = argument;
	set_name(thread->index);
	thread->function(thread->rounds, memory[thread->index]);
}

static void begin_thread(int index, loop_fn *function, long rounds)
{
	struct thread *thread = &threads[index];
	*thread = (struct thread){.function = function, .rounds = rounds, .tid = 1, .index = index};
	if (start_thread(CLONE_THREAD_FLAGS, stacks[index] + STACK_SIZE, &thread->tid, thread_main,
			 thread) < 0)
		thread->tid = 0;
}

static void join_thread(int index)
{
	for (int32_t tid; (tid = threads[index].tid) != 0;)
		SYSCALL_4(SYS_FUTEX, &threads[index].tid, 0, tid, 0);
}

// Thread number n does n + 1 times the rounds.
static int run_threads(const struct arguments *arguments)
{
	for (int i = 0; i < arguments->number; i++)
		begin_thread(i, find_loop(arguments->name), arguments->rounds * (i + 1));
	for (int i = 0; i < arguments->number; i++)
		join_thread(i);
	return 0;
}

static int run_short_threads(const struct arguments *arguments)
{
	for (int i = 0; i < arguments->number; i++) {
		begin_thread(i % 4, loop_int, arguments->rounds);
		if (i >= 3)
			join_thread((i + 1) % 4);
	}
	for (int i = 0; i < 4; i++)
		join_thread(i);
	return 0;
}

static long fork_child(void)
{
	return guest_syscall(SYS_CLONE, SIGNAL_CHILD, 0, 0, 0, 0, 0);
}

static void wait_children(void)
{
	while (SYSCALL_4(SYS_WAIT4, -1, 0, 0, 0) > 0)
		;
}

static int run_forks(const struct arguments *arguments)
{
	for (int i = 0; i < arguments->number; i++) {
		if (fork_child() != 0)
			continue;
		find_loop(arguments->name)(arguments->rounds * (i + 1), memory[0]);
		SYSCALL_1(SYS_EXIT_GROUP, 0);
	}
	wait_children();
	return 0;
}

// As run_forks(), but each child is done before the next begins.
static int run_fork_storm(const struct arguments *arguments)
{
	for (int i = 0; i < arguments->number; i++) {
		if (fork_child() == 0) {
			loop_int(arguments->rounds, memory[0]);
			SYSCALL_1(SYS_EXIT_GROUP, 0);
		}
		if (i % 8 == 7)
			wait_children();
	}
	wait_children();
	return 0;
}

static int exec_loop(const struct arguments *arguments)
{
	char *words[] = {(char *)arguments->self, "loop", arguments->words[2], "int", NULL};
	SYSCALL_3(SYS_EXECVE, arguments->self, words, arguments->environment);
	return 1;
}

static int run_fork_exec(const struct arguments *arguments)
{
	for (int i = 0; i < arguments->number; i++)
		if (fork_child() == 0)
			SYSCALL_1(SYS_EXIT_GROUP, exec_loop(arguments));
	wait_children();
	return 0;
}

/** Becomes itself, number times, each time after the loop. */
static int run_exec_chain(const struct arguments *arguments)
{
	loop_int(arguments->rounds, memory[0]);
	if (!arguments->number)
		return 0;
	char text[8] = "0000000";
	for (long i = 6, rest = arguments->number - 1; i >= 0; i--, rest /= 10)
		text[i] = (char)('0' + rest % 10);
	char *words[] = {
		(char *)arguments->self, "exec_chain", arguments->words[2], "int", text, NULL};
	SYSCALL_3(SYS_EXECVE, arguments->self, words, arguments->environment);
	return 1;
}

/** The words from NAME on are a command. */
static int run_command(const struct arguments *arguments)
{
	SYSCALL_3(SYS_EXECVE, arguments->name, arguments->words + 3, arguments->environment);
	return 9;
}

static volatile long num_signals;

struct signal_action {
	void *handler;
	unsigned long flags;
	void (*restorer)(void);
	unsigned long mask;
};

static void handle_signal(int number, void *info, char *context)
{
	num_signals++;
	if (number == SIGNAL_FAULT) // goes on behind the instruction: pc of the registers
		*(uint64_t *)(context + 176 + 264) += 4;
}

static void watch_signal(int number)
{
	struct signal_action action = {handle_signal, SA_RESTORER_SIGINFO, return_from_signal, 0};
	SYSCALL_4(SYS_SIGACTION, number, &action, 0, 8);
}

static int run_signals(const struct arguments *arguments)
{
	watch_signal(SIGNAL_USER);
	long pid = SYSCALL_1(SYS_GETPID, 0);
	for (long i = 0; i < arguments->rounds; i++)
		SYSCALL_2(SYS_KILL, pid, SIGNAL_USER);
	return num_signals != arguments->rounds;
}

/** Each round reads what is not there, in the middle of a block. */
static int run_faults(const struct arguments *arguments)
{
	watch_signal(SIGNAL_FAULT);
	for (long i = 0; i < arguments->rounds; i++)
		__asm__ volatile("mov x2, #8; ldr x2, [x2]; nop; nop" ::: "x2");
	return num_signals != arguments->rounds;
}

static int run_alarms(const struct arguments *arguments)
{
	watch_signal(SIGNAL_ALARM);
	long timer[4] = {0, 1000, 0, 1000};
	SYSCALL_3(SYS_SETITIMER, 0, timer, 0);
	find_loop(arguments->name)(arguments->rounds, memory[0]);
	return num_signals == 0;
}

static int run_closed(const struct arguments *arguments)
{
	for (int fd = 0; fd < 1024; fd++)
		SYSCALL_1(SYS_CLOSE, fd);
	return run_loop(arguments);
}

static int run_daemon(const struct arguments *arguments)
{
	if (fork_child() != 0)
		return 0;
	SYSCALL_1(SYS_SETSID, 0);
	for (int fd = 0; fd < 16; fd++)
		SYSCALL_1(SYS_CLOSE, fd);
	return run_command(arguments);
}

// NAMES of the depth, for call chains: main calls f1 ... f4, which call the loop.
#define KEEP __attribute__((noinline))
KEEP void f4(loop_fn *loop, long rounds)
{
	loop(rounds, memory[0]);
	__asm__ volatile("");
}
KEEP void f3(loop_fn *loop, long rounds)
{
	f4(loop, rounds);
	__asm__ volatile("");
}
KEEP void f2(loop_fn *loop, long rounds)
{
	f3(loop, rounds);
	__asm__ volatile("");
}
KEEP void f1(loop_fn *loop, long rounds)
{
	f2(loop, rounds);
	__asm__ volatile("");
}

static int run_depth(const struct arguments *arguments)
{
	f1(find_loop(arguments->name), arguments->rounds);
	return 0;
}

static const struct {
	const char *name;
	int (*function)(const struct arguments *arguments);
} modes[] = {
	{"loop", run_loop},
	{"threads", run_threads},
	{"forks", run_forks},
	{"fork_exec", run_fork_exec},
	{"exec", exec_loop},
	{"exec_chain", run_exec_chain},
	{"command", run_command},
	{"signals", run_signals},
	{"faults", run_faults},
	{"alarms", run_alarms},
	{"closed", run_closed},
	{"daemon", run_daemon},
	{"depth", run_depth},
	{"short_threads", run_short_threads},
	{"fork_storm", run_fork_storm},
};

int guest_main(long *stack)
{
	long num_words = stack[0];
	char **words = (char **)(stack + 1);
	if (num_words > 4 && is_equal(words[1], "script")) { // its path, and then our words
		num_words -= 2;
		words += 2;
	}
	if (num_words < 3)
		return 2;
	struct arguments arguments = {
		.rounds = parse(words[2]),
		.name = num_words > 3 ? words[3] : NULL,
		.number = num_words > 4 ? parse(words[4]) : 0,
		.self = words[0],
		.words = words,
		.environment = words + num_words + 1,
	};
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if (is_equal(modes[i].name, words[1]))
			return modes[i].function(&arguments);
	return 2;
}
