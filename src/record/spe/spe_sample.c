// SPDX-License-Identifier: Apache-2.0

#include "record/spe/spe_sample.h"

// A sample of SPE is an operation that the hardware chose, and becomes a sample like any other: its
// PC, its data address, and as a period the interval that the event asked for. The rest stays in
// the record for the views of SPE.

// A kernel runs in EL1, or in EL2 if it is the host of virtual machines; its addresses are the
// upper half. Whatever else is in EL2 and EL3 is above it.
static enum record_mode spe_sample_mode_of(const struct spe_record *operation)
{
	if (!spe_record_has_address(operation, SPE_ADDRESS_PC))
		return RECORD_MODE_UNKNOWN;
	bool is_upper_half = (int64_t)spe_record_address(operation, SPE_ADDRESS_PC) < 0;
	switch (spe_address_level(spe_record_address_top(operation, SPE_ADDRESS_PC))) {
	case 0:
		return RECORD_MODE_USER;
	case 1:
		return RECORD_MODE_KERNEL;
	default:
		return is_upper_half ? RECORD_MODE_KERNEL : RECORD_MODE_HYPERVISOR;
	}
}

void spe_sample_set(struct record *ret, const struct spe_record *operation, uint32_t midr,
		    uint64_t period)
{
	ret->kind = RECORD_SAMPLE;
	ret->mode = spe_sample_mode_of(operation);
	ret->sample = (struct record_sample){
		.ip = spe_record_address(operation, SPE_ADDRESS_PC),
		.period = period ? period : 1,
		.address = spe_record_address(operation, SPE_ADDRESS_VIRTUAL),
		.spe = operation,
		.spe_midr = midr,
	};
}

uint32_t spe_sample_tid(const struct spe_record *operation)
{
	// With a kernel in EL2 its own register has the number.
	for (unsigned level = SPE_NUM_CONTEXTS; level > 0; level--)
		if (spe_record_has(operation, SPE_VALUE_CONTEXT + level - 1))
			return spe_record_context(operation, level);
	return UINT32_MAX;
}
