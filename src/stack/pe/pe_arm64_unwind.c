// SPDX-License-Identifier: Apache-2.0

#include "stack/pe/pe_arm64_unwind.h"

#include "stack/pe/pe_arm64_code.h"
#include "stack/pe/pe_arm64_packed.h"
#include "stack/pe/pe_frame.h"

// Converts .pdata and .xdata of Arm64 to rows (Microsoft's "ARM64 exception handling"). An entry
// is the start of a function and a word: packed data (pe_arm64_packed.c) or the address of a
// record, whose header pe_arm64_unwind_read_record() reads (its bits are in the section ".xdata
// records").
//
// Codes stand in the order of unwinding, and each stands for one instruction. The state before the
// first instruction of the prologue is that of a leaf; replaying the codes from the last to the
// first gives the state behind each instruction (pe_arm64_unwind_rows_of()). rows[i] is the state
// with the first i codes not yet done, or already undone: the same array serves prologues
// (backwards) and epilogues (forwards). Windows itself unwinds by executing the codes at each
// frame; rows make it a binary search, and let native_unwind.c treat all systems alike.
//
// Functions that are not in the table are leaves: they change neither sp nor x30. Lengths are cut
// to the bytes in the file (length_in_file()), which bounds the rows that a made-up table can ask
// for.

enum {
	ENTRY_SIZE = 8,
	INSTRUCTION = 4,
	KIND_MASK = 3, // of the entry's second word; 0: the address of a record
	FRAME_POINTER = 29,
	LINK = 30,
};

/** What a record in .xdata says before its codes. */
struct record {
	uint32_t length; // bytes
	uint32_t num_ends;
	uint32_t end_index; // of the only end's codes
	bool is_one_end;    // that of the function, and without an entry
	struct reader ends, codes;
};

/** A function while its rows are added. */
struct function {
	uint32_t start, length;
	struct cfi_row body; // behind its beginning
	struct cfi_table *table;
};

static void pe_arm64_unwind_save(struct pe_frame *frame, uint8_t reg, uint32_t offset)
{
	if (reg == LINK)
		pe_frame_save_return_address(frame, offset);
	if (reg == FRAME_POINTER)
		pe_frame_save_frame_pointer(frame, offset);
}

static void pe_arm64_unwind_interrupt(struct pe_frame *frame, enum pe_interrupted how)
{
	frame->is_unknown |= frame->size || frame->interrupted;
	frame->interrupted = how;
}

/** What is true behind an instruction, by what was before it. */
static void pe_arm64_unwind_apply(struct pe_frame *frame, const struct pe_arm64_code *code)
{
	uint32_t offset = code->allocates ? 0 : code->offset;
	switch (code->operation) {
	case PE_ARM64_ALLOCATE:
		pe_frame_grow(frame, code->offset);
		return;
	case PE_ARM64_SAVE:
		if (code->allocates)
			pe_frame_grow(frame, code->offset);
		pe_arm64_unwind_save(frame, code->registers[0], offset);
		pe_arm64_unwind_save(frame, code->registers[1], offset + 8);
		return;
	case PE_ARM64_SET_FRAME:
		pe_frame_set_frame_pointer(frame, code->offset);
		return;
	case PE_ARM64_SIGN_LINK:
		frame->state.is_return_address_signed = true;
		return;
	case PE_ARM64_MACHINE_FRAME:
		pe_arm64_unwind_interrupt(frame, PE_INTERRUPTED_MACHINE_FRAME);
		return;
	case PE_ARM64_CONTEXT:
		pe_arm64_unwind_interrupt(frame, PE_INTERRUPTED_CONTEXT);
		return;
	case PE_ARM64_EC_CONTEXT:
		pe_arm64_unwind_interrupt(frame, PE_INTERRUPTED_EC_CONTEXT);
		return;
	case PE_ARM64_NOTHING:
		return;
	default:
		frame->is_unknown = true;
	}
}

/** @rows: [i] holds while the first i codes are done or taken back already; one more than codes. */
static void pe_arm64_unwind_rows_of(const struct pe_arm64_codes *codes, struct cfi_row *rows)
{
	struct pe_frame frame = pe_frame_create(CFI_AARCH64);
	rows[codes->num_items] = pe_frame_row(&frame);
	for (size_t i = codes->num_items; i--;) {
		pe_arm64_unwind_apply(&frame, &codes->items[i]);
		rows[i] = pe_frame_row(&frame);
	}
}

/** @place: bytes from the start; behind the end nothing is added. */
static struct error *pe_arm64_unwind_add_row(const struct function *function, uint64_t place,
					     struct cfi_row row)
{
	if (place >= function->length)
		return NULL;
	row.address = function->start + place;
	return cfi_table_append(function->table, row);
}

static struct error *add_beginning(struct function *function, const struct pe_arm64_codes *codes)
{
	struct cfi_row rows[PE_ARM64_MAX_CODES + 1];
	pe_arm64_unwind_rows_of(codes, rows);
	function->body = rows[0];
	struct error *err = NULL;
	for (size_t done = 0; !err && done <= codes->num_own; done++)
		err = pe_arm64_unwind_add_row(function, done * INSTRUCTION,
					      rows[codes->num_own - done]);
	return err;
}

/** Each code is an instruction, and another one returns. */
static uint32_t size_of_end(const struct pe_arm64_codes *codes)
{
	return ((uint32_t)codes->num_own + 1) * INSTRUCTION;
}

static struct error *pe_arm64_unwind_add_end(struct function *function, uint32_t place,
					     const struct pe_arm64_codes *codes)
{
	struct cfi_row rows[PE_ARM64_MAX_CODES + 1];
	pe_arm64_unwind_rows_of(codes, rows);
	struct error *err = NULL;
	for (size_t done = 0; !err && done <= codes->num_own; done++)
		err = pe_arm64_unwind_add_row(function, place + done * INSTRUCTION, rows[done]);
	return err ? err
		   : pe_arm64_unwind_add_row(function, place + size_of_end(codes), function->body);
}

static struct error *pe_arm64_unwind_add_unknown(struct function *function)
{
	function->table->num_bad++;
	return pe_arm64_unwind_add_row(function, 0, (struct cfi_row){.cfa = CFI_CFA_UNKNOWN});
}

static struct error *add_fragment(struct function *function, const struct pe_arm64_codes *codes)
{
	struct cfi_row rows[PE_ARM64_MAX_CODES + 1];
	pe_arm64_unwind_rows_of(codes, rows);
	return pe_arm64_unwind_add_row(function, 0, rows[0]);
}

static struct error *add_packed(struct function *function, uint32_t word)
{
	struct pe_arm64_packed packed;
	if (!pe_arm64_packed_read(word, &packed))
		return pe_arm64_unwind_add_unknown(function);
	if (packed.is_fragment)
		return add_fragment(function, &packed.beginning);
	struct error *err = add_beginning(function, &packed.beginning);
	uint32_t size = size_of_end(&packed.end);
	return err || size > function->length
		       ? err
		       : pe_arm64_unwind_add_end(function, function->length - size, &packed.end);
}

static bool pe_arm64_unwind_read_record(const struct pe_unwind_image *image, uint32_t address,
					struct record *ret)
{
	enum {
		LENGTH_MASK = 0x3ffff,
		VERSION_SHIFT = 18,
		VERSION_MASK = 3,
		ONE_END = 1 << 21,
		ENDS_SHIFT = 22,
		ENDS_MASK = 31,
		WORDS_SHIFT = 27,
		MORE_ENDS_MASK = 0xffff,
		MORE_WORDS_SHIFT = 16,
		MORE_WORDS_MASK = 0xff,
		WORD = 4,
	};
	struct object_bytes bytes = image->bytes_at(image->context, address);
	struct reader reader = reader_create(bytes.data, bytes.size);
	uint32_t head = reader_u32(&reader);
	uint32_t num_ends = head >> ENDS_SHIFT & ENDS_MASK;
	uint32_t num_words = head >> WORDS_SHIFT;
	if (!num_ends && !num_words) {
		uint32_t more = reader_u32(&reader);
		num_ends = more & MORE_ENDS_MASK;
		num_words = more >> MORE_WORDS_SHIFT & MORE_WORDS_MASK;
	}
	bool is_one_end = head & ONE_END;
	if (reader.failed || head >> VERSION_SHIFT & VERSION_MASK)
		return false;
	*ret = (struct record){
		.length = (head & LENGTH_MASK) * INSTRUCTION,
		.is_one_end = is_one_end,
		.num_ends = is_one_end ? 0 : num_ends,
		.end_index = num_ends,
	};
	ret->ends = reader_sub(&reader, ret->num_ends * (size_t)WORD);
	ret->codes = reader_sub(&reader, num_words * (size_t)WORD);
	return !reader.failed;
}

static bool codes_at(const struct record *record, uint32_t index, struct pe_arm64_codes *ret)
{
	struct reader reader = record->codes;
	reader_skip(&reader, index);
	return pe_arm64_codes_read(&reader, ret);
}

/** The ends of a function stand in their order; damage costs those that follow. */
static struct error *pe_arm64_unwind_add_ends(struct function *function, struct record *record)
{
	enum { PLACE_MASK = 0x3ffff, INDEX_SHIFT = 22 };
	struct error *err = NULL;
	uint64_t last_end = 0;
	for (uint32_t i = 0; !err && i < record->num_ends; i++) {
		struct pe_arm64_codes codes;
		uint32_t word = reader_u32(&record->ends);
		uint32_t place = (word & PLACE_MASK) * INSTRUCTION;
		if (place < last_end || !codes_at(record, word >> INDEX_SHIFT, &codes)) {
			function->table->num_bad++;
			return NULL;
		}
		err = pe_arm64_unwind_add_end(function, place, &codes);
		last_end = (uint64_t)place + size_of_end(&codes);
	}
	return err;
}

static struct error *add_only_end(struct function *function, const struct record *record)
{
	struct pe_arm64_codes codes;
	if (!codes_at(record, record->end_index, &codes)) {
		function->table->num_bad++;
		return NULL;
	}
	uint32_t size = size_of_end(&codes);
	return size > function->length
		       ? NULL
		       : pe_arm64_unwind_add_end(function, function->length - size, &codes);
}

static struct error *pe_arm64_unwind_add_recorded(struct function *function, struct record *record)
{
	struct pe_arm64_codes codes;
	if (!codes_at(record, 0, &codes))
		return pe_arm64_unwind_add_unknown(function);
	struct error *err = add_beginning(function, &codes);
	if (err)
		return err;
	return record->is_one_end ? add_only_end(function, record)
				  : pe_arm64_unwind_add_ends(function, record);
}

/** What is not in the file has no rows, so that these cannot be more than it has instructions. */
static uint32_t length_in_file(const struct pe_unwind_image *image, uint32_t start, uint32_t length)
{
	struct object_bytes code = image->bytes_at(image->context, start);
	if (length > code.size)
		length = (uint32_t)code.size;
	return length < UINT32_MAX - start ? length : UINT32_MAX - start;
}

static struct error *pe_arm64_unwind_add_function(const struct pe_unwind_image *image,
						  uint32_t start, uint32_t unwind,
						  struct cfi_table *table, uint32_t *ret_end)
{
	enum { PACKED_LENGTH_SHIFT = 2, PACKED_LENGTH = 0x7ff };
	struct record record = {.length = INSTRUCTION};
	bool is_packed = unwind & KIND_MASK;
	bool is_damaged = !is_packed && !pe_arm64_unwind_read_record(image, unwind, &record);
	uint32_t length = record.length;
	if (is_packed)
		length = (unwind >> PACKED_LENGTH_SHIFT & PACKED_LENGTH) * INSTRUCTION;
	struct function function = {
		.start = start,
		.length = length_in_file(image, start, length),
		.table = table,
	};
	*ret_end = start + function.length;
	if (is_damaged)
		return pe_arm64_unwind_add_unknown(&function);
	return is_packed ? add_packed(&function, unwind)
			 : pe_arm64_unwind_add_recorded(&function, &record);
}

static struct error *pe_arm64_unwind_add_leaf(struct cfi_table *table, uint32_t address)
{
	const struct pe_frame leaf = pe_frame_create(CFI_AARCH64);
	struct cfi_row row = pe_frame_row(&leaf);
	row.address = address;
	return cfi_table_append(table, row);
}

struct error *pe_arm64_unwind_add(const struct pe_unwind_image *image, struct cfi_table *table)
{
	struct reader reader =
		reader_create(image->arm64_functions.data, image->arm64_functions.size);
	uint32_t last_end = 0;
	struct error *err = NULL;
	while (!err && reader_left(&reader) >= ENTRY_SIZE) {
		uint32_t start = reader_u32(&reader);
		uint32_t unwind = reader_u32(&reader);
		if (start < last_end || !start) {
			table->num_bad += start || unwind;
			continue;
		}
		if (last_end < start)
			err = pe_arm64_unwind_add_leaf(table, last_end);
		if (!err)
			err = pe_arm64_unwind_add_function(image, start, unwind, table, &last_end);
	}
	return err || !table->num_rows ? err : pe_arm64_unwind_add_leaf(table, last_end);
}
