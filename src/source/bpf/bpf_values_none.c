// SPDX-License-Identifier: Apache-2.0
// For builds without clang or libbpf's headers, and for other CPUs than x86-64 and AArch64: there
// is no walker, so that none of these is called.

#include "source/bpf/bpf_values.h"

struct error *bpf_values_create(struct bpf_walker *walker, const struct value_setting *setting,
				struct bpf_values **ret)
{
	return error_create(ERROR_FAILED, "this wperf was built without BPF");
}

void bpf_values_destroy(struct bpf_values *values)
{
}

struct error *bpf_values_set_probe(struct bpf_values *values, uint32_t number,
				   const struct value_probe *probe)
{
	return NULL;
}

struct error *bpf_values_set_output(struct bpf_values *values, int core, int fd)
{
	return NULL;
}

struct error *bpf_values_add_process(struct bpf_values *values, uint32_t pid, bool awaits_exec)
{
	return NULL;
}

struct error *bpf_values_set_probed(struct bpf_values *values, uint32_t pid, bool is_probed)
{
	return NULL;
}

struct error *bpf_values_attach(struct bpf_values *values, int fd, uint64_t cookie, bool fetches,
				int *ret_link)
{
	return NULL;
}

bool bpf_values_fetches(const struct bpf_values *values, uint32_t number)
{
	return false;
}

struct error *bpf_values_switch(struct bpf_values *values, bool is_on)
{
	return NULL;
}

struct error *bpf_values_switch_probe(struct bpf_values *values, uint32_t number, bool is_on)
{
	return NULL;
}

uint64_t bpf_values_num_lost(const struct bpf_values *values, uint32_t which)
{
	return 0;
}

struct error *bpf_values_read_sum(const struct bpf_values *values, uint32_t number, uint32_t value,
				  struct value_sum *ret)
{
	*ret = (struct value_sum){0};
	return NULL;
}

bool bpf_values_next_string(const struct bpf_values *values, bool is_first,
			    struct value_string *key, uint64_t *ret_count)
{
	return false;
}

struct error *bpf_values_reset(struct bpf_values *values)
{
	return NULL;
}
