/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_SIM_SPE_OPERATION_H
#define WPERF_DRIVER_SIM_SPE_OPERATION_H

/**
 * Operations of the simulated program as SPE sees them: made up from a number alone, in shares that
 * make sense (driver/sim/load.h), and written as packets.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum spe_operation_class { SPE_OTHER, SPE_VECTOR, SPE_LOAD, SPE_STORE, SPE_BRANCH };

struct spe_sim_operation {
	enum spe_operation_class class;
	bool is_kernel;
	uint64_t pc;
	uint64_t address;                   /* of data, or a branch's target; 0: none */
	uint64_t events;                    /* bits of the events packet */
	uint8_t payload;                    /* of the operation packet */
	uint8_t source;                     /* of loads: of the data source packet */
	uint16_t issue, total, translation; /* cycles */
};

/** @seed: of whose and which operation it is. */
struct spe_sim_operation spe_sim_operation_make(bool is_kernel, uint64_t seed);

enum { SPE_SIM_RECORD_SIZE = 64 };

/** What a record has besides the operation. */
struct spe_sim_record {
	bool has_timestamp;
	uint64_t timestamp;
	bool has_physical_address;
};

/** Write the packets of one operation; all of @bytes. */
void spe_sim_operation_write(const struct spe_sim_operation *operation,
			     const struct spe_sim_record *record,
			     uint8_t bytes[SPE_SIM_RECORD_SIZE]);

#endif
