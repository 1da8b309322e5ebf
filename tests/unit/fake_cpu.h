/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_UNIT_FAKE_CPU_H
#define WPERF_TESTS_UNIT_FAKE_CPU_H

/** A small CPU that no shop sells, so that tests need not know the tables of real ones. */

#include "base/container/array.h"
#include "catalog/catalog.h"

#define FAKE_EVENTS(EVENT)            \
	EVENT(l1i_cache_refill, 0x01) \
	EVENT(l1i_tlb_refill, 0x02)   \
	EVENT(l1d_cache_refill, 0x03) \
	EVENT(l1d_cache, 0x04)        \
	EVENT(l1d_tlb_refill, 0x05)   \
	EVENT(inst_retired, 0x08)     \
	EVENT(br_mis_pred, 0x10)      \
	EVENT(cpu_cycles, 0x11)       \
	EVENT(l1i_cache, 0x14)        \
	EVENT(l2d_cache, 0x16)        \
	EVENT(l2d_cache_refill, 0x17) \
	EVENT(inst_spec, 0x1b)        \
	EVENT(br_retired, 0x21)       \
	EVENT(stall_backend, 0x24)    \
	EVENT(l1d_tlb, 0x25)          \
	EVENT(l1i_tlb, 0x26)          \
	EVENT(l2i_cache, 0x27)        \
	EVENT(l2i_cache_refill, 0x28) \
	EVENT(l2d_tlb_refill, 0x2d)   \
	EVENT(l2i_tlb_refill, 0x2e)   \
	EVENT(l2d_tlb, 0x2f)          \
	EVENT(l2i_tlb, 0x30)          \
	EVENT(ld_spec, 0x70)          \
	EVENT(st_spec, 0x71)          \
	EVENT(dp_spec, 0x73)          \
	EVENT(ase_spec, 0x74)         \
	EVENT(vfp_spec, 0x75)         \
	EVENT(crypto_spec, 0x77)      \
	EVENT(br_immed_spec, 0x78)    \
	EVENT(imp_fake_event, 0x0123)

#define FAKE_EVENT(event_name, event_code)    \
	&(const struct event){                \
		.name = #event_name,          \
		.title = "fake " #event_name, \
		.description = "",            \
		.event_class = EVENT_CORE,    \
		.code = (event_code),         \
	},

static const struct event *const fake_events[] = {FAKE_EVENTS(FAKE_EVENT)};

static const struct cpu_metric fake_metrics[] = {
	{&(const struct metric_info){.name = "backend_bound", .unit = "percent of slots"},
	 "100 * (stall_backend / cpu_cycles)"},
	{&(const struct metric_info){.name = "branch_miss_ratio", .unit = "per branch"},
	 "br_mis_pred / br_retired"},
	{&(const struct metric_info){.name = "constant", .unit = ""}, "4 * 2"},
	{&(const struct metric_info){.name = "instructions", .unit = ""}, "inst_retired * 1"},
	{&(const struct metric_info){.name = "ipc", .unit = "per cycle"},
	 "inst_retired / cpu_cycles"},
	{&(const struct metric_info){.name = "seven", .unit = ""},
	 "ld_spec + st_spec + dp_spec + ase_spec + vfp_spec + crypto_spec + br_immed_spec"},
};

static const struct cpu_group fake_groups[] = {
	{&(const struct group_info){.name = "general"}, "ipc,branch_miss_ratio"},
	{&(const struct group_info){.name = "large"}, "ipc,seven"},
};

static const struct cpu fake_cpu = {
	.name = "fake-one",
	.title = "Fake One",
	.arch = "armv8.2",
	.pmu_arch = "pmu_v3",
	.num_slots = 5,
	.events = fake_events,
	.num_events = ARRAY_SIZE(fake_events),
	.metrics = fake_metrics,
	.num_metrics = ARRAY_SIZE(fake_metrics),
	.groups = fake_groups,
	.num_groups = ARRAY_SIZE(fake_groups),
};

/** Six counters per core, six of the DSU, two and eight of the memory controller. */
static const struct pmu_counters fake_counters = {
	.free = {6, 6, 2, 8},
	.total = {6, 6, 2, 8},
};

#endif
