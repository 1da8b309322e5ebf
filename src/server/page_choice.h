/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SERVER_PAGE_CHOICE_H
#define WPERF_SERVER_PAGE_CHOICE_H

/**
 * What the address of a page asks for: service, event, label, since and until, as the read API has
 * them. A comparison has them twice; those of the second choice begin with "other-", and what is
 * not among them is as in the first.
 */

#include "fleet/fleet_batch.h"
#include "server/page_range.h"
#include "server/server_handler.h"

struct page_choice {
	const char *service; /* NULL: none */
	const char *event;   /* NULL: all */
	const char *since, *until;
	struct fleet_batch marks; /* only its labels */
	struct page_range range;  /* of since and until; 0: not asked for */
};

#define PAGE_CHOICE_INIT \
	{                \
	}

/**
 * @first:     whose words count where there are none; NULL: this is the first.
 * @ret_wrong: what the address has wrong, with a hint, if it is the client's fault; else NULL.
 * Texts are those of the call.
 */
struct error *page_choice_read(const struct server_call *call, const struct page_choice *first,
			       uint64_t now_ns, struct page_choice *ret, struct error **ret_wrong);
void page_choice_deinit(struct page_choice *choice);

#endif
