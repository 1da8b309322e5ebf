// SPDX-License-Identifier: Apache-2.0

#include "stack/pe/pe_unwind.h"

#include "stack/pe/pe_arm64_unwind.h"
#include "stack/pe/pe_frame.h"
#include "stack/pe/pe_x64_unwind.h"

// An image has at most two function tables, one for each machine. Each is converted as if it were
// alone. For Arm64EC and Arm64X, pe_unwind_join() then goes over the code ranges of the image and
// takes from each range the rows of its machine, with a gap behind it. Both tables describe what
// lies between their functions as leaf code, so without the ranges one table would claim the code
// of the other.

/** The rows of each machine, as if all of the image were its code. */
struct halves {
	struct cfi_table x64, arm64;
};

static void halves_deinit(struct halves *halves)
{
	cfi_table_deinit(&halves->x64);
	cfi_table_deinit(&halves->arm64);
}

static struct error *pe_unwind_add_leaf(struct cfi_table *table, uint64_t address,
					enum cfi_machine machine)
{
	const struct pe_frame leaf = pe_frame_create(machine);
	struct cfi_row row = pe_frame_row(&leaf);
	row.address = address;
	return cfi_table_append(table, row);
}

/** What a table of one machine says of a piece of code. */
static struct error *pe_unwind_add_piece(struct cfi_table *table, const struct cfi_table *half,
					 enum cfi_machine machine, uint64_t start, uint64_t end)
{
	const struct cfi_row *row = cfi_table_find(half, start);
	if (!row)
		return pe_unwind_add_leaf(table, start, machine);
	struct error *err = NULL;
	for (; !err && row < half->rows + half->num_rows && row->address < end; row++) {
		struct cfi_row copy = *row;
		copy.address = row->address < start ? start : row->address;
		err = cfi_table_append(table, copy);
	}
	return err;
}

/** A place that is in no piece of code has none. */
static struct error *pe_unwind_join(const struct pe_unwind_image *image,
				    const struct halves *halves, struct cfi_table *table)
{
	struct error *err = NULL;
	uint64_t last_end = 0;
	for (size_t i = 0; !err && i < image->num_ranges; i++) {
		const struct object_code_range *range = &image->ranges[i];
		uint64_t end = range->address + range->size;
		bool is_x64 = range->machine == OBJECT_MACHINE_X86_64;
		if (range->address < last_end || end <= range->address)
			continue;
		err = pe_unwind_add_piece(table, is_x64 ? &halves->x64 : &halves->arm64,
					  is_x64 ? CFI_X86_64 : CFI_AARCH64, range->address, end);
		if (!err)
			err = cfi_table_append(table, (struct cfi_row){.address = end});
		last_end = end;
	}
	return err;
}

struct error *pe_unwind_create(const struct pe_unwind_image *image, struct cfi_table *ret)
{
	_cleanup_(halves_deinit) struct halves halves = {CFI_TABLE_INIT, CFI_TABLE_INIT};
	_cleanup_(cfi_table_deinit) struct cfi_table joined = CFI_TABLE_INIT;
	struct error *err = pe_x64_unwind_add(image, &halves.x64);
	if (!err)
		err = pe_arm64_unwind_add(image, &halves.arm64);
	if (!err)
		err = pe_unwind_join(image, &halves, &joined);
	if (err)
		return err;
	struct cfi_table *table = image->num_ranges       ? &joined
				  : halves.arm64.num_rows ? &halves.arm64
							  : &halves.x64;
	*ret = *table;
	ret->num_bad = halves.x64.num_bad + halves.arm64.num_bad;
	*table = (struct cfi_table)CFI_TABLE_INIT;
	return NULL;
}
