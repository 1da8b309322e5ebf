// SPDX-License-Identifier: Apache-2.0

// What the driver says of itself and of this machine, against the registers.

#include "tests/baremetal/client.h"
#include "tests/baremetal/sysreg.h"
#include "tests/baremetal/tests.h"

enum { NUM_EVENT_BITS = 64, FIRST_EXTENDED = 0x4000 };

static unsigned field(uint64_t value, unsigned high, unsigned low)
{
	return value >> low & ((UINT64_C(1) << (high - low + 1)) - 1);
}

void test_lock(struct machine *machine, struct report *report)
{
	struct client alice = client_create(machine, report, MACHINE_ALL_COUNTERS);
	struct client bob = client_create_rival(&alice);
	struct wperf_hw_cfg hw_cfg;
	EXPECT_EQUAL(report, client_lock(&bob, WPERF_LOCK_GET), WPERF_LOCK_BUSY);
	EXPECT_EQUAL(report,
		     client_query(&bob, WPERF_PMU_CTL_QUERY_HW_CFG, &hw_cfg, sizeof(hw_cfg)),
		     DRIVER_INVALID_DEVICE_STATE);
	EXPECT_EQUAL(report, client_lock(&bob, WPERF_LOCK_RELEASE), WPERF_LOCK_BUSY);
	EXPECT_EQUAL(report, client_lock(&alice, WPERF_LOCK_RELEASE), WPERF_LOCK_IDLE);
	EXPECT_EQUAL(report, client_lock(&bob, WPERF_LOCK_GET), WPERF_LOCK_ACQUIRED);
	EXPECT_EQUAL(report,
		     client_query(&bob, WPERF_PMU_CTL_QUERY_HW_CFG, &hw_cfg, sizeof(hw_cfg)),
		     DRIVER_OK);
}

static void check_counters(struct report *report, const struct wperf_hw_cfg *hw_cfg)
{
	EXPECT_EQUAL(report, hw_cfg->fpc_num, 1);
	// One of those of the hardware counts cycles.
	EXPECT_EQUAL(report, hw_cfg->total_gpc_num, field(SYSREG_READ(pmcr_el0), 15, 11) - 1);
	EXPECT_EQUAL(report, hw_cfg->gpc_num, hw_cfg->total_gpc_num - 1);
	for (unsigned i = 0; i < hw_cfg->gpc_num; i++)
		EXPECT_EQUAL(report, hw_cfg->counter_idx_map[i], i + 1);
	EXPECT_EQUAL(report, hw_cfg->counter_idx_map[WPERF_CYCLE_COUNTER], WPERF_CYCLE_COUNTER);
}

void test_hw_cfg(struct machine *machine, struct report *report)
{
	struct client client = client_create(machine, report, MACHINE_ALL_COUNTERS - 1);
	struct wperf_hw_cfg hw_cfg = {0};
	client_query(&client, WPERF_PMU_CTL_QUERY_HW_CFG, &hw_cfg, sizeof(hw_cfg));
	uint64_t midr = SYSREG_READ(midr_el1), dfr0 = SYSREG_READ(id_aa64dfr0_el1);
	EXPECT_EQUAL(report, hw_cfg.midr_value, midr);
	EXPECT_EQUAL(report, hw_cfg.vendor_id, field(midr, 31, 24));
	EXPECT_EQUAL(report, hw_cfg.variant_id, field(midr, 23, 20));
	EXPECT_EQUAL(report, hw_cfg.arch_id, field(midr, 19, 16));
	EXPECT_EQUAL(report, hw_cfg.part_id, field(midr, 15, 4));
	EXPECT_EQUAL(report, hw_cfg.rev_id, field(midr, 3, 0));
	EXPECT_EQUAL(report, hw_cfg.id_aa64dfr0_value, dfr0);
	EXPECT_EQUAL(report, hw_cfg.pmu_ver, field(dfr0, 11, 8));
	EXPECT_EQUAL(report, hw_cfg.core_num, 1);
	EXPECT_EQUAL(report, hw_cfg.pmsidr_el1_value, 0); // QEMU has no SPE
	check_counters(report, &hw_cfg);
}

struct events_reply {
	struct wperf_event_header header;
	uint16_t events[2 * NUM_EVENT_BITS];
};

// The low half of a PMCEID stands for @first and so on, the high half for FIRST_EXTENDED + @first.
static void add_events(struct events_reply *reply, uint32_t bits, unsigned first)
{
	for (unsigned bit = 0; bit < 32; bit++) {
		if (bits >> bit & 1)
			reply->events[reply->header.num++] = first + bit;
	}
}

void test_supported_events(struct machine *machine, struct report *report)
{
	struct client client = client_create(machine, report, MACHINE_ALL_COUNTERS);
	uint64_t low = SYSREG_READ(pmceid0_el0), high = SYSREG_READ(pmceid1_el0);
	struct events_reply wanted = {.header = {.event_class = WPERF_CLASS_CORE}}, reply = {0};
	add_events(&wanted, (uint32_t)low, 0);
	add_events(&wanted, (uint32_t)high, 32);
	add_events(&wanted, low >> 32, FIRST_EXTENDED);
	add_events(&wanted, high >> 32, FIRST_EXTENDED + 32);
	client_query(&client, WPERF_PMU_CTL_QUERY_SUPP_EVENTS, &reply,
		     sizeof(wanted.header) + wanted.header.num * sizeof(uint16_t));
	EXPECT_EQUAL(report, reply.header.event_class, WPERF_CLASS_CORE);
	EXPECT_EQUAL(report, reply.header.num, wanted.header.num);
	EXPECT_WITHIN(report, reply.header.num, 3, 2 * NUM_EVENT_BITS);
	for (unsigned i = 0; i < wanted.header.num; i++)
		EXPECT_EQUAL(report, reply.events[i], wanted.events[i]);
}
