// SPDX-License-Identifier: Apache-2.0
#include "view/text/sample_table.h"

#include "base/container/array.h"

#include <inttypes.h>

// The columns and their names are those of WindowsPerf: in JSON they are the keys. Disassembly is a
// table in a cell of its line.
//
//	line_number  hits   filename
// ==========  ====   ========
//	3,555        1,927  Objects/longobject.c

enum { OVERHEAD_DECIMALS = 2, NUM_COLUMNS_OF_CODE = 2 };

struct sample_hex sample_hex(uint64_t value)
{
	struct sample_hex hex;
	snprintf(hex.text, sizeof(hex.text), "%" PRIx64, value);
	return hex;
}

struct error *sample_table_rows(const struct sample_event_report *event, struct table **ret)
{
	static const struct table_column columns[] = {
		{"overhead", TABLE_RIGHT},
		{"count", TABLE_RIGHT},
		{"symbol", TABLE_LEFT},
	};
	_cleanup_(table_destroyp) struct table *table = NULL;
	struct error *err = table_create(columns, ARRAY_SIZE(columns), &table);
	for (size_t i = 0; !err && event && i < event->num_rows; i++) {
		table_add_double(table, event->rows[i].overhead, OVERHEAD_DECIMALS);
		// Sums of samples have no commas.
		char count[24];
		snprintf(count, sizeof(count), "%" PRIu64, event->rows[i].count);
		table_add_u64_as(table, event->rows[i].count, count);
		table_add_string(table, event->rows[i].symbol);
	}
	if (!err)
		err = table_check(table);
	if (!err)
		*ret = take_ptr(table);
	return err;
}

static struct error *sample_table_add_line(struct table *table, const struct sample_line *line,
					   bool has_disassembly)
{
	static const struct table_column columns[] = {
		{"address", TABLE_LEFT},
		{"instruction", TABLE_LEFT},
	};
	table_add_u64(table, line->line_number);
	table_add_u64(table, line->hits);
	table_add_string(table, line->filename);
	if (!has_disassembly)
		return NULL;
	table_add_string(table, sample_hex(line->instruction_address).text);
	struct table *nested;
	struct error *err = table_create(columns, ARRAY_SIZE(columns), &nested);
	if (err)
		return err;
	for (size_t i = 0; i < line->num_instructions; i++) {
		table_add_string(nested, sample_hex(line->instructions[i].address).text);
		table_add_string(nested, line->instructions[i].text);
	}
	table_add_table(table, "disassemble", nested);
	return NULL;
}

bool sample_line_is_known(const struct sample_line *line)
{
	return line->line_number && *line->filename;
}

struct error *sample_table_lines(const struct sample_function *function, bool has_disassembly,
				 enum sample_line_choice choice, struct table **ret)
{
	static const struct table_column columns[] = {
		{"line_number", TABLE_LEFT},       {"hits", TABLE_LEFT},
		{"filename", TABLE_LEFT},          {"instruction_address", TABLE_LEFT},
		{"disassembled_line", TABLE_LEFT},
	};
	size_t num_columns = ARRAY_SIZE(columns) - (has_disassembly ? 0 : NUM_COLUMNS_OF_CODE);
	_cleanup_(table_destroyp) struct table *table = NULL;
	struct error *err = table_create(columns, num_columns, &table);
	for (size_t i = 0; !err && i < function->num_lines; i++)
		if (choice == SAMPLE_LINES_ALL || sample_line_is_known(&function->lines[i]))
			err = sample_table_add_line(table, &function->lines[i], has_disassembly);
	if (!err)
		err = table_check(table);
	if (!err)
		*ret = take_ptr(table);
	return err;
}
