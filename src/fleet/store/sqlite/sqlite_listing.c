// SPDX-License-Identifier: Apache-2.0
// Texts are looked up by number for each row: listings are short.

#include "base/container/array.h"
#include "fleet/store/sqlite/sqlite_profile.h"
#include "fleet/store/sqlite/sqlite_put.h"
#include "fleet/store/sqlite/sqlite_query.h"
#include "fleet/store/sqlite/sqlite_scan.h"

struct sqlite_listing_work {
	struct sqlite_file *file;
	struct store_listing *listing;
	struct store_profile texts; /* only for its strings */
	struct sqlite_profile names;
	int64_t first_window;
};

static void sqlite_listing_work_deinit(struct sqlite_listing_work *work)
{
	sqlite_profile_deinit(&work->names);
	store_profile_deinit(&work->texts);
}

static struct error *sqlite_listing_text(struct sqlite_listing_work *work, int64_t number,
					 const char **ret)
{
	uint32_t string;
	struct error *err = sqlite_profile_string(&work->names, number, &string);
	if (!err)
		*ret = string_table_get(&work->texts.strings, string);
	return err;
}

/** Of one series: windows, and hours whose windows were dropped. @ret: are there any? */
static struct error *sqlite_listing_times(struct sqlite_listing_work *work, int64_t series,
					  struct store_listed_event *event, bool *ret)
{
	static const struct {
		enum sqlite_statement statement;
		size_t num_words;
		bool is_end;
	} bounds[] = {
		{SQLITE_FIRST_WINDOW, 1, false},
		{SQLITE_FIRST_HOUR, 2, false},
		{SQLITE_LAST_WINDOW, 1, true},
		{SQLITE_LAST_HOUR, 2, true},
	};
	const int64_t words[] = {series, work->first_window};
	struct error *err = NULL;
	*ret = false;
	for (size_t i = 0; !err && i < ARRAY_SIZE(bounds); i++) {
		int64_t found = 0;
		bool has_row = false;
		err = sqlite_file_start_numbers(work->file, bounds[i].statement, words,
						bounds[i].num_words);
		if (!err)
			err = sqlite_file_number_of(work->file, bounds[i].statement, &has_row,
						    &found);
		uint64_t time = found > 0 ? (uint64_t)found : 0;
		*ret |= has_row;
		if (has_row && !bounds[i].is_end && time < event->first_ns)
			event->first_ns = time;
		if (has_row && bounds[i].is_end && time > event->end_ns)
			event->end_ns = time;
	}
	return err;
}

static struct error *sqlite_listing_event(void *data, const struct sqlite_series *series)
{
	struct sqlite_listing_work *work = data;
	struct store_listed_event event = {.first_ns = UINT64_MAX};
	bool has_rows;
	struct error *err = sqlite_listing_times(work, series->number, &event, &has_rows);
	if (err || !has_rows)
		return err;
	err = sqlite_listing_text(work, series->service, &event.service);
	if (!err)
		err = sqlite_listing_text(work, series->event, &event.event);
	if (!err)
		err = sqlite_listing_text(work, series->unit, &event.unit);
	return err ? err : store_listing_add_event(work->listing, &event);
}

static struct error *sqlite_listing_labels(struct sqlite_listing_work *work)
{
	struct sqlite_file *file = work->file;
	bool has_row = false;
	struct error *err = sqlite_file_start(file, SQLITE_EACH_LABEL, NULL, 0);
	while (!err && !(err = sqlite_file_step(file, SQLITE_EACH_LABEL, &has_row)) && has_row) {
		struct store_listed_label label;
		const char **const texts[] = {&label.service, &label.key, &label.value};
		for (size_t i = 0; !err && i < ARRAY_SIZE(texts); i++)
			err = sqlite_listing_text(
				work, sqlite_file_number(file, SQLITE_EACH_LABEL, (int)i),
				texts[i]);
		if (!err)
			err = store_listing_add_label(work->listing, &label);
	}
	sqlite_file_end(file, SQLITE_EACH_LABEL);
	return err;
}

static struct error *sqlite_listing_services(struct sqlite_listing_work *work)
{
	struct sqlite_file *file = work->file;
	bool has_row = false;
	struct error *err = sqlite_file_start(file, SQLITE_EACH_SERVICE, NULL, 0);
	while (!err && !(err = sqlite_file_step(file, SQLITE_EACH_SERVICE, &has_row)) && has_row) {
		struct store_listed_service service = {
			.num_batches = sqlite_file_amount(file, SQLITE_EACH_SERVICE, 1),
			.num_dropped = sqlite_file_amount(file, SQLITE_EACH_SERVICE, 2),
			.num_lost = sqlite_file_amount(file, SQLITE_EACH_SERVICE, 3),
		};
		err = sqlite_listing_text(work, sqlite_file_number(file, SQLITE_EACH_SERVICE, 0),
					  &service.service);
		if (!err)
			err = store_listing_add_service(work->listing, &service);
	}
	sqlite_file_end(file, SQLITE_EACH_SERVICE);
	return err;
}

static struct error *sqlite_listing_fill(struct sqlite_listing_work *work)
{
	struct error *err =
		sqlite_put_get_fact(work->file, SQLITE_FIRST_WINDOW_FACT, &work->first_window);
	if (!err)
		err = sqlite_listing_services(work);
	if (!err)
		err = sqlite_scan_each_series(work->file, sqlite_listing_event, work);
	return err ? err : sqlite_listing_labels(work);
}

struct error *sqlite_query_list(struct sqlite_file *file, struct store_listing *ret)
{
	_cleanup_(store_listing_deinit) struct store_listing listing = {0};
	_cleanup_(sqlite_listing_work_deinit) struct sqlite_listing_work work = {
		.file = file, .listing = &listing, .texts = STORE_PROFILE_INIT};
	work.names = (struct sqlite_profile){.file = file, .answer = &work.texts};
	struct error *err = sqlite_file_begin(file, false);
	if (err)
		return err;
	err = sqlite_file_finish(file, sqlite_listing_fill(&work));
	if (err)
		return err;
	store_listing_finish(&listing);
	*ret = listing;
	listing = (struct store_listing){0};
	return NULL;
}
