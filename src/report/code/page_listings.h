/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_CODE_PAGE_LISTINGS_H
#define WPERF_REPORT_CODE_PAGE_LISTINGS_H

/** The instructions of the hottest functions for a page, as far as their files are here. */

#include "report/code/code_listing.h"
#include "view/page/report_page.h"

struct page_listings {
	struct report_listing *items;
	size_t num_items;
	/* private: what the items point into */
	struct code_files codes;
	struct code_listing *listings;
	struct report_instruction **instructions;
};

#define PAGE_LISTINGS_INIT \
	{                  \
	}

/** @profile and @sysroots must outlive the listings. */
struct error *page_listings_create(const struct named_profile *profile, const char *sysroots,
				   struct page_listings *ret);
void page_listings_deinit(struct page_listings *listings);

#endif
