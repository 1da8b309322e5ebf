// SPDX-License-Identifier: Apache-2.0

#include "symbols/place_namer.h"

#include "base/container/array.h"
#include "object/line_image/line_image.h"
#include "profile/interpreted/interpreted_function.h"
#include "symbols/module_file.h"
#include "symbols/nameless_function.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// name_place() chooses by the module's kind: names that the configuration brings, an object file
// (name_by_object()), the kernel's symbols (name_by_kernel()), or what a process said of its
// generated code (name_by_memory()). Each of them appends the frames of the place, innermost first:
// the inlined calls that debug information knows, then the function around.
//
// In an object, the function's name comes from the symbol table, and lines and inlined calls from
// DWARF or a PDB. The symbol's name is preferred to that of debug information. If the object has no
// lines but the recording has (it was made where debug information was installed), the recorded
// names are used. Without any symbol, these are tried in order (add_nameless()): recorded names,
// ranges that the session named, the function's bounds from unwind tables.
//
// Functions are interned by their symbol's address, so that the work of demangling is done once for
// each. Damaged tables are kept as a refusal of their module (keep_refusal()), which the user is
// told once, and the rest goes on.
//
// In this order, by what an object and the recording have:
//
//	symbol and lines              inlined calls, then the symbol with its line
//	symbol, no lines              the recorded place if that has lines, else the symbol alone
//	no symbol, lines              inlined calls, then the name that debug information has
//	neither                       .NET methods of the recording, recorded names, ranges of the
//	                              session, [app+0x1139], [unknown]

/** A question, and whom to ask. */
struct query {
	struct place_namer *namer;
	struct named_profile *profile;
	struct known_module *known;
	uint64_t address;
};

/** A function by its symbol. */
struct symbol_facts {
	uint64_t address;
	struct function_facts function;
};

static const char unknown_name[] = "[unknown]";

struct error *place_namer_init(struct place_namer *namer, const struct symbolizer_config *config)
{
	*namer = (struct place_namer){.functions = {.with_full_names = config->with_full_names}};
	struct error *err = name_sources_init(&namer->sources, config);
	return err ? err
		   : recorded_namer_init(&namer->recorded, config->recorded_names,
					 config->recorded_names_size);
}

void place_namer_deinit(struct place_namer *namer)
{
	name_sources_deinit(&namer->sources);
	function_namer_deinit(&namer->functions);
	recorded_namer_deinit(&namer->recorded);
	hash_table_deinit(&namer->symbol_index);
	free(namer->symbols);
	free(namer->frames);
}

static bool is_symbol(const void *owner, uint32_t index, const void *key)
{
	const struct symbol_function *symbol = &((const struct place_namer *)owner)->symbols[index];
	const struct symbol_function *wanted = key;
	return symbol->address == wanted->address && symbol->module == wanted->module;
}

static struct error *place_namer_add_symbol(struct query *query, const struct symbol_facts *facts,
					    uint32_t *ret)
{
	struct place_namer *namer = query->namer;
	struct symbol_function symbol = {facts->address, facts->function.module, 0};
	uint64_t hash = hash_bytes(&symbol, offsetof(struct symbol_function, function));
	uint32_t index = hash_table_find(&namer->symbol_index, hash, is_symbol, namer, &symbol);
	if (index != HASH_TABLE_NONE) {
		*ret = namer->symbols[index].function;
		return NULL;
	}
	struct error *err = function_namer_add(&namer->functions, query->profile, &facts->function,
					       &symbol.function);
	if (!err)
		err = array_reserve(&namer->symbols, &namer->cap_symbols, namer->num_symbols + 1);
	if (!err)
		err = hash_table_insert(&namer->symbol_index, hash, (uint32_t)namer->num_symbols);
	if (err)
		return err;
	namer->symbols[namer->num_symbols++] = symbol;
	*ret = symbol.function;
	return NULL;
}

static struct error *place_namer_add_frame(struct query *query, struct named_frame *frame,
					   const char *file)
{
	struct place_namer *namer = query->namer;
	struct error *err = NULL;
	if (file)
		err = named_profile_string(query->profile, file, &frame->file);
	if (!err)
		err = array_reserve(&namer->frames, &namer->cap_frames, namer->num_frames + 1);
	if (!err)
		err = named_profile_frame(query->profile, frame, &namer->frames[namer->num_frames]);
	if (!err)
		namer->num_frames++;
	return err;
}

static enum frame_kind place_namer_kind_of(const struct known_module *known)
{
	return module_is_of_kernel(&known->module) ? FRAME_KERNEL : FRAME_NATIVE;
}

static struct error *place_namer_add_recorded(struct query *query,
					      const struct recorded_place *place)
{
	struct place_namer *namer = query->namer;
	struct error *err = NULL;
	for (uint32_t i = 0; !err && i < place->num_frames; i++) {
		const struct recorded_frame *recorded = &place->frames[i];
		struct named_frame frame = {
			.line = recorded->line,
			.is_inlined = recorded->flags & RECORDED_FRAME_INLINED,
			.is_compiled = recorded->flags & RECORDED_FRAME_COMPILED,
			.discriminator = recorded->discriminator,
			.address = place->symbol_address,
		};
		err = recorded_namer_function(&namer->recorded, &namer->functions, query->profile,
					      query->known, recorded->function, &frame.function);
		if (!err)
			err = place_namer_add_frame(query, &frame, recorded->file);
	}
	return err;
}

/** All places of a module that neither we nor the recording name are in one function. */
static struct error *place_namer_add_unknown(struct query *query, uint64_t address)
{
	struct known_module *known = query->known;
	const struct recorded_place *recorded =
		recorded_namer_find(&query->namer->recorded, known, query->address);
	if (recorded)
		return place_namer_add_recorded(query, recorded);
	known->num_unknown++;
	if (known->unknown == NAMED_NONE) {
		struct function_facts facts = {
			.name = unknown_name,
			.name_length = strlen(unknown_name),
			.module = known->named,
			.kind = place_namer_kind_of(known),
		};
		struct error *err = function_namer_add(&query->namer->functions, query->profile,
						       &facts, &known->unknown);
		if (err)
			return err;
	}
	struct named_frame frame = {.function = known->unknown, .address = address};
	return place_namer_add_frame(query, &frame, NULL);
}

static struct error *add_without_symbol(struct query *query, uint64_t start, const char *name,
					uint64_t address)
{
	const struct symbol_facts facts = {
		.address = start,
		.function =
			{
				.name = name,
				.name_length = strlen(name),
				.module = query->known->named,
				.kind = place_namer_kind_of(query->known),
			},
	};
	struct named_frame frame = {.address = address};
	struct error *err = place_namer_add_symbol(query, &facts, &frame.function);
	return err ? err : place_namer_add_frame(query, &frame, NULL);
}

/** The method of a runtime that the recording itself names; only images that were mapped as a whole
 * have any. */
static const struct image_method *place_namer_find_method(const struct query *query)
{
	const struct known_module *known = query->known;
	return image_method_find(known->methods, known->num_methods, query->address);
}

/** Functions without a symbol are what somebody knows of them, else told apart by their start. */
static struct error *add_nameless(struct query *query, uint64_t address)
{
	struct known_module *known = query->known;
	struct nameless_function nameless;
	const struct image_method *method = place_namer_find_method(query);
	if (method)
		return add_without_symbol(query, method->start, method->method->name, address);
	if (recorded_namer_find(&query->namer->recorded, known, query->address))
		return place_namer_add_unknown(query, address);
	const struct symbolizer_range *range = known_module_find_range(known, address);
	if (range)
		return add_without_symbol(query, range->start, known->range_name, address);
	if (!nameless_function_find(known->object, known_module_path(known), address, &nameless))
		return place_namer_add_unknown(query, address);
	known->num_unknown++;
	return add_without_symbol(query, nameless.symbol.address, nameless.name, address);
}

static struct error *add_inlined(struct query *query, const struct object_line *line,
				 uint64_t address)
{
	const char *name = line->function ? line->function : unknown_name;
	struct function_facts facts = {
		.name = name,
		.name_length = strlen(name),
		.module = query->known->named,
		.kind = place_namer_kind_of(query->known),
		.file = line->definition_file,
		.line = line->definition_line,
	};
	struct named_frame frame = {
		.line = line->line,
		.discriminator = line->discriminator & FRAME_DISCRIMINATOR_MASK,
		.is_inlined = true,
		.address = address,
	};
	struct error *err = function_namer_add(&query->namer->functions, query->profile, &facts,
					       &frame.function);
	return err ? err : place_namer_add_frame(query, &frame, line->file);
}

/** The function that the symbol table or, without one, the debug information names. */
static struct error *add_outermost(struct query *query, const struct object_symbol *symbol,
				   const struct object_line *line, uint64_t address)
{
	const char *name = symbol ? symbol->name : line->function;
	struct function_facts facts = {
		.name = name,
		.name_length = strlen(name),
		.module = query->known->named,
		.kind = place_namer_kind_of(query->known),
		.file = line ? line->definition_file : NULL,
		.line = line ? line->definition_line : 0,
	};
	struct named_frame frame = {
		.line = line ? line->line : 0,
		.discriminator = line ? line->discriminator & FRAME_DISCRIMINATOR_MASK : 0,
		.address = address,
	};
	struct error *err;
	if (symbol)
		err = place_namer_add_symbol(query, &(struct symbol_facts){symbol->address, facts},
					     &frame.function);
	else
		err = function_namer_add(&query->namer->functions, query->profile, &facts,
					 &frame.function);
	return err ? err : place_namer_add_frame(query, &frame, line ? line->file : NULL);
}

/** Damaged tables are as good as none: their module says so, and the rest goes on. */
static struct error *keep_refusal(struct known_module *known, struct error *err)
{
	if (!err || err->code == ERROR_NO_MEMORY)
		return err;
	if (known->refusal)
		error_destroy(err);
	else
		known->refusal = err;
	return NULL;
}

/**
 * Handlers of signals return to the first instruction of a trampoline that nobody called: the
 * place before their return address may be in no function.
 */
static struct error *place_namer_find_symbol(struct object *object, uint64_t address,
					     const struct object_symbol **ret)
{
	struct error *err = object_find_symbol(object, address, ret);
	if (err || *ret || address == UINT64_MAX)
		return err;
	const struct object_symbol *next;
	err = object_find_symbol(object, address + 1, &next);
	if (!err && next && next->address == address + 1)
		*ret = next;
	return err;
}

/** A place in an image of interpreted lines; its address is of use to nobody. */
static struct error *name_by_line_image(struct query *query, uint64_t address)
{
	struct place_namer *namer = query->namer;
	struct known_module *known = query->known;
	const struct object_symbol *symbol = NULL;
	const struct object_line *lines = NULL;
	size_t num_lines = 0;
	struct error *err = object_find_symbol(known->object, address, &symbol);
	if (!err && symbol)
		err = object_find_lines(known->object, address, &lines, &num_lines);
	err = keep_refusal(known, err);
	if (err || !symbol)
		return err ? err : place_namer_add_unknown(query, address);
	const struct object_line *line = num_lines ? &lines[0] : NULL;
	const struct interpreted_function function = {
		.name = symbol->name,
		.file = line && line->file ? line->file : "",
		.first_line = line ? line->definition_line : 0,
	};
	err = array_reserve(&namer->frames, &namer->cap_frames, namer->num_frames + 1);
	if (!err)
		err = interpreted_function_frame(query->profile, &function, line ? line->line : 0,
						 line && line->column == LINE_IMAGE_COMPILED_COLUMN,
						 &namer->frames[namer->num_frames]);
	namer->num_frames += !err;
	return err;
}

static struct error *name_by_object(struct query *query)
{
	struct known_module *known = query->known;
	uint64_t address;
	if (!known->object ||
	    !module_file_address(&known->module, known->object, query->address, &address)) {
		const struct image_method *method = place_namer_find_method(query);
		return method ? add_without_symbol(query, method->start, method->method->name,
						   query->address)
			      : place_namer_add_unknown(query, query->address);
	}
	if (known->is_line_image)
		return name_by_line_image(query, address);
	if (known->is_left_out)
		return place_namer_add_unknown(query, address);
	const struct object_symbol *symbol = NULL;
	struct error *err = place_namer_find_symbol(known->object, address, &symbol);
	err = keep_refusal(known, err);
	const struct object_line *lines = NULL;
	size_t num_lines = 0;
	if (!err && query->namer->sources.config.with_lines) {
		err = object_find_lines(known->object, address, &lines, &num_lines);
		if (err)
			num_lines = 0;
		err = keep_refusal(known, err);
	}
	const struct recorded_place *recorded =
		recorded_namer_find(&query->namer->recorded, known, query->address);
	if (!err && !num_lines && recorded && recorded->frames[0].line) // the file says less
		return place_namer_add_recorded(query, recorded);
	const struct object_line *outermost = num_lines ? &lines[num_lines - 1] : NULL;
	if (!err && !symbol && (!outermost || !outermost->function))
		return add_nameless(query, address);
	for (size_t i = 0; !err && i + 1 < num_lines; i++)
		err = add_inlined(query, &lines[i], address);
	return err ? err : add_outermost(query, symbol, outermost, address);
}

/** "[ext4]" as a module of the profile. */
/** "[ext4]", "[jit]": a module that is no file. */
static struct error *place_namer_add_module(struct named_profile *profile, const char *name,
					    uint32_t *ret)
{
	struct named_module module = {0};
	struct error *err = named_profile_string(profile, name, &module.name);
	module.path = module.name;
	return err ? err : named_profile_module(profile, &module, ret);
}

static struct error *name_by_kernel(struct query *query)
{
	struct kernel_place place;
	if (!kernel_symbols_find(&query->namer->sources.kernel, query->address, &place))
		return place_namer_add_unknown(query, query->address);
	struct symbol_facts facts = {
		.address = place.address,
		.function =
			{
				.name = place.name,
				.name_length = place.name_length,
				.module = query->known->named,
				.kind = FRAME_KERNEL,
			},
	};
	struct error *err = NULL;
	if (place.module) {
		char module[64];
		snprintf(module, sizeof(module), "[%s]", place.module);
		err = place_namer_add_module(query->profile, module, &facts.function.module);
	}
	struct named_frame frame = {.address = query->address};
	if (!err)
		err = place_namer_add_symbol(query, &facts, &frame.function);
	return err ? err : place_namer_add_frame(query, &frame, NULL);
}

/** The code that all processes made: those of one kind often are one program several times. */
/** A range of code with a name, in a module and of a kind. */
struct named_range {
	const struct code_map *map;
	const struct code_range *range;
	uint32_t module;
	enum frame_kind kind;
};

static struct error *name_by_range(struct query *query, const struct named_range *named)
{
	const struct code_range *range = named->range;
	const struct code_line *line = NULL;
	const struct code_line *definition =
		range->num_lines ? &named->map->lines[range->first_line] : NULL;
	if (query->namer->sources.config.with_lines)
		line = code_map_find_line(named->map, range, query->address);
	struct function_facts facts = {
		.name = range->name,
		.name_length = strlen(range->name),
		.module = named->module,
		.kind = named->kind,
		.file = definition ? definition->file : NULL,
		.line = definition ? definition->line : 0,
	};
	struct named_frame frame = {.line = line ? line->line : 0, .address = query->address};
	struct error *err = function_namer_add(&query->namer->functions, query->profile, &facts,
					       &frame.function);
	if (err)
		return err;
	// An interpreter's function is one place, wherever its code was made.
	if (query->profile->functions[frame.function].kind == FRAME_INTERPRETED)
		frame.address = 0;
	return place_namer_add_frame(query, &frame, line ? line->file : NULL);
}

static struct error *name_by_memory(struct query *query)
{
	const struct name_sources *sources = &query->namer->sources;
	const struct process_code *code = name_sources_process(sources, query->known->module.pid);
	const struct perf_data_method *method =
		method_list_find(&sources->methods, query->known->module.pid, query->address);
	struct named_range named = {.kind = FRAME_JIT};
	struct code_range range;
	if (method) {
		range = (struct code_range){method->start, method->size, method->name, 0, 0};
		named.range = &range;
	} else if (code) {
		named.range = process_code_find(code, query->address, &named.map);
	}
	if (!named.range)
		return place_namer_add_unknown(query, query->address);
	// One module for all processes: those of one kind often are one program several times.
	struct error *err = place_namer_add_module(query->profile, "[jit]", &named.module);
	return err ? err : name_by_range(query, &named);
}

/** Names that the configuration brings go before all others, where addresses are absolute. */
static struct error *name_place(struct query *query)
{
	static struct error *(*const ways[])(struct query *) = {
		[MODULE_FILE] = name_by_object,     [MODULE_KERNEL] = name_by_kernel,
		[MODULE_VDSO] = name_by_object,     [MODULE_MEMORY] = name_by_memory,
		[MODULE_UNMAPPED] = name_by_memory, [MODULE_KERNEL_IMAGE] = name_by_object,
	};
	const struct known_module *known = query->known;
	const struct code_map *names = &query->namer->sources.names;
	const struct named_range configured = {
		.map = names,
		.range = code_map_find(names, query->address),
		.module = known->named,
		.kind = place_namer_kind_of(known),
	};
	// Names that the configuration brings go before all others, where addresses are absolute.
	if (configured.range && !module_has_offsets(&known->module))
		return name_by_range(query, &configured);
	return ways[known->module.kind](query);
}

struct error *place_namer_lacks_symbol(struct place_namer *namer, struct known_module *known,
				       uint64_t address, bool *ret)
{
	struct error *err = name_sources_open(&namer->sources, known);
	uint64_t relative;
	if (err || !known->object || known->is_line_image ||
	    !module_file_address(&known->module, known->object, address, &relative))
		return err;
	const struct object_symbol *symbol = NULL;
	err = keep_refusal(known, place_namer_find_symbol(known->object, relative, &symbol));
	*ret = !err && !symbol;
	return err;
}

struct error *place_namer_add(struct place_namer *namer, struct named_profile *profile,
			      struct known_module *known, uint64_t address)
{
	struct error *err = name_sources_open(&namer->sources, known);
	if (!err)
		err = known_module_tell_build(known, profile);
	if (err)
		return err;
	size_t num_before = namer->num_frames;
	err = name_place(&(struct query){namer, profile, known, address});
	if (err)
		namer->num_frames = num_before;
	return err;
}
