// SPDX-License-Identifier: Apache-2.0

#include "report/stat/stat_trace.h"

#include "base/text/utf8.h"

#include <string.h>

// Numbers, names and order of fields are facts of WindowsPerf's manifest (wperf-etw-manifest.xml);
// its plug-in goes by the provider's name and the order of the fields. The keyword is the one that
// its manifest compiles to, Read | Local and the bit of the channel, so that a session which was
// set up for WindowsPerf records ours.

enum {
	FIELD_MAX = 128, // UTF-16 units of a text, with its 0
	FIXED_CYCLES = UINT32_MAX,
	NUM_FIELDS = 5,
};

static const char traits[] = "\x12\0"
			     "WindowsPerf App";
_Static_assert(sizeof(traits) == 0x12, "the size in front, the 0 at the end included");

static const char metadata[] =
	"\x34\0"
	"\0"
	"ReadGPC\0"
	"Core\0" TRACE_TYPE_UINT64 "Event\0" TRACE_TYPE_UTF16 "EventIdx\0" TRACE_TYPE_UINT32
	"EventNote\0" TRACE_TYPE_UTF16 "Value\0" TRACE_TYPE_UINT64;
_Static_assert(sizeof(metadata) - 1 == 0x34, "the size in front, without the literal's own 0");

static const struct trace_identity identity = {
	.guid = {0x81, 0xcf, 0xfc, 0x6a, 0x0c, 0x3a, 0x1e, 0x41, 0xa4, 0xaa, 0xc4, 0xcf, 0x02, 0xeb,
		 0x84, 0x0d},
	.traits = traits,
	.traits_size = sizeof(traits),
};

static const struct trace_event read_gpc = {
	.id = 1,
	.keyword = UINT64_C(0x8000000000000005),
	.metadata = metadata,
	.metadata_size = sizeof(metadata) - 1,
};

struct stat_trace_text {
	uint16_t units[FIELD_MAX];
};

enum { LAST_OF_ONE_UNIT = 0xffff, SURROGATE_OFFSET = 0x10000, HIGH = 0xd800, LOW = 0xdc00 };
enum { SURROGATE_BITS = 10, SURROGATE_MASK = 0x3ff };

// What does not fit is cut.
static struct trace_field stat_trace_text_of(const char *utf8, struct stat_trace_text *ret)
{
	size_t num = 0;
	while (*utf8 && num + 2 < FIELD_MAX) {
		uint32_t code = utf8_next(&utf8);
		if (code <= LAST_OF_ONE_UNIT) {
			ret->units[num++] = (uint16_t)code;
			continue;
		}
		code -= SURROGATE_OFFSET;
		ret->units[num++] = (uint16_t)(HIGH + (code >> SURROGATE_BITS));
		ret->units[num++] = (uint16_t)(LOW + (code & SURROGATE_MASK));
	}
	ret->units[num++] = 0;
	return (struct trace_field){ret->units, (uint32_t)(num * sizeof(ret->units[0]))};
}

static void stat_trace_write_row(const struct stat_trace_sink *sink, uint64_t core,
				 const struct stat_event *event, uint64_t value)
{
	uint32_t index = event->is_fixed ? FIXED_CYCLES : (uint32_t)event->code;
	struct stat_trace_text name, note;
	const struct trace_field fields[NUM_FIELDS] = {
		{&core, sizeof(core)},   stat_trace_text_of(event->name, &name),
		{&index, sizeof(index)}, stat_trace_text_of(event->note ? event->note : "", &note),
		{&value, sizeof(value)},
	};
	sink->write(sink->context, &read_gpc, fields, NUM_FIELDS);
}

static void stat_trace_write_section(const struct stat_trace_sink *sink,
				     const struct stat_section *section)
{
	const struct count_set *set = section->counts;
	if (section->event_class != EVENT_CORE || set->unit_kind != COUNT_UNIT_CORE)
		return;
	for (size_t unit = 0; unit < set->num_units; unit++) {
		for (size_t i = 0; i < section->num_events; i++) {
			const struct stat_event *event = &section->events[i];
			if (!event->is_hidden)
				stat_trace_write_row(sink, set->units[unit], event,
						     count_set_at(set, unit, i)->value);
		}
	}
}

void stat_trace_write_to(const struct stat_trace_sink *sink, const struct stat_report *report)
{
	if (!sink->is_heard(sink->context, &read_gpc))
		return;
	for (size_t i = 0; i < report->num_sections; i++)
		stat_trace_write_section(sink, &report->sections[i]);
}

void stat_trace_open(struct trace_provider *ret)
{
	trace_provider_init(&identity, ret);
}

static bool stat_trace_is_heard(void *context, const struct trace_event *event)
{
	return trace_provider_is_heard(context, event);
}

static void stat_trace_send(void *context, const struct trace_event *event,
			    const struct trace_field *fields, unsigned num_fields)
{
	trace_provider_write(context, event, fields, num_fields);
}

void stat_trace_write(const struct trace_provider *provider, const struct stat_report *report)
{
	const struct stat_trace_sink sink = {
		.is_heard = stat_trace_is_heard,
		.write = stat_trace_send,
		.context = (void *)provider,
	};
	stat_trace_write_to(&sink, report);
}
