/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_HOT_HOT_TABLE_H
#define WPERF_PROFILE_HOT_HOT_TABLE_H

/** Several events side by side: a row for what is hot in any of them, with a cell for each. */

#include "base/error.h"
#include "profile/hot/hot_list.h"

#include <stddef.h>
#include <stdint.h>

struct hot_cell {
	struct named_total self, total;
};

struct hot_row {
	uint32_t item; /* as that of a hot_entry */
	const struct hot_cell *cells;
};

struct hot_table {
	enum hot_key key;
	struct hot_row *rows;
	size_t num_rows;
	struct named_total *wholes; /* of each event: of what the percentages are */
	size_t num_events;
	struct hot_cell *cells; /* private: what the rows point into */
};

#define HOT_TABLE_INIT \
	{              \
	}

/**
 * @lists: of the same key and profile, one for each event.
 * @ret:   of one event in the list's order. Of several, a row stands by the largest share of itself
 *         that is beyond chance in any event (the low end of share.h), so that the few samples of
 *         a rare event do not come first. Set only on success.
 */
struct error *hot_table_create(const struct hot_list *lists, size_t num_lists,
			       struct hot_table *ret);
/** Of what is in no item. */
struct named_total hot_table_none(const struct hot_table *table, size_t event);
void hot_table_deinit(struct hot_table *table);

#endif
