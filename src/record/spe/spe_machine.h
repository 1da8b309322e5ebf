/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_SPE_SPE_MACHINE_H
#define WPERF_RECORD_SPE_SPE_MACHINE_H

/**
 * The cores of the machine that SPE ran on, as a record of PERF_ABI_AUXTRACE_INFO describes them:
 * which cores there are, and which event each was profiled with (a machine with cores of two kinds
 * has arm_spe_0 and arm_spe_1). Old files know the event only.
 */

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct spe_machine_core {
	uint32_t cpu;
	uint32_t midr; /* 0: not known */
	uint32_t pmu_type;
	uint32_t min_period; /* not read back */
};

struct spe_machine {
	uint32_t pmu_type; /* perf_event_attr.type of its events */
	struct spe_machine_core *cores;
	size_t num_cores;
	uint32_t common_midr; /* of all cores, if it is the same for all; else 0 */
	bool is_elsewhere;    /* to be written: the CPU that the file names is another machine's */
};

#define SPE_MACHINE_INIT \
	{                \
	}

/** Are the traces of that file SPE's? @bytes: the whole record. */
bool spe_machine_is_told(const uint8_t *bytes, size_t size);

/**
 * Read the record.
 * @cpu_id: what the file says of the CPU, in words; or NULL. Of use where the record has no MIDR.
 */
struct error *spe_machine_read(const uint8_t *bytes, size_t size, const char *cpu_id,
			       struct spe_machine *ret);

/**
 * A record of PERF_ABI_AUXTRACE_INFO: of the first version, which every perf reads, if all cores
 * are alike (then the file has to say the CPU's id, and not be of elsewhere), else of the second,
 * which perf reads from Linux 6.13 on. @ret: to be freed.
 */
struct error *spe_machine_write(const struct spe_machine *machine, uint64_t **ret,
				size_t *ret_size);

/** NULL if nothing is known of it. */
const struct spe_machine_core *spe_machine_core(const struct spe_machine *machine, uint32_t cpu);

void spe_machine_deinit(struct spe_machine *machine);

#endif
