// SPDX-License-Identifier: Apache-2.0
// Event by event: a hot list of its samples by function gives the rows, hottest first. The limit of
// rows counts functions before --symbol leaves some out, so that a function's percentage and the
// sum of the top do not depend on it. The rows that are left have their hits per line and
// instruction added if that is asked for, and with -v every address its own.
//
// Rows have the words of WindowsPerf: functions of the sampled program stand alone, those of other
// modules have the module behind them, and what has no name is "unknown".

#include "report/sample/sample_tables.h"

#include "base/file/file_name.h"
#include "base/text/name_pattern.h"
#include "profile/hot/hot_list.h"
#include "profile/idle_samples.h"
#include "profile/profile_filter.h"
#include "report/code/sample_annotation.h"
#include "symbols/module_file.h"

#include <string.h>

static const char unknown_symbol[] = "unknown";

/** One event's part while it is filled. */
struct filling {
	struct sample_tables *tables;
	const struct sample_tables_request *request;
	const struct named_profile *profile;
	const char *program; /* the name of its file, or NULL */
	uint32_t event;
	const struct profile_filter *filter;
};

static bool is_of_program(const struct filling *filling, uint32_t module)
{
	if (module == NAMED_NONE || !filling->program)
		return false;
	const struct named_profile *profile = filling->profile;
	const char *name = named_profile_text(profile, profile->modules[module].name);
	return strcmp(name, filling->program) == 0;
}

/** `x_mul`, or `malloc:libc.so.6` of another module; NULL: no memory. */
static const char *sample_tables_label(const struct filling *filling, uint32_t function)
{
	const struct named_profile *profile = filling->profile;
	const struct named_function *named = &profile->functions[function];
	const char *name = named_profile_text(profile, named->name);
	if (strcmp(name, "[unknown]") == 0)
		name = unknown_symbol;
	if (named->module == NAMED_NONE || is_of_program(filling, named->module))
		return name;
	const char *module = named_profile_text(profile, profile->modules[named->module].name);
	// What stands for a call that is not known is of no file.
	return *module ? arena_printf(&filling->tables->arena, "%s:%s", name, module) : name;
}

/** Is the function one that --symbol asks for? */
static bool sample_tables_is_wanted(const struct filling *filling, uint32_t function)
{
	const struct named_profile *profile = filling->profile;
	const char *name = named_profile_text(profile, profile->functions[function].name);
	return !filling->request->symbol ||
	       name_pattern_match_symbol(filling->request->symbol, name);
}

static struct error *sample_tables_add_rows(const struct filling *filling,
					    const struct hot_list *list,
					    struct sample_event_report *event)
{
	struct sample_row *rows =
		arena_alloc_array(&filling->tables->arena, list->num_entries, sizeof(*rows));
	if (!rows)
		return &error_no_memory;
	struct named_total top = {0};
	const uint64_t limit = filling->tables->report.max_rows; // 0: none
	for (size_t i = 0; i < list->num_entries; i++) {
		const struct hot_entry *entry = &list->entries[i];
		// The list is sorted by self: entries that are only callers of others follow at the
		// end.
		if (entry->self.count == 0 || (limit && event->num_top >= limit))
			break;
		event->num_top++;
		named_total_add(&top, entry->self);
		if (!sample_tables_is_wanted(filling, entry->item))
			continue;
		const char *symbol = sample_tables_label(filling, entry->item);
		if (!symbol)
			return &error_no_memory;
		rows[event->num_rows++] = (struct sample_row){
			.overhead = named_total_percent(entry->self, list->whole),
			.count = entry->self.count,
			.symbol = symbol,
		};
	}
	event->rows = rows;
	event->top_count = top.count;
	event->top_overhead = named_total_percent(top, list->whole);
	return NULL;
}

/** Of the rows that are shown, functions with a name. */
static struct error *add_annotation(const struct filling *filling, const struct hot_list *list,
				    struct sample_event_report *event)
{
	struct sample_tables *tables = filling->tables;
	uint32_t *functions =
		arena_alloc_array(&tables->arena, event->num_rows + 1, sizeof(*functions));
	const char **names = arena_alloc_array(&tables->arena, event->num_rows + 1, sizeof(*names));
	if (!functions || !names)
		return &error_no_memory;
	size_t num_functions = 0, row = 0;
	// Rows were made of list->entries in this order, without those that --symbol leaves out;
	// the same test finds the entry of each row again.
	for (size_t i = 0; row < event->num_rows; i++) {
		if (!sample_tables_is_wanted(filling, list->entries[i].item))
			continue;
		const char *symbol = event->rows[row++].symbol;
		if (strncmp(symbol, unknown_symbol, strlen(unknown_symbol)) == 0)
			continue;
		functions[num_functions] = list->entries[i].item;
		names[num_functions++] = symbol;
	}
	const struct sample_annotation annotation = {
		.profile = filling->profile,
		.filter = filling->filter,
		.codes = filling->request->with_code ? &tables->codes : NULL,
		.arena = &tables->arena,
		.notes = &tables->notes,
	};
	return sample_annotation_create(&annotation, functions, names, num_functions,
					&event->functions, &event->num_functions);
}

/** Every address with its hits: what the peer shows with -v. */
static struct error *add_pcs(const struct filling *filling, struct sample_event_report *event)
{
	_cleanup_(hot_list_deinit) struct hot_list list = HOT_LIST_INIT;
	struct error *err =
		hot_list_create(filling->profile, HOT_ADDRESS, HOT_BY_SELF, filling->filter, &list);
	if (err)
		return err;
	struct sample_pc *pcs =
		arena_alloc_array(&filling->tables->arena, list.num_entries, sizeof(*pcs));
	if (!pcs)
		return &error_no_memory;
	for (size_t i = 0; i < list.num_entries && list.entries[i].self.count; i++) {
		const struct named_frame *frame = &filling->profile->frames[list.entries[i].item];
		struct sample_pc *pc = &pcs[event->num_pcs++];
		*pc = (struct sample_pc){
			.address = frame->address,
			.count = list.entries[i].self.count,
			.symbol = sample_tables_label(filling, frame->function),
		};
		if (!pc->symbol)
			return &error_no_memory;
	}
	event->pcs = pcs;
	return NULL;
}

static struct error *sample_tables_fill_event(struct filling *filling,
					      struct sample_event_report *event)
{
	const struct named_event *named = &filling->profile->events[filling->event];
	_cleanup_(profile_filter_destroyp) struct profile_filter *filter = NULL;
	_cleanup_(hot_list_deinit) struct hot_list list = HOT_LIST_INIT;
	struct profile_criteria criteria = PROFILE_CRITERIA_ALL;
	// One event at a time: cycles and cache misses cannot be added up.
	criteria.event = filling->event;
	struct error *err = profile_filter_create(filling->profile, &criteria, &filter);
	filling->filter = filter;
	if (!err)
		err = hot_list_create(filling->profile, HOT_FUNCTION, HOT_BY_SELF, filter, &list);
	if (err)
		return err;
	*event = (struct sample_event_report){
		.type = named_profile_text(filling->profile, named->name),
		.model = named->model ? named_profile_text(filling->profile, named->model) : NULL,
		.interval = named->period,
		.num_idle = named->idle.count,
		.idle_percent = idle_samples_percent(named),
	};
	// An event without samples has no percentages either.
	if (list.whole.count == 0)
		return NULL;
	err = sample_tables_add_rows(filling, &list, event);
	if (!err && (filling->request->with_lines || filling->request->with_code))
		err = add_annotation(filling, &list, event);
	if (!err && filling->request->is_verbose)
		err = add_pcs(filling, event);
	return err;
}

struct error *sample_tables_fill(struct sample_tables *tables,
				 const struct sample_tables_request *request,
				 const struct named_profile *profile)
{
	struct sample_event_report *events =
		arena_alloc_array(&tables->arena, profile->num_events, sizeof(*events));
	if (!events)
		return &error_no_memory;
	struct filling filling = {
		.tables = tables,
		.request = request,
		.profile = profile,
		.program = request->program ? file_name_of(request->program) : NULL,
	};
	struct sample_report *report = &tables->report;
	report->max_rows = request->max_rows;
	struct error *err = code_files_init(&tables->codes, profile, request->sysroots);
	tables->codes.symbol_path = request->symbol_path;
	for (uint32_t i = 0; !err && i < profile->num_events; i++) {
		filling.event = i;
		err = sample_tables_fill_event(&filling, &events[report->num_events]);
		const struct sample_event_report *event = &events[report->num_events];
		// An event without samples has no part, but one whose samples were all idle has: it
		// says so.
		report->num_events += event->num_top > 0 || event->num_idle > 0;
	}
	report->events = events;
	report->verbose = request->is_verbose;
	report->has_disassembly = request->with_code;
	report->pe_file = request->program;
	report->pdb_file = request->pdb_file;
	report->image_name = filling.program;
	return err;
}

static struct sample_module *sample_tables_find_module(struct sample_module *modules,
						       size_t num_modules, const char *path)
{
	for (size_t i = 0; i < num_modules; i++)
		if (strcmp(modules[i].path, path) == 0)
			return &modules[i];
	return NULL;
}

static void add_mapping(struct sample_tables *tables, struct sample_module *modules,
			const struct module_table *table, const struct mapping *mapping)
{
	struct sample_report *report = &tables->report;
	const struct module *module = &table->items[mapping->module];
	// "[sim]/python_d.exe" stands for a file, "[heap]" for none.
	bool is_file = module->kind == MODULE_FILE ||
		       (module->path[0] == '[' && strchr(module->path, '/'));
	if (!is_file)
		return;
	struct sample_module *known =
		sample_tables_find_module(modules, report->num_modules, module->path);
	if (!known) {
		known = &modules[report->num_modules++];
		*known = (struct sample_module){
			.name = file_name_of(module->path),
			.path = module->path,
			// Where the file would begin if it were mapped as a whole; the lowest of
			// its mappings counts.
			.address = mapping->start - mapping->file_offset,
		};
	}
	uint64_t address = mapping->start - mapping->file_offset;
	known->address = address < known->address ? address : known->address;
}

struct error *sample_tables_add_modules(struct sample_tables *tables,
					const struct process_table *processes)
{
	const struct module_table *table = &processes->modules;
	struct sample_module *modules =
		arena_alloc_array(&tables->arena, table->num_items, sizeof(*modules));
	if (!modules)
		return &error_no_memory;
	for (size_t i = 0; i < processes->num_processes; i++) {
		size_t num_maps;
		const struct mapping *maps = process_mappings(&processes->processes[i], &num_maps);
		for (size_t k = 0; k < num_maps; k++)
			add_mapping(tables, modules, table, &maps[k]);
	}
	tables->report.modules = modules;
	return NULL;
}

static const struct mapping *sample_tables_find_program(const struct process_table *processes,
							const char *name)
{
	const struct module_table *modules = &processes->modules;
	for (size_t i = 0; name && i < processes->num_processes; i++) {
		size_t num_maps;
		const struct mapping *maps = process_mappings(&processes->processes[i], &num_maps);
		for (size_t k = 0; k < num_maps; k++) {
			const struct module *module = &modules->items[maps[k].module];
			if (module->kind == MODULE_FILE &&
			    !strcmp(file_name_of(module->path), name))
				return &maps[k];
		}
	}
	return NULL;
}

struct error *sample_tables_add_base(struct sample_tables *tables,
				     const struct process_table *processes,
				     const struct process_users *users)
{
	struct sample_report *report = &tables->report;
	const struct module_file_search search = {.are_processes_here = true, .users = users};
	const struct mapping *mapping = sample_tables_find_program(processes, report->image_name);
	if (!mapping)
		return NULL;
	_cleanup_(object_destroyp) struct object *object = NULL;
	_cleanup_(error_destroyp) struct error *err =
		module_file_open(&search, &processes->modules.items[mapping->module], &object);
	uint64_t linked;
	// A file that is gone by now has been complained about where its names were missing.
	if (err || !module_file_address(&processes->modules.items[mapping->module], object,
					mapping->file_offset, &linked))
		return err && err->code == ERROR_NO_MEMORY ? take_ptr(err) : NULL;
	// What address space randomization added to the addresses that the file was linked for. The
	// entry point, moved by it, is what WindowsPerf calls the base address.
	report->runtime_delta = (int64_t)(mapping->start - linked);
	report->base_address = object_entry(object) + (uint64_t)report->runtime_delta;
	report->has_base = report->verbose;
	return NULL;
}

void sample_tables_deinit(struct sample_tables *tables)
{
	code_files_deinit(&tables->codes);
	string_builder_deinit(&tables->notes);
	arena_deinit(&tables->arena);
	*tables = (struct sample_tables)SAMPLE_TABLES_INIT;
}
