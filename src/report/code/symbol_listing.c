// SPDX-License-Identifier: Apache-2.0
// Without addresses the walk over the file's functions (object.h) gives one after the other, in the
// order of their addresses; a pattern leaves some out. With addresses each is looked up. Where a
// file has no symbol, its unwind tables still tell where the function begins: that, behind the name
// of the file, is its name, as in reports. The evaluation loops of
// interpreters are known by their code.

#include "report/code/symbol_listing.h"

#include "base/text/name_pattern.h"
#include "interpreter/interpreter_ops.h"
#include "object/names/demangle.h"
#include "object/object.h"
#include "object/unpack/read_budget.h"
#include "report/notes/nameless_notes.h"
#include "symbols/nameless_function.h"
#include "view/layout/safe_text.h"

#include <inttypes.h>
#include <string.h>

/** What is said of an address, or of a function by its first address. */
struct finding {
	uint64_t address;
	const struct object_symbol *symbol; /* NULL: there is none around the address */
	const struct object_line *lines;    /* innermost first */
	size_t num_lines;
	const char *machine;               /* of the code there; NULL: all of the file is for one */
	struct nameless_function nameless; /* what the symbol is of, in stripped files */
};

struct symbol_listing {
	struct object *object;
	const struct symbol_listing_request *request;
	const struct eval_loop_ranges *loop;
};

static const char *symbol_listing_machine_at(const struct object *object, uint64_t address)
{
	// Only files with code for two machines (Arm64X) have a map of it.
	size_t num_ranges;
	object_code_ranges(object, &num_ranges);
	if (!num_ranges)
		return NULL;
	return object_machine_at(object, address) == OBJECT_MACHINE_X86_64 ? "x64" : "Arm64";
}

/** As reports call it. */
static void name_nameless(const struct symbol_listing *listing, uint64_t start, uint64_t end,
			  struct nameless_function *ret)
{
	nameless_function_set(ret, listing->request->path, start, end);
	if (eval_loop_ranges_hold(listing->loop, start))
		eval_loops_make_name(listing->request->path, ret->name);
}

static struct error *symbol_listing_find(const struct symbol_listing *listing, uint64_t address,
					 struct finding *ret)
{
	struct object *object = listing->object;
	*ret = (struct finding){.address = address,
				.machine = symbol_listing_machine_at(object, address)};
	struct error *err = object_find_symbol(object, address, &ret->symbol);
	if (!err && listing->request->with_lines)
		err = object_find_lines(object, address, &ret->lines, &ret->num_lines);
	uint64_t start, end;
	if (!err && !ret->symbol && !ret->num_lines &&
	    object_find_function(object, address, &start, &end)) {
		name_nameless(listing, start, end, &ret->nameless);
		ret->symbol = &ret->nameless.symbol;
	}
	return err;
}

struct address_text {
	char text[20];
};

static struct address_text address_text(uint64_t address)
{
	struct address_text text;
	snprintf(text.text, sizeof(text.text), "0x%" PRIx64, address);
	return text;
}

static void print_safely(FILE *stream, const char *text)
{
	if (!text)
		text = "?";
	safe_text_print(text, strlen(text), stream);
}

/** As people read it; "?" for NULL. */
static struct error *print_name(FILE *stream, const char *name)
{
	_cleanup_free_ char *readable = NULL;
	struct error *err = name ? demangle(name, &readable) : NULL;
	if (!err)
		print_safely(stream, readable ? readable : name);
	return err;
}

static void print_machine(FILE *stream, const char *machine)
{
	if (machine)
		fprintf(stream, "  %-7s", machine);
}

static void symbol_listing_print_place(FILE *stream, const char *file, uint32_t line,
				       uint32_t column)
{
	fputs("  ", stream);
	print_safely(stream, file);
	if (line)
		fprintf(stream, ":%" PRIu32, line);
	if (line && column)
		fprintf(stream, ":%" PRIu32, column);
}

/** Where the function itself is defined, not what is inlined at its start; NULL: not known. */
static const struct object_line *definition_of(const struct finding *finding)
{
	// Innermost first: the last row is of the function that the address is in.
	return finding->num_lines ? &finding->lines[finding->num_lines - 1] : NULL;
}

static struct error *symbol_listing_print_function(FILE *stream, const struct finding *finding,
						   bool with_lines)
{
	fprintf(stream, "%18s %10" PRIu64, address_text(finding->symbol->address).text,
		finding->symbol->size);
	print_machine(stream, finding->machine);
	fputs("  ", stream);
	struct error *err = print_name(stream, finding->symbol->name);
	const struct object_line *line = definition_of(finding);
	if (with_lines)
		symbol_listing_print_place(stream, line ? line->definition_file : NULL,
					   line ? line->definition_line : 0, 0);
	fputc('\n', stream);
	return err;
}

static struct error *print_inlined(FILE *stream, const struct finding *finding,
				   const struct object_line *line)
{
	struct error *err = print_name(stream, line->function);
	fputs(" (inlined)", stream);
	symbol_listing_print_place(stream, line->file, line->line, line->column);
	fprintf(stream, "\n%18s  ", "");
	if (finding->machine)
		fprintf(stream, "%9s", "");
	return err;
}

/** Calls that are inlined at the address, the innermost first, and then the function. */
static struct error *print_address(FILE *stream, const struct finding *finding, bool with_lines)
{
	// Each call on a line, the place in its caller's file behind it:
	//   0x1139  square (inlined)  /src/shop.c:3:9
	//           total+0x19  /src/shop.c:12:8
	fprintf(stream, "%18s", address_text(finding->address).text);
	print_machine(stream, finding->machine);
	fputs("  ", stream);
	struct error *err = NULL;
	for (size_t i = 0; !err && i + 1 < finding->num_lines; i++)
		err = print_inlined(stream, finding, &finding->lines[i]);
	if (err)
		return err;
	const struct object_line *line = definition_of(finding);
	const struct object_symbol *symbol = finding->symbol;
	err = print_name(stream, symbol ? symbol->name : line ? line->function : NULL);
	if (symbol)
		fprintf(stream, "+0x%" PRIx64, finding->address - symbol->address);
	if (with_lines)
		symbol_listing_print_place(stream, line ? line->file : NULL, line ? line->line : 0,
					   line ? line->column : 0);
	fputc('\n', stream);
	return err;
}

static void write_address_key(struct json_writer *json, uint64_t address)
{
	struct address_text text = address_text(address);
	json_key_text(json, "address", text.text);
}

/** The name as in the file, and how it is read if that differs. */
static struct error *symbol_listing_write_name(struct json_writer *json, const char *name)
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

static void write_machine(struct json_writer *json, const struct finding *finding)
{
	if (finding->machine)
		json_key_text(json, "machine", finding->machine);
}

static struct error *symbol_listing_write_function(struct json_writer *json,
						   const struct finding *finding)
{
	json_begin_object(json);
	write_address_key(json, finding->symbol->address);
	json_key_u64(json, "size", finding->symbol->size);
	write_machine(json, finding);
	struct error *err = symbol_listing_write_name(json, finding->symbol->name);
	const struct object_line *line = definition_of(finding);
	if (line && line->definition_file) {
		json_key_text(json, "file", line->definition_file);
		json_key_u64(json, "line", line->definition_line);
	}
	json_end_object(json);
	return err;
}

static struct error *symbol_listing_write_line(struct json_writer *json,
					       const struct object_line *line)
{
	json_begin_object(json);
	struct error *err = line->function ? symbol_listing_write_name(json, line->function) : NULL;
	if (line->file)
		json_key_text(json, "file", line->file);
	json_key_u64(json, "line", line->line);
	json_key_u64(json, "column", line->column);
	json_end_object(json);
	return err;
}

static struct error *symbol_listing_write_address(struct json_writer *json,
						  const struct finding *finding, bool with_lines)
{
	json_begin_object(json);
	write_address_key(json, finding->address);
	write_machine(json, finding);
	struct error *err = NULL;
	if (finding->symbol) {
		err = symbol_listing_write_name(json, finding->symbol->name);
		json_key_u64(json, "offset", finding->address - finding->symbol->address);
	}
	if (with_lines) {
		json_key(json, "lines");
		json_begin_array(json);
		for (size_t i = 0; !err && i < finding->num_lines; i++)
			err = symbol_listing_write_line(json, &finding->lines[i]);
		json_end_array(json);
	}
	json_end_object(json);
	return err;
}

/** By its name as it is read, or as it is in the file. */
static struct error *symbol_listing_is_wanted(const struct symbol_listing *listing,
					      const char *name, bool *ret)
{
	*ret = !listing->request->pattern ||
	       name_pattern_match_symbol(listing->request->pattern, name);
	// The name as in the file fits most patterns; only for the rest is it demangled.
	if (*ret)
		return NULL;
	_cleanup_free_ char *readable = NULL;
	struct error *err = demangle(name, &readable);
	if (!err && readable)
		*ret = name_pattern_match_symbol(listing->request->pattern, readable);
	return err;
}

static struct error *show_function(const struct symbol_listing *listing,
				   const struct object_symbol *symbol, struct output *output)
{
	bool wanted;
	struct finding finding;
	struct error *err = symbol_listing_is_wanted(listing, symbol->name, &wanted);
	if (err || !wanted)
		return err;
	err = symbol_listing_find(listing, symbol->address, &finding);
	// Aliases have one address, and the look-up gives one of them: the one that is listed
	// counts.
	finding.symbol = symbol;
	if (!err && output->text)
		err = symbol_listing_print_function(output->text, &finding,
						    listing->request->with_lines);
	if (!err && output->json)
		err = symbol_listing_write_function(output->json, &finding);
	return err;
}

/** Both by address. */
struct function_walk {
	const struct object_symbol *symbols;
	size_t num_symbols, num_shown;
};

/** The symbols before an address. */
static struct error *show_symbols(const struct symbol_listing *listing, struct function_walk *walk,
				  uint64_t end, struct output *output)
{
	struct error *err = NULL;
	while (!err && walk->num_shown < walk->num_symbols &&
	       walk->symbols[walk->num_shown].address < end)
		err = show_function(listing, &walk->symbols[walk->num_shown++], output);
	return err;
}

/** Does a symbol begin or end between these addresses? All before them have been shown. */
static bool has_symbol(const struct function_walk *walk, uint64_t start, uint64_t end)
{
	const struct object_symbol *next = walk->symbols + walk->num_shown;
	bool is_in_last = walk->num_shown && start - next[-1].address < next[-1].size;
	return is_in_last || (walk->num_shown < walk->num_symbols && next->address < end);
}

/** Also those that have lost their symbols. */
static struct error *show_functions(const struct symbol_listing *listing, struct output *output)
{
	struct function_walk walk = {0};
	struct nameless_function nameless;
	uint64_t from = 0, start, end;
	struct error *err = object_symbols(listing->object, &walk.symbols, &walk.num_symbols);
	while (!err && object_next_function(listing->object, from, &start, &end)) {
		err = show_symbols(listing, &walk, start, output);
		if (!err && !has_symbol(&walk, start, end)) {
			name_nameless(listing, start, end, &nameless);
			err = show_function(listing, &nameless.symbol, output);
		}
		// The next function that begins later, also if two overlap.
		from = start + 1;
	}
	return err ? err : show_symbols(listing, &walk, UINT64_MAX, output);
}

static struct error *show_addresses(const struct symbol_listing *listing, struct output *output)
{
	struct error *err = NULL;
	for (size_t i = 0; !err && i < listing->request->num_addresses; i++) {
		struct finding finding;
		err = symbol_listing_find(listing, listing->request->addresses[i], &finding);
		if (!err && output->text)
			err = print_address(output->text, &finding, listing->request->with_lines);
		if (!err && output->json)
			err = symbol_listing_write_address(output->json, &finding,
							   listing->request->with_lines);
	}
	return err;
}

static void symbol_listing_print_heading(FILE *stream, const struct object *object)
{
	fprintf(stream, "%18s %10s", "address", "size");
	print_machine(stream, symbol_listing_machine_at(object, 0) ? "machine" : NULL);
	fputs("  name\n", stream);
}

static struct error *symbol_listing_show(const struct symbol_listing *listing,
					 struct output_request output_request)
{
	bool all = !listing->request->num_addresses;
	_cleanup_(output_deinit) struct output output;
	struct error *err = output_open(output_request, &output);
	if (err)
		return err;
	if (output.text && all)
		symbol_listing_print_heading(output.text, listing->object);
	if (output.json) {
		json_begin_object(output.json);
		json_key(output.json, all ? "functions" : "addresses");
		json_begin_array(output.json);
	}
	err = all ? show_functions(listing, &output) : show_addresses(listing, &output);
	if (err)
		return err;
	const char *origin = object_symbol_origin(listing->object);
	if (output.json) {
		json_end_array(output.json);
		json_key_text(output.json, "origin", origin);
		json_end_object(output.json);
	}
	if (output.text && all) {
		fputs("from: ", output.text);
		print_safely(output.text, origin);
		fputc('\n', output.text);
		fflush(output.text);
		if (strstr(origin, "PDB was not found"))
			fputs("hint: give the folder of the PDB with --symbol-path\n", stderr);
	}
	return output_close(&output);
}

struct error *symbol_listing_write(const struct symbol_listing_request *request,
				   struct output_request output_request)
{
	struct read_budget budget = {0};
	_cleanup_(object_destroyp) struct object *object = NULL;
	const struct object_places places = {
		.debug_root = "",
		.symbol_path = request->symbol_path,
		// The user named it: it may be a pipe, or on another machine.
		.is_named_by_user = true,
		.budget = &budget,
	};
	struct error *err = object_open_with(request->path, &places, &object);
	if (err)
		return err;
	struct eval_loop_ranges loop = {.num_items = 0};
	const struct interpreter_ops *interpreter = eval_loops_interpreter_named(request->path);
	if (interpreter)
		interpreter->find_loops(object, &loop);
	const struct symbol_listing listing = {.object = object, .request = request, .loop = &loop};
	err = symbol_listing_show(&listing, output_request);
	nameless_notes_print_cut_files(budget.num_cuts, stderr);
	return err;
}
