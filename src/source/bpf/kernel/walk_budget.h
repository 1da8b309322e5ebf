/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
#ifndef WPERF_SOURCE_BPF_WALK_BUDGET_H
#define WPERF_SOURCE_BPF_WALK_BUDGET_H

/**
 * How long the walks of a thread may take: a tenth of its CPU time. While they took less, a walk
 * goes to the end of the stack; otherwise it stops after as many frames as ordinary stacks have.
 * Only for the BPF program, which includes it behind the headers of libbpf.
 */

enum {
	WALK_BUDGET_DIVISOR = 10,
	/* Of each walk, whatever the thread has spent. A read of memory that is in no cache takes
	   about 150 ns; ordinary stacks need a third of a read for each frame. */
	WALK_BUDGET_LEAST_FRAMES = 256,
	WALK_BUDGET_LEAST_READS = 192,
	/* The kernel adds up CPU time at clock ticks, up to 10 ms apart: a tenth of that may be
	   spent before it is seen. Threads that were not sampled yet begin with no more. */
	WALK_BUDGET_MAX_CREDIT_NS = 2000000,
	/* A thread whose least walks cost more than its budget (at high rates, or because its
	   memory is slow) walks far again after so much of its budget. */
	WALK_BUDGET_MAX_DEBT_NS = 2000000,
	WALK_BUDGET_MAX_THREADS = 16384,
};

struct sched_entity {
	uint64_t sum_exec_runtime;
} __attribute__((preserve_access_index));

struct task_struct___budget {
	int pid;
	struct sched_entity se;
} __attribute__((preserve_access_index));

/* Nanoseconds, by the thread as the kernel numbers it, which no program can choose. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, WALK_BUDGET_MAX_THREADS);
	__type(key, uint32_t);
	__type(value, uint64_t);
} spent_ns SEC(".maps");

/** What the thread has spent; NULL if there is no memory. */
static __always_inline uint64_t *walk_budget_spent(const struct task_struct___budget *task)
{
	uint32_t thread = (uint32_t)task->pid;
	uint64_t *spent = bpf_map_lookup_elem(&spent_ns, &thread);
	if (spent)
		return spent;
	uint64_t nothing = 0;
	bpf_map_update_elem(&spent_ns, &thread, &nothing, BPF_NOEXIST);
	return bpf_map_lookup_elem(&spent_ns, &thread);
}

/** May the next walk take more than the least? @spent is kept within its bounds. */
static __always_inline bool walk_budget_is_left(const struct task_struct___budget *task,
						uint64_t *spent)
{
	uint64_t budget = task->se.sum_exec_runtime / WALK_BUDGET_DIVISOR;
	if (*spent + WALK_BUDGET_MAX_CREDIT_NS < budget)
		*spent = budget - WALK_BUDGET_MAX_CREDIT_NS;
	if (*spent > budget + WALK_BUDGET_MAX_DEBT_NS)
		*spent = budget + WALK_BUDGET_MAX_DEBT_NS;
	return *spent < budget;
}

/** When a thread ends: the next one with its number begins anew. */
static __always_inline void walk_budget_forget(const struct task_struct *task)
{
	uint32_t thread = (uint32_t)((const struct task_struct___budget *)task)->pid;
	bpf_map_delete_elem(&spent_ns, &thread);
}

#endif
