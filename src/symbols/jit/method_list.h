/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SYMBOLS_JIT_METHOD_LIST_H
#define WPERF_SYMBOLS_JIT_METHOD_LIST_H

/**
 * Code that a runtime compiled, as the recording itself tells of it: .NET methods of ETW. Most is
 * in memory without a file; what was compiled ahead of time is in images, whose places are RVAs.
 */

#include "base/error.h"
#include "process/process_table.h"
#include "record/perf_data/perf_data.h"

#include <stddef.h>
#include <stdint.h>

/** A method in an image. */
struct image_method {
	uint32_t module; /* number in the table of modules */
	uint64_t start;  /* RVA */
	const struct perf_data_method *method;
};

struct method_list {
	const struct perf_data_method *items; /* by process and start */
	size_t num_items;
	const struct module_table *modules; /* of the next; NULL: nobody said where images are */
	struct image_method *in_images;     /* by module and start */
	size_t num_in_images;
};

/** @methods: sorted by process and start; they must outlive the list. */
void method_list_init(struct method_list *list, const struct perf_data_method *methods,
		      size_t num_methods);
void method_list_deinit(struct method_list *list);

/** Finds out which methods are in images. @processes: of the whole recording; it must outlive the
 *  list and stay as it is. */
struct error *method_list_place(struct method_list *list, const struct process_table *processes);

/** The method at an address of a process, or NULL. */
const struct perf_data_method *method_list_find(const struct method_list *list, uint32_t pid,
						uint64_t address);

/** All methods in an image, by start; NULL if there are none. */
const struct image_method *method_list_of_image(const struct method_list *list,
						const struct module *module, size_t *ret_num);

/** One of these at an RVA, or NULL. */
const struct image_method *image_method_find(const struct image_method *methods, size_t num,
					     uint64_t rva);

#endif
