// SPDX-License-Identifier: Apache-2.0

#include "object/cfi/cfi_table.h"

#include "base/cleanup.h"
#include "base/container/array.h"
#include "base/container/bisect.h"
#include "object/cfi/cfi_entry.h"
#include "object/cfi/cfi_program.h"

#include <string.h>

// Running CFI programs at each sample would cost too much: stacks of hundreds of frames come a
// thousand times per second. So a module's whole section is run once into rows sorted by address,
// and a frame costs one binary search.
//
// cfi_table_create() goes in four steps: read all CIEs and run their instructions; read the ranges
// of all FDEs; sort these by address; run the FDEs in this order and append their rows. CIEs come
// first because in .debug_frame an FDE may refer forward. Appending is simple because functions
// come sorted (cfi_table_append()): a row that starts before the end of the table replaces what is
// behind it, so of overlapping functions the later one wins. Equal neighbours are merged. Behind
// each function a gap begins (CFI_CFA_GAP), where frame pointers may be tried.
//
// A damaged FDE costs itself only: its rows are replaced by a gap. append_entry() adds one rule
// that no section has: nobody called the entry point of the dynamic loader, so the unwind ends
// there as complete.

// More than any C library's own start has, which comes before the first function in C.
enum { ENTRY_SIZE = 128 };

struct builder {
	const struct cfi_section *section;
	struct reader bytes;
	struct cfi_pointer_bases bases;
	const struct cfi_registers *registers;
	struct cfi_common *commons; /* by offset, as the section is read in order */
	size_t num_commons, cap_commons;
	struct cfi_function *functions;
	size_t num_functions, cap_functions;
	size_t last_common; /* where the one before was found: neighbours share it */
	struct cfi_table *table;
};

static void builder_deinit(struct builder *builder)
{
	free(builder->commons);
	free(builder->functions);
}

static struct error *add_common(struct builder *builder, const struct cfi_entry *entry)
{
	struct cfi_common common;
	if (!cfi_common_read(builder->bytes, entry, &common) ||
	    !cfi_program_initial(&common, builder->bytes, builder->bases, builder->registers)) {
		builder->table->num_bad++;
		return NULL;
	}
	struct error *err =
		array_reserve(&builder->commons, &builder->cap_commons, builder->num_commons + 1);
	if (!err)
		builder->commons[builder->num_commons++] = common;
	return err;
}

/** @ret: index of the CIE at that offset of the section. */
static bool cfi_table_find_common(struct builder *builder, uint64_t offset, uint32_t *ret)
{
	size_t first = 0, end = builder->num_commons;
	if (builder->last_common < end && builder->commons[builder->last_common].offset == offset)
		first = builder->last_common, end = first + 1;
	while (end - first > 1) {
		size_t middle = first + (end - first) / 2;
		if (builder->commons[middle].offset <= offset)
			first = middle;
		else
			end = middle;
	}
	if (first == end || builder->commons[first].offset != offset)
		return false;
	builder->last_common = first;
	*ret = (uint32_t)first;
	return true;
}

static struct error *cfi_table_add_function(struct builder *builder, const struct cfi_entry *entry)
{
	struct cfi_function function;
	uint32_t common;
	if (!cfi_table_find_common(builder, entry->common_offset, &common) ||
	    !cfi_function_read(builder->bytes, entry, &builder->commons[common], builder->bases,
			       &function)) {
		builder->table->num_bad++;
		return NULL;
	}
	if (function.start == function.end)
		return NULL;
	function.common = common;
	struct error *err = array_reserve(&builder->functions, &builder->cap_functions,
					  builder->num_functions + 1);
	if (!err)
		builder->functions[builder->num_functions++] = function;
	return err;
}

typedef struct error *(*add_entry_fn)(struct builder *builder, const struct cfi_entry *entry);

static struct error *for_each_entry(struct builder *builder, bool is_common, add_entry_fn add)
{
	struct reader reader = builder->bytes;
	struct cfi_entry entry;
	while (cfi_entry_next(&reader, builder->section->is_debug_frame, &entry)) {
		// Linkers leave terminators in the middle, too; they end nothing.
		if (entry.is_terminator || entry.is_common != is_common)
			continue;
		struct error *err = add(builder, &entry);
		if (err)
			return err;
	}
	if (reader.failed && is_common)
		builder->table->num_bad++;
	return NULL;
}

static int compare_functions(const void *left, const void *right)
{
	const struct cfi_function *a = left, *b = right;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	// Of two with one start the first of the section counts.
	return a->instructions < b->instructions ? -1 : a->instructions > b->instructions;
}

static void sort_functions(struct builder *builder)
{
	// Mostly they are sorted, as linkers keep .eh_frame in the order of the code.
	for (size_t i = 1; i < builder->num_functions; i++) {
		if (compare_functions(&builder->functions[i - 1], &builder->functions[i]) < 0)
			continue;
		qsort(builder->functions, builder->num_functions, sizeof(*builder->functions),
		      compare_functions);
		return;
	}
}

static bool is_same_rule(struct cfi_row a, const struct cfi_row *b)
{
	return a.cfa == b->cfa && a.cfa_offset == b->cfa_offset && a.cfa_addend == b->cfa_addend &&
	       a.return_address == b->return_address && a.return_offset == b->return_offset &&
	       a.frame_pointer == b->frame_pointer &&
	       a.frame_pointer_offset == b->frame_pointer_offset &&
	       a.is_signal_frame == b->is_signal_frame &&
	       a.lacks_link_register == b->lacks_link_register &&
	       a.is_return_address_signed == b->is_return_address_signed;
}

struct error *cfi_table_append(struct cfi_table *table, struct cfi_row row)
{
	while (table->num_rows && table->rows[table->num_rows - 1].address >= row.address)
		table->num_rows--;
	if (table->num_rows && is_same_rule(row, &table->rows[table->num_rows - 1]))
		return NULL;
	struct error *err = array_reserve(&table->rows, &table->cap_rows, table->num_rows + 1);
	if (!err)
		table->rows[table->num_rows++] = row;
	return err;
}

static struct error *append_gap(struct cfi_table *table, uint64_t address)
{
	return cfi_table_append(table, (struct cfi_row){.address = address});
}

static struct error *cfi_table_append_function(struct builder *builder,
					       const struct cfi_function *function)
{
	struct cfi_program program;
	cfi_program_init(&program, builder->bytes, builder->bases, builder->registers,
			 &builder->commons[function->common], function);
	for (struct cfi_row row; cfi_program_next(&program, &row);) {
		struct error *err = cfi_table_append(builder->table, row);
		if (err)
			return err;
	}
	if (program.bytes.failed) {
		builder->table->num_bad++;
		return append_gap(builder->table, function->start);
	}
	return append_gap(builder->table, function->end);
}

/**
 * Nobody called the code that the kernel starts. Mostly a function of the section says so, but the
 * dynamic loader begins with assembly that has none.
 */
static struct error *append_entry(struct builder *builder)
{
	struct cfi_table *table = builder->table;
	uint64_t entry = builder->section->entry_address;
	if (!entry || entry > UINT64_MAX - ENTRY_SIZE)
		return NULL;
	const struct cfi_row *last = table->num_rows ? &table->rows[table->num_rows - 1] : NULL;
	if (last && (last->cfa != CFI_CFA_GAP || last->address > entry))
		return NULL;
	struct error *err =
		cfi_table_append(table, (struct cfi_row){.address = entry,
							 .cfa = CFI_CFA_UNKNOWN,
							 .return_address = CFI_SAVED_UNDEFINED});
	return err ? err : append_gap(table, entry + ENTRY_SIZE);
}

/** Where two functions overlap, the one that starts later counts, as for other unwinders. */
static struct error *append_functions(struct builder *builder)
{
	const struct cfi_function *functions = builder->functions;
	uint64_t entry = builder->section->entry_address, previous = 0;
	struct error *err = NULL;
	for (size_t i = 0; !err && i < builder->num_functions; i++) {
		uint64_t start = functions[i].start;
		if (i && start == previous)
			continue;
		if (entry >= previous && entry < start)
			err = append_entry(builder);
		if (!err)
			err = cfi_table_append_function(builder, &functions[i]);
		previous = start;
	}
	return err || entry < previous ? err : append_entry(builder);
}

struct error *cfi_table_create(const struct cfi_section *section, enum cfi_machine machine,
			       struct cfi_table *ret)
{
	_cleanup_(cfi_table_deinit) struct cfi_table table = CFI_TABLE_INIT;
	_cleanup_(builder_deinit) struct builder builder = {
		.section = section,
		.bytes = reader_create(section->data, section->size),
		.bases = {.section = section->address,
			  .text = section->text_address,
			  .data = section->data_address},
		.registers = cfi_registers_of(machine),
		.table = &table,
	};
	struct error *err = for_each_entry(&builder, true, add_common);
	if (!err)
		err = for_each_entry(&builder, false, cfi_table_add_function);
	if (err)
		return err;
	sort_functions(&builder);
	err = append_functions(&builder);
	if (err)
		return err;
	// The table stays for as long as its module, and has grown by doubling.
	struct cfi_row *fitting =
		table.num_rows ? realloc(table.rows, table.num_rows * sizeof(*fitting)) : NULL;
	if (fitting) {
		table.rows = fitting;
		table.cap_rows = table.num_rows;
	}
	*ret = table;
	table = (struct cfi_table)CFI_TABLE_INIT;
	return NULL;
}

const struct cfi_row *cfi_table_find(const struct cfi_table *table, uint64_t address)
{
	size_t count = BISECT_U64(table->rows, table->num_rows, address, address);
	return count ? &table->rows[count - 1] : NULL;
}

void cfi_table_deinit(struct cfi_table *table)
{
	free(table->rows);
	*table = (struct cfi_table)CFI_TABLE_INIT;
}
