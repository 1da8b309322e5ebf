/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_BROWSE_BROWSE_LIST_H
#define WPERF_REPORT_BROWSE_BROWSE_LIST_H

/**
 * The rows of the report's browser: a hot list, of which each function unfolds into the tree of its
 * callers or callees. A tree is computed when it is first unfolded.
 */

#include "base/text/string_builder.h"
#include "profile/hot/hot_list.h"
#include "profile/tree/call_tree.h"
#include "view/browse/browse_text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct browse_list_request {
	const struct named_profile *profile;
	uint32_t event;
	enum hot_key key;
	enum hot_order order;
	enum call_tree_shape shape; /* CALLERS or CALLEES */
	double min_percent;         /* of trees: smaller branches are left out */
	bool has_min_percent;       /* rows of the list, too */
};

struct browse_tree {
	struct call_tree tree; /* without nodes: not computed yet */
	bool *is_open;         /* of each node */
};

/** What a row shows: a node of the tree of an entry; node 0 is the entry itself. */
struct browse_line {
	uint32_t entry, node;
};

struct browse_list {
	struct browse_list_request request;
	struct profile_filter *filter; /* owned */
	struct hot_list hot;
	struct browse_tree *trees; /* of each entry */
	struct browse_line *lines;
	size_t num_lines, cap_lines;
	char *only;      /* rows with these words are shown; NULL: all */
	bool *is_hidden; /* [entry], with `only` */
};

#define BROWSE_LIST_INIT \
	{                \
	}

/** @filter: is the list's from now on, also after an error. @ret: set only on success. */
struct error *browse_list_create(const struct browse_list_request *request,
				 struct profile_filter *filter, struct browse_list *ret);
void browse_list_deinit(struct browse_list *list);

/** Other trees: all are folded. */
struct error *browse_list_set_shape(struct browse_list *list, enum call_tree_shape shape);

/** Unfold a row, or fold it. @with_below: and all that is below it. */
struct error *browse_list_fold(struct browse_list *list, size_t line, bool is_open,
			       bool with_below);

/** The same for the first @max entries with all that is below them. @max: 0: all. */
struct error *browse_list_fold_all(struct browse_list *list, bool is_open, size_t max);

/** Show the rows whose name has @words, whatever the case, with their trees. "": all. */
struct error *browse_list_show_only(struct browse_list *list, const char *words);

/** Does @text have @words, whatever the case? */
bool browse_list_has_words(const char *text, size_t length, const char *words);

enum browse_fold browse_list_state(const struct browse_list *list, size_t line);

/** Where a node is now; if it is folded away, its entry. */
size_t browse_list_find(const struct browse_list *list, struct browse_line node);

/** The row that it is below of; itself, if it is one of the list. */
size_t browse_list_parent(const struct browse_list *list, size_t line);

/** NAMED_NONE: the row has none. */
uint32_t browse_list_function(const struct browse_list *list, size_t line);

/** @name: gets the row's name, to which it refers. */
struct error *browse_list_row(const struct browse_list *list, size_t line,
			      struct string_builder *name, struct browse_row *ret);

#endif
