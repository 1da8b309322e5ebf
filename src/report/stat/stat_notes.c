// SPDX-License-Identifier: Apache-2.0
// Sources attach notes to columns, and often the same one to several. So notes are grouped by their
// text, in the order in which each appears first: "note: cycles, instructions: ...".

#include "report/stat/stat_notes.h"

#include "base/container/array.h"
#include "report/notes/diagnostics.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/** "     6  core events: 0x001b 0x0075", a line per class; with padding. */
void stat_notes_print_events(const struct run_request *request, FILE *stream)
{
	fputs("events to be counted:\n", stream);
	// Only events that go to counters have a placement; those of the kernel are a list.
	for (enum event_class i = EVENT_CORE; event_class_is_pmu(i); i++) {
		const struct placement *placement = &request->placements[i];
		if (!placement->num_events)
			continue;
		fprintf(stream, "%4zu%18s events:", placement->num_events, event_class_name(i));
		for (size_t k = 0; k < placement->num_events; k++)
			fprintf(stream, " 0x%04" PRIx64, placement->events[k].event->code);
		fputc('\n', stream);
	}
}

static const char *stat_notes_of_event(const struct count_setup *setup, size_t column)
{
	struct source *source = setup->session->source;
	return source->ops->count->note ? source->ops->count->note(source, column) : NULL;
}

static bool have_same_note(const struct count_setup *setup, size_t a, size_t b)
{
	const char *first = stat_notes_of_event(setup, a), *second = stat_notes_of_event(setup, b);
	return first && second && strcmp(first, second) == 0;
}

static bool is_first_with_note(const struct count_setup *setup, size_t column)
{
	// Events are few: comparing all pairs is fine.
	for (size_t i = 0; i < column; i++)
		if (have_same_note(setup, i, column))
			return false;
	return true;
}

/** One line for all events of which the same is to be said. */
static void stat_notes_print_event(const struct count_setup *setup, size_t column, FILE *stream)
{
	const struct event_list *events = &setup->request.events;
	fprintf(stream, "note: %s", events->items[column].event->name);
	for (size_t i = column + 1; i < events->num_items; i++)
		if (have_same_note(setup, column, i))
			fprintf(stream, ", %s", events->items[i].event->name);
	fprintf(stream, ": %s\n", stat_notes_of_event(setup, column));
}

void stat_notes_print(const struct count_setup *setup, FILE *stream)
{
	const struct event_list *events = &setup->request.events;
	for (size_t i = 0; i < events->num_items; i++)
		if (stat_notes_of_event(setup, i) && is_first_with_note(setup, i))
			stat_notes_print_event(setup, i, stream);
	struct source *source = setup->session->source;
	uint32_t core;
	for (size_t i = 0;
	     source->ops->count->lost_core && source->ops->count->lost_core(source, i, &core); i++)
		fprintf(stream, "note: core %u went offline; its counts end there\n", core);
	for (size_t i = 0; i < setup->cgroups.num_items; i++)
		if (cgroup_folder_has_ended(&setup->cgroups.items[i]))
			fprintf(stream,
				"note: control group '%s' has ended; its counts end there\n",
				setup->cgroups.items[i].name);
	// Last, what went wrong while it counted.
	diagnostics_print_run_notes(source, stream);
}

void stat_notes_print_values(const struct value_counts *values, FILE *stream)
{
	const struct {
		uint64_t num;
		const char *text;
	} notes[] = {
		{values->num_busy, "passages were not counted: too many at once on a core"},
		{values->num_without,
		 "strings were not counted: there were too many different ones"},
		{values->num_undecided,
		 "passages were not counted: a value of their condition could not be read"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(notes); i++)
		if (notes[i].num)
			fprintf(stream, "note: %" PRIu64 " %s\n", notes[i].num, notes[i].text);
}
