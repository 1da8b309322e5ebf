// SPDX-License-Identifier: Apache-2.0

#include "session/setup/probe_instruction.h"

#include "object/disassembly/disassembler.h"

#include <inttypes.h>

// Instructions of AArch64 have 4 bytes. Those of x86-64 are decoded from the beginning of the
// function on, as only that is known to be one.

enum { AARCH64_SIZE = 4, LONGEST = 15, MAX_DISTANCE = 1 << 24 };

static struct error *refuse_middle(const char *event, uint64_t distance, uint64_t before,
				   uint64_t behind)
{
	return error_with_hint(
		error_create(ERROR_FAILED,
			     "no instruction begins at '%s': a probe there would break the program",
			     event),
		"the nearest ones are %" PRIu64 " bytes before and %" PRIu64 " bytes behind it; "
		"'wperf annotate --disassemble' shows them",
		distance - before, behind - distance);
}

static struct error *check_decoded(struct object *object, const char *event, uint64_t start,
				   uint64_t address)
{
	_cleanup_(disassembler_destroyp) struct disassembler *disassembler = NULL;
	_cleanup_(instruction_list_deinit) struct instruction_list list = {0};
	uint64_t distance = address - start;
	struct object_bytes code = object_code(object, start, distance + LONGEST);
	// Before the section's end there is less.
	if (!code.data || code.size <= distance)
		code = object_code(object, start, distance + 1);
	if (!code.data || code.size <= distance)
		return NULL;
	struct error *err = disassembler_open(object_machine_at(object, start), &disassembler);
	if (!err)
		err = disassembler_decode(disassembler, code, &list);
	if (err)
		return err;
	for (size_t i = 0; i < list.num_items; i++) {
		uint64_t place = list.items[i].address - code.address;
		if (place == distance)
			return NULL;
		if (place < distance && place + list.items[i].size > distance)
			return refuse_middle(event, distance, place, place + list.items[i].size);
	}
	return NULL;
}

struct error *probe_instruction_check(struct object *object, const char *event, uint64_t address)
{
	uint64_t start, end;
	enum object_machine machine = object_machine_at(object, address);
	if (machine == OBJECT_MACHINE_AARCH64 && address % AARCH64_SIZE)
		return refuse_middle(event, address % AARCH64_SIZE, 0, AARCH64_SIZE);
	if (machine != OBJECT_MACHINE_X86_64 ||
	    !object_find_function(object, address, &start, &end) || address <= start ||
	    address - start > MAX_DISTANCE)
		return NULL;
	return check_decoded(object, event, start, address);
}
