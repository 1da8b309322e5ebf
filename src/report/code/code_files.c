// SPDX-License-Identifier: Apache-2.0
// The files that machine code is read from: those of the profile's modules, found by the same
// search as their symbols (module_file.h), so that a build id or --sysroot decides. A file is
// opened when the first function of it is shown, and a refusal is kept as well: forty functions of
// a library that is gone cost one search. There is one disassembler for each machine, made when it
// is needed.

#include "report/code/code_files.h"

#include "base/file/file_name.h"
#include "record/build_id.h"
#include "symbols/module_file.h"

#include <stdlib.h>
#include <string.h>

// The size of a function is the file's claim; a megabyte of instructions is more than anybody
// reads.
enum { MAX_CODE_BYTES = 1 << 20 };

struct code_file {
	bool was_opened;
	struct object *object;
	struct error *refusal;
};

struct error *code_files_init(struct code_files *files, const struct named_profile *profile,
			      const char *sysroots)
{
	*files = (struct code_files){
		.profile = profile,
		.sysroots = sysroots,
		.items = calloc(profile->num_modules + 1, sizeof(*files->items)),
	};
	return files->items ? NULL : &error_no_memory;
}

void code_files_deinit(struct code_files *files)
{
	for (size_t i = 0; files->items && i < files->profile->num_modules; i++) {
		object_destroy(files->items[i].object);
		error_destroy(files->items[i].refusal);
	}
	free(files->items);
	for (size_t i = 0; i <= OBJECT_MACHINE_AARCH64; i++)
		disassembler_destroy(files->disassemblers[i]);
	*files = (struct code_files){0};
}

static struct error *code_files_open_file(const struct code_files *files, uint32_t module,
					  struct object **ret)
{
	const struct named_module *named = &files->profile->modules[module];
	const struct module_file_search search = {
		.sysroots = files->sysroots,
		.symbol_path = files->symbol_path,
		.rights = named->has_rights ? &named->rights : NULL,
	};
	const struct module wanted = {
		.kind = MODULE_FILE,
		.path = named_profile_text(files->profile, named->path),
		.build_id = build_id_parse(named_profile_text(files->profile, named->build_id)),
	};
	// "[heap]" or "[kernel.kallsyms]".
	if (wanted.path[0] != '/' && !file_name_has_drive(wanted.path))
		return error_create(ERROR_FAILED, "'%s' is not a file", wanted.path);
	return module_file_open(&search, &wanted, ret);
}

struct error *code_files_object(struct code_files *files, uint32_t module, struct object **ret)
{
	// Code of a JIT compiler, or an address in no mapping.
	if (module == NAMED_NONE)
		return error_create(ERROR_FAILED, "its code is not from a file");
	struct code_file *file = &files->items[module];
	if (!file->was_opened)
		file->refusal = code_files_open_file(files, module, &file->object);
	file->was_opened = true;
	// The error is made anew each time, since callers destroy theirs.
	*ret = file->object;
	if (!file->refusal)
		return NULL;
	const struct named_module *named = &files->profile->modules[module];
	struct error *err = error_create(file->refusal->code, "%s: %s",
					 named_profile_text(files->profile, named->path),
					 file->refusal->message);
	return file->refusal->hint ? error_with_hint(err, "%s", file->refusal->hint) : err;
}

struct error *code_files_decode(struct code_files *files, struct object *object,
				const struct object_symbol *symbol, struct instruction_list *ret)
{
	// Arm64EC and Arm64X images have code for both machines.
	enum object_machine machine = object_machine_at(object, symbol->address);
	if (machine > OBJECT_MACHINE_AARCH64)
		machine = OBJECT_MACHINE_OTHER;
	struct disassembler **disassembler = &files->disassemblers[machine];
	struct error *err = *disassembler ? NULL : disassembler_open(machine, disassembler);
	if (err)
		return err;
	size_t size = symbol->size < MAX_CODE_BYTES ? symbol->size : MAX_CODE_BYTES;
	return disassembler_decode(*disassembler, object_code(object, symbol->address, size), ret);
}
