// SPDX-License-Identifier: Apache-2.0

#include "object/pdb/pdb_file.h"

#include "base/container/array.h"
#include "base/container/bisect.h"
#include "base/reader.h"

#include <string.h>

// Reads the streams that describe a PDB as a whole, as in LLVM's "The PDB File Format": the info
// stream (GUID, age, named streams), the DBI stream ("debug information": modules, section
// contributions, optional streams), the sections (pdb_sections.c), and "/names", the texts of
// paths. Modules themselves are read later (pdb_module.c).
//
// The DBI stream starts with a header that has the sizes of its substreams, which follow in a
// fixed order; pdb_file_read_debug_info() cuts them out. Contributions say for each piece of a
// section which module it is from. They are sorted by address and joined into runs of one module
// (list_runs()): there are far fewer runs than pieces, and the first search of each look-up fits
// into the cache.
//
// PDBs of programs that were rearranged after linking (Microsoft's BBT) have OMAP streams: lists
// of where each address was moved. Symbols keep the addresses from before, so the original section
// headers count then, and each look-up converts the address first (pdb_file_from_image()).

enum {
	STREAM_INFO = 1,       // "the PDB stream"
	STREAM_DEBUG_INFO = 3, // "the DBI stream"
	NO_STREAM = UINT16_MAX,
	FEATURE_FASTLINK = 0x494e494d, // MinimalDebugInfo: "MINI"
	FLAG_STRIPPED = 2,             // fStripped of the DBI header
	MACHINE_X86 = 0x14c,
	MACHINE_X64 = 0x8664, // IMAGE_FILE_MACHINE_*
	MACHINE_ARM64 = 0xaa64,
	MACHINE_ARM64EC = 0xa641,
	MACHINE_ARM64X = 0xa64e,
};

static const uint32_t contributions_version1 = 0xf12eba2d; // DbiSecContribVer60
static const uint32_t contributions_version2 = 0xf13151e4; // DbiSecContribV2

/** The parts of the stream about the debug information, in its order. */
struct debug_info {
	struct reader modules, contributions, section_map, more_streams;
};

/** Streams that are named by their place in a list. */
enum more_stream {
	MORE_TO_LINKED = 3,        // OmapToSrc: addresses of the image -> as it was linked
	MORE_FROM_LINKED = 4,      // OmapFromSrc
	MORE_SECTIONS = 5,         // SectionHdr
	MORE_SECTIONS_LINKED = 10, // SectionHdrOrig
	NUM_MORE,
};

static struct error *pdb_file_damaged(const char *name, const char *what)
{
	return error_create(ERROR_FAILED, "cannot read '%s': %s of this PDB is damaged", name,
			    what);
}

static struct error *pdb_file_open_stream(struct pdb_file *file, uint32_t index, struct reader *ret)
{
	struct object_bytes bytes;
	struct error *err = msf_file_stream(&file->msf, index, &bytes);
	if (!err)
		*ret = reader_create(bytes.data, bytes.size);
	return err;
}

/** A set of bits in words of 32, with their number before. */
static void skip_bits(struct reader *reader)
{
	uint32_t num_words = reader_u32(reader);
	reader_skip(reader, (size_t)num_words * 4);
}

/** Streams have names: a hash table of (offset of the text, stream). */
static uint32_t read_named_streams(struct reader *reader, const char *wanted)
{
	uint32_t texts_size = reader_u32(reader);
	struct reader texts = reader_sub(reader, texts_size);
	uint32_t count = reader_u32(reader);
	reader_skip(reader, 4); // capacity
	skip_bits(reader);      // present
	skip_bits(reader);      // deleted
	uint32_t found = NO_STREAM;
	for (uint32_t i = 0; i < count && !reader->failed; i++) {
		struct reader text = texts;
		reader_seek(&text, reader_u32(reader));
		uint32_t stream = reader_u32(reader);
		const char *name = reader_string(&text);
		if (name && !strcmp(name, wanted))
			found = stream;
	}
	return found;
}

static struct error *pdb_file_read_names(struct pdb_file *file, uint32_t stream)
{
	struct reader reader;
	struct error *err = pdb_file_open_stream(file, stream, &reader);
	if (err)
		return err;
	reader_skip(&reader, 4 + 4); // signature, version of the hash
	uint32_t size = reader_u32(&reader);
	struct reader texts = reader_sub(&reader, size);
	if (texts.failed)
		return NULL;
	file->names = (struct object_bytes){.data = texts.data, .size = texts.size};
	while (file->names.size && file->names.data[file->names.size - 1])
		file->names.size--; // a text that has no end
	return NULL;
}

static struct error *read_info(struct pdb_file *file, const char *name)
{
	struct reader reader;
	struct error *err = pdb_file_open_stream(file, STREAM_INFO, &reader);
	if (err)
		return err;
	reader_skip(&reader, 4 + 4); // version, time
	file->id.age = reader_u32(&reader);
	const uint8_t *guid = reader_bytes(&reader, PE_GUID_SIZE);
	if (!guid)
		return pdb_file_damaged(name, "the header");
	memcpy(file->id.guid, guid, PE_GUID_SIZE);
	uint32_t names = read_named_streams(&reader, "/names");
	if (!reader.failed)
		reader_skip(&reader, 4); // the number that the next new name gets
	while (reader_left(&reader) >= 4)
		if (reader_u32(&reader) == FEATURE_FASTLINK)
			file->is_fastlink = true;
	return pdb_file_read_names(file, names);
}

static enum object_machine pdb_file_machine_of(uint16_t machine)
{
	switch (machine) {
	case MACHINE_X64:
		return OBJECT_MACHINE_X86_64;
	case MACHINE_ARM64:
	case MACHINE_ARM64EC:
	case MACHINE_ARM64X:
		return OBJECT_MACHINE_AARCH64;
	default:
		return OBJECT_MACHINE_OTHER;
	}
}

static struct error *pdb_file_read_debug_info(struct pdb_file *file, const char *name,
					      struct debug_info *ret)
{
	struct reader reader;
	struct error *err = pdb_file_open_stream(file, STREAM_DEBUG_INFO, &reader);
	if (err)
		return err;
	if (!reader.size)
		return error_create(ERROR_FAILED, "'%s' has no symbols, only types", name);
	reader_skip(&reader, 4 + 4); // signature, version
	file->id.age = reader_u32(&reader);
	reader_skip(&reader, 2 + 2); // the stream of globals, version
	file->publics_stream = reader_u16(&reader);
	reader_skip(&reader, 2);
	file->records_stream = reader_u16(&reader);
	reader_skip(&reader, 2);
	uint32_t modules = reader_u32(&reader);
	uint32_t contributions = reader_u32(&reader);
	uint32_t section_map = reader_u32(&reader);
	uint32_t sources = reader_u32(&reader);
	uint32_t type_servers = reader_u32(&reader);
	reader_skip(&reader, 4);
	uint32_t more_streams = reader_u32(&reader);
	uint32_t edit_and_continue = reader_u32(&reader);
	file->is_stripped = reader_u16(&reader) & FLAG_STRIPPED;
	uint16_t machine = reader_u16(&reader);
	file->machine = pdb_file_machine_of(machine);
	file->is_x86 = machine == MACHINE_X86;
	reader_skip(&reader, 4);
	ret->modules = reader_sub(&reader, modules);
	ret->contributions = reader_sub(&reader, contributions);
	ret->section_map = reader_sub(&reader, section_map);
	reader_skip(&reader, sources);
	reader_skip(&reader, type_servers);
	reader_skip(&reader, edit_and_continue);
	ret->more_streams = reader_sub(&reader, more_streams);
	return reader.failed ? pdb_file_damaged(name, "the debug information") : NULL;
}

static struct error *pdb_file_read_modules(struct pdb_file *file, struct reader reader)
{
	size_t capacity = 0;
	while (reader_left(&reader)) {
		struct pdb_module_header module;
		reader_skip(&reader, 4 + 28 + 2); // its first contribution, flags
		module.stream = reader_u16(&reader);
		module.symbols_size = reader_u32(&reader);
		module.old_lines_size = reader_u32(&reader);
		module.lines_size = reader_u32(&reader);
		reader_skip(&reader, 2 + 2 + 4 + 4 + 4); // its files
		module.name = reader_string(&reader);
		reader_string(&reader); // of the object file or library
		if (reader.failed)
			return NULL; // the modules before are fine
		reader_align(&reader, 4);
		struct error *err = array_reserve(&file->modules, &capacity, file->num_modules + 1);
		if (err)
			return err;
		file->modules[file->num_modules++] = module;
	}
	return NULL;
}

static struct error *pdb_file_read_sections(struct pdb_file *file, uint32_t stream,
					    struct pdb_sections *ret)
{
	struct reader reader;
	struct error *err = pdb_file_open_stream(file, stream, &reader);
	return err ? err : pdb_sections_read(ret, reader);
}

/** The headers are not in the PDB, and no tool moved code. */
static struct error *pdb_file_find_sections(struct pdb_file *file, struct reader map,
					    const struct pdb_image *image)
{
	pdb_sections_deinit(&file->sections);
	pdb_sections_deinit(&file->image_sections);
	file->has_lengths_only = true;
	struct error *err = pdb_sections_find(&file->sections, map, image, &file->layout);
	return err ? err : pdb_sections_copy(&file->image_sections, &file->sections);
}

static int compare_moves(const void *left, const void *right)
{
	const struct pdb_move *a = left, *b = right;
	return a->from < b->from ? -1 : a->from > b->from;
}

/** An OMAP stream: pairs of addresses before and after; where code was moved, sorted by `from`. */
static struct error *read_moves(struct pdb_file *file, uint32_t stream, struct pdb_moves *ret)
{
	enum { ENTRY_SIZE = 8 };
	struct reader reader;
	struct error *err = pdb_file_open_stream(file, stream, &reader);
	if (err || !reader.size)
		return err;
	ret->items = calloc(reader.size / ENTRY_SIZE + 1, sizeof(*ret->items));
	if (!ret->items)
		return &error_no_memory;
	while (reader_left(&reader) >= ENTRY_SIZE) {
		ret->items[ret->num_items].from = reader_u32(&reader);
		ret->items[ret->num_items++].to = reader_u32(&reader);
	}
	qsort(ret->items, ret->num_items, sizeof(*ret->items), compare_moves);
	return NULL;
}

static struct error *read_more_streams(struct pdb_file *file, struct reader reader)
{
	uint16_t streams[NUM_MORE];
	for (size_t i = 0; i < NUM_MORE; i++) {
		streams[i] = reader_u16(&reader);
		if (reader.failed)
			streams[i] = NO_STREAM;
	}
	struct error *err = read_moves(file, streams[MORE_TO_LINKED], &file->from_image);
	if (!err)
		err = read_moves(file, streams[MORE_FROM_LINKED], &file->to_image);
	bool was_moved = file->from_image.num_items && file->to_image.num_items &&
			 streams[MORE_SECTIONS_LINKED] != NO_STREAM;
	enum more_stream sections = was_moved ? MORE_SECTIONS_LINKED : MORE_SECTIONS;
	if (!err)
		err = pdb_file_read_sections(file, streams[sections], &file->sections);
	return err ? err
		   : pdb_file_read_sections(file, streams[MORE_SECTIONS], &file->image_sections);
}

static int compare_contributions(const void *left, const void *right)
{
	const struct pdb_contribution *a = left, *b = right;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->end < b->end ? -1 : a->end > b->end;
}

/** Neighbouring pieces of one module are one run. Behind the last one is one at the end of all. */
static struct error *list_runs(struct pdb_file *file)
{
	size_t capacity = 0;
	for (size_t i = 0; i < file->num_contributions; i++) {
		const struct pdb_contribution *piece = &file->contributions[i];
		if (i && piece->module == piece[-1].module)
			continue;
		struct error *err = array_reserve(&file->runs, &capacity, file->num_runs + 2);
		if (err)
			return err;
		file->runs[file->num_runs++] = (struct pdb_run){piece->start, piece->module};
	}
	if (!file->num_runs)
		return NULL;
	file->runs[file->num_runs] = (struct pdb_run){.start = UINT32_MAX};
	return landmarks_set(&file->run_landmarks, &file->runs->start, file->num_runs,
			     sizeof(*file->runs));
}

static void read_contribution(struct pdb_file *file, struct reader reader)
{
	struct pdb_contribution *contribution = &file->contributions[file->num_contributions];
	uint16_t section = reader_u16(&reader);
	reader_skip(&reader, 2);
	uint32_t offset = reader_u32(&reader);
	uint32_t size = reader_u32(&reader);
	reader_skip(&reader, 4); // flags
	contribution->module = reader_u16(&reader);
	if (!pdb_file_address(file, section, offset, &contribution->start) || !size ||
	    size > UINT32_MAX - contribution->start)
		return;
	contribution->end = contribution->start + size;
	file->num_contributions++;
}

static struct error *read_contributions(struct pdb_file *file, struct reader reader)
{
	enum { ENTRY_SIZE = 28, ENTRY2_SIZE = 32 };
	uint32_t version = reader_u32(&reader);
	if (version != contributions_version1 && version != contributions_version2)
		return NULL;
	size_t entry_size = version == contributions_version2 ? ENTRY2_SIZE : ENTRY_SIZE;
	file->contributions =
		calloc(reader_left(&reader) / entry_size + 1, sizeof(*file->contributions));
	if (!file->contributions)
		return &error_no_memory;
	while (reader_left(&reader) >= entry_size)
		read_contribution(file, reader_sub(&reader, entry_size));
	// Linkers write them in order.
	const struct pdb_contribution *pieces = file->contributions;
	size_t num_sorted = 1;
	while (num_sorted < file->num_contributions &&
	       pieces[num_sorted].start >= pieces[num_sorted - 1].start)
		num_sorted++;
	if (num_sorted < file->num_contributions)
		qsort(file->contributions, file->num_contributions, sizeof(*pieces),
		      compare_contributions);
	return list_runs(file);
}

struct error *pdb_file_init(struct pdb_file *file, const struct pdb_image *image, const void *data,
			    size_t size, const char *name)
{
	_cleanup_(pdb_file_deinit) struct pdb_file read = PDB_FILE_INIT;
	struct error *err = msf_file_init(&read.msf, data, size, name);
	if (!err)
		err = read_info(&read, name);
	struct debug_info info = {0};
	if (!err)
		err = pdb_file_read_debug_info(&read, name, &info);
	if (!err)
		err = read_more_streams(&read, info.more_streams);
	read.layout = PDB_LAYOUT_HEADERS;
	if (!err && !read.sections.num_items && !read.to_image.num_items)
		err = pdb_file_find_sections(&read, info.section_map, image);
	if (!err)
		err = pdb_file_read_modules(&read, info.modules);
	if (!err)
		err = read_contributions(&read, info.contributions);
	if (err)
		return err;
	*file = read;
	read = (struct pdb_file)PDB_FILE_INIT;
	return NULL;
}

void pdb_file_deinit(struct pdb_file *file)
{
	free(file->modules);
	free(file->contributions);
	free(file->runs);
	landmarks_deinit(&file->run_landmarks);
	pdb_sections_deinit(&file->sections);
	pdb_sections_deinit(&file->image_sections);
	free(file->to_image.items);
	free(file->from_image.items);
	msf_file_deinit(&file->msf);
	*file = (struct pdb_file)PDB_FILE_INIT;
}

bool pdb_file_address(const struct pdb_file *file, uint16_t section, uint32_t offset, uint32_t *ret)
{
	if (!section || section > file->sections.num_items)
		return false;
	uint32_t start = file->sections.items[section - 1].address;
	*ret = start + offset;
	return offset <= UINT32_MAX - start;
}

bool pdb_file_offset_to_image(const struct pdb_file *file, uint64_t offset, uint64_t *ret)
{
	for (size_t i = 0; i < file->image_sections.num_items; i++) {
		const struct pdb_section *section = &file->image_sections.items[i];
		if (offset < section->file_offset ||
		    offset - section->file_offset >= section->file_size)
			continue;
		*ret = section->address + (offset - section->file_offset);
		return true;
	}
	return false;
}

const struct pdb_contribution *pdb_file_contribution(const struct pdb_file *file, uint32_t address)
{
	const struct pdb_contribution *pieces = file->contributions;
	if (!file->num_contributions)
		return NULL;
	size_t count =
		bisect_u32(&pieces->start, file->num_contributions, sizeof(*pieces), address);
	const struct pdb_contribution *found = count ? &pieces[count - 1] : NULL;
	return found && address < found->end ? found : NULL;
}

const struct pdb_run *pdb_file_run(const struct pdb_file *file, uint32_t address)
{
	// The address may be in a gap between two pieces of the run: pdb_file_contribution() knows.
	const struct pdb_run *runs = file->runs;
	if (!file->num_runs)
		return NULL;
	size_t count = landmarks_bisect(&file->run_landmarks, &runs->start, file->num_runs,
					sizeof(*runs), address);
	return count ? &runs[count - 1] : NULL;
}

const char *pdb_file_name(const struct pdb_file *file, uint32_t offset)
{
	return offset < file->names.size ? (const char *)file->names.data + offset : NULL;
}

static bool pdb_file_move(const struct pdb_moves *moves, uint32_t address, uint32_t *ret)
{
	// An entry holds up to the next one; a target of 0 means that the code was removed.
	*ret = address;
	if (!moves->num_items)
		return true;
	size_t count =
		bisect_u32(&moves->items->from, moves->num_items, sizeof(*moves->items), address);
	if (!count || !moves->items[count - 1].to)
		return false;
	*ret = moves->items[count - 1].to + (address - moves->items[count - 1].from);
	return true;
}

bool pdb_file_to_image(const struct pdb_file *file, uint32_t address, uint32_t *ret)
{
	return pdb_file_move(&file->to_image, address, ret);
}

bool pdb_file_from_image(const struct pdb_file *file, uint32_t address, uint32_t *ret)
{
	return pdb_file_move(&file->from_image, address, ret);
}
