// SPDX-License-Identifier: Apache-2.0

#include "stack/pe/pe_x64_unwind.h"

#include "base/reader.h"
#include "stack/pe/pe_frame.h"
#include "stack/pe/pe_x64_end.h"

// Converts .pdata and UNWIND_INFO of x64 to rows (Microsoft's "x64 exception handling"). Unwind
// codes describe the prologue, each with the offset behind its instruction, the last one first.
// read_beginning() reads them and puts them in the order of execution; pe_x64_unwind_add_function()
// applies one after the other and adds a row at each offset. Epilogues have no codes; their rows
// come from the instructions (pe_x64_unwind_add_ends()).
//
// A function can be split in parts with UNW_FLAG_CHAININFO: a part starts with the frame of its
// parent. apply_parents() collects the chain and applies it from the outermost. Saves by mov
// (UWOP_SAVE_NONVOL) count from the final stack pointer, but may come before a later allocation;
// total_size is therefore computed first. The chain has at most MAX_CHAIN links, since a file may
// link entries in a circle.
//
// Functions that are not in the table are leaves: their return address is at rsp. A frame register
// other than rbp is not followed by rows, so the frame becomes unknown.

enum {
	ENTRY_SIZE = 12,
	REGISTER_RBP = 5, // as instructions number it
	FLAG_CHAINED = 4, // UNW_FLAG_CHAININFO
	MAX_CHAIN = 32,
	MAX_CODES = 255,
	SLOT = 8, // what a push moves the stack pointer by
};

/** What an instruction of a function's beginning does. */
enum operation {
	OPERATION_PUSH,           // UWOP_PUSH_NONVOL
	OPERATION_ALLOCATE_LARGE, // UWOP_ALLOC_LARGE
	OPERATION_ALLOCATE_SMALL, // UWOP_ALLOC_SMALL
	OPERATION_SET_FRAME,      // UWOP_SET_FPREG
	OPERATION_SAVE,           // UWOP_SAVE_NONVOL
	OPERATION_SAVE_FAR,       // UWOP_SAVE_NONVOL_FAR
	OPERATION_EPILOG,         // UWOP_EPILOG, of version 2
	OPERATION_SPARE,          // UWOP_SPARE_CODE
	OPERATION_SAVE_XMM,       // UWOP_SAVE_XMM128
	OPERATION_SAVE_XMM_FAR,   // UWOP_SAVE_XMM128_FAR
	OPERATION_MACHINE_FRAME,  // UWOP_PUSH_MACHFRAME
	NUM_OPERATIONS,
};

struct code {
	uint8_t place; // in the function, behind the instruction
	uint8_t operation, info;
	uint32_t operand;
};

/** How a function begins, in the order of its instructions. */
struct beginning {
	struct code codes[MAX_CODES];
	size_t num_codes;
	uint8_t frame_register;
	uint32_t frame_offset;
	uint32_t parent_unwind; // of the part before, if it goes on with one
	bool has_parent;
};

/** Where things are at a place in a function. */
struct frame {
	struct pe_frame now;
	uint32_t total_size; // when the function has begun
	uint8_t pushed[PE_X64_MAX_PUSHED];
	size_t num_pushed;
};

static struct error *pe_x64_unwind_add_row(struct cfi_table *table, uint64_t address,
					   const struct frame *frame)
{
	struct cfi_row row = pe_frame_row(&frame->now);
	row.address = address;
	return cfi_table_append(table, row);
}

/** How many units of 16 bits follow a code. */
static bool read_operand(struct reader *reader, struct code *code, size_t *ret_units)
{
	switch (code->operation) {
	case OPERATION_ALLOCATE_LARGE:
		*ret_units = code->info ? 2 : 1;
		code->operand =
			code->info ? reader_u32(reader) : reader_u16(reader) * (uint32_t)SLOT;
		return code->info <= 1;
	case OPERATION_SAVE:
		*ret_units = 1;
		code->operand = reader_u16(reader) * (uint32_t)SLOT;
		return true;
	case OPERATION_SAVE_XMM:
		*ret_units = 1;
		reader_skip(reader, 2);
		return true;
	case OPERATION_SAVE_FAR:
	case OPERATION_SAVE_XMM_FAR:
		*ret_units = 2;
		code->operand = reader_u32(reader);
		return true;
	case OPERATION_ALLOCATE_SMALL:
		code->operand = code->info * (uint32_t)SLOT + SLOT;
		return true;
	default:
		return code->operation < NUM_OPERATIONS;
	}
}

/** The table has the last instruction first. */
static void pe_x64_unwind_reverse(struct beginning *beginning)
{
	for (size_t i = 0, j = beginning->num_codes; i + 1 < j; i++) {
		struct code code = beginning->codes[i];
		beginning->codes[i] = beginning->codes[--j];
		beginning->codes[j] = code;
	}
}

static bool read_beginning(const struct pe_unwind_image *image, uint32_t unwind,
			   struct beginning *ret)
{
	enum { VERSION_MASK = 7, FLAGS_SHIFT = 3, HALF = 4, HALF_MASK = 15, FRAME_UNIT = 16 };
	struct object_bytes bytes = image->bytes_at(image->context, unwind);
	struct reader reader = reader_create(bytes.data, bytes.size);
	uint8_t first = reader_u8(&reader);
	reader_skip(&reader, 1); // how long the beginning is
	size_t num_units = reader_u8(&reader);
	uint8_t frame = reader_u8(&reader);
	*ret = (struct beginning){
		.frame_register = frame & HALF_MASK,
		.frame_offset = (uint32_t)(frame >> HALF) * FRAME_UNIT,
		.has_parent = first >> FLAGS_SHIFT & FLAG_CHAINED,
	};
	if ((first & VERSION_MASK) != 1 && (first & VERSION_MASK) != 2)
		return false;
	for (size_t unit = 0; unit < num_units; unit++) {
		struct code code = {.place = reader_u8(&reader)};
		uint8_t operation = reader_u8(&reader);
		code.operation = operation & HALF_MASK;
		code.info = operation >> HALF;
		size_t num_more = 0;
		if (!read_operand(&reader, &code, &num_more))
			return false;
		unit += num_more;
		ret->codes[ret->num_codes++] = code;
	}
	pe_x64_unwind_reverse(ret);
	reader_skip(&reader, num_units % 2 * 2);
	reader_skip(&reader, 4 + 4); // where the part before begins and ends
	if (ret->has_parent)
		ret->parent_unwind = reader_u32(&reader);
	return !reader.failed || !ret->has_parent;
}

static void pe_x64_unwind_push(struct frame *frame, uint8_t reg)
{
	pe_frame_grow(&frame->now, SLOT);
	if (frame->num_pushed < PE_X64_MAX_PUSHED)
		frame->pushed[frame->num_pushed++] = reg;
	if (reg == REGISTER_RBP)
		pe_frame_save_frame_pointer(&frame->now, 0);
}

/** Of another frame register than the usual one a walk knows nothing. */
static void set_frame(struct frame *frame, const struct beginning *beginning)
{
	if (beginning->frame_register == REGISTER_RBP)
		pe_frame_set_frame_pointer(&frame->now, beginning->frame_offset);
	else
		frame->now.is_unknown = true;
}

static void pe_x64_unwind_apply(struct frame *frame, const struct beginning *beginning,
				const struct code *code)
{
	switch (code->operation) {
	case OPERATION_PUSH:
		pe_x64_unwind_push(frame, code->info);
		return;
	case OPERATION_ALLOCATE_LARGE:
	case OPERATION_ALLOCATE_SMALL:
		pe_frame_grow(&frame->now, code->operand);
		return;
	case OPERATION_SET_FRAME:
		set_frame(frame, beginning);
		return;
	case OPERATION_SAVE:
	case OPERATION_SAVE_FAR:
		if (code->info == REGISTER_RBP && code->operand < frame->total_size)
			pe_frame_save_frame_pointer(&frame->now,
						    (int64_t)code->operand -
							    (frame->total_size - frame->now.size));
		return;
	case OPERATION_MACHINE_FRAME:
		frame->now.is_unknown |= frame->now.size != SLOT;
		frame->now.interrupted = code->info ? PE_INTERRUPTED_X64_ERROR : PE_INTERRUPTED_X64;
		return;
	default:
		return;
	}
}

static uint32_t allocated_by(const struct beginning *beginning)
{
	uint32_t total = 0;
	for (size_t i = 0; i < beginning->num_codes; i++) {
		const struct code *code = &beginning->codes[i];
		if (code->operation == OPERATION_PUSH)
			total += SLOT;
		if (code->operation == OPERATION_ALLOCATE_LARGE ||
		    code->operation == OPERATION_ALLOCATE_SMALL)
			total += code->operand;
	}
	return total;
}

/** What the parts before have done; the first one is applied first. */
static bool apply_parents(const struct pe_unwind_image *image, struct beginning *beginning,
			  struct frame *frame)
{
	uint32_t chain[MAX_CHAIN];
	size_t length = 0;
	struct beginning part = {.has_parent = beginning->has_parent,
				 .parent_unwind = beginning->parent_unwind};
	frame->total_size = SLOT + allocated_by(beginning);
	while (part.has_parent) {
		if (length == MAX_CHAIN)
			return false;
		chain[length++] = part.parent_unwind;
		if (!read_beginning(image, part.parent_unwind, &part))
			return false;
		frame->total_size += allocated_by(&part);
	}
	while (length) {
		if (!read_beginning(image, chain[--length], &part))
			return false;
		for (size_t i = 0; i < part.num_codes; i++)
			pe_x64_unwind_apply(frame, &part, &part.codes[i]);
	}
	return true;
}

/** Within the pops of an end, all that is left on the stack is what was pushed. */
static struct error *pe_x64_unwind_add_end(struct frame frame, uint32_t address,
					   struct cfi_table *table)
{
	frame.now.state.cfa.reg = frame.now.registers->sp;
	struct error *err = NULL;
	for (size_t left = frame.num_pushed + 1; !err && left; left--) {
		frame.now.state.cfa.offset = (int64_t)(left * SLOT);
		err = pe_x64_unwind_add_row(table, address, &frame);
		if (left == 1)
			break;
		uint8_t reg = frame.pushed[left - 2];
		address += reg >= 8 ? 2 : 1;
		if (reg == REGISTER_RBP)
			frame.now.state.frame_pointer = (struct cfi_place){.saved = CFI_SAVED_SAME};
	}
	return err;
}

static struct error *pe_x64_unwind_add_ends(const struct pe_unwind_image *image, uint32_t start,
					    uint32_t end, size_t first_place,
					    const struct frame *frame, struct cfi_table *table)
{
	struct object_bytes code = image->bytes_at(image->context, start);
	size_t size = code.size < end - start ? code.size : end - start;
	if (frame->now.is_unknown || frame->now.interrupted)
		return NULL;
	struct pe_x64_end looks = {
		.allocated = frame->now.size - (uint32_t)(frame->num_pushed + 1) * SLOT,
		.has_frame_pointer = frame->now.state.cfa.reg != frame->now.registers->sp,
	};
	pe_x64_end_init(&looks, frame->pushed, frame->num_pushed);
	struct error *err = NULL;
	size_t behind;
	for (size_t place = first_place;
	     !err && pe_x64_end_next(&looks, code.data, size, &place, &behind); place = behind) {
		err = pe_x64_unwind_add_end(*frame, start + (uint32_t)place, table);
		if (!err && behind < end - start)
			err = pe_x64_unwind_add_row(table, start + behind, frame);
	}
	return err;
}

/** Functions that are not in the table have their return address right there. */
static struct frame leaf_frame(void)
{
	return (struct frame){.now = pe_frame_create(CFI_X86_64)};
}

static struct error *pe_x64_unwind_add_function(const struct pe_unwind_image *image, uint32_t start,
						uint32_t end, uint32_t unwind,
						struct cfi_table *table)
{
	struct beginning beginning;
	struct frame frame = leaf_frame();
	if (!read_beginning(image, unwind, &beginning) ||
	    !apply_parents(image, &beginning, &frame)) {
		table->num_bad++;
		frame.now.is_unknown = true;
		beginning.num_codes = 0;
	}
	struct error *err = pe_x64_unwind_add_row(table, start, &frame);
	size_t last_place = 0;
	for (size_t i = 0; !err && i < beginning.num_codes; i++) {
		const struct code *code = &beginning.codes[i];
		pe_x64_unwind_apply(&frame, &beginning, code);
		if (code->place >= end - start || code->place < last_place)
			continue;
		last_place = code->place;
		err = pe_x64_unwind_add_row(table, start + code->place, &frame);
	}
	return err ? err : pe_x64_unwind_add_ends(image, start, end, last_place, &frame, table);
}

/** Entries are sorted; one that is not would end the search for others. */
struct error *pe_x64_unwind_add(const struct pe_unwind_image *image, struct cfi_table *table)
{
	struct reader reader = reader_create(image->x64_functions.data, image->x64_functions.size);
	const struct frame leaf = leaf_frame();
	uint32_t last_end = 0;
	struct error *err = NULL;
	while (!err && reader_left(&reader) >= ENTRY_SIZE) {
		uint32_t start = reader_u32(&reader);
		uint32_t end = reader_u32(&reader);
		uint32_t unwind = reader_u32(&reader);
		if (start < last_end || end <= start) {
			table->num_bad += start || end;
			continue;
		}
		if (last_end < start)
			err = pe_x64_unwind_add_row(table, last_end, &leaf);
		if (!err)
			err = pe_x64_unwind_add_function(image, start, end, unwind, table);
		last_end = end;
	}
	return err || !table->num_rows ? err : pe_x64_unwind_add_row(table, last_end, &leaf);
}
