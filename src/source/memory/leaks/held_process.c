// SPDX-License-Identifier: Apache-2.0

#include "source/memory/leaks/held_process.h"

#include "base/container/array.h"
#include "base/os/clock.h"
#include "process/system/process_list.h"
#include "process/thread/thread_activity.h"

#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>

// Threads are listed and stopped until a list has no new one: a thread that runs may start others,
// one that is stopped may not. A first thread that has ended stays in the list until the process
// ends. The general registers are asked for, and those of the vector unit as far as
// NT_PRFPREG has them: on x86-64 the lower halves.

enum {
	MOST_ROUNDS = 100,
	REGISTER_BYTES = 1024, // of one set
#if defined(__x86_64__)
	SP_WORD = offsetof(struct user_regs_struct, rsp) / 8,
#else
	SP_WORD = offsetof(struct user_regs_struct, sp) / 8,
#endif
};

static bool held_process_has(const struct held_process *process, uint32_t tid)
{
	for (size_t i = 0; i < process->num_threads; i++)
		if (process->threads[i]->tid == tid)
			return true;
	return false;
}

static struct error *held_process_read_set(struct held_process *process, uint32_t tid, int set,
					   size_t *ret_bytes)
{
	struct error *err = array_reserve(&process->words, &process->cap_words,
					  process->num_words + REGISTER_BYTES / sizeof(uint64_t));
	if (err)
		return err;
	struct iovec bytes = {process->words + process->num_words, REGISTER_BYTES};
	if (ptrace(PTRACE_GETREGSET, (pid_t)tid, (void *)(intptr_t)set, &bytes)) // NOLINT: a number
		return error_create_errno(errno, "cannot read the registers of thread %u", tid);
	*ret_bytes = bytes.iov_len;
	return NULL;
}

static struct error *held_process_read_registers(struct held_process *process, uint32_t tid)
{
	static const int sets[] = {NT_PRSTATUS, NT_PRFPREG};
	for (size_t i = 0; i < ARRAY_SIZE(sets); i++) {
		size_t bytes = 0;
		struct error *err = held_process_read_set(process, tid, sets[i], &bytes);
		if (err)
			return err;
		if (sets[i] == NT_PRSTATUS && tid == process->pid)
			process->main_sp = process->words[process->num_words + SP_WORD];
		process->num_words += bytes / sizeof(uint64_t);
	}
	return NULL;
}

static struct error *held_process_hold(struct held_process *process, uint32_t tid)
{
	struct error *err =
		array_reserve(&process->threads, &process->cap_threads, process->num_threads + 1);
	struct thread_hold *hold = err ? NULL : calloc(1, sizeof(*hold));
	if (!hold)
		return err ? err : &error_no_memory;
	if (thread_hold_begin(hold, process->pid, tid)) {
		process->threads[process->num_threads++] = hold;
		return held_process_read_registers(process, tid);
	}
	thread_hold_leave(hold, process->late);
	free(hold);
	// It has ended, or only its number is left.
	if (thread_activity_read(process->pid, tid).state == THREAD_UNKNOWN)
		return NULL;
	return error_with_hint(error_create(ERROR_FAILED, "cannot stop thread %u of process %u",
					    tid, process->pid),
			       "you need the right to debug it, and no debugger may be attached");
}

static struct error *held_process_not_all(const struct held_process *process)
{
	return error_create(ERROR_FAILED, "cannot stop all threads of process %u", process->pid);
}

/** @ret_more: threads were found that still ran. */
static struct error *held_process_round(struct held_process *process, uint64_t until_ns,
					bool *ret_more)
{
	uint32_t *tids;
	size_t num;
	*ret_more = false;
	struct error *err = process_list_threads(process->pid, &tids, &num);
	if (err)
		return err;
	for (size_t i = 0; !err && i < num; i++) {
		if (held_process_has(process, tids[i]))
			continue;
		if (clock_ns(CLOCK_MONOTONIC) >= until_ns) {
			err = held_process_not_all(process);
			break;
		}
		size_t before = process->num_threads;
		err = held_process_hold(process, tids[i]);
		*ret_more = *ret_more || process->num_threads > before;
	}
	free(tids);
	return err;
}

struct error *held_process_begin(struct held_process *process, uint32_t pid, uint64_t until_ns,
				 struct thread_hold *late)
{
	*process = (struct held_process){.pid = pid, .late = late};
	thread_hold_release_late(late);
	struct error *err = NULL;
	bool more = true;
	for (unsigned i = 0; !err && more && i < MOST_ROUNDS; i++)
		err = held_process_round(process, until_ns, &more);
	if (!err && (more || !process->num_threads))
		err = held_process_not_all(process);
	if (err)
		held_process_end(process);
	return err;
}

void held_process_end(struct held_process *process)
{
	// In the opposite order, so that signals are allowed again at last as they were at first.
	while (process->num_threads > 0) {
		struct thread_hold *hold = process->threads[--process->num_threads];
		thread_hold_leave(hold, process->late);
		free(hold);
	}
	free(process->threads);
	free(process->words);
	*process = (struct held_process)HELD_PROCESS_INIT;
}
