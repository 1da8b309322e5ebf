// SPDX-License-Identifier: Apache-2.0

#include "object/dwarf/dwarf_lines.h"

#include "base/container/bisect.h"
#include "base/text/ascii.h"
#include "base/text/string_builder.h"
#include "object/dwarf/dwarf_rows.h"

#include <string.h>

// Rows are made when the first address is asked for, and the path of a file when the first row with
// it is; both are kept. A path has up to three parts: the folder in which the compiler ran, a
// folder of the table, which may count from that one, and the name, which may have folders of its
// own (DWARF 5, 6.2.4; in DWARF 5 folder 0 is that of the compiler, too). Paths of Windows are
// known as such, because compilers of mingw write DWARF with them.

void dwarf_lines_destroy(struct dwarf_lines *lines)
{
	if (!lines)
		return;
	free(lines->folders);
	free(lines->files);
	free(lines->rows);
	free(lines);
}

struct error *dwarf_lines_need_rows(struct dwarf_lines *lines, const struct elf_image *code,
				    size_t *budget, struct read_allowance *allowance)
{
	if (lines->rows_are_read)
		return NULL;
	// Beyond the budget a table has no rows: units of a damaged file may overlap.
	size_t length = reader_left(&lines->program.reader);
	struct error *err = NULL;
	if (length <= *budget) {
		*budget -= length;
		err = dwarf_rows_read(lines, code, allowance);
	} else if (!lines->program.reader.failed) {
		read_allowance_note(allowance);
	}
	lines->rows_are_read = !err;
	return err;
}

uint32_t dwarf_lines_find(const struct dwarf_lines *lines, uint64_t address)
{
	size_t count = BISECT_U64(lines->rows, lines->num_rows, address, address);
	bool is_known = count && count <= DWARF_LINES_NONE && !lines->rows[count - 1].is_end;
	return is_known ? (uint32_t)(count - 1) : DWARF_LINES_NONE;
}

/** From a root on, of whichever system it is of. */
static bool dwarf_lines_is_whole(const char *path)
{
	if (!path || !path[0])
		return false;
	char first = ascii_lower(path[0]);
	return first == '/' || first == '\\' || (first >= 'a' && first <= 'z' && path[1] == ':');
}

static void append_folder(struct string_builder *path, const char *folder)
{
	size_t length = folder ? strlen(folder) : 0;
	if (!length)
		return;
	string_builder_append_n(path, folder, length);
	if (folder[length - 1] != '/' && folder[length - 1] != '\\')
		string_builder_append(path, "/");
}

static const char *dwarf_lines_folder_of(const struct dwarf_lines *lines, uint64_t number)
{
	return number < lines->num_folders ? lines->folders[number] : NULL;
}

struct error *dwarf_lines_path(struct dwarf_lines *lines, uint64_t number,
			       struct string_table *paths, const char **ret)
{
	struct dwarf_lines_file *file = number < lines->num_files ? &lines->files[number] : NULL;
	*ret = file ? file->path : NULL;
	if (*ret || !file || !file->name)
		return NULL;
	_cleanup_(string_builder_deinit) struct string_builder path = STRING_BUILDER_INIT;
	if (!dwarf_lines_is_whole(file->name)) {
		// The folder of the file may be within the first one, and that within the unit's.
		const char *folder = dwarf_lines_folder_of(lines, file->folder);
		const char *first = file->folder ? dwarf_lines_folder_of(lines, 0) : NULL;
		const char *outer = first ? first : folder;
		bool is_in_unit = !dwarf_lines_is_whole(folder) && !dwarf_lines_is_whole(first) &&
				  lines->folder && (!outer || strcmp(outer, lines->folder) != 0);
		append_folder(&path, is_in_unit ? lines->folder : NULL);
		append_folder(&path, dwarf_lines_is_whole(folder) ? NULL : first);
		append_folder(&path, folder);
	}
	string_builder_append(&path, file->name);
	if (path.failed)
		return &error_no_memory;
	uint32_t id;
	struct error *err = string_table_intern(paths, path.text, &id);
	if (!err)
		*ret = file->path = string_table_get(paths, id);
	return err;
}
