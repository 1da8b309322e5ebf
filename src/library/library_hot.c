// SPDX-License-Identifier: Apache-2.0
// A hot list of profile/hot/, with a label for each row. The labels are one text, so that a list of
// a million rows has two arrays.

#include "base/text/string_builder.h"
#include "library/library_choice.h"
#include "library/library_error.h"
#include "library/library_profile.h"
#include "profile/hot/hot_label.h"
#include "profile/hot/hot_list.h"
#include "profile/hot/share.h"

#include <assert.h>
#include <stdlib.h>

static_assert((int)HOT_FUNCTION == WPERF_HOT_FUNCTION && (int)HOT_LINE == WPERF_HOT_LINE &&
		      (int)HOT_MODULE == WPERF_HOT_MODULE &&
		      (int)HOT_ADDRESS == WPERF_HOT_ADDRESS &&
		      (int)HOT_THREAD == WPERF_HOT_THREAD &&
		      (int)HOT_PROCESS == WPERF_HOT_PROCESS && (int)HOT_CPU == WPERF_HOT_CORE &&
		      (int)HOT_INTERPRETED_LINE == WPERF_HOT_PYTHON_LINE &&
		      (int)HOT_INTERPRETED_FUNCTION == WPERF_HOT_PYTHON_FUNCTION &&
		      (int)HOT_INTERPRETED_FILE == WPERF_HOT_PYTHON_FILE,
	      "keys of hot lists");

struct wperf_hot {
	const struct named_profile *profile;
	struct hot_list list;
	bool is_whole;
	struct string_builder labels;
	size_t *starts; /* of each row's label */
};

static struct error *library_hot_label(struct wperf_hot *hot)
{
	hot->starts = calloc(hot->list.num_entries + 1, sizeof(*hot->starts));
	if (!hot->starts)
		return &error_no_memory;
	for (size_t i = 0; i < hot->list.num_entries; i++) {
		hot->starts[i] = hot->labels.length;
		hot_label_append(&hot->list, hot->profile, &hot->list.entries[i], &hot->labels);
		string_builder_append_char(&hot->labels, '\0');
	}
	return hot->labels.failed ? &error_no_memory : NULL;
}

static struct error *library_hot_fill(const struct wperf_choice *choice, enum hot_key key,
				      enum hot_order order, struct wperf_hot *hot)
{
	struct library_choice chosen;
	struct error *err = library_choice_make(hot->profile, choice, &chosen);
	if (err)
		return err;
	hot->is_whole = chosen.is_whole;
	err = hot_list_create(&chosen.profile, key, order, chosen.filter, &hot->list);
	library_choice_deinit(&chosen);
	return err ? err : library_hot_label(hot);
}

struct wperf_error *wperf_profile_hot(const struct wperf_profile *profile, enum wperf_hot_key key,
				      const struct wperf_choice *choice, bool by_total,
				      struct wperf_hot **ret)
{
	// A caller in another language may give any number.
	if ((unsigned)key >= (unsigned)HOT_NUM_KEYS)
		return library_error_give(
			error_create(ERROR_USAGE, "there is no hot list with the key %d", key));
	struct wperf_hot *hot = calloc(1, sizeof(*hot));
	if (!hot)
		return library_error_give(&error_no_memory);
	hot->profile = &profile->profile;
	struct error *err = library_hot_fill(choice, (enum hot_key)key,
					     by_total ? HOT_BY_TOTAL : HOT_BY_SELF, hot);
	if (err)
		wperf_hot_free(hot);
	else
		*ret = hot;
	return library_error_give(err);
}

void wperf_hot_free(struct wperf_hot *hot)
{
	if (!hot)
		return;
	hot_list_deinit(&hot->list);
	string_builder_deinit(&hot->labels);
	free(hot->starts);
	free(hot);
}

size_t wperf_hot_num_rows(const struct wperf_hot *hot)
{
	return hot->list.num_entries;
}

/** The frame that an entry is of; WPERF_NONE for keys of something else. */
static uint32_t library_hot_frame(const struct hot_list *list, const struct hot_entry *entry)
{
	bool is_frame = list->key == HOT_LINE || list->key == HOT_ADDRESS ||
			list->key == HOT_INTERPRETED_LINE;
	return is_frame ? entry->item : WPERF_NONE;
}

bool wperf_hot_row_at(const struct wperf_hot *hot, size_t number, struct wperf_hot_row *ret)
{
	const struct hot_list *list = &hot->list;
	if (number >= list->num_entries)
		return false;
	const struct hot_entry *entry = &list->entries[number];
	const struct share share = share_of(entry->self, list->whole);
	*ret = (struct wperf_hot_row){
		.label = hot->labels.text + hot->starts[number],
		.function = hot_label_function(list, hot->profile, entry),
		.frame = library_hot_frame(list, entry),
		.module = hot_label_module(list, hot->profile, entry),
		.thread = hot_label_thread(list, entry),
		.core = list->key == HOT_CPU ? entry->item : WPERF_NONE,
		.self_count = entry->self.count,
		.self_weight = entry->self.weight,
		.total_count = entry->total.count,
		.total_weight = entry->total.weight,
		.self_percent = share.percent,
		.total_percent = named_total_percent(entry->total, list->whole),
		.self_low = hot->is_whole ? share.percent : share.low,
		.self_high = hot->is_whole ? share.percent : share.high,
	};
	return true;
}
