/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_PROGRAM_FORMAT_H
#define WPERF_PROCESS_PROGRAM_FORMAT_H

/** Recognises the format of a program by its first bytes: for which system and machine it is. */

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

/* The number of bytes that are needed. */
enum { PROGRAM_FORMAT_BYTES = 4096, PROGRAM_FORMAT_PATH_SIZE = 256 };

struct program_format {
	enum program_format_kind kind;
	/* of ELF and PE, as in uname ("aarch64", "x86_64"); NULL: unknown */
	const char *machine;
	bool is_program; /* ELF: an executable, not a relocatable object or core dump */
	/* of a script that of its first line, of ELF its loader; "": none */
	char interpreter[PROGRAM_FORMAT_PATH_SIZE];
};

/** @bytes: the beginning of the file, untrusted. */
struct program_format program_format_read(const uint8_t *bytes, size_t size);

/** The same of a file. False: it cannot be opened, or is not a regular file. */
bool program_format_read_file(const char *path, struct program_format *ret);

/** "AArch64", "x86-64": for messages. @machine: as above; other names are returned unchanged. */
const char *program_format_machine_title(const char *machine);

#endif
