/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_UNWIND_ELF_SECTION_H
#define WPERF_TESTS_UNWIND_ELF_SECTION_H

/** A section of a 64-bit ELF file that the test made or the system has: it is trusted. */

#include "base/file/file_map.h"
#include "object/cfi/cfi_table.h"

#include <elf.h>
#include <string.h>

static inline bool elf_section_find(const struct file_map *file, const char *name,
				    struct cfi_section *ret)
{
	const char *data = file->data;
	const Elf64_Ehdr *header = file->data;
	const Elf64_Shdr *sections = (const void *)(data + header->e_shoff);
	const char *names = data + sections[header->e_shstrndx].sh_offset;
	for (size_t i = 0; i < header->e_shnum; i++) {
		if (strcmp(names + sections[i].sh_name, name) != 0)
			continue;
		*ret = (struct cfi_section){
			.data = data + sections[i].sh_offset,
			.size = sections[i].sh_size,
			.address = sections[i].sh_addr,
			.is_debug_frame = strcmp(name, ".debug_frame") == 0,
		};
		return true;
	}
	return false;
}

static inline enum cfi_machine elf_section_machine(const struct file_map *file)
{
	const Elf64_Ehdr *header = file->data;
	return header->e_machine == EM_AARCH64 ? CFI_AARCH64 : CFI_X86_64;
}

#endif
