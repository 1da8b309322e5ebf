// SPDX-License-Identifier: Apache-2.0
// Input: what a profiled program writes into the memory that it shares with wperf: heads of
// samples. The program may change them at any time, but each is copied once before it is checked.

#include "source/memory/memory_slots.h"
#include "source/memory/memory_weight.h"

#include <stdlib.h>
#include <string.h>

enum { NS = 1000000, STACK_BYTES = 1024 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** Everything that wperf takes for granted afterwards. */
static void check_sample(const struct memory_sample *sample)
{
	static volatile uint8_t last;
	if (sample->head.kind >= MEMORY_NUM_KINDS || sample->head.stack_size > STACK_BYTES ||
	    !sample->head.pid || !sample->head.tid)
		abort();
	if (sample->head.stack_size)
		last = sample->stack[sample->head.stack_size - 1];
	struct memory_carry carry = {.bytes = last / 256.0};
	if (sample->head.kind == MEMORY_ALLOCATION)
		memory_weight_of(sample->head.size, sample->head.period, &carry);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct memory_slots slots;
	struct memory_sample sample;
	struct error *err = memory_slots_create(&slots);
	if (err) {
		error_destroy(err);
		return 0;
	}
	memory_slots_configure(&slots, &(struct memory_slots_config){.period = 4096,
								     .stack_bytes = STACK_BYTES});
	const size_t unit = sizeof(uint32_t) + sizeof(struct memory_head);
	for (unsigned i = 0; i < MEMORY_NUM_SLOTS && size >= unit; i++) {
		uint32_t state;
		memcpy(&state, data, sizeof(state));
		slots.region->slots[i].state = state;
		memcpy(&slots.region->slots[i].head, data + sizeof(state),
		       sizeof(struct memory_head));
		data += unit;
		size -= unit;
	}
	for (uint64_t round = 0; round < 2; round++) {
		memory_slots_look(&slots, round * 2000 * NS);
		while (memory_slots_take(&slots, &sample))
			check_sample(&sample);
	}
	memory_slots_destroy(&slots);
	return 0;
}
