// SPDX-License-Identifier: Apache-2.0

#include "object/pdb/pdb_publics.h"

#include "object/pdb/pdb_record.h"

#include <stdlib.h>
#include <string.h>

// The public stream has a hash table for names and, behind it, the address map: offsets of S_PUB32
// records in the stream of symbol records, sorted by address (LLVM's "The PDB Public Symbol
// Stream"). Only the map is used, since we search by address and never by name. Records that are
// not code are left out: by their flags, or else by the flags of the section that they are in.
//
// PDBs without section headers are mostly those of NGEN and crossgen2. crossgen2 ends names of
// methods with "$#ASSEMBLY#TOKEN" (its PdbWriter.cs), which is cut off. The offset of a method's
// cold part may be an address by mistake (dotnet/runtime issue 101815), so these parts are left
// out.

static const char cold[] = "[COLD] ";

enum { FLAG_CODE = 1, FLAG_FUNCTION = 2 }; // CV_PUBSYMFLAGS

/** Without "$#ASSEMBLY#TOKEN"; NULL: no memory. @left: what may still be copied. */
static const char *pdb_publics_method_name(struct pdb_publics *publics, const char *name,
					   size_t *left)
{
	const char *end = NULL;
	for (const char *at = strstr(name, "$#"); at; at = strstr(at + 1, "$#"))
		end = at;
	size_t length = end ? (size_t)(end - name) : 0;
	if (!length || length > *left)
		return name;
	*left -= length;
	return arena_strndup(&publics->names, name, length);
}

static bool read_public(const struct pdb_file *file, struct reader reader, struct pdb_public *ret)
{
	struct pdb_record record;
	if (!pdb_record_next(&reader, &record) || record.kind != PDB_PUBLIC)
		return false;
	uint32_t flags = reader_u32(&record.content);
	uint32_t offset = reader_u32(&record.content);
	uint16_t section = reader_u16(&record.content);
	ret->name = reader_string(&record.content);
	if (file->has_lengths_only && ret->name && !strncmp(ret->name, cold, sizeof(cold) - 1))
		return false;
	// "_main" is main; "_name@8" is another convention, which demangle.c knows.
	if (file->is_x86 && ret->name && ret->name[0] == '_' && !strchr(ret->name, '@'))
		ret->name++;
	bool is_code = flags & (FLAG_CODE | FLAG_FUNCTION) ||
		       (section && section <= file->sections.num_items &&
			file->sections.items[section - 1].flags & PE_SECTION_IS_CODE);
	return ret->name && ret->name[0] && is_code &&
	       pdb_file_address(file, section, offset, &ret->address);
}

struct error *pdb_publics_read(struct pdb_file *file, struct pdb_publics *ret)
{
	struct object_bytes bytes, records;
	struct error *err = msf_file_stream(&file->msf, file->publics_stream, &bytes);
	if (!err)
		err = msf_file_stream(&file->msf, file->records_stream, &records);
	if (err)
		return err;
	struct reader header = reader_create(bytes.data, bytes.size);
	uint32_t hash_size = reader_u32(&header);
	uint32_t places_size = reader_u32(&header);
	reader_skip(&header, 4 + 4 + 2 + 2 + 4 + 4); // thunks of incremental linking
	reader_skip(&header, hash_size);
	// Places of records, sorted by what these are about.
	struct reader places = reader_sub(&header, places_size);
	if (places.failed)
		places = reader_create(NULL, 0);
	_cleanup_(pdb_publics_deinit) struct pdb_publics read = {
		.items = calloc(places.size / 4 + 1, sizeof(*read.items))};
	if (!read.items)
		return &error_no_memory;
	size_t left = records.size; // many places may be of one record
	while (reader_left(&places) >= 4) {
		struct reader reader = reader_create(records.data, records.size);
		reader_seek(&reader, reader_u32(&places));
		struct pdb_public *item = &read.items[read.num_items];
		if (!read_public(file, reader, item))
			continue;
		if (file->has_lengths_only)
			item->name = pdb_publics_method_name(&read, item->name, &left);
		if (!item->name)
			return &error_no_memory;
		read.num_items++;
	}
	*ret = read;
	read = (struct pdb_publics)PDB_PUBLICS_INIT;
	return NULL;
}

void pdb_publics_deinit(struct pdb_publics *publics)
{
	free(publics->items);
	arena_deinit(&publics->names);
	*publics = (struct pdb_publics)PDB_PUBLICS_INIT;
}
