// SPDX-License-Identifier: Apache-2.0

#include "object/dwarf/dwarf_split.h"
#include "object/dwarf/dwarf_root.h"

#include <dwarf.h>

// With -gsplit-dwarf the program keeps a skeleton unit (addresses, line table, DW_AT_dwo_name),
// and the tree of DIEs goes into a .dwo file (DWARF 5, 3.1.2 and 3.1.3; gcc's "DebugFission"
// before). The two halves have the same 64-bit id: in the header in DWARF 5, in DW_AT_GNU_dwo_id
// before. The .dwo file may have units of types as well, and a file of another build has other
// ids, so the unit is found by this id and never by its place. Without a match the file is closed
// again, and dwarf_unit.c reads the few DIEs that the skeleton may have.

static struct error *dwarf_split_read_file(struct dwarf_split *split,
					   const struct dwarf_header *skeleton)
{
	split->file = calloc(1, sizeof(*split->file));
	if (!split->file)
		return &error_no_memory;
	split->debug.image.budget = skeleton->file->units_allowance.budget;
	struct dwarf_file *file = split->file;
	struct error *err = dwarf_file_init(file, &split->debug.image, true);
	for (size_t i = 0; !err && i < file->num_headers && !split->header; i++) {
		struct dwarf_header *header = &file->headers[i];
		err = dwarf_root_need(header, skeleton);
		bool is_compiled = header->type ? header->type == DW_UT_split_compile
						: header->root_tag == DW_TAG_compile_unit;
		if (!err && is_compiled && header->id == skeleton->id)
			split->header = header;
	}
	return err;
}

struct error *dwarf_split_open(struct dwarf_split *split, const struct dwarf_header *skeleton,
			       const char *path, const struct debug_search *search)
{
	struct error *err = debug_file_find_split(&split->debug, skeleton->split_name,
						  skeleton->folder, path, search);
	if (err || !split->debug.path)
		return err;
	err = dwarf_split_read_file(split, skeleton);
	if (err || !split->header)
		dwarf_split_close(split);
	return err;
}

void dwarf_split_close(struct dwarf_split *split)
{
	if (split->file)
		dwarf_file_deinit(split->file);
	free(split->file);
	debug_file_close(&split->debug);
	*split = (struct dwarf_split){0};
}
