// SPDX-License-Identifier: Apache-2.0

#include "symbols/vdso.h"

#include <elf.h>
#include <stdint.h>
#include <sys/auxv.h>

// The vDSO is code that the kernel maps into each process (vdso(7)). It is in no file, but all
// processes have the same image, so that ours is read. The auxiliary vector (getauxval(3)) says
// where it is, but not how long: the end is that of its section headers or of its last segment.

/** Of an image that the kernel made for us; nothing else is trusted so far. */
struct error *vdso_open(struct object **ret)
{
	// The system gives the address as a number.
	const Elf64_Ehdr *header =
		(const Elf64_Ehdr *)(uintptr_t)getauxval(AT_SYSINFO_EHDR); // NOLINT
	if (!header)
		return error_create(ERROR_FAILED, "this kernel has no vDSO");
	// An image that the kernel made for us; nothing else is trusted so far.
	size_t size = header->e_shoff + (size_t)header->e_shnum * header->e_shentsize;
	const Elf64_Phdr *segments = (const Elf64_Phdr *)((const char *)header + header->e_phoff);
	for (unsigned i = 0; i < header->e_phnum; i++)
		if (size < segments[i].p_offset + segments[i].p_filesz)
			size = segments[i].p_offset + segments[i].p_filesz;
	return object_open_memory(header, size, "[vdso]", ret);
}
