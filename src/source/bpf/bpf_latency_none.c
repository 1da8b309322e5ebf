// SPDX-License-Identifier: Apache-2.0

#include "source/bpf/bpf_latency.h"

struct error *bpf_latency_create(struct bpf_latency **ret)
{
	return error_create(ERROR_FAILED, "this wperf was built without BPF");
}

void bpf_latency_destroy(struct bpf_latency *latency)
{
}

struct error *bpf_latency_add(struct bpf_latency *latency, const struct bpf_latency_place *place)
{
	return NULL;
}

bool bpf_latency_take(struct bpf_latency *latency, struct latency_hit *ret)
{
	return false;
}

uint64_t bpf_latency_num_lost(const struct bpf_latency *latency)
{
	return 0;
}
