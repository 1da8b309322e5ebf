// SPDX-License-Identifier: Apache-2.0

#include "object/pdb/pdb_module.h"

#include "base/container/array.h"
#include "base/container/bisect.h"
#include "object/pdb/pdb_lines.h"
#include "object/pdb/pdb_record.h"

#include <stdlib.h>

// The stream of a module has symbol records (CodeView), then line tables; see LLVM's "The Module
// Information Stream". The two halves are read separately, as names of functions are asked for
// much more often than lines.
//
// read_functions() goes over the records of the top level only. Records within a function (locals,
// blocks, inlined calls) are most of the stream, but a procedure has the place of its end, so one
// jump skips them. Jumps of this length defeat the CPU's prefetcher, hence fetch_ahead().
// S_SEPCODE (the cold part of a function) has no name: name_separated() finds it in the parent,
// after all functions are sorted.
//
// A look-up is bound by memory latency, not by instructions. So what a search compares is kept
// apart from the functions in small spans, with landmarks above them, and each span has the place
// of the function's rows: pdb_module_fetch() starts loading everything that the answer needs at
// once.

enum { SIGNATURE_SIZE = 4, CACHE_LINE = 64 };

static struct error *pdb_module_add_function(struct pdb_module *module, const struct pdb_file *file,
					     const struct pdb_function *function, uint32_t size)
{
	if (!size || size > UINT32_MAX - function->start)
		return NULL;
	struct error *err = array_reserve(&module->functions, &module->cap_functions,
					  module->num_functions + 1);
	if (err)
		return err;
	struct pdb_function *added = &module->functions[module->num_functions++];
	*added = *function;
	added->end = function->start + size;
	uint32_t address;
	if (!pdb_file_to_image(file, function->start, &address)) {
		module->num_functions--;
		return NULL;
	}
	added->symbol.address = address;
	added->symbol.size = size;
	return NULL;
}

/**
 * Each of the following reads one record. @behind: where the next one is.
 * @ret_end: the record that ends what is within this one.
 */

static struct error *read_procedure(struct pdb_module *module, const struct pdb_file *file,
				    struct reader record, uint32_t behind, uint32_t *ret_end)
{
	struct pdb_function function = {.records = behind};
	reader_skip(&record, 4); // its parent
	*ret_end = reader_u32(&record);
	reader_skip(&record, 4); // the next one
	uint32_t size = reader_u32(&record);
	reader_skip(&record, 4 + 4 + 4); // its body's start and end, type
	uint32_t offset = reader_u32(&record);
	uint16_t section = reader_u16(&record);
	reader_skip(&record, 1); // flags
	function.symbol.name = reader_string(&record);
	function.records_end = *ret_end;
	if (!function.symbol.name || !pdb_file_address(file, section, offset, &function.start))
		return NULL;
	function.base = function.start;
	return pdb_module_add_function(module, file, &function, size);
}

static struct error *read_thunk(struct pdb_module *module, const struct pdb_file *file,
				struct reader record, uint32_t behind, uint32_t *ret_end)
{
	struct pdb_function function = {.records = behind, .records_end = behind};
	reader_skip(&record, 4);
	*ret_end = reader_u32(&record);
	reader_skip(&record, 4);
	uint32_t offset = reader_u32(&record);
	uint16_t section = reader_u16(&record);
	uint16_t size = reader_u16(&record);
	reader_skip(&record, 1); // what kind of thunk
	function.symbol.name = reader_string(&record);
	if (!function.symbol.name || !pdb_file_address(file, section, offset, &function.start))
		return NULL;
	function.base = function.start;
	return pdb_module_add_function(module, file, &function, size);
}

/** A part of a function that is elsewhere; it has the function's name. */
static struct error *read_separated(struct pdb_module *module, const struct pdb_file *file,
				    struct reader record, uint32_t behind, uint32_t *ret_end)
{
	struct pdb_function function = {.records = behind};
	reader_skip(&record, 4);
	*ret_end = reader_u32(&record);
	uint32_t size = reader_u32(&record);
	reader_skip(&record, 4); // flags
	uint32_t offset = reader_u32(&record);
	uint32_t parent_offset = reader_u32(&record);
	uint16_t section = reader_u16(&record);
	uint16_t parent_section = reader_u16(&record);
	function.records_end = *ret_end;
	if (record.failed || !pdb_file_address(file, section, offset, &function.start) ||
	    !pdb_file_address(file, parent_section, parent_offset, &function.base))
		return NULL;
	return pdb_module_add_function(module, file, &function, size);
}

typedef struct error *(*read_fn)(struct pdb_module *module, const struct pdb_file *file,
				 struct reader record, uint32_t behind, uint32_t *ret_end);

static read_fn reader_of(uint16_t kind)
{
	switch (kind) {
	case PDB_LOCAL_PROCEDURE:
	case PDB_GLOBAL_PROCEDURE:
	case PDB_LOCAL_PROCEDURE_ID:
	case PDB_GLOBAL_PROCEDURE_ID:
	case PDB_LOCAL_PROCEDURE_DPC:
	case PDB_LOCAL_PROCEDURE_DPC_ID:
		return read_procedure;
	case PDB_THUNK:
		return read_thunk;
	case PDB_SEPARATED_CODE:
		return read_separated;
	default:
		return NULL;
	}
}

/** What is within functions is jumped over, which is more than the CPU follows by itself. */
static size_t fetch_ahead(const struct reader *reader, size_t fetched)
{
	enum { AHEAD = 2048 };
	size_t end = reader->offset + AHEAD;
	if (fetched < reader->offset)
		fetched = reader->offset;
	for (; fetched < end && fetched < reader->size; fetched += CACHE_LINE)
		__builtin_prefetch(reader->data + fetched);
	return fetched;
}

static struct error *read_functions(struct pdb_module *module, const struct pdb_file *file)
{
	struct reader reader = reader_create(module->symbols.data, module->symbols.size);
	reader_skip(&reader, SIGNATURE_SIZE);
	struct error *err = NULL;
	struct pdb_record record;
	size_t fetched = 0;
	while (!err && reader_left(&reader) && pdb_record_next(&reader, &record)) {
		read_fn read = reader_of(record.kind);
		if (!read)
			continue;
		uint32_t end = 0;
		err = read(module, file, record.content, (uint32_t)reader.offset, &end);
		if (end > reader.offset) // what is within is nothing for the list
			reader_seek(&reader, end);
		fetched = fetch_ahead(&reader, fetched);
	}
	return err;
}

static int compare_functions(const void *left, const void *right)
{
	const struct pdb_function *a = left, *b = right;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->records < b->records ? -1 : a->records > b->records;
}

/** Of several at one address the first one stays. */
static void pdb_module_sort_functions(struct pdb_module *module)
{
	const struct pdb_function *functions = module->functions;
	size_t num_sorted = 1;
	while (num_sorted < module->num_functions &&
	       functions[num_sorted].start > functions[num_sorted - 1].start)
		num_sorted++;
	if (num_sorted >= module->num_functions)
		return;
	qsort(module->functions, module->num_functions, sizeof(*module->functions),
	      compare_functions);
	size_t kept = 1;
	for (size_t i = 1; i < module->num_functions; i++)
		if (module->functions[i].start != module->functions[kept - 1].start)
			module->functions[kept++] = module->functions[i];
	module->num_functions = kept;
}

static struct error *list_spans(struct pdb_module *module)
{
	struct pdb_span *spans = calloc(module->num_functions + 1, sizeof(*spans));
	if (!spans)
		return &error_no_memory;
	for (size_t i = 0; i < module->num_functions; i++) {
		const struct pdb_function *function = &module->functions[i];
		spans[i].start = function->start;
		spans[i].end = function->end;
		spans[i].records = function->records;
	}
	spans[module->num_functions].start = UINT32_MAX;
	free(module->spans);
	module->spans = spans;
	return landmarks_set(&module->landmarks, &spans->start, module->num_functions,
			     sizeof(*spans));
}

static void name_separated(struct pdb_module *module)
{
	for (size_t i = 0; i < module->num_functions; i++) {
		struct pdb_function *function = &module->functions[i];
		if (function->symbol.name)
			continue;
		const struct pdb_function *parent =
			pdb_module_find_function(module, function->base);
		function->symbol.name = parent && parent->symbol.name ? parent->symbol.name : "";
		function->base = parent ? parent->start : function->base;
	}
}

struct error *pdb_module_read_functions(struct pdb_module *module, struct pdb_file *file,
					const struct pdb_module_header *header)
{
	if (module->functions_read)
		return NULL;
	struct error *err = msf_file_stream(&file->msf, header->stream, &module->symbols);
	// The line tables follow in the same stream.
	if (!err && module->symbols.size > header->symbols_size)
		module->symbols.size = header->symbols_size;
	if (!err)
		err = read_functions(module, file);
	if (!err) {
		pdb_module_sort_functions(module);
		err = list_spans(module);
	}
	if (err) {
		module->num_functions = 0;
		return err;
	}
	name_separated(module);
	module->functions_read = true;
	return NULL;
}

struct error *pdb_module_read_lines(struct pdb_module *module, struct pdb_file *file,
				    const struct pdb_module_header *header)
{
	if (module->lines_read)
		return NULL;
	struct object_bytes bytes = {0};
	struct error *err = pdb_module_read_functions(module, file, header);
	if (!err)
		err = msf_file_stream(&file->msf, header->stream, &bytes);
	// Symbols, line information of old compilers (C11), that of today's (C13).
	struct reader reader = reader_create(bytes.data, err ? 0 : bytes.size);
	reader_skip(&reader, header->symbols_size);
	reader_skip(&reader, header->old_lines_size);
	if (!err)
		err = pdb_lines_read(module, file, reader_sub(&reader, header->lines_size));
	if (err)
		return err;
	// Both are sorted, so that one pass finds where the rows of each function begin.
	size_t count = 0;
	for (size_t i = 0; i < module->num_functions; i++) {
		struct pdb_span *span = &module->spans[i];
		while (count < module->num_rows && module->rows[count].address <= span->start)
			count++;
		span->rows_up_to = (uint32_t)count;
	}
	module->spans[module->num_functions].rows_up_to = (uint32_t)module->num_rows;
	module->lines_read = true;
	return NULL;
}

void pdb_module_deinit(struct pdb_module *module)
{
	free(module->functions);
	free(module->spans);
	landmarks_deinit(&module->landmarks);
	free(module->rows);
	free(module->inlinees);
}

struct pdb_function *pdb_module_find_function(const struct pdb_module *module, uint32_t address)
{
	const struct pdb_span *spans = module->spans;
	size_t count = landmarks_bisect(&module->landmarks, &spans->start, module->num_functions,
					sizeof(*spans), address);
	if (!count || address >= spans[count - 1].end)
		return NULL;
	return &module->functions[count - 1];
}

static struct pdb_span *span_of(const struct pdb_module *module,
				const struct pdb_function *function)
{
	return &module->spans[function - module->functions];
}

uint32_t pdb_module_function_start(const struct pdb_module *module,
				   const struct pdb_function *function)
{
	return span_of(module, function)->start;
}

uint32_t pdb_module_function_limit(const struct pdb_module *module,
				   const struct pdb_function *function)
{
	// A function ends where the next one starts, whatever its size says. Behind the last span
	// is one with the highest address (list_spans()).
	const struct pdb_span *span = span_of(module, function);
	return span[1].start < span->end ? span[1].start : span->end;
}

/** How many rows of [@first, @end) begin at the address or before it, those before @first too. */
static size_t pdb_module_count_rows(const struct pdb_module *module, size_t first, size_t end,
				    uint32_t address)
{
	if (first == end)
		return first;
	const struct pdb_row *rows = &module->rows[first];
	return first + bisect_u32(&rows->address, end - first, sizeof(*rows), address);
}

static const struct pdb_row *last_row(const struct pdb_module *module, size_t count)
{
	const struct pdb_row *found = count ? &module->rows[count - 1] : NULL;
	return found && found->is_code ? found : NULL;
}

const struct pdb_inlined **pdb_module_inlined(const struct pdb_module *module,
					      const struct pdb_function *function)
{
	return &span_of(module, function)->inlined;
}

static void pdb_module_load(const void *from, size_t size)
{
	for (size_t offset = 0; offset < size; offset += CACHE_LINE)
		__builtin_prefetch((const char *)from + offset);
}

void pdb_module_fetch(const struct pdb_module *module, const struct pdb_function *function)
{
	// What most functions have of each.
	enum { ROWS_SIZE = 192, INLINED_SIZE = 192, RECORDS_SIZE = 384 };
	const struct pdb_span *span = span_of(module, function);
	pdb_module_load(function, sizeof(*function));
	if (span->rows_up_to >= 2) // the row at its start, and the one before
		pdb_module_load(&module->rows[span->rows_up_to - 2], ROWS_SIZE);
	if (span->inlined)
		pdb_module_load(span->inlined, INLINED_SIZE);
	else if (span->records < module->symbols.size)
		pdb_module_load(module->symbols.data + span->records, RECORDS_SIZE);
}

const struct pdb_row *pdb_module_find_row(const struct pdb_module *module,
					  const struct pdb_function *function, uint32_t address)
{
	if (!function)
		return last_row(module,
				pdb_module_count_rows(module, 0, module->num_rows, address));
	const struct pdb_span *span = span_of(module, function);
	return last_row(module, pdb_module_count_rows(module, span->rows_up_to, span[1].rows_up_to,
						      address));
}

const struct pdb_row *pdb_module_first_row(const struct pdb_module *module,
					   const struct pdb_function *function)
{
	const struct pdb_row *row = last_row(module, span_of(module, function)->rows_up_to);
	while (row && row > module->rows && row[-1].is_code && row[-1].address == function->start)
		row--;
	return row;
}

const struct pdb_inlinee *pdb_module_find_inlinee(const struct pdb_module *module, uint32_t id)
{
	const struct pdb_inlinee *inlinees = module->inlinees;
	if (!module->num_inlinees)
		return NULL;
	size_t count = bisect_u32(&inlinees->id, module->num_inlinees, sizeof(*inlinees), id);
	const struct pdb_inlinee *found = count ? &inlinees[count - 1] : NULL;
	return found && found->id == id ? found : NULL;
}

const char *pdb_module_file_name(const struct pdb_module *module, const struct pdb_file *file,
				 uint32_t place)
{
	struct reader reader = reader_create(module->files.data, module->files.size);
	reader_seek(&reader, place);
	uint32_t name = reader_u32(&reader);
	return reader.failed ? NULL : pdb_file_name(file, name);
}
