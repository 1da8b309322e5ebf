/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SERVER_PAGE_PAGE_CHOICE_H
#define WPERF_SERVER_PAGE_PAGE_CHOICE_H

/**
 * What the address of a page asks for: the arguments of the read API (query_arguments.h) without
 * step, host=NAME for label=host.name=NAME, and rows=host. A comparison has them twice; those of
 * the second choice begin with "other-". Where it has none of its own, those of the first count:
 * labels all together, and since and until together. "other-label=" is no label.
 */

#include "server/page/page_range.h"
#include "server/query/query_arguments.h"

struct page_choice {
	struct server_argument *arguments; /* the arena's; without "other-" */
	size_t num_arguments;
	const char *since, *until; /* as they were asked for; NULL: not */
	bool is_by_host;           /* "rows=host": the heat map has a row for each */
	struct page_range range;   /* 0: not asked for */
	struct query_arguments words;
};

#define PAGE_CHOICE_INIT \
	{                \
	}

/**
 * @first:     of the second choice; else NULL.
 * @arena:     must outlive the choice, and so must the call.
 * @ret:       page_choice_deinit(); not to be moved.
 * @ret_wrong: what the address has wrong, or NULL; the caller's.
 */
struct error *page_choice_read(const struct server_call *call, const struct page_choice *first,
			       uint64_t now_ns, struct arena *arena, struct page_choice *ret,
			       struct error **ret_wrong);
void page_choice_deinit(struct page_choice *choice);

#endif
