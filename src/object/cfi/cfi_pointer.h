/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_CFI_CFI_POINTER_H
#define WPERF_OBJECT_CFI_CFI_POINTER_H

/** Addresses as .eh_frame stores them: a byte (DW_EH_PE_*) tells their size and what to add. */

#include "base/reader.h"

#include <stdint.h>

enum {
	CFI_POINTER_ABSOLUTE = 0x00, /* eight bytes, nothing to add */
	CFI_POINTER_FORMAT_MASK = 0x0f,
	CFI_POINTER_OMITTED = 0xff,
};

/** What the encodings may be relative to. */
struct cfi_pointer_bases {
	uint64_t section, text, data; /* addresses, as linked */
};

/**
 * The pointer at the reader's place; the reader's buffer is the whole section. Unknown encodings,
 * and indirect ones (they would need the memory of the process), make the reader fail.
 */
uint64_t cfi_pointer_read(struct reader *reader, uint8_t encoding,
			  const struct cfi_pointer_bases *bases);

/** Move past a pointer whose value does not matter, indirect or not. */
void cfi_pointer_skip(struct reader *reader, uint8_t encoding);

#endif
