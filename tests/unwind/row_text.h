/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_UNWIND_ROW_TEXT_H
#define WPERF_TESTS_UNWIND_ROW_TEXT_H

/** A row as one line of numbers, for the programs in Python that check tables. */

#include "object/cfi/cfi_table.h"

#include <inttypes.h>
#include <stdio.h>

static inline void row_text_print(const struct cfi_row *row)
{
	printf("%" PRIx64 " %d %d %d %d %d %d %d %d %d\n", row->address, row->cfa, row->cfa_offset,
	       row->cfa_addend, row->return_address, row->return_offset, row->frame_pointer,
	       row->frame_pointer_offset, row->is_signal_frame, row->is_return_address_signed);
}

#endif
