/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_HOT_SORT_LIST_H
#define WPERF_PROFILE_HOT_SORT_LIST_H

/**
 * What is hot by several properties at once, as `perf report --sort comm,dso,sym` has it: a row for
 * each combination that samples have. A hot list (hot_list.h) is by one.
 *
 * To add a key: 1) its name here, 2) its row in sort_list.c.
 */

#include "base/error.h"
#include "base/text/string_builder.h"
#include "profile/named_profile.h"
#include "profile/profile_filter.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sort_key {
	SORT_COMMAND, /* the thread's name */
	SORT_PROCESS, /* the name of its process */
	SORT_PID,
	SORT_ROLE, /* what its process is for: all processes of a role are one row */
	SORT_TID,
	SORT_CPU,
	SORT_MODULE,
	SORT_SYMBOL,
	SORT_SOURCE_LINE,
	SORT_SOURCE_FILE,
	SORT_ADDRESS,
	SORT_NUM_KEYS,
};

struct sort_row {
	uint32_t thread, cpu;           /* of one of its samples */
	uint32_t frame;                 /* one of its frames; NAMED_NONE: no stack */
	struct named_total self, total; /* total: a stack with the combination counts once */
};

struct sort_list {
	enum sort_key keys[SORT_NUM_KEYS]; /* each once */
	size_t num_keys;
	struct sort_row *rows; /* hottest first */
	size_t num_rows, cap_rows;
	struct named_total whole; /* of what the percentages are */
};

#define SORT_LIST_INIT \
	{              \
	}

/** @by_total: the order of the rows. @filter: NULL for all samples. @ret: set only on success. */
struct error *sort_list_create(const struct named_profile *profile, const enum sort_key *keys,
			       size_t num_keys, bool by_total, const struct profile_filter *filter,
			       struct sort_list *ret);
void sort_list_deinit(struct sort_list *list);

/** "command" or "source line": the heading of its column. */
const char *sort_key_title(enum sort_key key);

/** Is it of code, so that callers have a share in it? */
bool sort_key_is_of_frame(enum sort_key key);

/** What the row has of the key: "python3", "4711:python3", "libc.so.6". */
void sort_list_append_cell(const struct named_profile *profile, const struct sort_row *row,
			   enum sort_key key, struct string_builder *text);

#endif
