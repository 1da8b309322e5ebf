// SPDX-License-Identifier: Apache-2.0

#include "source/bpf/bpf_values.h"

#include "source/bpf/bpf_walker_parts.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

// The program is at_probe() of the walker, which calls value_pass() where its cookie says so.

struct bpf_values {
	const struct bpf_library *library;
	int program, fetcher;                                          // fetcher: or below 0
	int settings, probes, processes, rings, sums, strings, losses; // maps
	uint32_t num_cores;
	struct value_setting setting;
	struct value_probe *known; /* [VALUE_MAX_PROBES] */
};

static uint32_t register_bytes(void)
{
#if defined(__aarch64__)
	enum { REGISTERS = 34 };
#else
	enum { REGISTERS = 21 };
#endif
	return REGISTERS * sizeof(uint64_t);
}

static struct error *bpf_values_write_setting(struct bpf_values *values)
{
	uint32_t first = 0;
	if (!values->library->bpf_map_update_elem(values->settings, &first, &values->setting,
						  BPF_ANY))
		return NULL;
	return error_create_errno(errno, "cannot switch the values of probes");
}

struct error *bpf_values_create(struct bpf_walker *walker, const struct value_setting *setting,
				struct bpf_values **ret)
{
	_cleanup_(bpf_values_destroyp) struct bpf_values *values = calloc(1, sizeof(*values));
	if (!values)
		return &error_no_memory;
	values->library = bpf_walker_library(walker);
	values->program =
		values->library->bpf_program__fd(bpf_walker_find_program(walker, "at_probe"));
	struct bpf_program *fetcher = bpf_walker_find_program(walker, "fetch_values");
	values->fetcher = fetcher ? values->library->bpf_program__fd(fetcher) : -1;
	values->settings = bpf_walker_find_map(walker, "value_settings");
	values->probes = bpf_walker_find_map(walker, "value_probes");
	values->processes = bpf_walker_find_map(walker, "value_processes");
	values->rings = bpf_walker_find_map(walker, "value_rings");
	values->sums = bpf_walker_find_map(walker, "value_sums");
	values->strings = bpf_walker_find_map(walker, "value_strings");
	values->losses = bpf_walker_find_map(walker, "value_losses");
	values->num_cores = bpf_walker_num_cores(walker);
	values->setting = *setting;
	values->setting.is_on = 0;
	values->setting.register_bytes = register_bytes();
	values->known = calloc(VALUE_MAX_PROBES, sizeof(*values->known));
	if (!values->known)
		return &error_no_memory;
	struct error *err = bpf_values_write_setting(values);
	if (!err)
		*ret = take_ptr(values);
	return err;
}

void bpf_values_destroy(struct bpf_values *values)
{
	if (!values)
		return;
	free(values->known);
	free(values);
}

/** Of all values of a probe, on all cores. */
static struct error *clear_sums(struct bpf_values *values, uint32_t number)
{
	_cleanup_free_ struct value_sum *cores =
		calloc(values->num_cores, sizeof(struct value_sum));
	if (!cores)
		return &error_no_memory;
	const struct value_probe *probe = &values->known[number];
	for (uint32_t value = 0; value < probe->num_values; value++) {
		bool is_unsigned = probe->is_unsigned >> value & 1;
		uint32_t place = number * PROBE_MAX_VALUES + value;
		for (uint32_t core = 0; core < values->num_cores; core++) {
			cores[core].least = is_unsigned ? -1 : INT64_MAX;
			cores[core].greatest = is_unsigned ? 0 : INT64_MIN;
		}
		if (values->library->bpf_map_update_elem(values->sums, &place, cores, BPF_ANY))
			return error_create_errno(errno, "cannot clear the sums of a probe");
	}
	return NULL;
}

struct error *bpf_values_set_probe(struct bpf_values *values, uint32_t number,
				   const struct value_probe *probe)
{
	if (number >= VALUE_MAX_PROBES)
		return error_with_hint(
			error_create(ERROR_USAGE, "at most %d places of probes can be read at once",
				     VALUE_MAX_PROBES),
			"name fewer probes, or one place of a static probe");
	values->known[number] = *probe;
	if (values->library->bpf_map_update_elem(values->probes, &number, probe, BPF_ANY))
		return error_create_errno(errno, "cannot add a probe to the BPF program");
	return probe->is_summed ? clear_sums(values, number) : NULL;
}

struct error *bpf_values_set_output(struct bpf_values *values, int core, int fd)
{
	uint32_t key = (uint32_t)core;
	if (!values->library->bpf_map_update_elem(values->rings, &key, &fd, BPF_ANY))
		return NULL;
	return error_create_errno(errno, "cannot write values of probes to the buffer of core %d",
				  core);
}

struct error *bpf_values_add_process(struct bpf_values *values, uint32_t pid, bool awaits_exec)
{
	const struct value_process process = {.awaits_exec = awaits_exec};
	if (!values->library->bpf_map_update_elem(values->processes, &pid, &process, BPF_ANY))
		return NULL;
	return error_create_errno(errno, "cannot add process %u to the BPF program", pid);
}

struct error *bpf_values_set_probed(struct bpf_values *values, uint32_t pid, bool is_probed)
{
	struct value_process process;
	if (values->library->bpf_map_lookup_elem(values->processes, &pid, &process))
		return NULL; // it has ended
	process.is_probed = is_probed;
	if (!values->library->bpf_map_update_elem(values->processes, &pid, &process, BPF_EXIST) ||
	    errno == ENOENT)
		return NULL;
	return error_create_errno(errno, "cannot change process %u in the BPF program", pid);
}

struct error *bpf_values_attach(struct bpf_values *values, int fd, uint64_t cookie, bool fetches,
				int *ret_link)
{
	const struct bpf_link_create_opts options = {
		.sz = sizeof(options),
		.perf_event.bpf_cookie = cookie,
	};
	int program = fetches ? values->fetcher : values->program;
	int link = values->library->bpf_link_create(program, fd, BPF_PERF_EVENT, &options);
	if (link < 0)
		return error_create_errno(errno, "cannot attach the BPF program to a probe");
	*ret_link = link;
	return NULL;
}

bool bpf_values_fetches(const struct bpf_values *values, uint32_t number)
{
	const struct value_probe *probe = &values->known[number];
	bool needs_memory = !probe->is_kernel && probe->strings;
	for (size_t i = 0; i < VALUE_NUM_PLACES; i++)
		needs_memory |= probe->places[i].kind == VALUE_MEMORY;
	return needs_memory && values->fetcher >= 0;
}

struct error *bpf_values_switch(struct bpf_values *values, bool is_on)
{
	values->setting.is_on = is_on;
	return bpf_values_write_setting(values);
}

struct error *bpf_values_switch_probe(struct bpf_values *values, uint32_t number, bool is_on)
{
	struct value_probe *probe = &values->known[number];
	probe->is_off = !is_on;
	if (!values->library->bpf_map_update_elem(values->probes, &number, probe, BPF_ANY))
		return NULL;
	return error_create_errno(errno, "cannot switch the values of a probe");
}

uint64_t bpf_values_num_lost(const struct bpf_values *values, uint32_t which)
{
	_cleanup_free_ uint64_t *cores = calloc(values->num_cores, sizeof(*cores));
	if (!cores || values->library->bpf_map_lookup_elem(values->losses, &which, cores))
		return 0;
	uint64_t sum = 0;
	for (uint32_t core = 0; core < values->num_cores; core++)
		sum += cores[core];
	return sum;
}

static void value_sum_add(struct value_sum *sum, const struct value_sum *more, bool is_unsigned)
{
	const uint64_t turn = is_unsigned ? (uint64_t)1 << 63 : 0;
	sum->count += more->count;
	sum->num_unread += more->num_unread;
	sum->num_negative += more->num_negative;
	sum->sum_high += more->sum_high;
	sum->sum_high += __builtin_add_overflow(sum->sum_low, more->sum_low, &sum->sum_low);
	if ((int64_t)((uint64_t)more->least ^ turn) < (int64_t)((uint64_t)sum->least ^ turn))
		sum->least = more->least;
	if ((int64_t)((uint64_t)more->greatest ^ turn) > (int64_t)((uint64_t)sum->greatest ^ turn))
		sum->greatest = more->greatest;
	for (size_t i = 0; i < VALUE_BUCKETS; i++)
		sum->buckets[i] += more->buckets[i];
}

struct error *bpf_values_read_sum(const struct bpf_values *values, uint32_t number, uint32_t value,
				  struct value_sum *ret)
{
	uint32_t place = number * PROBE_MAX_VALUES + value;
	bool is_unsigned = values->known[number].is_unsigned >> value & 1;
	_cleanup_free_ struct value_sum *cores =
		calloc(values->num_cores, sizeof(struct value_sum));
	if (!cores)
		return &error_no_memory;
	if (values->library->bpf_map_lookup_elem(values->sums, &place, cores))
		return error_create_errno(errno, "cannot read the sums of a probe");
	struct value_sum sum = cores[0];
	for (uint32_t core = 1; core < values->num_cores; core++)
		value_sum_add(&sum, &cores[core], is_unsigned);
	*ret = sum;
	return NULL;
}

bool bpf_values_next_string(const struct bpf_values *values, bool is_first,
			    struct value_string *key, uint64_t *ret_count)
{
	struct value_string next;
	do {
		if (values->library->bpf_map_get_next_key(values->strings, is_first ? NULL : key,
							  &next))
			return false;
		*key = next;
		is_first = false;
	} while (values->library->bpf_map_lookup_elem(values->strings, key, ret_count));
	key->text[sizeof(key->text) - 1] = '\0';
	return true;
}

struct error *bpf_values_reset(struct bpf_values *values)
{
	struct value_string key;
	while (!values->library->bpf_map_get_next_key(values->strings, NULL, &key) &&
	       !values->library->bpf_map_delete_elem(values->strings, &key))
		continue;
	struct error *err = NULL;
	for (uint32_t number = 0; !err && number < VALUE_MAX_PROBES; number++)
		if (values->known[number].is_summed)
			err = clear_sums(values, number);
	return err;
}
