// SPDX-License-Identifier: Apache-2.0

#include "driver/core/hw_cfg.h"

#include "driver/core/core.h"
#include "driver/core/wide_text.h"
#include "driver/include/wperf_driver.h"

// The struct has room for one CPU, so on a machine with several kinds it describes the first.
enum { FIRST_CPU = 0 };

// The answer to QUERY_HW_CFG, as WindowsPerf's driver fills it. Fields of registers are those of
// the Arm ARM ("MIDR_EL1", "ID_AA64DFR0_EL1"); counter_idx_map has the numbers of the counters that
// are ours, and at place 31 that of the cycle counter.
static void set_identity(struct wperf_hw_cfg *hw_cfg, const struct driver_core *core)
{
	uint64_t midr = driver_registers_fetch(&core->registers, FIRST_CPU, DRIVER_MIDR_EL1);
	uint64_t dfr0 = driver_registers_fetch(&core->registers, FIRST_CPU, DRIVER_ID_AA64DFR0_EL1);
	hw_cfg->midr_value = midr;
	// The fields of MIDR_EL1: Implementer, Variant, Architecture, PartNum, Revision.
	hw_cfg->vendor_id = (uint8_t)driver_register_field(midr, 31, 24);
	hw_cfg->variant_id = (uint8_t)driver_register_field(midr, 23, 20);
	hw_cfg->arch_id = (uint8_t)driver_register_field(midr, 19, 16);
	hw_cfg->part_id = (uint16_t)driver_register_field(midr, 15, 4);
	hw_cfg->rev_id = (uint8_t)driver_register_field(midr, 3, 0);
	hw_cfg->id_aa64dfr0_value = dfr0;
	hw_cfg->pmu_ver = (uint8_t)driver_register_field(dfr0, 11, 8);
	hw_cfg->core_num = (uint16_t)core->config.num_cores;
}

static void set_counters(struct wperf_hw_cfg *hw_cfg, const struct driver_core *core)
{
	hw_cfg->fpc_num = 1;
	// One of them is the fixed counter to clients (counters.h).
	hw_cfg->total_gpc_num = (uint8_t)(core->num_counters ? core->num_counters - 1 : 0);
	const struct driver_counters *counters = &core->cores[FIRST_CPU].counters;
	hw_cfg->gpc_num = (uint8_t)counters->num;
	memcpy(hw_cfg->counter_idx_map, counters->indexes, counters->num);
	hw_cfg->counter_idx_map[WPERF_CYCLE_COUNTER] = WPERF_CYCLE_COUNTER;
}

static void set_device_id(struct wperf_hw_cfg *hw_cfg, const struct driver_core *core)
{
	// WindowsPerf learns from this text what the driver can do: <unit>.<command>=<class>, by
	// semicolons.
	const struct {
		bool exists;
		const char *text;
	} parts[] = {
		{true, "core.stat=core;core.sample=core"},
		{core->config.dsu_clusters > 0, ";dsu.stat=dsu"},
		{core->config.dmc_channels > 0, ";dmc.stat=dmc_clk,dmc_clkdiv2"},
	};
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (parts[i].exists)
			driver_wide_text_append(hw_cfg->device_id_str, WPERF_DEVICE_ID_SIZE,
						parts[i].text);
	}
}

enum driver_status driver_hw_cfg_handle_query(struct driver_core *core, struct driver_call *call)
{
	struct wperf_hw_cfg hw_cfg = {0};
	set_identity(&hw_cfg, core);
	set_counters(&hw_cfg, core);
	set_device_id(&hw_cfg, core);
	if (core->spe_cpu != DRIVER_NO_CPU) {
		const struct driver_registers *registers = &core->registers;
		hw_cfg.pmbidr_el1_value =
			driver_registers_fetch(registers, core->spe_cpu, DRIVER_PMBIDR_EL1);
		hw_cfg.pmsidr_el1_value =
			driver_registers_fetch(registers, core->spe_cpu, DRIVER_PMSIDR_EL1);
	}
	return driver_call_reply(call, &hw_cfg, sizeof(hw_cfg));
}
