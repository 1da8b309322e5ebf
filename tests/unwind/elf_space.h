/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_UNWIND_ELF_SPACE_H
#define WPERF_TESTS_UNWIND_ELF_SPACE_H

/** The modules of this process, or of one that was forked from it, as the walk needs them. */

#include "stack/native_unwind.h"
#include "tests/unwind/elf_section.h"

#include <link.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>

enum { MAX_MODULES = 16, MAX_SEGMENTS = 4 };

struct elf_module {
	uint64_t bias;
	struct {
		uint64_t start, end;
	} code[MAX_SEGMENTS];
	size_t num_code;
	struct file_map file;
	struct cfi_table table;
	bool has_table;
};

struct elf_space {
	struct elf_module modules[MAX_MODULES];
	size_t num_modules;
	bool without_tables; /* then everything is walked by frame pointers */
};

static inline void elf_module_open(struct elf_module *module, const char *path)
{
	struct error *err = file_map_open(&module->file, path[0] ? path : "/proc/self/exe");
	if (!err)
		return;
	error_destroy(err);
	// The kernel's own module has no file, but its memory is one.
	module->file =
		(struct file_map){.data = (const void *)getauxval(AT_SYSINFO_EHDR), .size = 1};
}

static inline int elf_space_add(struct dl_phdr_info *info, size_t size, void *context)
{
	struct elf_space *space = context;
	if (space->num_modules == MAX_MODULES)
		abort();
	struct elf_module *module = &space->modules[space->num_modules++];
	module->bias = info->dlpi_addr;
	for (size_t i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X))
			continue;
		uint64_t start = info->dlpi_addr + segment->p_vaddr;
		module->code[module->num_code].start = start;
		module->code[module->num_code++].end = start + segment->p_memsz;
	}
	elf_module_open(module, info->dlpi_name);
	struct cfi_section section;
	if (elf_section_find(&module->file, ".eh_frame", &section))
		module->has_table = !cfi_table_create(&section, elf_section_machine(&module->file),
						      &module->table);
	return 0;
}

static inline void elf_space_init(struct elf_space *space)
{
	*space = (struct elf_space){0};
	dl_iterate_phdr(elf_space_add, space);
}

/** A copy of what may not be there: the kernel, unlike us, only says so. */
static inline bool read_unsafe(uint64_t address, void *ret, size_t size)
{
	int ends[2];
	if (pipe(ends) < 0)
		return false;
	bool is_there = write(ends[1], (const void *)address, size) == (ssize_t)size &&
			read(ends[0], ret, size) == (ssize_t)size;
	close(ends[0]);
	close(ends[1]);
	return is_there;
}

/** AArch64: where signal handlers return to, wherever the kernel or an emulator has put it. */
static inline bool is_trampoline(uint64_t address)
{
	static const uint32_t wanted[] = {0xd2801168, 0xd4000001}; // mov x8, #139; svc #0
	uint32_t code[2];
	return read_unsafe(address + 1, code, sizeof(code)) &&
	       memcmp(code, wanted, sizeof(code)) == 0;
}

static inline bool elf_space_find(void *context, uint64_t address, struct unwind_module *ret)
{
	const struct elf_space *space = context;
	for (size_t i = 0; i < space->num_modules; i++) {
		const struct elf_module *module = &space->modules[i];
		for (size_t j = 0; j < module->num_code; j++) {
			if (address < module->code[j].start || address >= module->code[j].end)
				continue;
			bool has_table = module->has_table && !space->without_tables;
			*ret = (struct unwind_module){.table = has_table ? &module->table : NULL,
						      .bias = module->bias};
			return true;
		}
	}
	*ret = (struct unwind_module){.is_vdso = is_trampoline(address)};
	return ret->is_vdso;
}

#endif
