// SPDX-License-Identifier: Apache-2.0

#include "profile/hot/profile_diff.h"

#include "base/container/array.h"
#include "profile/hot/hot_label.h"

#include <math.h>
#include <string.h>

// Numbers of functions differ between two profiles, so that rows are joined by text: module and
// name, with a NUL between them, interned in one string table whose ids are the rows. Entries with
// the same text, such as two versions of one function, are added up.
//
//	before    libc.so.6\0memcpy 10 %,  app\0parse 40 %
//	after     libc.so.6\0memcpy 12 %,  app\0scan 30 %
//	rows      app parse -40, app scan +30, libc.so.6 memcpy +2

// The number of the row: the id of its module and name, with the NUL between them.
static struct error *profile_diff_find_row(struct profile_diff *diff,
					   const struct profile_diff_side *side,
					   const struct hot_entry *entry, uint32_t *ret)
{
	_cleanup_(string_builder_deinit) struct string_builder name = STRING_BUILDER_INIT;
	uint32_t module = hot_label_module(side->list, side->profile, entry);
	// A module's own name is its row's name.
	if (module != NAMED_NONE && diff->key != HOT_MODULE)
		string_builder_append(&name,
				      named_profile_text(side->profile,
							 side->profile->modules[module].name));
	string_builder_append_char(&name, '\0');
	hot_label_append(side->list, side->profile, entry, &name);
	if (name.failed)
		return &error_no_memory;
	uint32_t id;
	struct error *err = string_table_intern_n(&diff->names, name.text, name.length, &id);
	if (!err)
		err = array_reserve(&diff->rows, &diff->cap_rows, id + 1);
	if (err)
		return err;
	if (id == diff->num_rows) {
		const char *text = string_table_get(&diff->names, id);
		diff->rows[diff->num_rows++] =
			(struct profile_diff_row){.module = text, .name = text + strlen(text) + 1};
	}
	*ret = id;
	return NULL;
}

static struct error *add_side(struct profile_diff *diff, const struct profile_diff_side *side,
			      bool is_after)
{
	const struct hot_list *list = side->list;
	for (size_t i = 0; i < list->num_entries; i++) {
		uint32_t number;
		struct error *err = profile_diff_find_row(diff, side, &list->entries[i], &number);
		if (err)
			return err;
		struct profile_diff_row *row = &diff->rows[number];
		struct profile_diff_share *share = is_after ? &row->after : &row->before;
		// Percent, not samples: the two recordings may have different lengths and rates.
		named_total_add(&share->self, list->entries[i].self);
		share->self_percent += named_total_percent(list->entries[i].self, list->whole);
		share->total_percent += named_total_percent(list->entries[i].total, list->whole);
	}
	return NULL;
}

double profile_diff_self_change(const struct profile_diff_row *row)
{
	return row->after.self_percent - row->before.self_percent;
}

double profile_diff_total_change(const struct profile_diff_row *row)
{
	return row->after.total_percent - row->before.total_percent;
}

double profile_diff_self_growth(const struct profile_diff_row *row)
{
	return (double)row->after.self.weight - (double)row->before.self.weight;
}

static struct share share_of_side(struct named_total self, struct named_total whole,
				  bool is_measured)
{
	return is_measured ? share_measured(self, whole) : share_of(self, whole);
}

struct share_change profile_diff_self_range(const struct profile_diff *diff,
					    const struct profile_diff_row *row)
{
	return share_change_of(
		share_of_side(row->before.self, diff->before.whole, diff->before.is_measured),
		share_of_side(row->after.self, diff->after.whole, diff->after.is_measured));
}

static int compare_changes(double a, double b)
{
	return (fabs(a) < fabs(b)) - (fabs(a) > fabs(b));
}

static int by_change(const void *left, const void *right)
{
	const struct profile_diff_row *a = left;
	const struct profile_diff_row *b = right;
	int order = compare_changes(profile_diff_self_change(a), profile_diff_self_change(b));
	if (!order)
		order = compare_changes(profile_diff_total_change(a), profile_diff_total_change(b));
	if (!order)
		order = strcmp(a->name, b->name);
	return order ? order : strcmp(a->module, b->module);
}

static int profile_diff_by_growth(const void *left, const void *right)
{
	int order =
		compare_changes(profile_diff_self_growth(left), profile_diff_self_growth(right));
	return order ? order : by_change(left, right);
}

struct error *profile_diff_create(const struct profile_diff_side *before,
				  const struct profile_diff_side *after, struct profile_diff *ret)
{
	if (before->list->key != after->list->key)
		return error_create(ERROR_FAILED, "a list by %s cannot be compared with one by %s",
				    hot_key_name(before->list->key),
				    hot_key_name(after->list->key));
	_cleanup_(profile_diff_deinit) struct profile_diff diff = {
		.key = before->list->key,
		.before = {before->list->whole, before->is_measured},
		.after = {after->list->whole, after->is_measured},
		.is_bytes = before->is_bytes && after->is_bytes,
	};
	struct error *err = add_side(&diff, before, false);
	if (!err)
		err = add_side(&diff, after, true);
	if (err)
		return err;
	if (diff.num_rows)
		qsort(diff.rows, diff.num_rows, sizeof(*diff.rows),
		      diff.is_bytes ? profile_diff_by_growth : by_change);
	*ret = diff;
	diff = (struct profile_diff)PROFILE_DIFF_INIT;
	return NULL;
}

void profile_diff_limit(struct profile_diff *diff, double min_change)
{
	size_t num = 0;
	for (size_t i = 0; i < diff->num_rows; i++) {
		const struct profile_diff_row *row = &diff->rows[i];
		if (fabs(profile_diff_self_change(row)) >= min_change ||
		    fabs(profile_diff_total_change(row)) >= min_change)
			diff->rows[num++] = *row;
	}
	diff->num_rows = num;
}

void profile_diff_deinit(struct profile_diff *diff)
{
	free(diff->rows);
	string_table_deinit(&diff->names);
	*diff = (struct profile_diff)PROFILE_DIFF_INIT;
}
