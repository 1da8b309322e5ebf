// SPDX-License-Identifier: Apache-2.0

#include "object/pdb/pdb_types.h"

#include "base/byte_order.h"
#include "object/pdb/pdb_record.h"

// Inlined functions are named by numbers into the IPI stream (LF_FUNC_ID, LF_MFUNC_ID), whose
// scope is a string in the IPI stream or a class in the TPI stream; see LLVM's "The PDB TPI and
// IPI Streams". Nothing else is read from types.
//
// Records have different lengths and no index by number. But the hash stream has the offset of a
// record every few kilobytes: pdb_types_find_record() searches the last one before the wanted
// number and counts records from there. So the streams, hundreds of megabytes in large PDBs, are
// touched only where needed. MAX_STEPS bounds the count in files whose list of offsets has holes.

enum {
	STREAM_TYPES = 2, // "the TPI stream"
	STREAM_IDS = 4,   // "the IPI stream"
	PLACE_SIZE = 8,   // TypeIndexOffset
	// Places are a few thousand bytes apart, and a record has eight at least.
	MAX_STEPS = 1 << 16,
};

static struct error *pdb_types_open_list(struct pdb_type_list *list, struct msf_file *msf,
					 uint32_t stream)
{
	struct object_bytes bytes;
	struct error *err = msf_file_stream(msf, stream, &bytes);
	if (err)
		return err;
	struct reader reader = reader_create(bytes.data, bytes.size);
	reader_skip(&reader, 4); // version
	uint32_t header_size = reader_u32(&reader);
	list->first = reader_u32(&reader);
	list->behind = reader_u32(&reader);
	uint32_t size = reader_u32(&reader);
	uint16_t hash_stream = reader_u16(&reader);
	reader_skip(&reader, 2 + 4 + 4 + 4 + 4); // the hash
	uint32_t places = reader_u32(&reader);
	uint32_t places_size = reader_u32(&reader);
	reader_seek(&reader, header_size);
	struct reader records = reader_sub(&reader, size);
	err = msf_file_stream(msf, hash_stream, &bytes);
	if (err)
		return err;
	struct reader hash = reader_create(bytes.data, bytes.size);
	reader_skip(&hash, places);
	struct reader found = reader_sub(&hash, places_size);
	if (records.failed || found.failed)
		return NULL;
	list->records = (struct object_bytes){.data = records.data, .size = records.size};
	list->places = (struct object_bytes){.data = found.data, .size = found.size};
	return NULL;
}

struct error *pdb_types_init(struct pdb_types *types, struct msf_file *msf)
{
	struct error *err = pdb_types_open_list(&types->types, msf, STREAM_TYPES);
	return err ? err : pdb_types_open_list(&types->ids, msf, STREAM_IDS);
}

static uint32_t place_number(const struct pdb_type_list *list, size_t index)
{
	return byte_order_load32(list->places.data + index * PLACE_SIZE, false);
}

/** From the last place before it on, record by record. */
static bool pdb_types_find_record(const struct pdb_type_list *list, uint32_t number,
				  struct pdb_record *ret)
{
	if (number < list->first || number >= list->behind)
		return false;
	size_t first = 0;
	size_t count = list->places.size / PLACE_SIZE;
	while (count) {
		size_t half = count / 2;
		bool above = place_number(list, first + half) <= number;
		first = above ? first + half + 1 : first;
		count = above ? count - half - 1 : half;
	}
	if (!first || number - place_number(list, first - 1) > MAX_STEPS)
		return false;
	struct reader reader = reader_create(list->records.data, list->records.size);
	reader_seek(&reader,
		    byte_order_load32(list->places.data + (first - 1) * PLACE_SIZE + 4, false));
	for (uint32_t at = place_number(list, first - 1); pdb_record_next(&reader, ret); at++)
		if (at == number)
			return true;
	return false;
}

/** Numbers below this one are themselves, others say of what kind the number behind is. */
static void skip_number(struct reader *reader)
{
	enum {
		FIRST_KIND = 0x8000, // LF_NUMERIC
		CHAR = FIRST_KIND,   // LF_CHAR; the others in this order
		SHORT,
		UNSIGNED_SHORT,
		LONG,
		UNSIGNED_LONG,
		QUAD = 0x8009, // LF_QUADWORD; between are floating-point numbers
		UNSIGNED_QUAD
	};
	uint16_t kind = reader_u16(reader);
	switch (kind) {
	case CHAR:
		reader_skip(reader, 1);
		return;
	case SHORT:
	case UNSIGNED_SHORT:
		reader_skip(reader, 2);
		return;
	case LONG:
	case UNSIGNED_LONG:
		reader_skip(reader, 4);
		return;
	case QUAD:
	case UNSIGNED_QUAD:
		reader_skip(reader, 8);
		return;
	default:
		reader->failed |= kind >= FIRST_KIND;
	}
}

static const char *class_name(const struct pdb_types *types, uint32_t number)
{
	struct pdb_record record;
	if (!pdb_types_find_record(&types->types, number, &record))
		return NULL;
	struct reader *reader = &record.content;
	switch (record.kind) {
	case PDB_TYPE_CLASS:
	case PDB_TYPE_STRUCTURE:
	case PDB_TYPE_INTERFACE:
		reader_skip(reader, 2 + 2 + 4 + 4 + 4); // members, flags, fields, base, vshape
		skip_number(reader);
		return reader_string(reader);
	case PDB_TYPE_CLASS2:
	case PDB_TYPE_STRUCTURE2:
		reader_skip(reader, 4 + 4 + 4 + 4 + 2); // flags, fields, base, vshape
		skip_number(reader);
		return reader_string(reader);
	case PDB_TYPE_UNION:
		reader_skip(reader, 2 + 2 + 4);
		skip_number(reader);
		return reader_string(reader);
	case PDB_TYPE_ENUM:
		reader_skip(reader, 2 + 2 + 4 + 4);
		return reader_string(reader);
	default:
		return NULL;
	}
}

void pdb_types_append_function(const struct pdb_types *types, uint32_t id,
			       struct string_builder *name)
{
	struct pdb_record record;
	if (!pdb_types_find_record(&types->ids, id, &record))
		return;
	uint32_t scope = reader_u32(&record.content);
	reader_skip(&record.content, 4); // its type
	// The scope of a member is the number of its class, that of another function a string.
	const char *own = reader_string(&record.content);
	bool is_member = record.kind == PDB_TYPE_MEMBER_FUNCTION_ID;
	if (!own || (!is_member && record.kind != PDB_TYPE_FUNCTION_ID))
		return;
	const char *prefix = NULL;
	struct pdb_record text;
	if (is_member) {
		prefix = class_name(types, scope);
	} else if (scope && pdb_types_find_record(&types->ids, scope, &text) &&
		   text.kind == PDB_TYPE_STRING_ID) {
		reader_skip(&text.content, 4); // more strings before it
		prefix = reader_string(&text.content);
	}
	if (prefix)
		string_builder_appendf(name, "%s::", prefix);
	string_builder_append(name, own);
}
