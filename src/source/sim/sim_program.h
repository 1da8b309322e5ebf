/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_SIM_SIM_PROGRAM_H
#define WPERF_SOURCE_SIM_SIM_PROGRAM_H

/** The program on the simulated machine: its process events and symbols. */

#include "base/error.h"
#include "driver/sim/program.h"
#include "record/record.h"
#include "source/sample_plan.h"

struct sim_program {
	struct sample_symbol *symbols;
	size_t num_symbols;
	size_t num_introduced; /* records returned before the first sample */
	uint64_t began_ns;     /* set by the caller */
};

#define SIM_PROGRAM_INIT \
	{                \
	}

struct error *sim_program_init(struct sim_program *program);
void sim_program_deinit(struct sim_program *program);

/** The next record of the process and its images; false: there are no more. */
bool sim_program_introduce(struct sim_program *program, struct record *ret);

#endif
