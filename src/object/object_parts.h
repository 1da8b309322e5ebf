/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_OBJECT_PARTS_H
#define WPERF_OBJECT_OBJECT_PARTS_H

/** What files with machine code are made of, whatever their format. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum object_machine { OBJECT_MACHINE_OTHER, OBJECT_MACHINE_X86_64, OBJECT_MACHINE_AARCH64 };

struct object_symbol {
	uint64_t address;
	uint64_t size;    /* at least 1: up to the next symbol or the section's end if not said */
	const char *name; /* as in the table: mangled, without a version */
};

/** One line of an address; several when calls were inlined there. */
struct object_line {
	const char *function; /* linkage name if there is one, else name; NULL if not known */
	const char *file;     /* NULL if not known */
	uint32_t line, column;
	uint32_t discriminator;   /* tells pieces of code of a line apart, by DWARF; 0: none */
	uint32_t definition_line; /* of the function; 0 if not known */
	const char *definition_file;
};

/** Where the code of a file is for one machine, of files that have code for two. */
struct object_code_range {
	uint64_t address, size;
	enum object_machine machine;
};

/** Where a variable is. */
struct object_variable {
	uint64_t address, size; /* size: 0 if not said */
};

/** Where a function is that was looked up by its name. */
struct object_function {
	uint64_t address, size; /* size: 0 if not said */
	bool is_chooser;        /* it only chooses, once, which function the name is to mean */
};

/** Which PDB has the names of a Windows image, and what identifies the image itself. */
struct object_pdb {
	uint8_t build_id[20];            /* of the image, as object_build_id() gives it */
	uint8_t build_id_size;           /* 0: the PDB is not known */
	uint32_t age;                    /* how often the PDB was written since it got its GUID */
	const char *name;                /* of the PDB, without a folder; NULL: not known */
	uint32_t image_time, image_size; /* as the headers of the image say; 0: not known */
};

/** Bytes of the file, in place. */
struct object_bytes {
	const uint8_t *data; /* NULL: there are none */
	size_t size;
	uint64_t address; /* of the first one */
};

#endif
