/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
#ifndef WPERF_SOURCE_BPF_VALUE_PROBE_BPF_H
#define WPERF_SOURCE_BPF_VALUE_PROBE_BPF_H

/**
 * What a probe with values does: it reads them, drops passages that a condition excludes, and
 * gives the others to wperf as samples or sums them up. frame_walker.bpf.h includes it, as a sample
 * has a walk as well.
 */

#include "source/bpf/value_maps.h"

// The registers are copied out of the context at once: a program may not read them by a variable
// index. The copy, the values and the strings are too large for the stack. A thread in a uprobe may
// be interrupted by another one on its core that is in a uprobe: each takes a place of its own in
// the core's scratch memory, and lets it go. Sums are changed atomically for the same reason.
//
// A sample is given by an event of the core, not by the probe's own: so one event of a probe is
// enough for all threads of a process, also for those that start later.

enum { VALUE_SCRATCHES = 4, VALUE_CAS_ROUNDS = 8 };

struct value_scratch {
	uint32_t is_taken;
	uint32_t num_strings;
	uint64_t registers[VALUE_ROOM_OF_REGISTERS];
	struct probe_payload payload;
	char strings[8][PROBE_STRING_BYTES]; // they stand behind the payload
	uint64_t words[VALUE_ROOM_OF_PLACES];
	struct value_string key;
};

struct value_core {
	struct value_scratch scratches[VALUE_SCRATCHES];
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, uint32_t);
	__type(value, struct value_setting);
} value_settings SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, VALUE_MAX_PROBES);
	__type(key, uint32_t);
	__type(value, struct value_probe);
} value_probes SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, VALUE_MAX_PROCESSES);
	__type(key, uint32_t);
	__type(value, struct value_process);
} value_processes SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, uint32_t);
	__type(value, struct value_core);
} value_cores SEC(".maps");

// Passages, for periods.
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, VALUE_MAX_PROBES);
	__type(key, uint32_t);
	__type(value, uint64_t);
} value_passages SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1); // more where values are summed up: the loader says it
	__type(key, uint32_t);
	__type(value, struct value_sum);
} value_sums SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1); // likewise
	__type(key, struct value_string);
	__type(value, uint64_t);
} value_strings SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, VALUE_NUM_LOSSES);
	__type(key, uint32_t);
	__type(value, uint64_t);
} value_losses SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(uint32_t));
	__uint(value_size, sizeof(uint32_t));
} value_rings SEC(".maps");

struct value_work {
	const struct value_probe *probe;
	struct value_scratch *scratch;
	uint32_t is_excluded;
	uint32_t number;
};

static __always_inline void value_lose(uint32_t which)
{
	uint64_t *count = bpf_map_lookup_elem(&value_losses, &which);
	if (count)
		__sync_fetch_and_add(count, 1);
}

static __always_inline struct value_scratch *value_take_scratch(void)
{
	uint32_t first = 0;
	struct value_core *core = bpf_map_lookup_elem(&value_cores, &first);
	if (!core)
		return NULL;
	for (uint32_t i = 0; i < VALUE_SCRATCHES; i++)
		if (__sync_val_compare_and_swap(&core->scratches[i].is_taken, 0, 1) == 0)
			return &core->scratches[i];
	value_lose(VALUE_LOST_BUSY);
	return NULL;
}

static __always_inline long value_read_memory(const struct value_probe *probe, void *into,
					      uint32_t size, uint64_t address)
{
	return probe->is_kernel ? bpf_probe_read_kernel(into, size, (const void *)address)
				: bpf_probe_read_user(into, size, (const void *)address);
}

static __always_inline long value_read_string(const struct value_probe *probe, char *into,
					      uint64_t address)
{
	long length = -1;
	if (probe->is_kernel)
		length = bpf_probe_read_kernel_str(into, PROBE_STRING_BYTES, (const void *)address);
	// Names of files are the program's also where the kernel has them as arguments.
	if (length < 0)
		length = bpf_probe_read_user_str(into, PROBE_STRING_BYTES, (const void *)address);
	return length;
}

static __always_inline void value_check(struct value_work *work, uint32_t place, uint64_t word)
{
	int64_t compared = work->probe->compared[place];
	bool is_less = work->probe->places[place].is_signed ? (int64_t)word < compared
							    : word < (uint64_t)compared;
	uint32_t outcome = is_less                      ? VALUE_IS_LESS
			   : word == (uint64_t)compared ? VALUE_IS_EQUAL
							: VALUE_IS_GREATER;
	if (!(work->probe->outcomes[place] & outcome))
		work->is_excluded = 1;
}

// Of one condition or value. Conditions come first: of passages that they exclude no values are
// read.
static long value_read(uint64_t index, struct value_work *work)
{
	struct value_scratch *scratch = work->scratch;
	uint32_t turned = index < VALUE_MAX_CONDITIONS ? index + VALUE_FIRST_CONDITION
						       : index - VALUE_MAX_CONDITIONS;
	uint32_t place = turned & (VALUE_ROOM_OF_PLACES - 1);
	bool is_condition = place >= VALUE_FIRST_CONDITION;
	uint32_t number = is_condition ? place - VALUE_FIRST_CONDITION : place;
	if (number >= (is_condition ? work->probe->num_conditions : work->probe->num_values))
		return 0;
	const struct value_place *where = &work->probe->places[place];
	uint64_t base = scratch->registers[where->reg & (VALUE_ROOM_OF_REGISTERS - 1)];
	uint64_t other = scratch->registers[where->index & (VALUE_ROOM_OF_REGISTERS - 1)];
	uint64_t word = base;
	uint32_t size = where->size & 15;
	long status = 0;
	if (size > sizeof(word) || !size)
		size = sizeof(word);
	if (where->kind == VALUE_CONSTANT)
		word = where->displacement;
	if (where->kind == VALUE_MEMORY) {
		word = 0;
		status = value_read_memory(work->probe, &word, size,
					   base + (other << (where->scale_shift & 3)) +
						   where->displacement);
	}
	uint32_t shift = (64 - 8 * size) & 63;
	word <<= shift;
	word = where->is_signed ? (uint64_t)((int64_t)word >> shift) : word >> shift;
	if (where->is_string) {
		char *text = scratch->strings[scratch->num_strings & 7];
		// All of it goes into the sample: behind the end nothing of another one must be.
		__builtin_memset(text, 0, PROBE_STRING_BYTES);
		long length = status ? status : value_read_string(work->probe, text, word);
		scratch->num_strings++;
		if (length < 0)
			text[0] = 0;
		status = length < 0 ? length : 0;
		word = length < 0 ? 0 : length;
	}
	scratch->words[place] = word;
	if (is_condition && !status)
		value_check(work, place, word);
	if (is_condition && status) {
		value_lose(VALUE_LOST_CONDITIONS);
		work->is_excluded = 1;
	}
	if (!is_condition && status)
		scratch->payload.unread |= 1U << (place & 7);
	return work->is_excluded;
}

static __always_inline uint32_t value_bucket(uint64_t number)
{
	uint32_t bucket = number != 0;
	for (uint32_t step = 32; step; step /= 2) {
		uint32_t is_above = number >> step != 0;
		bucket += is_above * step;
		number >>= is_above * step;
	}
	return bucket;
}

static __always_inline void value_widen(struct value_sum *sum, int64_t number, bool is_unsigned)
{
	// The bits of unsigned numbers are in order when their highest is turned.
	const uint64_t turn = is_unsigned ? (uint64_t)1 << 63 : 0;
	for (uint32_t i = 0; i < VALUE_CAS_ROUNDS; i++) {
		int64_t least = *(volatile int64_t *)&sum->least;
		if ((int64_t)(number ^ turn) >= (int64_t)(least ^ turn) ||
		    __sync_val_compare_and_swap(&sum->least, least, number) == least)
			break;
	}
	for (uint32_t i = 0; i < VALUE_CAS_ROUNDS; i++) {
		int64_t greatest = *(volatile int64_t *)&sum->greatest;
		if ((int64_t)(number ^ turn) <= (int64_t)(greatest ^ turn) ||
		    __sync_val_compare_and_swap(&sum->greatest, greatest, number) == greatest)
			break;
	}
}

static __always_inline void value_add_number(struct value_sum *sum, uint64_t number,
					     bool is_unsigned)
{
	bool is_negative = !is_unsigned && (int64_t)number < 0;
	uint64_t low = __sync_fetch_and_add(&sum->sum_low, number);
	uint64_t high = (low + number < low) - (uint64_t)is_negative;
	__sync_fetch_and_add(&sum->sum_high, high);
	value_widen(sum, number, is_unsigned);
	if (is_negative) {
		__sync_fetch_and_add(&sum->num_negative, 1);
		return;
	}
	uint32_t bucket = value_bucket(number);
	if (bucket < VALUE_BUCKETS)
		__sync_fetch_and_add(&sum->buckets[bucket], 1);
}

static __always_inline void value_add_string(struct value_scratch *scratch, uint32_t place)
{
	uint64_t one = 1;
	scratch->key.place = place;
	// What is behind the end is of the last string: a key is compared as a whole.
	__builtin_memset(scratch->key.text, 0, sizeof(scratch->key.text));
	bpf_probe_read_kernel_str(scratch->key.text, sizeof(scratch->key.text),
				  scratch->strings[scratch->num_strings & 7]);
	uint64_t *count = bpf_map_lookup_elem(&value_strings, &scratch->key);
	if (count)
		__sync_fetch_and_add(count, 1);
	else if (bpf_map_update_elem(&value_strings, &scratch->key, &one, BPF_NOEXIST)) {
		// Another core may just have been the first one.
		count = bpf_map_lookup_elem(&value_strings, &scratch->key);
		if (count)
			__sync_fetch_and_add(count, 1);
		else
			value_lose(VALUE_LOST_STRINGS);
	}
}

static long value_add(uint64_t index, struct value_work *work)
{
	struct value_scratch *scratch = work->scratch;
	uint32_t place = work->number * PROBE_MAX_VALUES + index;
	uint32_t bit = 1U << (index & 7);
	bool is_string = work->probe->strings & bit;
	struct value_sum *sum = bpf_map_lookup_elem(&value_sums, &place);
	if (index >= work->probe->num_values || !sum)
		return 1;
	__sync_fetch_and_add(&sum->count, 1);
	if (scratch->payload.unread & bit)
		__sync_fetch_and_add(&sum->num_unread, 1);
	else if (is_string)
		value_add_string(scratch, place);
	else
		value_add_number(sum, scratch->words[index & (VALUE_ROOM_OF_PLACES - 1)],
				 work->probe->is_unsigned & bit);
	scratch->num_strings += is_string;
	return 0;
}

// The kernel runs the program of an event of a process for all that run in its memory: also for a
// child that shares it, as after vfork(), which soon has an event of its own.
static __always_inline bool value_is_of_target(const struct value_setting *setting,
					       const struct value_probe *probe, uint64_t id,
					       uint64_t cookie)
{
	uint32_t process = id >> 32, thread = (uint32_t)id;
	uint32_t core = cookie & VALUE_COOKIE_ANY_CORE;
	uint32_t only = (uint32_t)(cookie >> WALKER_COOKIE_CORE_BITS) & INT32_MAX;
	if (core != VALUE_COOKIE_ANY_CORE && core != bpf_get_smp_processor_id())
		return false;
	if ((probe->is_summed && only && only != thread) ||
	    (setting->only_thread && setting->only_thread != thread) ||
	    (setting->left_out_thread && setting->left_out_thread == thread))
		return false;
	if (setting->sees_all)
		return true;
	const struct value_process *known = bpf_map_lookup_elem(&value_processes, &process);
	return known && !known->awaits_exec &&
	       (probe->is_summed || !only || only == process || !known->is_probed);
}

static __always_inline uint64_t value_register_of(void *context, uint32_t reg)
{
	uint64_t word = 0;
	if (reg < VALUE_MAX_REGISTERS_BYTES / sizeof(word))
		bpf_probe_read_kernel(&word, sizeof(word), (char *)context + reg * sizeof(word));
	return word;
}

// A page that the thread has not touched yet cannot be read without a fault, as the name of a file
// in constant memory often is. This program may wait for one; it runs before at_probe(), which
// reads the page then.
SEC("uprobe.s")
int fetch_values(void *context)
{
	uint64_t cookie = bpf_get_attach_cookie(context);
	uint32_t first = 0, number = value_cookie_number(cookie);
	const struct value_setting *setting = bpf_map_lookup_elem(&value_settings, &first);
	const struct value_probe *probe = bpf_map_lookup_elem(&value_probes, &number);
	if (!setting || !probe || !setting->is_on || probe->is_off ||
	    !value_is_of_target(setting, probe, bpf_get_current_pid_tgid(), cookie))
		return 1;
	for (uint32_t i = 0; i < VALUE_NUM_PLACES; i++) {
		const struct value_place *place = &probe->places[i];
		uint64_t word = value_register_of(context, place->reg);
		char byte;
		if (place->kind == VALUE_MEMORY) {
			uint64_t other = value_register_of(context, place->index);
			word += (other << (place->scale_shift & 3)) + place->displacement;
			if (bpf_copy_from_user(&word, sizeof(word), (const void *)word))
				continue;
		}
		if (!place->is_string || place->kind == VALUE_CONSTANT)
			continue;
		bpf_copy_from_user(&byte, sizeof(byte), (const void *)word);
		bpf_copy_from_user(&byte, sizeof(byte),
				   (const void *)(word + PROBE_STRING_BYTES - 1));
	}
	return 1;
}

static __always_inline bool value_is_due(const struct value_probe *probe, uint32_t number)
{
	uint64_t *passages = bpf_map_lookup_elem(&value_passages, &number);
	if (!passages)
		return false;
	uint64_t count = __sync_fetch_and_add(passages, 1) + 1;
	return probe->period < 2 || count % probe->period == 0;
}

static __always_inline void value_give(void *context, const struct value_probe *probe,
				       struct value_scratch *scratch)
{
	scratch->payload.magic = PROBE_PAYLOAD_MAGIC;
	scratch->payload.num = probe->num_values;
	scratch->payload.strings = probe->strings;
	scratch->payload.is_unsigned = probe->is_unsigned;
	scratch->payload.event = probe->event;
	for (uint32_t i = 0; i < PROBE_MAX_VALUES; i++)
		scratch->payload.numbers[i] = i < probe->num_values ? scratch->words[i] : 0;
	uint32_t strings = scratch->num_strings;
	if (strings > PROBE_MAX_VALUES)
		strings = PROBE_MAX_VALUES;
	bpf_perf_event_output(context, &value_rings, BPF_F_CURRENT_CPU, &scratch->payload,
			      sizeof(scratch->payload) + strings * PROBE_STRING_BYTES);
}

static __always_inline void walk_at_sample(void *context, uint32_t stack_bytes, bool may_be_late);

/** What the kernel does with the probe's own event: 0: it drops it. */
static __always_inline int value_pass(void *context, uint64_t cookie)
{
	uint32_t first = 0, number = value_cookie_number(cookie);
	const struct value_setting *setting = bpf_map_lookup_elem(&value_settings, &first);
	const struct value_probe *probe = bpf_map_lookup_elem(&value_probes, &number);
	if (!setting || !probe || !setting->is_on || probe->is_off ||
	    !value_is_of_target(setting, probe, bpf_get_current_pid_tgid(), cookie))
		return 0;
	struct value_scratch *scratch = value_take_scratch();
	if (!scratch)
		return 0;
	struct value_work work = {.probe = probe, .scratch = scratch, .number = number};
	uint32_t bytes = setting->register_bytes;
	if (bytes > VALUE_MAX_REGISTERS_BYTES)
		bytes = VALUE_MAX_REGISTERS_BYTES;
	scratch->payload.unread = 0;
	scratch->num_strings = 0;
	bpf_probe_read_kernel(scratch->registers, bytes, context);
	bpf_loop(VALUE_NUM_PLACES, value_read, &work, 0);
	int is_counted = 0;
	if (!work.is_excluded && probe->is_summed) {
		scratch->num_strings = 0;
		bpf_loop(PROBE_MAX_VALUES, value_add, &work, 0);
		is_counted = 1;
	} else if (!work.is_excluded && value_is_due(probe, number)) {
		walk_at_sample(context, 0, false);
		value_give(context, probe, scratch);
	}
	scratch->is_taken = 0;
	return is_counted;
}

static __always_inline void value_follow_fork(uint32_t parent, uint32_t child)
{
	uint32_t first = 0;
	const struct value_setting *setting = bpf_map_lookup_elem(&value_settings, &first);
	const struct value_process *process = bpf_map_lookup_elem(&value_processes, &parent);
	if (!setting || !setting->inherits || !process)
		return;
	const struct value_process own = {.awaits_exec = process->awaits_exec};
	bpf_map_update_elem(&value_processes, &child, &own, BPF_ANY);
}

static __always_inline void value_follow_exec(uint32_t process_id)
{
	struct value_process *process = bpf_map_lookup_elem(&value_processes, &process_id);
	if (process)
		process->awaits_exec = 0;
}

static __always_inline void value_follow_exit(uint32_t process_id)
{
	bpf_map_delete_elem(&value_processes, &process_id);
}

#endif
