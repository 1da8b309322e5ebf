// SPDX-License-Identifier: Apache-2.0

#include "record/etl/etl_switches.h"

#include "base/container/array.h"

#include <stdlib.h>

// The old thread of a switch is the new one of the switch before on the same CPU. Where it is not,
// events were lost: it is not known when the thread that ran there left, nor when this one came,
// and nothing is said of either. Idle (thread 0) runs on all CPUs at a time and is never away.

enum { MAX_CPUS = 1 << 12 }; // Windows runs on up to 2,048

static bool is_switch_thread(const void *owner, uint32_t index, const void *key)
{
	return ((const struct etl_switches *)owner)->threads[index].tid == *(const uint32_t *)key;
}

static struct error *etl_switches_thread(struct etl_switches *switches, uint32_t tid,
					 struct etl_switch_thread **ret)
{
	uint64_t hash = hash_bytes(&tid, sizeof(tid));
	uint32_t index = hash_table_find(&switches->index, hash, is_switch_thread, switches, &tid);
	if (index != HASH_TABLE_NONE) {
		*ret = &switches->threads[index];
		return NULL;
	}
	struct error *err = array_reserve(&switches->threads, &switches->cap_threads,
					  switches->num_threads + 1);
	if (!err)
		err = hash_table_insert(&switches->index, hash, (uint32_t)switches->num_threads);
	if (err)
		return err;
	*ret = &switches->threads[switches->num_threads++];
	**ret = (struct etl_switch_thread){.tid = tid};
	return NULL;
}

void etl_switches_forget(struct etl_switches *switches, uint32_t tid)
{
	uint32_t index = hash_table_find(&switches->index, hash_bytes(&tid, sizeof(tid)),
					 is_switch_thread, switches, &tid);
	if (index != HASH_TABLE_NONE)
		switches->threads[index].left_ns = 0;
}

static struct error *etl_switches_cpu(struct etl_switches *switches, uint32_t cpu,
				      struct etl_switch_cpu **ret)
{
	struct error *err = array_reserve(&switches->cpus, &switches->cap_cpus, (size_t)cpu + 1);
	if (err)
		return err;
	while (switches->num_cpus <= cpu)
		switches->cpus[switches->num_cpus++] = (struct etl_switch_cpu){.tid = ETL_NO_ID};
	*ret = &switches->cpus[cpu];
	return NULL;
}

static void etl_switches_count(struct etl_switch_cpu *cpu, const struct etl_event *event,
			       bool is_known, struct etl_switch_change *ret)
{
	uint32_t num = event->num_counters < ETL_SWITCH_COUNTERS ? event->num_counters
								 : ETL_SWITCH_COUNTERS;
	bool has_counts = is_known && num == cpu->num_counters;
	for (uint32_t i = 0; i < num; i++) {
		uint64_t counter = etl_event_counter(event, i);
		// Counters run freely; one that went back was set by somebody else.
		if (has_counts && counter >= cpu->counters[i])
			ret->counts[i] = counter - cpu->counters[i];
		cpu->counters[i] = counter;
	}
	cpu->num_counters = num;
	ret->num_counts = has_counts ? num : 0;
}

struct error *etl_switches_apply(struct etl_switches *switches, const struct etl_event *event,
				 const struct etl_switch *change, struct etl_switch_change *ret)
{
	struct etl_switch_cpu *cpu;
	struct etl_switch_thread *thread;
	*ret = (struct etl_switch_change){0};
	if (event->cpu >= MAX_CPUS)
		return NULL;
	struct error *err = etl_switches_cpu(switches, event->cpu, &cpu);
	if (err)
		return err;
	bool is_known = cpu->tid == change->old_tid;
	if (!is_known && cpu->tid != ETL_NO_ID)
		etl_switches_forget(switches, cpu->tid);
	etl_switches_count(cpu, event, is_known, ret);
	cpu->tid = change->new_tid;
	if (change->old_tid) {
		err = etl_switches_thread(switches, change->old_tid, &thread);
		if (err)
			return err;
		thread->left_ns = change->has_ended ? 0 : event->time_ns;
	}
	if (!change->new_tid)
		return NULL;
	err = etl_switches_thread(switches, change->new_tid, &thread);
	if (err)
		return err;
	if (thread->left_ns && thread->left_ns < event->time_ns)
		ret->away_ns = event->time_ns - thread->left_ns;
	thread->left_ns = 0;
	return NULL;
}

uint32_t etl_switches_on(const struct etl_switches *switches, uint32_t cpu)
{
	return cpu < switches->num_cpus ? switches->cpus[cpu].tid : ETL_NO_ID;
}

void etl_switches_deinit(struct etl_switches *switches)
{
	free(switches->cpus);
	free(switches->threads);
	hash_table_deinit(&switches->index);
	*switches = (struct etl_switches)ETL_SWITCHES_INIT;
}
