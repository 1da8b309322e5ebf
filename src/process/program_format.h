/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_PROGRAM_FORMAT_H
#define WPERF_PROCESS_PROGRAM_FORMAT_H

/** What a file is that somebody wants to run, by its first bytes: for which system and machine. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum program_format_kind {
	PROGRAM_FORMAT_UNKNOWN,
	PROGRAM_FORMAT_EMPTY,
	PROGRAM_FORMAT_TEXT, /* without "#!" */
	PROGRAM_FORMAT_SCRIPT,
	PROGRAM_FORMAT_ELF,
	PROGRAM_FORMAT_PE,
	PROGRAM_FORMAT_MACH_O,
};

/* So many bytes of the file are enough. */
enum { PROGRAM_FORMAT_BYTES = 4096, PROGRAM_FORMAT_PATH_SIZE = 256 };

struct program_format {
	enum program_format_kind kind;
	/* as uname says it ("aarch64", "x86_64"), of ELF and PE; NULL: we have no name for it */
	const char *machine;
	bool is_program; /* ELF: linked to be run; no relocatable object, no core dump */
	/* of a script what its first line names, of ELF its loader; "" if there is none */
	char interpreter[PROGRAM_FORMAT_PATH_SIZE];
};

/** @bytes: the beginning of the file, hostile or not. */
struct program_format program_format_read(const uint8_t *bytes, size_t size);

/** "AArch64", "x86-64": for people. @machine: as above; other names come back as they are. */
const char *program_format_machine_title(const char *machine);

#endif
