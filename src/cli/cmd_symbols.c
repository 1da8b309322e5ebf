// SPDX-License-Identifier: Apache-2.0

#include "base/array.h"
#include "base/number.h"
#include "base/string_builder.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "object/demangle.h"
#include "object/object.h"
#include "view/table.h"

#include <inttypes.h>
#include <string.h>

enum { NUM_PLAIN_FUNCTION_COLUMNS = 3, NUM_PLAIN_ADDRESS_COLUMNS = 3 };

// The last column is for --lines.
static const struct table_column function_columns[] = {
	{"address", TABLE_RIGHT},
	{"size", TABLE_RIGHT},
	{"name", TABLE_LEFT},
	{"defined in", TABLE_LEFT},
};
static const struct table_column address_columns[] = {
	{"address", TABLE_RIGHT},
	{"name", TABLE_LEFT},
	{"offset", TABLE_RIGHT},
	{"line", TABLE_LEFT},
};

/** What is said of an address, or of a function by its first address. */
struct finding {
	uint64_t address;
	const struct object_symbol *symbol; /* NULL: there is none around the address */
	const struct object_line *lines;    /* innermost first */
	size_t num_lines;
};

static struct error *find(struct object *object, bool with_lines, uint64_t address,
			  struct finding *ret)
{
	*ret = (struct finding){.address = address};
	struct error *err = object_find_symbol(object, address, &ret->symbol);
	if (!err && with_lines)
		err = object_find_lines(object, address, &ret->lines, &ret->num_lines);
	return err;
}

static void add_hexadecimal(struct table *table, uint64_t value)
{
	char text[20];
	snprintf(text, sizeof(text), "0x%" PRIx64, value);
	table_add_string(table, text);
}

static struct error *add_name(struct table *table, const char *prefix, const char *name)
{
	_cleanup_free_ char *readable = NULL;
	struct error *err = name ? demangle(name, &readable) : NULL;
	if (err)
		return err;
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	string_builder_appendf(&text, "%s%s", prefix, readable ? readable : name ? name : "?");
	if (text.failed)
		return &error_no_memory;
	table_add_string(table, text.text);
	return NULL;
}

static struct error *add_place(struct table *table, const char *file, uint32_t line,
			       uint32_t column)
{
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	string_builder_append(&text, file ? file : "?");
	if (line)
		string_builder_appendf(&text, ":%" PRIu32, line);
	if (line && column)
		string_builder_appendf(&text, ":%" PRIu32, column);
	if (text.failed)
		return &error_no_memory;
	table_add_string(table, text.text);
	return NULL;
}

/** Where the function itself is defined, not what is inlined at its start; NULL: not known. */
static const struct object_line *definition_of(const struct finding *finding)
{
	return finding->num_lines ? &finding->lines[finding->num_lines - 1] : NULL;
}

static struct error *add_function_row(struct table *table, const struct finding *finding,
				      bool with_lines)
{
	char size[24];
	snprintf(size, sizeof(size), "%" PRIu64, finding->symbol->size);
	add_hexadecimal(table, finding->symbol->address);
	table_add_string(table, size);
	struct error *err = add_name(table, "", finding->symbol->name);
	if (err || !with_lines)
		return err;
	const struct object_line *line = definition_of(finding);
	if (line)
		return add_place(table, line->definition_file, line->definition_line, 0);
	table_add_string(table, "?");
	return NULL;
}

static void add_offset(struct table *table, const struct finding *finding)
{
	char text[24] = "";
	if (finding->symbol)
		snprintf(text, sizeof(text), "+0x%" PRIx64,
			 finding->address - finding->symbol->address);
	table_add_string(table, text);
}

/** A row of the function, or one per inlined call and then that of the function. */
static struct error *add_address_rows(struct table *table, const struct finding *finding,
				      bool with_lines)
{
	for (size_t i = 0; i + 1 < finding->num_lines; i++) {
		const struct object_line *line = &finding->lines[i];
		add_hexadecimal(table, finding->address);
		struct error *err = add_name(table, "inlined: ", line->function);
		table_add_string(table, "");
		if (!err)
			err = add_place(table, line->file, line->line, line->column);
		if (err)
			return err;
	}
	const struct object_line *line = definition_of(finding);
	const char *name = finding->symbol ? finding->symbol->name : line ? line->function : NULL;
	add_hexadecimal(table, finding->address);
	struct error *err = add_name(table, "", name);
	add_offset(table, finding);
	if (err || !with_lines)
		return err;
	return line ? add_place(table, line->file, line->line, line->column)
		    : add_place(table, NULL, 0, 0);
}

static void write_hexadecimal(struct json_writer *json, const char *key, uint64_t value)
{
	char text[20];
	snprintf(text, sizeof(text), "0x%" PRIx64, value);
	json_key_text(json, key, text);
}

static void write_number(struct json_writer *json, const char *key, uint64_t value)
{
	json_key(json, key);
	json_u64(json, value);
}

/** The name as in the file, and how it is read if that differs. */
static struct error *write_name(struct json_writer *json, const char *name)
{
	_cleanup_free_ char *readable = NULL;
	struct error *err = demangle(name, &readable);
	if (err)
		return err;
	json_key_text(json, "name", name);
	if (readable)
		json_key_text(json, "readable", readable);
	return NULL;
}

static struct error *write_function(struct json_writer *json, const struct finding *finding)
{
	json_begin_object(json);
	write_hexadecimal(json, "address", finding->symbol->address);
	write_number(json, "size", finding->symbol->size);
	struct error *err = write_name(json, finding->symbol->name);
	const struct object_line *line = definition_of(finding);
	if (line && line->definition_file) {
		json_key_text(json, "file", line->definition_file);
		write_number(json, "line", line->definition_line);
	}
	json_end_object(json);
	return err;
}

static struct error *write_line(struct json_writer *json, const struct object_line *line)
{
	json_begin_object(json);
	struct error *err = line->function ? write_name(json, line->function) : NULL;
	if (line->file)
		json_key_text(json, "file", line->file);
	write_number(json, "line", line->line);
	write_number(json, "column", line->column);
	json_end_object(json);
	return err;
}

static struct error *write_address(struct json_writer *json, const struct finding *finding,
				   bool with_lines)
{
	json_begin_object(json);
	write_hexadecimal(json, "address", finding->address);
	struct error *err = NULL;
	if (finding->symbol) {
		err = write_name(json, finding->symbol->name);
		write_number(json, "offset", finding->address - finding->symbol->address);
	}
	if (with_lines) {
		json_key(json, "lines");
		json_begin_array(json);
		for (size_t i = 0; !err && i < finding->num_lines; i++)
			err = write_line(json, &finding->lines[i]);
		json_end_array(json);
	}
	json_end_object(json);
	return err;
}

/** What was asked for: all functions, or some addresses. */
struct request {
	struct object *object;
	const uint64_t *addresses;
	size_t num_addresses;
	bool with_lines;
};

static struct error *fill_functions(const struct request *request, struct table *table,
				    struct json_writer *json)
{
	const struct object_symbol *symbols;
	size_t num_symbols;
	struct error *err = object_symbols(request->object, &symbols, &num_symbols);
	for (size_t i = 0; !err && i < num_symbols; i++) {
		struct finding finding;
		err = find(request->object, request->with_lines, symbols[i].address, &finding);
		finding.symbol = &symbols[i];
		if (!err && table)
			err = add_function_row(table, &finding, request->with_lines);
		if (!err && json)
			err = write_function(json, &finding);
	}
	return err;
}

static struct error *fill_addresses(const struct request *request, struct table *table,
				    struct json_writer *json)
{
	struct error *err = NULL;
	for (size_t i = 0; !err && i < request->num_addresses; i++) {
		struct finding finding;
		err = find(request->object, request->with_lines, request->addresses[i], &finding);
		if (!err && table)
			err = add_address_rows(table, &finding, request->with_lines);
		if (!err && json)
			err = write_address(json, &finding, request->with_lines);
	}
	return err;
}

/** Functions or addresses: how they are shown. */
struct listing {
	const char *key;
	const struct table_column *columns;
	size_t num_plain_columns;
	struct error *(*fill)(const struct request *request, struct table *table,
			      struct json_writer *json);
};

static const struct listing functions_listing = {"functions", function_columns,
						 NUM_PLAIN_FUNCTION_COLUMNS, fill_functions};
static const struct listing addresses_listing = {"addresses", address_columns,
						 NUM_PLAIN_ADDRESS_COLUMNS, fill_addresses};

static struct error *print_text(const struct request *request, const struct listing *listing,
				FILE *stream)
{
	_cleanup_(table_destroyp) struct table *table = NULL;
	struct error *err = table_create(listing->columns,
					 listing->num_plain_columns + request->with_lines, &table);
	if (!err)
		err = listing->fill(request, table, NULL);
	if (!err)
		err = table_check(table);
	if (!err)
		table_print(table, stream);
	return err;
}

static struct error *write_json(const struct request *request, const struct listing *listing,
				struct json_writer *json)
{
	json_begin_object(json);
	json_key(json, listing->key);
	json_begin_array(json);
	struct error *err = listing->fill(request, NULL, json);
	json_end_array(json);
	json_end_object(json);
	return err;
}

static struct error *show(const struct options *options, const struct request *request)
{
	const struct listing *listing =
		request->num_addresses ? &addresses_listing : &functions_listing;
	_cleanup_(output_deinit) struct output output;
	struct error *err = output_open(options, &output);
	if (!err && output.text)
		err = print_text(request, listing, output.text);
	if (!err && output.json)
		err = write_json(request, listing, output.json);
	return err ? err : output_close(&output);
}

static struct error *parse_addresses(const struct text_list *words, uint64_t *ret)
{
	for (size_t i = 1; i < words->num_items; i++) {
		const char *word = words->items[i];
		if (number_parse_hex(word, strlen(word), true, &ret[i - 1]) == NUMBER_OK)
			continue;
		return error_with_hint(error_create(ERROR_USAGE, "'%s' is no address", word),
				       "write it in hexadecimal: 0x1139");
	}
	return NULL;
}

struct error *command_symbols(const struct options *options, int *ret_exit)
{
	const struct text_list *words = &options->arguments;
	if (!words->num_items)
		return error_with_hint(error_create(ERROR_USAGE, "no file was named"),
				       "write wperf symbols FILE [ADDRESS ...]");
	_cleanup_free_ uint64_t *addresses = calloc(words->num_items, sizeof(*addresses));
	if (!addresses)
		return &error_no_memory;
	struct error *err = parse_addresses(words, addresses);
	if (err)
		return err;
	_cleanup_(object_destroyp) struct object *object = NULL;
	err = object_open(words->items[0], "", &object);
	if (err)
		return err;
	struct request request = {
		.object = object,
		.addresses = addresses,
		.num_addresses = words->num_items - 1,
		.with_lines = options->lines,
	};
	return show(options, &request);
}
