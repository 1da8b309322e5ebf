/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_CODE_CODE_FILES_H
#define WPERF_REPORT_CODE_CODE_FILES_H

/** The files that the modules of a profile are of, each opened once, and their machine code. */

#include "base/error.h"
#include "object/disassembly/disassembler.h"
#include "object/object.h"
#include "profile/named_profile.h"

struct code_file; /* private */

struct code_files {
	const struct named_profile *profile;
	const char *sysroots;            /* see module_file.h; or NULL */
	struct symbol_path *symbol_path; /* the same; set it behind code_files_init() */
	struct code_file *items;         /* by number of the module */
	struct disassembler *disassemblers[OBJECT_MACHINE_AARCH64 + 1];
};

/** The profile and @sysroots must outlive the files. */
struct error *code_files_init(struct code_files *files, const struct named_profile *profile,
			      const char *sysroots);
void code_files_deinit(struct code_files *files);

/** @module: index, or NAMED_NONE. The error says why there is no code. */
struct error *code_files_object(struct code_files *files, uint32_t module, struct object **ret);

/** The instructions of a function of the object. @ret is empty before. */
struct error *code_files_decode(struct code_files *files, struct object *object,
				const struct object_symbol *symbol, struct instruction_list *ret);

#endif
