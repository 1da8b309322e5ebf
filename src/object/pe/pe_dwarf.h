/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_PE_PE_DWARF_H
#define WPERF_OBJECT_PE_PE_DWARF_H

/**
 * The DWARF that mingw's and LLVM's compilers leave in a Windows image, as an ELF file with the
 * same sections, so that one reader does for both. Its addresses are those of the DWARF: with the
 * base of the image.
 */

#include "object/elf/elf_image.h"
#include "object/pe/pe_image.h"

struct pe_dwarf {
	char *bytes; /* NULL: the image has no DWARF */
	size_t size;
	struct elf_image image;
};

#define PE_DWARF_INIT \
	{             \
	}

/** @dwarf: empty before. */
struct error *pe_dwarf_init(struct pe_dwarf *dwarf, const struct pe_image *image, const char *name);
void pe_dwarf_deinit(struct pe_dwarf *dwarf);

#endif
