/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_CFI_CFI_ENTRY_H
#define WPERF_OBJECT_CFI_CFI_ENTRY_H

/**
 * The entries of .eh_frame and .debug_frame: common ones (CIE) that many functions share, and one
 * per function or piece of it (FDE).
 */

#include "base/reader.h"
#include "object/cfi/cfi_pointer.h"
#include "object/cfi/cfi_state.h"

struct cfi_entry {
	size_t offset; /* in the section, of its length */
	size_t body;   /* in the section, behind its length and its id */
	size_t end;
	bool is_common;
	bool is_terminator;     /* an entry of length 0 */
	uint64_t common_offset; /* of an FDE: the offset of its CIE */
};

/**
 * Read the head of the entry at the reader's place and move to the next entry. False at the end,
 * and where lengths make no sense, since what follows cannot be found then (@reader has failed).
 */
bool cfi_entry_next(struct reader *section, bool is_debug_frame, struct cfi_entry *ret);

struct cfi_common {
	size_t offset; /* the key */
	uint64_t code_factor;
	int64_t data_factor;
	uint64_t return_register;
	uint8_t pointer_encoding;
	bool has_augmentation; /* of a length that is said, in each FDE */
	bool is_signal_frame;
	size_t instructions, end; /* in the section */
	struct cfi_state initial; /* behind its instructions; set by cfi_program_initial() */
};

/** False: damaged, or of a kind that we do not know. */
bool cfi_common_read(struct reader section, const struct cfi_entry *entry, struct cfi_common *ret);

struct cfi_function {
	uint64_t start, end; /* addresses, as linked */
	uint32_t common;     /* index of its CIE */
	size_t instructions, instructions_end;
};

/** As cfi_common_read(); @ret->common is the caller's to set. */
bool cfi_function_read(struct reader section, const struct cfi_entry *entry,
		       const struct cfi_common *common, struct cfi_pointer_bases bases,
		       struct cfi_function *ret);

#endif
