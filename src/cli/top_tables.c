// SPDX-License-Identifier: Apache-2.0

#include "cli/top_tables.h"

#include "base/cleanup.h"
#include "view/report_text.h"

#include <stdlib.h>

struct error *top_tables_init(struct top_tables *tables, size_t num_events)
{
	tables->lists = calloc(num_events + 1, sizeof(*tables->lists));
	if (!tables->lists)
		return &error_no_memory;
	tables->num_lists = num_events;
	return NULL;
}

void top_tables_deinit(struct top_tables *tables)
{
	for (size_t i = 0; i < tables->num_lists; i++)
		rolling_list_deinit(&tables->lists[i]);
	free(tables->lists);
	*tables = (struct top_tables){0};
}

static struct error *add_event(struct rolling_list *rolling, const struct named_profile *interval,
			       uint32_t event, double keep)
{
	struct profile_criteria criteria = PROFILE_CRITERIA_ALL;
	criteria.event = event;
	_cleanup_(profile_filter_destroyp) struct profile_filter *filter = NULL;
	_cleanup_(hot_list_deinit) struct hot_list list = HOT_LIST_INIT;
	struct error *err = profile_filter_create(interval, &criteria, &filter);
	if (!err)
		err = hot_list_create(interval, HOT_FUNCTION, HOT_BY_SELF, filter, &list);
	return err ? err : rolling_list_add(rolling, &list, keep);
}

struct error *top_tables_add(struct top_tables *tables, const struct named_profile *interval,
			     double keep)
{
	struct error *err = NULL;
	for (uint32_t i = 0; !err && i < tables->num_lists; i++)
		err = add_event(&tables->lists[i], interval, i, keep);
	return err;
}

void top_tables_clear(struct top_tables *tables)
{
	for (size_t i = 0; i < tables->num_lists; i++)
		rolling_list_clear(&tables->lists[i]);
}

struct wanted {
	const struct top_tables *tables;
	const struct named_profile *profile;
};

static bool is_wanted(const void *context, uint32_t function)
{
	const struct wanted *wanted = context;
	bool is_kernel = wanted->profile->functions[function].kind == FRAME_KERNEL;
	return is_kernel ? !wanted->tables->hides_kernel : !wanted->tables->hides_user;
}

struct error *top_tables_print(const struct top_tables *tables, const struct named_profile *profile,
			       size_t max_rows, FILE *stream)
{
	const struct wanted wanted = {tables, profile};
	struct error *err = NULL;
	for (uint32_t i = 0; !err && i < tables->num_lists; i++) {
		_cleanup_(hot_list_deinit) struct hot_list list = HOT_LIST_INIT;
		err = rolling_list_show(&tables->lists[i], is_wanted, &wanted, &list);
		if (err)
			return err;
		report_text_print_header(profile, i, list.whole, stream);
		fputc('\n', stream);
		err = report_text_print_hot(profile, &list, max_rows, stream);
	}
	return err;
}
