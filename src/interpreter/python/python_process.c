// SPDX-License-Identifier: Apache-2.0

#include "interpreter/python/python_process.h"

#include "base/file/file_name.h"
#include "interpreter/python/layout/python_section.h"
#include "interpreter/python/python_loops.h"
#include "object/unpack/read_budget.h"
#include "process/memory/process_memory.h"
#include "process/thread/running.h"

#include <inttypes.h>
#include <string.h>

// Addresses of a file are converted twice: object_offset_to_address() maps the offset of a mapping
// to the linked address, and the difference to where it is mapped is the bias of the module.
// python_process_find() tries the first mapping of each module and keeps the first reason why an
// interpreter cannot be read; a module without interpreter (ERROR_ABSENT) is no reason. asyncio's
// offsets are in another module, _asyncio, found in the same way by its section.
//
// An example: a segment with the offset 0x1000 in the file is linked for 0x2000, and the mapping of
// that offset is at 0x7f1200001000. The bias is 0x7f11fffff000, and _PyRuntime, which the symbol
// table has at 0x5000, is at 0x7f1200004000.

/** A running process, and whose files its modules are. */
struct open_process {
	struct process_table table;
	struct file_roots roots;
	struct process_users users;
	struct module_file_search search;
	struct read_budget budget; /* of all files of the process */
	struct process *process;
};

static void open_process_deinit(struct open_process *open)
{
	process_table_deinit(&open->table);
	process_users_deinit(&open->users);
	file_roots_deinit(&open->roots);
}

struct error *python_process_find_in(const struct process *process, const struct mapping *mapping,
				     const struct module *module,
				     const struct module_file_search *search,
				     struct python_runtime *ret)
{
	if (module->kind != MODULE_FILE)
		return error_create(ERROR_ABSENT, "no file");
	_cleanup_(object_destroyp) struct object *object = NULL;
	struct error *err = module_file_open(search, module, &object);
	if (err) { // whether it is an interpreter is not known
		err->code = err->code == ERROR_NO_MEMORY ? err->code : ERROR_ABSENT;
		return err;
	}
	uint64_t linked;
	if (!object_offset_to_address(object, mapping->file_offset, &linked))
		return error_create(ERROR_ABSENT, "'%s' is not mapped as its headers say",
				    module->path);
	struct process_memory memory = process_memory_of(process->pid);
	err = python_runtime_find(&memory, object, mapping->start - linked, module->path, ret);
	if (!err || err->code != ERROR_FAILED)
		return err;
	// What may not be read looks like memory with something else in it.
	struct error *refused = process_memory_check(process->pid);
	if (!refused)
		return err;
	error_destroy(err);
	return refused;
}

static struct error *find_checked(const struct process *process, const struct mapping *mapping,
				  const struct module *module,
				  const struct module_file_search *search,
				  struct python_runtime *ret)
{
	struct python_runtime runtime;
	struct error *err = python_process_find_in(process, mapping, module, search, &runtime);
	if (err)
		return err;
	err = python_runtime_check(&runtime);
	if (err && err->code != ERROR_ABSENT)
		return err;
	error_destroy(err); // it has not begun: there is nothing to check
	*ret = runtime;
	return NULL;
}

/** Is it the first mapping of its module? The others say nothing new. @seen: by module. */
static bool python_process_is_first(bool *seen, const struct mapping *mapping)
{
	bool was_seen = seen[mapping->module];
	seen[mapping->module] = true;
	return !was_seen;
}

struct error *python_process_find(const struct process *process, const struct module_table *modules,
				  const struct module_file_search *search,
				  struct python_runtime *ret)
{
	struct error *reason = NULL;
	size_t num_maps;
	const struct mapping *maps = process_mappings(process, &num_maps);
	_cleanup_free_ bool *seen = calloc(modules->num_items + 1, sizeof(*seen));
	if (!seen)
		return &error_no_memory;
	for (size_t i = 0; i < num_maps; i++) {
		if (!python_process_is_first(seen, &maps[i]))
			continue;
		struct error *err = find_checked(process, &maps[i], &modules->items[maps[i].module],
						 search, ret);
		if (!err || err->code == ERROR_NO_MEMORY) {
			error_destroy(reason);
			return err;
		}
		if (err->code == ERROR_ABSENT || reason)
			error_destroy(err);
		else
			reason = err;
	}
	return reason ? reason
		      : error_create(ERROR_ABSENT, "process %" PRIu32 " runs no Python interpreter",
				     process->pid);
}

static struct error *read_maps(uint32_t pid, struct process_table *table)
{
	_cleanup_(running_destroyp) struct running *running = NULL;
	struct error *err = running_open(&pid, 1, &running);
	for (bool more = true; !err && more;) {
		struct record record;
		err = running_next(running, &record, &more);
		if (!err && more)
			err = process_table_apply(table, &record);
	}
	return err;
}

/** @open: PROCESS_TABLE_INIT and all 0 otherwise; must stay where it is. */
static struct error *python_process_open_process(uint32_t pid, struct open_process *open)
{
	open->users.roots = &open->roots;
	open->search = (struct module_file_search){
		.are_processes_here = true, .users = &open->users, .budget = &open->budget};
	struct error *err = process_memory_check(pid);
	if (!err)
		err = process_users_add_running(&open->users, pid);
	if (!err)
		err = read_maps(pid, &open->table);
	return err ? err : process_table_process(&open->table, pid, &open->process);
}

struct error *python_process_open(uint32_t pid, struct python_runtime *ret)
{
	_cleanup_(open_process_deinit) struct open_process open = {.table = PROCESS_TABLE_INIT};
	struct error *err = python_process_open_process(pid, &open);
	return err ? err
		   : python_process_find(open.process, &open.table.modules, &open.search, ret);
}

/** Where the module is in memory that has the section; 0: it is not this one. */
static uint64_t find_asyncio_in(const struct mapping *mapping, const struct module *module,
				const struct module_file_search *search)
{
	_cleanup_(object_destroyp) struct object *object = NULL;
	if (module->kind != MODULE_FILE)
		return 0;
	// What cannot be opened may be anything.
	error_destroy(module_file_open(search, module, &object));
	uint64_t linked;
	if (!object || !object_offset_to_address(object, mapping->file_offset, &linked))
		return 0;
	struct object_bytes section = python_section_find(object, PYTHON_ASYNCIO_SECTION);
	return section.address ? section.address + mapping->start - linked : 0;
}

static struct error *read_asyncio(const struct python_runtime *runtime, uint64_t address,
				  struct python_asyncio *ret)
{
	uint8_t bytes[PYTHON_ASYNCIO_BYTES];
	if (process_memory_read(&runtime->memory, address, bytes, sizeof(bytes)) &&
	    python_asyncio_parse(bytes, sizeof(bytes), ret))
		return NULL;
	return error_create(ERROR_FAILED,
			    "the asyncio tables of Python 3.%" PRIu32 " are not valid",
			    runtime->layout.minor);
}

bool python_process_may_have_asyncio(const char *path)
{
	static const char name[] = "_asyncio";
	return strncmp(file_name_of(path), name, sizeof(name) - 1) == 0 ||
	       python_loops_may_be_in(path);
}

bool python_process_find_asyncio_in(const struct python_runtime *runtime,
				    const struct mapping *mapping, const struct module *module,
				    const struct module_file_search *search,
				    struct python_asyncio *ret)
{
	uint64_t address = runtime->layout.minor >= PYTHON_ASYNCIO_OLDEST_MINOR
				   ? find_asyncio_in(mapping, module, search)
				   : 0;
	_cleanup_(error_destroyp) struct error *err =
		address ? read_asyncio(runtime, address, ret) : NULL;
	return address && !err;
}

struct error *python_process_find_asyncio(uint32_t pid, const struct python_runtime *runtime,
					  struct python_asyncio *ret)
{
	if (runtime->layout.minor < PYTHON_ASYNCIO_OLDEST_MINOR)
		return error_create(
			ERROR_ABSENT,
			"asyncio tasks need Python 3.14 or newer; this is Python 3.%" PRIu32 "",
			runtime->layout.minor);
	_cleanup_(open_process_deinit) struct open_process open = {.table = PROCESS_TABLE_INIT};
	struct error *err = python_process_open_process(pid, &open);
	if (err)
		return err;
	size_t num_maps;
	const struct mapping *maps = process_mappings(open.process, &num_maps);
	const struct module *modules = open.table.modules.items;
	_cleanup_free_ bool *seen = calloc(open.table.modules.num_items + 1, sizeof(*seen));
	if (!seen)
		return &error_no_memory;
	for (size_t i = 0; i < num_maps; i++) {
		const struct mapping *mapping = &maps[i];
		uint64_t address =
			python_process_is_first(seen, mapping)
				? find_asyncio_in(mapping, &modules[mapping->module], &open.search)
				: 0;
		if (address)
			return read_asyncio(runtime, address, ret);
	}
	return error_create(ERROR_ABSENT, "the process has not loaded asyncio");
}
