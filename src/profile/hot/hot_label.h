/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_HOT_HOT_LABEL_H
#define WPERF_PROFILE_HOT_HOT_LABEL_H

/** What an entry of a hot list is called, and where it belongs. */

#include "base/text/string_builder.h"
#include "profile/hot/hot_list.h"

/** Index of the entry's function, module or thread; NAMED_NONE if it has none. */
uint32_t hot_label_function(const struct hot_list *list, const struct named_profile *profile,
			    const struct hot_entry *entry);
uint32_t hot_label_module(const struct hot_list *list, const struct named_profile *profile,
			  const struct hot_entry *entry);
uint32_t hot_label_thread(const struct hot_list *list, const struct hot_entry *entry);

/**
 * Append the name: main, job.py:12, libc.so.6, libc.so.6+0x12, worker, python3, cpu 3; "[unknown]"
 * of a module, a line or a CPU that is not known, "[no stack]" of samples without one, "[no
 * Python]" of those that no code of the language called.
 */
void hot_label_append(const struct hot_list *list, const struct named_profile *profile,
		      const struct hot_entry *entry, struct string_builder *label);

/** Append file:line; of a frame without a line only its file, or nothing. */
void hot_label_append_line(const struct named_profile *profile, const struct named_frame *frame,
			   struct string_builder *label);

#endif
