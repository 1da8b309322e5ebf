// SPDX-License-Identifier: Apache-2.0

#include "symbols/recorded/recorded_namer.h"

#include <stdlib.h>
#include <string.h>

// Names that were found while recording are used where the reader has nothing better (place_namer.c
// decides). They go through function_namer.c like those of a symbol table, as the recording has
// linkage names: the reader's options choose how names look. Each function of the recording is
// added to the profile once; functions[] has its number there, plus 1, so that 0 means not yet.

struct error *recorded_namer_init(struct recorded_namer *namer, const uint8_t *bytes, size_t size)
{
	*namer = (struct recorded_namer){0};
	if (!size)
		return NULL;
	namer->bytes = malloc(size);
	if (!namer->bytes)
		return &error_no_memory;
	memcpy(namer->bytes, bytes, size);
	struct error *err = recorded_names_read(namer->bytes, size, &namer->names);
	if (err && err->code == ERROR_NO_MEMORY)
		return err;
	if (err) { // damaged: each module says that it has no names
		error_destroy(err);
		return NULL;
	}
	namer->functions =
		calloc(recorded_names_num_functions(namer->names) + 1, sizeof(*namer->functions));
	return namer->functions ? NULL : &error_no_memory;
}

void recorded_namer_deinit(struct recorded_namer *namer)
{
	recorded_names_destroy(namer->names);
	free(namer->functions);
	free(namer->bytes);
}

const struct recorded_place *recorded_namer_find(const struct recorded_namer *namer,
						 const struct known_module *known, uint64_t address)
{
	return namer->names ? recorded_names_find(namer->names, &known->module, address) : NULL;
}

/** "[jit]", "[ext4]": code of other modules than the one that was asked for. */
struct error *recorded_namer_function(struct recorded_namer *namer,
				      struct function_namer *functions,
				      struct named_profile *profile,
				      const struct known_module *known, uint32_t function,
				      uint32_t *ret)
{
	uint32_t *added = &namer->functions[function];
	const struct recorded_function *recorded = recorded_names_function(namer->names, function);
	if (*added) {
		*ret = *added - 1;
		return NULL;
	}
	struct function_facts facts = {
		.name = recorded->name,
		.name_length = strlen(recorded->name),
		.module = known->named,
		.kind = (enum frame_kind)recorded->kind,
		.file = recorded->file[0] ? recorded->file : NULL,
		.line = recorded->line,
	};
	struct error *err = NULL;
	// Functions whose module is not that of their place: "[ext4]" of the kernel, "[jit]".
	if (recorded->module[0]) {
		struct named_module module = {0};
		err = named_profile_string(profile, recorded->module, &module.name);
		module.path = module.name;
		if (!err)
			err = named_profile_module(profile, &module, &facts.module);
	}
	if (!err)
		err = function_namer_add(functions, profile, &facts, ret);
	if (!err)
		*added = *ret + 1;
	return err;
}
