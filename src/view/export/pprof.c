// SPDX-License-Identifier: Apache-2.0

#include "view/export/pprof.h"

#include "profile/memory/memory_event.h"
#include "profile/sample_groups.h"
#include "view/export/gzip_writer.h"
#include "view/export/protobuf_message.h"

// profile.proto of pprof (github.com/google/pprof, proto/profile.proto), written field by field: a
// message of the top level is built, goes through gzip, and is cleared before the next one. So
// memory stays small, and no library and generated code are needed. Fields may come in any order in
// protobuf: samples are first, and the tables that they refer to follow.
//
// Ids are our numbers plus 1, as 0 means none there; strings are our numbers as they are, as string
// 0 is "" in both.
//
//	Profile   sample_type, sample..., mapping..., location..., function..., string_table...
//	Sample    location_id (the leaf first), value (samples, weight...), label (thread, tid, pid)
//	Location  id, mapping_id, address, line (function_id, line)

// The numbers of the fields in profile.proto.
enum {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_MAPPING = 3,
	PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5,
	PROFILE_STRING_TABLE = 6,
	PROFILE_TIME_NANOS = 9,
	PROFILE_DURATION_NANOS = 10,
	PROFILE_PERIOD_TYPE = 11,
	PROFILE_PERIOD = 12,
	PROFILE_DEFAULT_SAMPLE_TYPE = 14,
};
enum { VALUE_TYPE_TYPE = 1, VALUE_TYPE_UNIT };
enum { SAMPLE_LOCATION_ID = 1, SAMPLE_VALUE, SAMPLE_LABEL };
enum { LABEL_KEY = 1, LABEL_STR, LABEL_NUM };
enum {
	MAPPING_ID = 1,
	MAPPING_FILENAME = 5,
	MAPPING_BUILD_ID = 6,
	MAPPING_HAS_FUNCTIONS = 7,
	MAPPING_HAS_INLINE_FRAMES = 10,
};
enum { LOCATION_ID = 1, LOCATION_MAPPING_ID, LOCATION_ADDRESS, LOCATION_LINE };
enum { LINE_FUNCTION_ID = 1, LINE_LINE };
enum {
	FUNCTION_ID = 1,
	FUNCTION_NAME,
	FUNCTION_SYSTEM_NAME,
	FUNCTION_FILENAME,
	FUNCTION_START_LINE,
};

// Of several events, each has a value of its own: a sample of one event has 0 for the others, which
// readers leave out. Samples of the same stack need not be joined, as readers add them up.
//
// Memory has the types of Go's heap profiles, by which its tools choose: `-inuse_space` and others.

// Our own words stand behind the profile's strings, which keep their numbers.
enum own_string {
	OWN_SAMPLES,
	OWN_COUNT,
	OWN_THREAD,
	OWN_TID,
	OWN_PID,
	OWN_EVENTS,
	OWN_ALLOC_SPACE,
	OWN_ALLOC_OBJECTS,
	OWN_INUSE_OBJECTS,
	OWN_TEMPORARY_SPACE,
	OWN_LEAK_SPACE,
	OWN_INUSE_SPACE,
	OWN_MOMENT_SPACE,
	OWN_PEAK_SPACE,
	OWN_NUM
};

static const char *const own_strings[OWN_NUM] = {
	[OWN_SAMPLES] = "samples",
	[OWN_COUNT] = "count",
	[OWN_THREAD] = "thread",
	[OWN_TID] = "tid",
	[OWN_PID] = "pid",
	[OWN_EVENTS] = "events",
	[OWN_ALLOC_SPACE] = "alloc_space",
	[OWN_ALLOC_OBJECTS] = "alloc_objects",
	[OWN_INUSE_OBJECTS] = "inuse_objects",
	[OWN_TEMPORARY_SPACE] = "temporary_space",
	[OWN_LEAK_SPACE] = "leak_space",
	[OWN_INUSE_SPACE] = "inuse_space",
	[OWN_MOMENT_SPACE] = "moment_space",
	[OWN_PEAK_SPACE] = "peak_space",
};

/** What heap profiles of Go and jemalloc call our events of memory. Those with more rank are what
 *  readers show first. */
static const struct {
	enum own_string type;
	unsigned rank;
} memory_types[MEMORY_EVENT_NUM] = {
	[MEMORY_EVENT_COUNT] = {OWN_ALLOC_OBJECTS, 1},
	[MEMORY_EVENT_BLOCKS] = {OWN_INUSE_OBJECTS, 2},
	[MEMORY_EVENT_TEMPORARY] = {OWN_TEMPORARY_SPACE, 3},
	[MEMORY_EVENT_ALLOCATED] = {OWN_ALLOC_SPACE, 4},
	[MEMORY_EVENT_LEAKED] = {OWN_LEAK_SPACE, 5},
	[MEMORY_EVENT_AT_MOMENT] = {OWN_MOMENT_SPACE, 6},
	[MEMORY_EVENT_AT_PEAK] = {OWN_PEAK_SPACE, 7},
	[MEMORY_EVENT_IN_USE] = {OWN_INUSE_SPACE, 8},
};

struct pprof {
	const struct named_profile *profile;
	uint32_t first_event, num_events; /* that have values */
	struct gzip_writer *gzip;
	struct protobuf_message top, middle, inner; /* a field of the profile, and within it */
};

static void pprof_deinit(struct pprof *view)
{
	gzip_writer_destroy(view->gzip);
	protobuf_message_deinit(&view->top);
	protobuf_message_deinit(&view->middle);
	protobuf_message_deinit(&view->inner);
}

static uint64_t pprof_own(const struct pprof *view, enum own_string string)
{
	return view->profile->strings.num_entries + string;
}

static void pprof_flush(struct pprof *view)
{
	gzip_writer_add(view->gzip, string_builder_peek(&view->top.bytes), view->top.bytes.length);
	protobuf_message_clear(&view->top);
}

// Ids begin with 1: 0 is none.
static uint64_t id_of(uint32_t index)
{
	return index == NAMED_NONE ? 0 : (uint64_t)index + 1;
}

static void write_value_type(struct pprof *view, uint32_t field, uint64_t type, uint64_t unit)
{
	protobuf_message_u64(&view->middle, VALUE_TYPE_TYPE, type);
	protobuf_message_u64(&view->middle, VALUE_TYPE_UNIT, unit);
	protobuf_message_nested(&view->top, field, &view->middle);
}

static bool pprof_has(const struct pprof *view, enum memory_event kind)
{
	uint32_t event = memory_event_find(view->profile, kind);
	return event >= view->first_event && event - view->first_event < view->num_events;
}

/** Readers know one moment only: the end, else the peak, else that of the user. */
static bool pprof_is_in_use(const struct pprof *view, enum memory_event memory)
{
	if (memory == MEMORY_EVENT_AT_MOMENT && pprof_has(view, MEMORY_EVENT_AT_PEAK))
		return false;
	return (memory == MEMORY_EVENT_AT_MOMENT || memory == MEMORY_EVENT_AT_PEAK) &&
	       !pprof_has(view, MEMORY_EVENT_IN_USE);
}

static uint64_t pprof_type_of(const struct pprof *view, uint32_t event)
{
	enum memory_event memory = memory_event_of(view->profile, event);
	if (!memory_types[memory].rank)
		return view->profile->events[event].name;
	if (pprof_is_in_use(view, memory))
		return pprof_own(view, OWN_INUSE_SPACE);
	return pprof_own(view, memory_types[memory].type);
}

static uint64_t pprof_unit_of(const struct pprof *view, uint32_t event)
{
	enum memory_event memory = memory_event_of(view->profile, event);
	if (memory == MEMORY_EVENT_COUNT || memory == MEMORY_EVENT_BLOCKS)
		return pprof_own(view, OWN_COUNT);
	uint32_t unit = view->profile->events[event].unit;
	return unit ? unit : pprof_own(view, OWN_EVENTS);
}

static unsigned pprof_rank_of(const struct pprof *view, uint32_t event)
{
	return memory_types[memory_event_of(view->profile, event)].rank;
}

/** The event that readers show first. */
static uint32_t pprof_main_event(const struct pprof *view)
{
	uint32_t main = view->first_event;
	for (uint32_t i = 1; i < view->num_events; i++)
		if (pprof_rank_of(view, view->first_event + i) > pprof_rank_of(view, main))
			main = view->first_event + i;
	return main;
}

static void write_types(struct pprof *view)
{
	write_value_type(view, PROFILE_SAMPLE_TYPE, pprof_own(view, OWN_SAMPLES),
			 pprof_own(view, OWN_COUNT));
	for (uint32_t i = 0; i < view->num_events; i++)
		write_value_type(view, PROFILE_SAMPLE_TYPE,
				 pprof_type_of(view, view->first_event + i),
				 pprof_unit_of(view, view->first_event + i));
	if (view->num_events) {
		uint32_t main = pprof_main_event(view);
		uint64_t type = pprof_type_of(view, main);
		write_value_type(view, PROFILE_PERIOD_TYPE, type, pprof_unit_of(view, main));
		protobuf_message_u64(&view->top, PROFILE_PERIOD,
				     view->profile->events[main].period);
		protobuf_message_u64(&view->top, PROFILE_DEFAULT_SAMPLE_TYPE, type);
	}
	protobuf_message_u64(&view->top, PROFILE_TIME_NANOS, view->profile->start_wall_ns);
	protobuf_message_u64(&view->top, PROFILE_DURATION_NANOS, view->profile->duration_ns);
	pprof_flush(view);
}

static void pprof_add_label(struct pprof *view, enum own_string key, uint32_t field, uint64_t value)
{
	protobuf_message_u64(&view->inner, LABEL_KEY, pprof_own(view, key));
	protobuf_message_u64(&view->inner, field, value);
	protobuf_message_nested(&view->middle, SAMPLE_LABEL, &view->inner);
}

static void pprof_write_group(struct pprof *view, uint32_t event, const struct sample_group *group)
{
	const struct stack_node *nodes = view->profile->stacks.nodes;
	const struct named_thread *thread = &view->profile->threads[group->thread];
	// The leaf is first, as in our stacks.
	for (uint32_t stack = group->stack; stack != STACK_NONE; stack = nodes[stack].parent)
		protobuf_message_packed(&view->inner, id_of(nodes[stack].frame));
	protobuf_message_nested(&view->middle, SAMPLE_LOCATION_ID, &view->inner);
	protobuf_message_packed(&view->inner, group->total.count);
	for (uint32_t i = 0; i < view->num_events; i++)
		protobuf_message_packed(&view->inner,
					view->first_event + i == event ? group->total.weight : 0);
	protobuf_message_nested(&view->middle, SAMPLE_VALUE, &view->inner);
	pprof_add_label(view, OWN_THREAD, LABEL_STR, thread->name);
	pprof_add_label(view, OWN_TID, LABEL_NUM, thread->tid);
	pprof_add_label(view, OWN_PID, LABEL_NUM, thread->pid);
	protobuf_message_nested(&view->top, PROFILE_SAMPLE, &view->middle);
	pprof_flush(view);
}

// What it says it has readers do not look for in files.
static void write_mapping(struct pprof *view, uint32_t index)
{
	const struct named_module *module = &view->profile->modules[index];
	protobuf_message_u64(&view->middle, MAPPING_ID, id_of(index));
	protobuf_message_u64(&view->middle, MAPPING_FILENAME,
			     module->path ? module->path : module->name);
	protobuf_message_u64(&view->middle, MAPPING_BUILD_ID, module->build_id);
	for (uint32_t field = MAPPING_HAS_FUNCTIONS; field <= MAPPING_HAS_INLINE_FRAMES; field++)
		protobuf_message_u64(&view->middle, field, true);
	protobuf_message_nested(&view->top, PROFILE_MAPPING, &view->middle);
	pprof_flush(view);
}

static void write_location(struct pprof *view, uint32_t index)
{
	const struct named_frame *frame = &view->profile->frames[index];
	uint32_t module = view->profile->functions[frame->function].module;
	protobuf_message_u64(&view->middle, LOCATION_ID, id_of(index));
	protobuf_message_u64(&view->middle, LOCATION_MAPPING_ID, id_of(module));
	protobuf_message_u64(&view->middle, LOCATION_ADDRESS, frame->address);
	protobuf_message_u64(&view->inner, LINE_FUNCTION_ID, id_of(frame->function));
	protobuf_message_u64(&view->inner, LINE_LINE, frame->line);
	protobuf_message_nested(&view->middle, LOCATION_LINE, &view->inner);
	protobuf_message_nested(&view->top, PROFILE_LOCATION, &view->middle);
	pprof_flush(view);
}

// pprof demangles a name that is the same as the system's, and takes "<module>" for a template's
// argument: a function without a linkage name has none there, either.
static void pprof_write_function(struct pprof *view, uint32_t index)
{
	const struct named_function *function = &view->profile->functions[index];
	protobuf_message_u64(&view->middle, FUNCTION_ID, id_of(index));
	protobuf_message_u64(&view->middle, FUNCTION_NAME, function->name);
	if (function->kind != FRAME_INTERPRETED)
		protobuf_message_u64(&view->middle, FUNCTION_SYSTEM_NAME, function->linkage_name);
	protobuf_message_u64(&view->middle, FUNCTION_FILENAME, function->file);
	protobuf_message_u64(&view->middle, FUNCTION_START_LINE, function->line);
	protobuf_message_nested(&view->top, PROFILE_FUNCTION, &view->middle);
	pprof_flush(view);
}

static void pprof_write_string(struct pprof *view, const char *text)
{
	protobuf_message_text(&view->top, PROFILE_STRING_TABLE, text);
	pprof_flush(view);
}

static void write_tables(struct pprof *view)
{
	const struct named_profile *profile = view->profile;
	for (uint32_t i = 0; i < profile->num_modules; i++)
		write_mapping(view, i);
	for (uint32_t i = 0; i < profile->num_frames; i++)
		write_location(view, i);
	for (uint32_t i = 0; i < profile->num_functions; i++)
		pprof_write_function(view, i);
	for (uint32_t i = 0; i < profile->strings.num_entries; i++)
		pprof_write_string(view, named_profile_text(profile, i));
	for (enum own_string i = 0; i < OWN_NUM; i++)
		pprof_write_string(view, own_strings[i]);
}

static struct error *pprof_write_event(struct pprof *view, uint32_t event)
{
	_cleanup_(sample_groups_deinit) struct sample_groups groups = SAMPLE_GROUPS_INIT;
	struct error *err =
		sample_groups_create(view->profile, event, SAMPLE_GROUPS_BY_STACK, &groups);
	for (size_t i = 0; !err && i < groups.num_groups; i++)
		pprof_write_group(view, event, &groups.groups[i]);
	return err;
}

struct error *pprof_write(const struct named_profile *profile, uint32_t event, FILE *stream,
			  const char *name)
{
	bool is_one = event < profile->num_events;
	_cleanup_(pprof_deinit) struct pprof view = {
		.profile = profile,
		.first_event = is_one ? event : 0,
		.num_events = is_one ? 1 : (uint32_t)profile->num_events,
	};
	struct error *err = gzip_writer_create(stream, &view.gzip);
	if (err)
		return err;
	write_types(&view);
	for (uint32_t i = 0; !err && i < view.num_events; i++)
		err = pprof_write_event(&view, view.first_event + i);
	if (err)
		return err;
	write_tables(&view);
	if (view.top.bytes.failed || view.middle.bytes.failed || view.inner.bytes.failed)
		return &error_no_memory;
	return gzip_writer_finish(view.gzip, name);
}
