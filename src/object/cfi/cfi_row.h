/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_CFI_CFI_ROW_H
#define WPERF_OBJECT_CFI_CFI_ROW_H

/** A section of call frame information, and the rules for the addresses from one place on. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cfi_machine { CFI_X86_64, CFI_AARCH64 };

enum cfi_cfa {
	CFI_CFA_GAP,      /* no function of the section: frame pointers may help */
	CFI_CFA_UNKNOWN,  /* a rule that rows cannot express: the walk ends here */
	CFI_CFA_SP,       /* sp + cfa_offset */
	CFI_CFA_FP,       /* frame pointer + cfa_offset */
	CFI_CFA_PLT,      /* x86-64 linker stubs: sp + 8 + ((ip & 15) >= cfa_offset ? 8 : 0) */
	CFI_CFA_DEREF_SP, /* what is at sp + cfa_offset, + cfa_addend: realigned stacks, signals */
	CFI_CFA_DEREF_FP,
};

enum cfi_saved {
	CFI_SAVED_SAME,      /* still in its register */
	CFI_SAVED_CFA,       /* in memory at cfa + offset */
	CFI_SAVED_SP,        /* in memory at this frame's sp + offset */
	CFI_SAVED_FP,        /* in memory at this frame's frame pointer + offset */
	CFI_SAVED_UNDEFINED, /* return address: the outermost frame; frame pointer: it is lost */
};

struct cfi_row {
	uint64_t address; /* holds from here up to the next row */
	int32_t cfa_offset;
	int32_t return_offset, frame_pointer_offset;
	uint8_t cfa;                /* enum cfi_cfa */
	uint8_t return_address : 4; /* enum cfi_saved; SAME: in the link register (AArch64 leaf) */
	uint8_t frame_pointer : 4;  /* enum cfi_saved */
	bool is_signal_frame : 1;   /* the address in it is no return address */
	bool is_return_address_signed : 1; /* AArch64 pointer authentication */
	bool lacks_link_register : 1;      /* of AArch64's signal frames */
	int8_t cfa_addend;                 /* of the DEREF forms */
};

struct cfi_section {
	const void *data;
	size_t size;
	uint64_t address; /* of the section, as linked */
	bool is_debug_frame;
	uint64_t text_address, data_address; /* for encodings relative to these; 0 if none are */
	uint64_t entry_address; /* where the kernel starts the module; 0 if it does not */
};

#endif
