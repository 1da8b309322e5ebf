// SPDX-License-Identifier: Apache-2.0

#include "stack/stack_walker.h"

#include "base/container/array.h"
#include "base/container/hash_table.h"
#include "object/cfi/cfi_table.h"
#include "object/object.h"
#include "process/memory/process_memory.h"
#include "record/perf_data/user_regs.h"
#include "stack/pe/pe_unwind.h"
#include "stack/stack_completions.h"
#include "stack/stack_rest.h"
#include "symbols/vdso.h"

#include <stdlib.h>
#include <string.h>

// stack_walker_walk() takes the registers of the sample, and native_unwind() calls back for each
// address: stack_walker_find_module() finds the mapping, and stack_walker_module_of() loads the
// unwind tables of its file at the first address in it. Files of Linux have .eh_frame (DWARF 5
// section 6.4, with the LSB's exception frames); PE files have a function table (.pdata of "PE
// Format"), which load_pe_table() reads. A file that cannot be opened has no table, and stacks end
// there or go on by frame pointers.
//
// Words above the sample's copy of the stack come from stack_walker_read_rest(), if the caller
// allows that. The stack that results is compared with earlier ones (is_only_way()): the same inner
// frames at the same stack pointers must have led to the same outer frames.

enum { MAX_FRAMES = 2000 }; // with contexts and interpreted frames there is room for twice that

/** What is needed of a module's file; made when an address of it is met first. */
struct walker_module {
	bool was_loaded;
	struct object *object; /* NULL: not to be had */
	struct cfi_table table;
};

struct stack_walker {
	const struct user_regs_layout *layout; /* NULL: no walks */
	enum cfi_machine machine;
	struct module_file_search search;
	struct walker_module *modules; /* by number of the module */
	size_t num_modules;
	bool reads_processes;
	uint64_t max_table_bytes, table_bytes; /* of .eh_frame; max: 0: no limit */
	struct stack_rest rest;
	struct stack_completions completions;
	uint64_t frames[MAX_FRAMES];
	bool is_return_address[MAX_FRAMES];
	uint64_t stack_pointers[MAX_FRAMES];
};

/** One walk. */
struct walk {
	struct stack_walker *walker;
	const struct module_table *modules;
	const struct process *process;
	uint64_t copy_end; /* the stack pointer of the last frame that the sample itself has */
};

struct error *stack_walker_create(const char *machine, const struct module_file_search *search,
				  struct stack_walker **ret)
{
	struct stack_walker *walker = calloc(1, sizeof(*walker));
	if (!walker)
		return &error_no_memory;
	walker->search = *search;
	walker->layout = user_regs_layout_find(machine);
	walker->machine = strcmp(machine, "aarch64") == 0 ? CFI_AARCH64 : CFI_X86_64;
	*ret = walker;
	return NULL;
}

void stack_walker_limit_tables(struct stack_walker *walker, uint64_t max_bytes)
{
	walker->max_table_bytes = max_bytes;
}

void stack_walker_destroy(struct stack_walker *walker)
{
	if (!walker)
		return;
	for (size_t i = 0; i < walker->num_modules; i++) {
		cfi_table_deinit(&walker->modules[i].table);
		object_destroy(walker->modules[i].object);
	}
	free(walker->modules);
	stack_rest_deinit(&walker->rest);
	free(walker);
}

void stack_walker_read_processes(struct stack_walker *walker)
{
	walker->reads_processes = true;
}

static struct object_bytes bytes_at(void *object, uint32_t address)
{
	return object_code(object, address, SIZE_MAX);
}

/** By the machine of the image, which may be another than that of the samples' registers. */
static void load_pe_table(struct walker_module *loaded)
{
	const struct object *object = loaded->object;
	struct pe_unwind_image image = {
		.x64_functions = object_function_table(object, OBJECT_MACHINE_X86_64),
		.arm64_functions = object_function_table(object, OBJECT_MACHINE_AARCH64),
		.bytes_at = bytes_at,
		.context = loaded->object,
	};
	image.ranges = object_code_ranges(object, &image.num_ranges);
	error_destroy(pe_unwind_create(&image, &loaded->table));
}

/** A file that cannot be read costs its stacks their callers, and no more. */
static void load_module(struct stack_walker *walker, const struct module *module,
			struct walker_module *loaded)
{
	loaded->was_loaded = true;
	struct error *err = NULL;
	if (module->kind == MODULE_FILE)
		err = module_file_open(&walker->search, module, &loaded->object);
	else if (module->kind == MODULE_VDSO && walker->search.are_processes_here)
		err = vdso_open(&loaded->object);
	error_destroy(err);
	if (!loaded->object)
		return;
	if (object_function_table(loaded->object, OBJECT_MACHINE_X86_64).size ||
	    object_function_table(loaded->object, OBJECT_MACHINE_AARCH64).size) {
		load_pe_table(loaded);
		return;
	}
	struct object_bytes bytes = object_section(loaded->object, ".eh_frame");
	if (walker->max_table_bytes && bytes.size > walker->max_table_bytes - walker->table_bytes)
		return;
	walker->table_bytes += bytes.size;
	const struct cfi_section section = {
		.data = bytes.data,
		.size = bytes.size,
		.address = bytes.address,
		.entry_address = object_entry(loaded->object),
	};
	error_destroy(cfi_table_create(&section, walker->machine, &loaded->table));
}

static struct walker_module *stack_walker_module_of(struct walk *walk, uint32_t number)
{
	struct stack_walker *walker = walk->walker;
	if (number >= walker->num_modules) {
		size_t wanted = walk->modules->num_items;
		struct walker_module *modules = realloc(walker->modules, wanted * sizeof(*modules));
		if (!modules)
			return NULL;
		memset(modules + walker->num_modules, 0,
		       (wanted - walker->num_modules) * sizeof(*modules));
		walker->modules = modules;
		walker->num_modules = wanted;
	}
	struct walker_module *loaded = &walker->modules[number];
	if (!loaded->was_loaded)
		load_module(walker, &walk->modules->items[number], loaded);
	return loaded;
}

static bool stack_walker_find_module(void *context, uint64_t address, struct unwind_module *ret)
{
	struct walk *walk = context;
	const struct mapping *mapping = process_find_mapping(walk->process, address);
	if (!mapping)
		return false;
	const struct walker_module *loaded = stack_walker_module_of(walk, mapping->module);
	*ret = (struct unwind_module){
		.is_vdso = walk->modules->items[mapping->module].kind == MODULE_VDSO,
	};
	// Where the code is in the file: the beginning of the mapping may be another segment's end.
	uint64_t linked, offset = mapping->file_offset + (address - mapping->start);
	if (!loaded || !loaded->object || loaded->table.num_rows == 0 ||
	    !module_file_address(&walk->modules->items[mapping->module], loaded->object, offset,
				 &linked))
		return true;
	ret->table = &loaded->table;
	ret->bias = address - linked;
	return true;
}

/** Inner frames are told apart by where they are on the stack, too: recursion looks all the same.
 */
static bool is_only_way(const struct walk *walk, const struct walked_stack *stack)
{
	size_t first = stack->num_copied / 2, num = stack->num_copied - first;
	const uint64_t inner[] = {
		walk->process->pid,
		hash_bytes(&stack->frames[first], num * sizeof(*stack->frames)),
		hash_bytes(&stack->stack_pointers[first], num * sizeof(*stack->stack_pointers)),
	};
	size_t num_outer = stack->num_frames - stack->num_copied;
	return stack_completions_agree(&walk->walker->completions, hash_bytes(inner, sizeof(inner)),
				       hash_bytes(&stack->frames[stack->num_copied],
						  num_outer * sizeof(*stack->frames)));
}

static bool stack_walker_read_rest(void *context, uint64_t frame, uint64_t address, uint64_t *ret)
{
	struct walk *walk = context;
	struct stack_walker *walker = walk->walker;
	if (!walker->rest.used)
		walk->copy_end = frame;
	return stack_rest_read(&walker->rest, frame, address, ret);
}

bool stack_walker_walk(struct stack_walker *walker, const struct module_table *modules,
		       const struct process *process, const struct record_sample *sample,
		       bool reads_rest, struct walked_stack *ret)
{
	struct user_regs regs;
	if (!walker->layout || !user_regs_of(walker->layout, sample, &regs))
		return false;
	struct walk walk = {.walker = walker, .modules = modules, .process = process};
	const struct unwind_space space = {walker->machine, stack_walker_find_module, &walk,
					   stack_walker_read_rest};
	const struct unwind_regs start = {
		.ip = regs.ip, .sp = regs.sp, .fp = regs.frame, .lr = regs.link};
	// Copied apart from the registers: in a handler's first instructions they may differ.
	bool fits = !sample->stack_address || sample->stack_address == regs.sp;
	const struct stack_copy stack = {regs.sp, sample->stack, fits ? sample->stack_size : 0};
	const struct process_memory memory = process_memory_of(process->pid);
	bool may_read = reads_rest && walker->reads_processes;
	stack_rest_begin(&walker->rest, may_read ? &memory : NULL, &stack);
	ret->end = native_unwind(&space, &start, &stack, walker->frames, walker->is_return_address,
				 walker->stack_pointers, MAX_FRAMES, &ret->num_frames);
	ret->frames = walker->frames;
	ret->is_return_address = walker->is_return_address;
	ret->stack_pointers = walker->stack_pointers;
	ret->num_copied = walker->rest.used ? 0 : ret->num_frames;
	while (ret->num_copied < ret->num_frames &&
	       ret->stack_pointers[ret->num_copied] <= walk.copy_end)
		ret->num_copied++;
	if (ret->num_copied < ret->num_frames && !is_only_way(&walk, ret)) {
		ret->num_frames = ret->num_copied;
		ret->end = UNWIND_END_STACK;
	}
	return true;
}
