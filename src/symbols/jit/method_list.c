// SPDX-License-Identifier: Apache-2.0

#include "symbols/jit/method_list.h"

#include <stdbool.h>
#include <stdlib.h>

// Methods are found by bisection: the last one that begins at or before the address counts, if it
// reaches there. Runtimes use memory again, so that two may begin at one address; the later in the
// list is taken.
//
// Images are the same for all processes, and profiles know only module and RVA. So methods within
// images are converted once (method_list_place()), by the mappings at the end of the recording,
// which processes keep after they have ended.

void method_list_init(struct method_list *list, const struct perf_data_method *methods,
		      size_t num_methods)
{
	*list = (struct method_list){.items = methods, .num_items = num_methods};
}

void method_list_deinit(struct method_list *list)
{
	free(list->in_images);
	*list = (struct method_list){0};
}

/** How many items, which are sorted by process and start, are not behind the address. */
static size_t method_list_count(const struct method_list *list, uint32_t pid, uint64_t address)
{
	size_t low = 0;
	for (size_t high = list->num_items; low < high;) {
		size_t middle = low + (high - low) / 2;
		const struct perf_data_method *method = &list->items[middle];
		if (method->pid < pid || (method->pid == pid && method->start <= address))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct perf_data_method *method_list_find(const struct method_list *list, uint32_t pid,
						uint64_t address)
{
	size_t count = method_list_count(list, pid, address);
	const struct perf_data_method *method = count ? &list->items[count - 1] : NULL;
	bool is_there = method && method->pid == pid && address - method->start < method->size;
	return is_there ? method : NULL;
}

static int compare_image_methods(const void *left, const void *right)
{
	const struct image_method *a = left, *b = right;
	if (a->module != b->module)
		return a->module < b->module ? -1 : 1;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->method < b->method ? -1 : a->method > b->method;
}

/** @ret: of whole images; other mappings have no RVAs. */
static bool method_list_find_image(const struct process *process,
				   const struct module_table *modules,
				   const struct perf_data_method *method, struct image_method *ret)
{
	const struct mapping *mapping = process_find_mapping(process, method->start);
	if (!mapping || !modules->items[mapping->module].is_image)
		return false;
	*ret = (struct image_method){
		.module = mapping->module,
		.start = method->start - mapping->start + mapping->file_offset,
		.method = method,
	};
	return true;
}

static int compare_process_pids(const void *left, const void *right)
{
	uint32_t a = (*(const struct process *const *)left)->pid;
	uint32_t b = (*(const struct process *const *)right)->pid;
	return a < b ? -1 : a > b;
}

struct error *method_list_place(struct method_list *list, const struct process_table *processes)
{
	_cleanup_free_ const struct process **by_pid =
		calloc(processes->num_processes + 1, sizeof(*by_pid));
	struct image_method *found = calloc(list->num_items + 1, sizeof(*found));
	free(list->in_images);
	list->in_images = found;
	list->num_in_images = 0;
	if (!by_pid || !found)
		return &error_no_memory;
	list->modules = &processes->modules;
	for (size_t i = 0; i < processes->num_processes; i++)
		by_pid[i] = &processes->processes[i];
	qsort(by_pid, processes->num_processes, sizeof(*by_pid), compare_process_pids);
	// Both are sorted by process.
	size_t place = 0;
	for (size_t i = 0; i < list->num_items; i++) {
		const struct perf_data_method *method = &list->items[i];
		while (place < processes->num_processes && by_pid[place]->pid < method->pid)
			place++;
		if (place == processes->num_processes)
			break;
		if (by_pid[place]->pid == method->pid)
			list->num_in_images +=
				method_list_find_image(by_pid[place], &processes->modules, method,
						       &found[list->num_in_images]);
	}
	qsort(found, list->num_in_images, sizeof(*found), compare_image_methods);
	return NULL;
}

const struct image_method *method_list_of_image(const struct method_list *list,
						const struct module *module, size_t *ret_num)
{
	*ret_num = 0;
	for (size_t first = 0, end; first < list->num_in_images; first = end) {
		uint32_t number = list->in_images[first].module;
		end = first + 1;
		while (end < list->num_in_images && list->in_images[end].module == number)
			end++;
		if (!module_is_same(&list->modules->items[number], module))
			continue;
		*ret_num = end - first;
		return &list->in_images[first];
	}
	return NULL;
}

const struct image_method *image_method_find(const struct image_method *methods, size_t num,
					     uint64_t rva)
{
	size_t low = 0;
	for (size_t high = num; low < high;) {
		size_t middle = low + (high - low) / 2;
		if (methods[middle].start <= rva)
			low = middle + 1;
		else
			high = middle;
	}
	const struct image_method *found = low ? &methods[low - 1] : NULL;
	return found && rva - found->start < found->method->size ? found : NULL;
}
