// SPDX-License-Identifier: Apache-2.0
// The events of a recording as `perf evlist` lists them: a name a line, and with -v all members of
// its perf_event_attr. Nothing else of the file is read. A recording from a pipe has no header for
// them; there the first records are read until the events have come.

#include "report/recorded/event_listing.h"

#include "record/perf_data/event_attr.h"
#include "record/recording_reader.h"
#include "report/attr_view.h"
#include "report/recorded/read_profile.h"
#include "session/loading.h"
#include "view/layout/safe_text.h"

#include <string.h>

/** As `report --event` takes it. */
static const char *event_listing_name_of(const struct perf_data_info *info, size_t event)
{
	return loading_event_name(&info->events[event], event == loading_off_cpu_event(info));
}

static void event_listing_print_text(const struct perf_data_info *info, bool verbose, FILE *stream)
{
	for (size_t i = 0; i < info->num_events; i++) {
		const char *name = event_listing_name_of(info, i);
		safe_text_print(name, strlen(name), stream);
		if (verbose) {
			fputs(": ", stream);
			attr_view_print(&info->events[i], stream);
		}
		fputc('\n', stream);
	}
}

static void event_listing_write_event(const struct perf_data_info *info, size_t index,
				      struct json_writer *json)
{
	const struct perf_data_event *event = &info->events[index];
	struct event_attr_rate rate = event_attr_rate(event->attr, event->attr_size);
	json_begin_object(json);
	json_key_text(json, "name", event_listing_name_of(info, index));
	json_key_u64(json, "type", event_attr_type(event->attr, event->attr_size));
	json_key_u64(json, rate.frequency ? "frequency" : "period",
		     rate.frequency ? rate.frequency : rate.period);
	json_end_object(json);
}

static void event_listing_write_json(const struct perf_data_info *info, struct json_writer *json)
{
	json_begin_object(json);
	json_key(json, "events");
	json_begin_array(json);
	for (size_t i = 0; i < info->num_events; i++)
		event_listing_write_event(info, i, json);
	json_end_array(json);
	json_end_object(json);
}

/** In a pipe the events are records, which come before all others. */
static struct error *event_listing_read_events(struct recording_reader *reader)
{
	struct record record;
	bool more = true;
	struct error *err = NULL;
	// A damaged file may have none: then its end is reached here.
	while (!err && more && !recording_reader_info(reader)->num_events)
		err = recording_reader_next(reader, &record, &more);
	if (!err && !recording_reader_info(reader)->num_events)
		err = error_create(ERROR_FAILED, "the recording has no events");
	return err;
}

struct error *event_listing_write(const struct event_listing_request *request,
				  struct output_request output_request)
{
	_cleanup_(recording_reader_destroyp) struct recording_reader *reader = NULL;
	_cleanup_(output_deinit) struct output output = {.text = NULL};
	const struct recording_choice choice = {
		.path = request->path,
		.is_own_only = !request->is_forced,
	};
	struct error *err = recording_reader_open(&choice, &reader);
	if (err)
		return request->is_default ? read_profile_hint(request->path, err) : err;
	err = event_listing_read_events(reader);
	if (!err)
		err = output_open(output_request, &output);
	if (err)
		return err;
	const struct perf_data_info *info = recording_reader_info(reader);
	if (output.text)
		event_listing_print_text(info, request->is_verbose, output.text);
	if (output.json)
		event_listing_write_json(info, output.json);
	return output_close(&output);
}
