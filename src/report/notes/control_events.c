// SPDX-License-Identifier: Apache-2.0

#include "report/notes/control_events.h"

#include "record/perf_data/event_attr.h"
#include "report/attr_view.h"

#include <inttypes.h>
#include <string.h>

static void print_attr(const struct perf_data_event *attr, FILE *stream)
{
	fputs(": ", stream);
	attr_view_print(attr, stream);
}

static void print_rate(const struct perf_data_event *attr, FILE *stream)
{
	struct event_attr_rate rate = event_attr_rate(attr->attr, attr->attr_size);
	fprintf(stream, ": sample_%s=%" PRIu64, rate.frequency ? "freq" : "period",
		rate.frequency ? rate.frequency : rate.period);
}

static void print_groups(const struct event_list *list, FILE *stream)
{
	for (size_t leader = 0, size; leader < list->num_items; leader += size) {
		size = event_list_group_size(list, leader);
		fputs(size > 1 ? "{" : "", stream);
		for (size_t i = leader; i < leader + size; i++)
			fprintf(stream, "%s%s", i > leader ? "," : "", list->items[i].event->name);
		fputs(size > 1 ? "}\n" : "\n", stream);
	}
}

bool control_events_print(const struct control_command *command,
			  const struct control_events *events, FILE *stream)
{
	static const struct {
		const char *word;
		void (*print)(const struct perf_data_event *attr, FILE *stream);
	} details[] = {{"", NULL}, {"-v", print_attr}, {"-F", print_rate}};
	const char *word = control_command_argument(command);
	if (!strcmp(word, "-g")) {
		print_groups(events->list, stream);
		return true;
	}
	size_t kind = 0;
	while (kind < sizeof(details) / sizeof(details[0]) && strcmp(word, details[kind].word) != 0)
		kind++;
	if (kind == sizeof(details) / sizeof(details[0]))
		return false;
	for (size_t i = 0; i < events->list->num_items; i++) {
		fputs(events->list->items[i].event->name, stream);
		if (details[kind].print && events->attrs)
			details[kind].print(&events->attrs[i], stream);
		fputc('\n', stream);
	}
	return true;
}
