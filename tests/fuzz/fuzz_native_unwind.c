// SPDX-License-Identifier: Apache-2.0
// Rows, registers and a stack of any content. What a walk may not do is to leave the stack, to
// write behind its arrays, or to go on for ever.

#include "base/reader.h"
#include "stack/native_unwind.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** The build of fuzzers has no assert(). */
static void require(bool holds)
{
	if (!holds)
		abort();
}

enum { NUM_ROWS = 16, ROW_SIZE = 16, MAX_FRAMES = 64 };
// The first addresses have the rows, and behind them is code without a table, and a vdso.
enum { CODE_END = NUM_ROWS * ROW_SIZE, PLAIN_END = 2 * CODE_END, VDSO_END = 3 * CODE_END };

static bool find_module(void *context, uint64_t address, struct unwind_module *ret)
{
	*ret = (struct unwind_module){.table = address < CODE_END ? context : NULL,
				      .is_vdso = address >= PLAIN_END};
	return address < VDSO_END;
}

static struct cfi_row read_row(struct reader *reader)
{
	uint8_t kinds = reader_u8(reader), more = reader_u8(reader);
	return (struct cfi_row){
		.cfa = (kinds & 7) % (CFI_CFA_DEREF_FP + 1),
		.return_address = (kinds >> 3) % (CFI_SAVED_UNDEFINED + 1),
		.frame_pointer = (more & 7) % (CFI_SAVED_UNDEFINED + 1),
		.is_signal_frame = more & 8,
		.is_return_address_signed = more & 16,
		.cfa_addend = (int8_t)more,
		// Mostly near, where the stack is; sometimes anywhere.
		.cfa_offset = (int8_t)reader_u8(reader) * (more & 32 ? 1 << 24 : 1),
		.return_offset = (int8_t)reader_u8(reader) * (more & 64 ? 1 << 24 : 1),
		.frame_pointer_offset = (int8_t)reader_u8(reader),
	};
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct reader reader = reader_create(data, size);
	struct cfi_row rows[NUM_ROWS];
	for (size_t i = 0; i < NUM_ROWS; i++) {
		rows[i] = read_row(&reader);
		rows[i].address = i * ROW_SIZE;
	}
	struct cfi_table table = {.rows = rows, .num_rows = NUM_ROWS};
	uint8_t settings = reader_u8(&reader);
	struct unwind_space space = {.machine = settings & 1 ? CFI_AARCH64 : CFI_X86_64,
				     .find_module = find_module,
				     .context = &table};
	struct unwind_regs regs = {reader_u64(&reader), reader_u64(&reader), reader_u64(&reader),
				   reader_u64(&reader)};
	if (reader.failed)
		return 0;
	size_t max_frames = (settings >> 1) % (MAX_FRAMES + 1), num = SIZE_MAX;
	_cleanup_free_ uint8_t *bytes = malloc(reader_left(&reader) + 1);
	_cleanup_free_ uint64_t *frames = calloc(max_frames + 1, sizeof(*frames));
	_cleanup_free_ bool *is_return_address = calloc(max_frames + 1, sizeof(bool));
	memcpy(bytes, data + reader.offset, reader_left(&reader));
	struct stack_copy stack = {
		.address = regs.sp, .bytes = bytes, .size = reader_left(&reader)};
	enum unwind_end end = native_unwind(&space, &regs, &stack, frames, is_return_address, NULL,
					    max_frames, &num);
	require(end < UNWIND_NUM_ENDS && num <= max_frames);
	require(end != UNWIND_END_NO_ROOM || num == max_frames);
	require(!max_frames || num);
	for (size_t i = 1; i < num; i++)
		require(frames[i] < VDSO_END + 1);
	require(frames[max_frames] == 0 && !is_return_address[max_frames]);
	return 0;
}
