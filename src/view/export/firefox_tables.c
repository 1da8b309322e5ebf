// SPDX-License-Identifier: Apache-2.0

#include "view/export/firefox_tables.h"

#include "base/container/array.h"

// The tables of a profile in the Firefox Profiler's format (processed-profile-format.md in its
// docs-developer). Numbers of strings, functions, frames, stacks and modules are those of our
// profile, since both formats refer by index: nothing is renumbered, except source files, which
// have a table of their own there.
//
// A table is described by an array of columns, each with its key and a function that writes the
// value of one row. Columns that say nothing here have a constant.
//
//	"frameTable": {"address": [4481, ...], "func": [0, ...], ..., "length": 40},
//	"funcTable": {"name": [17, ...], "source": [0, ...], ..., "length": 31}

struct tables {
	const struct named_profile *profile;
	struct json_writer *json;
	uint32_t *source_of; /* [string]: number of the source file of this name, or NAMED_NONE */
	uint32_t *files;     /* [source]: its name */
	size_t num_files;
};

static void tables_deinit(struct tables *view)
{
	free(view->source_of);
	free(view->files);
}

static struct error *firefox_tables_number_files(struct tables *view)
{
	size_t num_strings = view->profile->strings.num_entries;
	view->source_of = calloc(num_strings, sizeof(*view->source_of));
	view->files = calloc(num_strings, sizeof(*view->files));
	if (!view->source_of || !view->files)
		return &error_no_memory;
	for (size_t i = 0; i < num_strings; i++)
		view->source_of[i] = NAMED_NONE;
	for (size_t i = 0; i < view->profile->num_functions; i++) {
		uint32_t file = view->profile->functions[i].file;
		// A file gets its number when the first of its functions comes.
		if (!file || view->source_of[file] != NAMED_NONE)
			continue;
		view->source_of[file] = (uint32_t)view->num_files;
		view->files[view->num_files++] = file;
	}
	return NULL;
}

// A table is an object of arrays of the same length; how a row's value is written says the column.
struct column {
	const char *key;
	void (*write)(struct tables *view, size_t row);
};

static void write_table(struct tables *view, const char *key, const struct column *columns,
			size_t num_columns, size_t num_rows)
{
	struct json_writer *json = view->json;
	json_key(json, key);
	json_begin_object(json);
	for (size_t i = 0; i < num_columns; i++) {
		json_key(json, columns[i].key);
		json_begin_array(json);
		for (size_t row = 0; row < num_rows; row++)
			columns[i].write(view, row);
		json_end_array(json);
	}
	json_key_u64(json, "length", num_rows);
	json_end_object(json);
}

#define WRITE_TABLE(view, key, columns, num_rows) \
	write_table((view), (key), (columns), ARRAY_SIZE(columns), (num_rows))

static void write_null(struct tables *view, size_t row)
{
	json_none(view->json);
}

static void write_false(struct tables *view, size_t row)
{
	json_bool(view->json, false);
}

static void write_zero(struct tables *view, size_t row)
{
	json_u64(view->json, 0);
}

static void write_one(struct tables *view, size_t row)
{
	json_u64(view->json, 1);
}

static void write_row_number(struct tables *view, size_t row)
{
	json_u64(view->json, row);
}

static void write_unless(struct tables *view, uint64_t value, uint64_t none)
{
	if (value == none)
		json_none(view->json);
	else
		json_u64(view->json, value);
}

static void write_stack_frame(struct tables *view, size_t row)
{
	json_u64(view->json, view->profile->stacks.nodes[row].frame);
}

static void write_stack_prefix(struct tables *view, size_t row)
{
	uint32_t parent = view->profile->stacks.nodes[row].parent;
	// The distance to the caller, which always has a lower number; 0 is the root.
	json_u64(view->json, parent == STACK_NONE ? 0 : row - parent);
}

static void write_frame_address(struct tables *view, size_t row)
{
	uint64_t address = view->profile->frames[row].address;
	// -1 stands for no address.
	json_i64(view->json, address && address <= INT64_MAX ? (int64_t)address : -1);
}

static void write_frame_inline_depth(struct tables *view, size_t row)
{
	// We know that a call is inlined, not how deep.
	json_u64(view->json, view->profile->frames[row].is_inlined);
}

static void write_frame_function(struct tables *view, size_t row)
{
	json_u64(view->json, view->profile->frames[row].function);
}

static void write_frame_line(struct tables *view, size_t row)
{
	write_unless(view, view->profile->frames[row].line, 0);
}

static void write_frame_category(struct tables *view, size_t row)
{
	static const enum firefox_category category_of[] = {
		[FRAME_MARKER] = FIREFOX_OTHER,  [FRAME_INTERPRETED] = FIREFOX_INTERPRETED,
		[FRAME_NATIVE] = FIREFOX_NATIVE, [FRAME_KERNEL] = FIREFOX_KERNEL,
		[FRAME_JIT] = FIREFOX_JIT,
	};
	uint32_t function = view->profile->frames[row].function;
	json_u64(view->json, category_of[view->profile->functions[function].kind]);
}

static void firefox_tables_write_function_name(struct tables *view, size_t row)
{
	json_u64(view->json, view->profile->functions[row].name);
}

static void write_function_resource(struct tables *view, size_t row)
{
	uint32_t module = view->profile->functions[row].module;
	json_i64(view->json, module == NAMED_NONE ? -1 : (int64_t)module);
}

static void write_function_source(struct tables *view, size_t row)
{
	uint32_t file = view->profile->functions[row].file;
	write_unless(view, file ? view->source_of[file] : NAMED_NONE, NAMED_NONE);
}

static void write_function_line(struct tables *view, size_t row)
{
	write_unless(view, view->profile->functions[row].line, 0);
}

static void write_module_name(struct tables *view, size_t row)
{
	json_u64(view->json, view->profile->modules[row].name);
}

static void write_file_name(struct tables *view, size_t row)
{
	json_u64(view->json, view->files[row]);
}

static const struct column source_columns[] = {
	{"id", write_null},         {"filename", write_file_name}, {"startLine", write_one},
	{"startColumn", write_one}, {"sourceMapURL", write_null},  {"content", write_null},
};

static const struct column location_columns[] = {
	{"source", write_null},
	{"line", write_null},
	{"column", write_null},
};

static const struct column stack_columns[] = {
	{"frame", write_stack_frame},
	{"prefixOffset", write_stack_prefix},
};

static const struct column frame_columns[] = {
	{"address", write_frame_address},
	{"inlineDepth", write_frame_inline_depth},
	{"category", write_frame_category},
	{"subcategory", write_zero},
	{"func", write_frame_function},
	{"nativeSymbol", write_null},
	{"innerWindowID", write_null},
	{"line", write_frame_line},
	{"column", write_null},
	{"originalLocation", write_null},
};

static const struct column function_columns[] = {
	{"isJS", write_false},
	{"relevantForJS", write_false},
	{"name", firefox_tables_write_function_name},
	{"resource", write_function_resource},
	{"source", write_function_source},
	{"lineNumber", write_function_line},
	{"columnNumber", write_null},
	{"originalLocation", write_null},
};

// Type 1 of a resource is a library.
static const struct column resource_columns[] = {
	{"lib", write_row_number},
	{"name", write_module_name},
	{"host", write_null},
	{"type", write_one},
};

static const struct column native_symbol_columns[] = {
	{"libIndex", write_null},
	{"address", write_null},
	{"name", write_null},
	{"functionSize", write_null},
};

struct error *firefox_tables_write(const struct named_profile *profile, struct json_writer *json)
{
	_cleanup_(tables_deinit) struct tables view = {.profile = profile, .json = json};
	struct error *err = firefox_tables_number_files(&view);
	if (err)
		return err;
	json_key(json, "shared");
	json_begin_object(json);
	json_key(json, "stringArray");
	json_begin_array(json);
	for (uint32_t i = 0; i < profile->strings.num_entries; i++)
		json_text(json, named_profile_text(profile, i));
	json_end_array(json);
	WRITE_TABLE(&view, "sources", source_columns, view.num_files);
	WRITE_TABLE(&view, "sourceLocationTable", location_columns, 0);
	WRITE_TABLE(&view, "stackTable", stack_columns, profile->stacks.num_nodes);
	WRITE_TABLE(&view, "frameTable", frame_columns, profile->num_frames);
	WRITE_TABLE(&view, "funcTable", function_columns, profile->num_functions);
	WRITE_TABLE(&view, "resourceTable", resource_columns, profile->num_modules);
	WRITE_TABLE(&view, "nativeSymbols", native_symbol_columns, 0);
	json_end_object(json);
	return NULL;
}
