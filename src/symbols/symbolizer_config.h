/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SYMBOLS_SYMBOLIZER_CONFIG_H
#define WPERF_SYMBOLS_SYMBOLIZER_CONFIG_H

/** What a symbolizer is told of a recording and of the user's wishes. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct language;
struct perf_data_method;
struct perf_data_pdb;
struct process_users;
struct symbol_path;

/** A name that is known beforehand: of simulated programs, of tests. Addresses are absolute. */
struct symbolizer_name {
	uint64_t address, size;
	const char *name;
	const char *file; /* NULL: not known */
	uint32_t line;
};

/** Code that the session can name although it has no symbol; addresses are relative to the image.
 */
struct symbolizer_range {
	uint64_t start, end;
};

struct symbolizer_config {
	/** Files are looked for below these folders first (":" between them), as recorded paths
	 *  are relative to a sysroot, and by build id below their .build-id. NULL: none. */
	const char *sysroots;
	struct symbol_path *symbol_path; /* of PDBs, as in struct object_places; or NULL */
	/** Kernel addresses are those of the running kernel: its kallsyms may be used. */
	bool is_this_kernel;
	/** Processes of the recording may still be there: /proc/PID/root leads to their files. */
	bool are_processes_here;
	const struct process_users *users; /* as in struct module_file_search */
	bool with_lines; /* also files and lines, and inlined calls as frames of their own */
	/** Functions are read from files of so many bytes together; those of further files, and of
	 *  one that is larger, stay unknown, with module and address. 0: no limit. */
	uint64_t max_file_bytes;
	bool with_full_names;            /* C++ names with all their arguments */
	const struct language *language; /* of interpreted code; NULL: not known */
	/** The recording's own image of interpreted lines (object/line_image/line_image.h), for
	 * the module with its build id; copied. NULL: it has none. */
	const uint8_t *line_image;
	size_t line_image_size;
	/** Names that the recording brings along (symbols/recorded/recorded_names.h), for what
	 * nothing here names, or not with lines; copied. NULL: none. */
	const uint8_t *recorded_names;
	size_t recorded_names_size;
	/** What identifies Windows images and their PDBs, and the code that runtimes compiled,
	 * sorted by process and start. Needed as long as places are resolved. */
	const struct perf_data_pdb *pdbs;
	size_t num_pdbs;
	const struct perf_data_method *methods;
	size_t num_methods;
	const struct symbolizer_name *names; /* for MODULE_MEMORY and MODULE_UNMAPPED */
	size_t num_names;
};

#endif
