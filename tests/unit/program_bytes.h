/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_UNIT_PROGRAM_BYTES_H
#define WPERF_TESTS_UNIT_PROGRAM_BYTES_H

/** Files for those who want to know what a program is. Include behind cmocka.h. */

#include <elf.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static inline void write_file(const char *path, const void *bytes, size_t size, mode_t mode)
{
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(chmod(path, mode), 0);
}

static inline void write_script(const char *path, const char *text)
{
	write_file(path, text, strlen(text), 0755);
}

/** @loader: "" for none. */
static inline void write_program(const char *path, unsigned machine, const char *loader)
{
	struct {
		Elf64_Ehdr header;
		Elf64_Phdr segments[2];
		char loader[128];
	} program = {
		.header =
			{
				.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
					    ELFDATA2LSB},
				.e_machine = (Elf64_Half)machine,
				.e_phoff = sizeof(Elf64_Ehdr),
				.e_phnum = *loader ? 2 : 1,
			},
		.segments = {{.p_type = PT_LOAD}, {.p_type = PT_INTERP}},
	};
	program.segments[1].p_offset = offsetof(__typeof__(program), loader);
	program.segments[1].p_filesz = strlen(loader) + 1;
	snprintf(program.loader, sizeof(program.loader), "%s", loader);
	write_file(path, &program, sizeof(program), 0755);
}

#endif
