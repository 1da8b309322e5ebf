// SPDX-License-Identifier: Apache-2.0
// The first byte chooses machine and kind of section, the rest is the section.

#include "object/cfi/cfi_pieces.h"
#include "object/cfi/cfi_table.h"

#include <stdlib.h>

enum { AARCH64 = 1, DEBUG_FRAME = 2 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** The build of fuzzers has no assert(). */
static void require(bool holds)
{
	if (!holds)
		abort();
}

static void ask_pieces(const struct cfi_section *section, const struct cfi_table *table)
{
	enum { MAX = 8 };
	uint64_t addresses[MAX];
	struct cfi_piece pieces[MAX];
	size_t num = table->num_rows < MAX ? table->num_rows : MAX;
	for (size_t i = 0; i < num; i++)
		addresses[i] = table->rows[i].address;
	size_t num_pieces = cfi_pieces_find(section, addresses, num, pieces, MAX);
	require(num_pieces <= MAX && (num || !num_pieces));
	for (size_t i = 0; i < num_pieces; i++)
		require(pieces[i].start < pieces[i].end);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	struct cfi_section section = {
		.data = data + 1,
		.size = size - 1,
		.address = 0x10000,
		.text_address = 0x20000,
		.data_address = 0x30000,
		.is_debug_frame = data[0] & DEBUG_FRAME,
	};
	_cleanup_(cfi_table_deinit) struct cfi_table table = CFI_TABLE_INIT;
	struct error *err =
		cfi_table_create(&section, data[0] & AARCH64 ? CFI_AARCH64 : CFI_X86_64, &table);
	require(!err);
	require(table.num_rows <= size && table.num_bad <= size);
	ask_pieces(&section, &table);
	for (size_t i = 0; i < table.num_rows; i++) {
		const struct cfi_row *row = &table.rows[i];
		require(i == 0 || row[-1].address < row->address);
		require(row->cfa <= CFI_CFA_DEREF_FP && row->return_address <= CFI_SAVED_UNDEFINED);
		require(cfi_table_find(&table, row->address) == row);
		if (row->address)
			require(cfi_table_find(&table, row->address - 1) == (i ? row - 1 : NULL));
	}
	return 0;
}
