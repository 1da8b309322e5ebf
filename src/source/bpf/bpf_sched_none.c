// SPDX-License-Identifier: Apache-2.0

#include "source/bpf/bpf_sched.h"

struct error *bpf_sched_create(struct bpf_walker *walker, const struct sched_setting *setting,
			       struct bpf_sched **ret)
{
	return error_create(ERROR_FAILED, "this wperf was built without BPF");
}

void bpf_sched_destroy(struct bpf_sched *sched)
{
}

struct error *bpf_sched_set_output(struct bpf_sched *sched, int core, int fd)
{
	return NULL;
}

struct error *bpf_sched_add_process(struct bpf_sched *sched, uint32_t pid, bool awaits_exec)
{
	return NULL;
}

struct error *bpf_sched_switch(struct bpf_sched *sched, bool is_on)
{
	return NULL;
}

struct error *bpf_sched_take_ended(struct bpf_sched *sched, struct run_queue *into)
{
	return NULL;
}

struct error *bpf_sched_read(struct bpf_sched *sched, struct run_queue *into)
{
	return NULL;
}

uint64_t bpf_sched_num_lost(const struct bpf_sched *sched)
{
	return 0;
}
