// SPDX-License-Identifier: Apache-2.0

#include "process/thread/thread_hold.h"

#include "base/container/array.h"
#include "base/os/clock.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>

// ptrace(2): PTRACE_SEIZE attaches without a stop and without SIGSTOP, and PTRACE_INTERRUPT stops
// the thread; PTRACE_DETACH resumes it and delivers a signal that stopped it meanwhile. A thread in
// the kernel may take long to stop. wait_for_stop() yields at first, since most stop within 100 us,
// and then sleeps; after 200 ms the thread is put on a list and released by end_late() when it
// stops.
//
// The tracer is notified of ends like a parent. thread_hold_look() and thread_hold_bury() take such
// a notice only if the thread is not wperf's own child, whose end belongs to child_linux.c. An exec
// by another thread than the first gives this thread the number of the process
// (thread_hold_give_up()). While a thread is held, Ctrl-Z is blocked, as a stopped wperf could not
// release it.

enum {
	PATIENCE_NS = 200000000, // others may want the core of the thread, too
	NEW_NUMBER_NS = 1000000000,
	SPIN_NS = 100000, // most stop within that
	PAUSE_NS = 50000,
	EVENT_SHIFT = 8, // of a status: a signal below, what the kernel itself stopped it for above
};

enum outcome { STOPPED, RUNNING, GONE };

/** Ends are left for whoever waits for them. */
static enum outcome thread_hold_look(uint32_t tid, int *ret_signal)
{
	siginfo_t info = {.si_pid = 0};
	if (waitid(P_PID, (id_t)tid, &info, WSTOPPED | WNOHANG | __WALL))
		return errno == EINTR ? RUNNING : GONE;
	if (!info.si_pid)
		return RUNNING;
	if (info.si_code != CLD_TRAPPED && info.si_code != CLD_STOPPED)
		return GONE;
	// A stop that the kernel made leaves no signal; one for a signal has it delivered behind.
	*ret_signal = info.si_status >> EVENT_SHIFT ? 0 : info.si_status;
	return STOPPED;
}

static const int stopping_signals[] = {SIGTSTP, SIGTTIN, SIGTTOU};

/** For this thread: who else there may be decides for itself. */
static void defer_ctrl_z(struct thread_hold *hold)
{
	if (hold->defers_ctrl_z)
		return;
	sigset_t signals, before;
	sigemptyset(&signals);
	for (size_t i = 0; i < ARRAY_SIZE(stopping_signals); i++)
		sigaddset(&signals, stopping_signals[i]);
	pthread_sigmask(SIG_BLOCK, &signals, &before);
	hold->defers_ctrl_z = true;
	hold->blocked_before = 0;
	for (size_t i = 0; i < ARRAY_SIZE(stopping_signals); i++)
		if (sigismember(&before, stopping_signals[i]) == 1)
			hold->blocked_before |= 1U << i;
}

static void allow_ctrl_z(struct thread_hold *hold)
{
	if (!hold->defers_ctrl_z || hold->tid || hold->num_late)
		return;
	sigset_t signals;
	sigemptyset(&signals);
	for (size_t i = 0; i < ARRAY_SIZE(stopping_signals); i++)
		if (!(hold->blocked_before & 1U << i))
			sigaddset(&signals, stopping_signals[i]);
	hold->defers_ctrl_z = false;
	pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
}

static enum outcome wait_for_stop(uint32_t tid, uint64_t patience_ns, int *ret_signal)
{
	static const struct timespec pause_time = {.tv_nsec = PAUSE_NS};
	uint64_t began_ns = clock_ns(CLOCK_MONOTONIC), waited_ns = 0;
	enum outcome outcome = thread_hold_look(tid, ret_signal);
	while (outcome == RUNNING && waited_ns < patience_ns) {
		if (waited_ns < SPIN_NS)
			sched_yield();
		else
			nanosleep(&pause_time, NULL);
		outcome = thread_hold_look(tid, ret_signal);
		waited_ns = clock_ns(CLOCK_MONOTONIC) - began_ns;
	}
	return outcome;
}

static void let_go(uint32_t tid, int signal)
{
	ptrace(PTRACE_DETACH, (pid_t)tid, NULL, (void *)(intptr_t)signal); // NOLINT: a number
}

static void add_late(struct thread_hold *hold, uint32_t tid, uint64_t until_ns)
{
	// It stays traced and stops some time; the kernel lets it go when wperf ends.
	if (hold->num_late == THREAD_HOLD_MAX_LATE)
		return;
	hold->late[hold->num_late++] = (struct late_thread){
		.tid = tid,
		.has_waiter = tid == hold->pid && hold->is_child,
		.until_ns = until_ns,
	};
}

/** What ended while we traced it waits until we know. */
static void thread_hold_bury(uint32_t tid)
{
	waitpid((pid_t)tid, NULL, __WALL | WNOHANG);
}

static void end_late(struct thread_hold *hold, uint64_t patience_ns)
{
	uint64_t now_ns = clock_ns(CLOCK_MONOTONIC);
	for (size_t i = hold->num_late; i-- > 0;) {
		const struct late_thread late = hold->late[i];
		int signal;
		enum outcome outcome = wait_for_stop(late.tid, patience_ns, &signal);
		if (outcome == STOPPED)
			let_go(late.tid, signal);
		else if (outcome == GONE && !late.has_waiter)
			thread_hold_bury(late.tid);
		if (outcome != RUNNING || now_ns > late.until_ns)
			hold->late[i] = hold->late[--hold->num_late];
	}
	allow_ctrl_z(hold);
}

/** What became of a thread that we had told to stop, but that does not stand still. */
static void thread_hold_give_up(struct thread_hold *hold, uint32_t tid, enum outcome outcome)
{
	if (outcome == RUNNING) {
		add_late(hold, tid, UINT64_MAX);
		return;
	}
	if (tid == hold->pid && hold->is_child)
		return;
	thread_hold_bury(tid);
	// A thread that becomes another program takes over the number of its process.
	if (tid != hold->pid)
		add_late(hold, hold->pid, clock_ns(CLOCK_MONOTONIC) + NEW_NUMBER_NS);
}

/** 0, or an errno. */
static int thread_hold_seize(struct thread_hold *hold, uint32_t pid, uint32_t tid)
{
	siginfo_t info;
	// To be asked before it is traced: who traces waits for it like a parent. WNOWAIT: only
	// asked, so that the end is still there for whoever waits for it.
	if (pid != hold->pid)
		hold->is_child = waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
	hold->pid = pid;
	// Stopped ourselves, we could let no thread go.
	defer_ctrl_z(hold);
	if (ptrace(PTRACE_SEIZE, (pid_t)tid, NULL, NULL)) {
		int errnum = errno;
		allow_ctrl_z(hold);
		return errnum;
	}
	ptrace(PTRACE_INTERRUPT, (pid_t)tid, NULL, NULL);
	enum outcome outcome = wait_for_stop(tid, PATIENCE_NS, &hold->signal);
	if (outcome == STOPPED)
		hold->tid = tid;
	else
		thread_hold_give_up(hold, tid, outcome);
	allow_ctrl_z(hold);
	return 0;
}

void thread_hold_release_late(struct thread_hold *hold)
{
	end_late(hold, 0);
}

bool thread_hold_begin(struct thread_hold *hold, uint32_t pid, uint32_t tid)
{
	end_late(hold, 0);
	// A process that becomes another program waits for all threads that we trace to be let go,
	// and tracing one more waits for that.
	return !hold->num_late && thread_hold_seize(hold, pid, tid) == 0 && hold->tid == tid;
}

void thread_hold_end(struct thread_hold *hold)
{
	let_go(hold->tid, hold->signal);
	hold->tid = 0;
	allow_ctrl_z(hold);
}

void thread_hold_deinit(struct thread_hold *hold)
{
	if (hold->tid)
		thread_hold_end(hold);
	end_late(hold, PATIENCE_NS);
}

/** Signals are allowed as they were before the first of several holds, which may end in any order.
 */
static void thread_hold_pass_signals(struct thread_hold *hold, struct thread_hold *late)
{
	if (!hold->defers_ctrl_z)
		return;
	late->blocked_before = late->defers_ctrl_z ? late->blocked_before & hold->blocked_before
						   : hold->blocked_before;
	late->defers_ctrl_z = true;
	hold->defers_ctrl_z = false;
}

void thread_hold_leave(struct thread_hold *hold, struct thread_hold *late)
{
	if (hold->tid)
		let_go(hold->tid, hold->signal);
	hold->tid = 0;
	// As in add_late(), what there is no room for is let go when wperf ends.
	for (size_t i = 0; i < hold->num_late && late->num_late < THREAD_HOLD_MAX_LATE; i++)
		late->late[late->num_late++] = hold->late[i];
	hold->num_late = 0;
	if (late->num_late)
		thread_hold_pass_signals(hold, late);
	allow_ctrl_z(hold);
}

struct error *thread_hold_check(uint32_t pid)
{
	struct thread_hold hold = {.pid = 0};
	int errnum = thread_hold_seize(&hold, pid, pid);
	thread_hold_deinit(&hold);
	if (!errnum)
		return NULL;
	return error_with_hint(error_create_errno(errnum, "cannot stop process %u", pid),
			       "you need the right to debug it, and no debugger may be attached; "
			       "containers may forbid ptrace");
}
