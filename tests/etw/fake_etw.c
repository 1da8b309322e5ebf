// SPDX-License-Identifier: Apache-2.0

#include "tests/etw/fake_etw.h"

#include "base/container/array.h"
#include "source/etw/etw_rights.h"
#include "source/etw/etw_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { OTHER_PROCESS = 77, FIRST_OWN_SOURCE = 4096 };

static const struct fake_etw_source first_sources[] = {
	{0, 1221, 1000000, 10000, {0}, "Timer"},
	{2, 4096, INT32_MAX, 65536, {0}, "TotalIssues"},
	{4, 4096, INT32_MAX, 65536, {0}, "LoadInstructions"},
	{6, 4096, INT32_MAX, 65536, {0}, "BranchInstructions"},
	{8, 4096, INT32_MAX, 65536, {0}, "DcacheMisses"},
	{9, 4096, INT32_MAX, 65536, {0}, "IcacheMisses"},
};

void fake_etw_init(struct fake_etw *fake)
{
	*fake = (struct fake_etw){.machine = {.max_counters = 4}};
	memcpy(fake->machine.sources, first_sources, sizeof(first_sources));
}

void fake_etw_deinit(struct fake_etw *fake)
{
	string_builder_deinit(&fake->log);
	free(fake->trace);
}

struct fake_etw_source *fake_etw_source(struct fake_etw *fake, uint32_t id)
{
	for (size_t i = 0; i < FAKE_ETW_MAX_SOURCES; i++)
		if (fake->machine.sources[i].name[0] && fake->machine.sources[i].id == id)
			return &fake->machine.sources[i];
	return NULL;
}

size_t fake_etw_num_sessions(const struct fake_etw *fake)
{
	size_t num = 0;
	for (size_t i = 0; i < FAKE_ETW_MAX_SESSIONS; i++)
		num += fake->machine.sessions[i].number != 0;
	return num;
}

static void fake_etw_log(struct fake_etw *fake, const char *what, const void *words, size_t size)
{
	_cleanup_(string_builder_deinit) struct string_builder line = STRING_BUILDER_INIT;
	string_builder_append(&line, what);
	for (size_t i = 0; i + sizeof(uint32_t) <= size; i += sizeof(uint32_t)) {
		uint32_t word;
		memcpy(&word, (const char *)words + i, sizeof(word));
		string_builder_appendf(&line, " %" PRIx32, word);
	}
	string_builder_append(&line, "\n");
	string_builder_append(&fake->log, string_builder_peek(&line));
	FILE *file = fake->log_path ? fopen(fake->log_path, "a") : NULL;
	if (!file)
		return;
	fputs(string_builder_peek(&line), file);
	fclose(file);
}

/** The machine as others left it. */
static void fake_etw_load(struct fake_etw *fake)
{
	FILE *file = fake->state_path ? fopen(fake->state_path, "rb") : NULL;
	struct fake_etw_machine machine;
	if (!file)
		return;
	if (fread(&machine, sizeof(machine), 1, file) == 1)
		fake->machine = machine;
	fclose(file);
}

/** At once: a killed process leaves the machine as it was before the call, or as it is after it. */
static void fake_etw_save(const struct fake_etw *fake)
{
	char draft[FAKE_ETW_PATH];
	if (!fake->state_path)
		return;
	snprintf(draft, sizeof(draft), "%s.%d", fake->state_path, (int)getpid());
	FILE *file = fopen(draft, "wb");
	if (!file)
		return;
	bool is_written = fwrite(&fake->machine, sizeof(fake->machine), 1, file) == 1;
	if (fclose(file) == 0 && is_written)
		rename(draft, fake->state_path);
}

/** To be called first in each call: what it fails with, or 0. */
static uint32_t fake_etw_enter(struct fake_etw *fake)
{
	fake_etw_load(fake);
	fake->num_calls++;
	bool fails = fake->fail_at && (fake->num_calls == fake->fail_at ||
				       (fake->fails_on && fake->num_calls > fake->fail_at));
	return fails ? fake->fail_code : 0;
}

/** Write more of the trace to the session's file. */
static void fake_etw_write(const struct fake_etw *fake, struct fake_etw_session *session,
			   size_t size)
{
	FILE *file = fopen(session->file, "ab");
	size_t left = fake->trace_size - session->written;
	if (!file)
		return;
	if (size > left)
		size = left;
	if (size)
		session->written += fwrite(fake->trace + session->written, 1, size, file);
	fclose(file);
}

static struct fake_etw_session *fake_etw_session(struct fake_etw *fake, uint64_t handle,
						 const char *name)
{
	for (size_t i = 0; i < FAKE_ETW_MAX_SESSIONS; i++) {
		struct fake_etw_session *session = &fake->machine.sessions[i];
		if (session->number &&
		    (name ? !strcmp(session->name, name) : session->number == handle))
			return session;
	}
	return NULL;
}

static bool fake_etw_is_taken(struct fake_etw *fake, const char *name, const struct etw_guid *guid)
{
	bool is_taken = fake_etw_session(fake, 0, name);
	for (size_t i = 0; i < FAKE_ETW_MAX_SESSIONS; i++)
		is_taken |= fake->machine.sessions[i].number &&
			    !memcmp(&fake->machine.sessions[i].guid, guid, sizeof(*guid));
	return is_taken;
}

/** 0: there is none. */
static uint32_t fake_etw_child(void)
{
	char path[64];
	uint32_t pid = 0;
	snprintf(path, sizeof(path), "/proc/self/task/%d/children", (int)getpid());
	FILE *file = fopen(path, "r");
	if (file && fscanf(file, "%" SCNu32, &pid) != 1)
		pid = 0;
	if (file)
		fclose(file);
	return pid;
}

/** What the trace says of a process is said of the program that wperf has just started. */
static void fake_etw_trace_child(struct fake_etw *fake)
{
	uint32_t child = fake->traced_pid ? fake_etw_child() : 0;
	for (size_t i = 0; child && i + sizeof(child) <= fake->trace_size; i++)
		if (memcmp(fake->trace + i, &fake->traced_pid, sizeof(child)) == 0)
			memcpy(fake->trace + i, &child, sizeof(child));
	if (child)
		fake->traced_pid = child;
}

static uint32_t fake_etw_start(void *context, uint64_t *ret_handle, const uint16_t *name,
			       struct etw_properties *properties)
{
	struct fake_etw *fake = context;
	uint32_t code = fake_etw_enter(fake);
	char text[128];
	etw_text_narrow(name, ETW_SESSION_NAME_MAX, text, sizeof(text));
	const uint32_t arguments[] = {properties->size,        properties->clock,
				      properties->flags,       properties->buffer_kb,
				      properties->min_buffers, properties->max_buffers,
				      properties->mode,        properties->flush_seconds};
	fake_etw_log(fake, "start", arguments, sizeof(arguments));
	if (code)
		return code;
	if (fake->has_no_privilege)
		return ETW_ERROR_ACCESS_DENIED;
	if (fake_etw_is_taken(fake, text, &properties->guid))
		return ETW_ERROR_ALREADY_EXISTS;
	for (uint32_t i = 0; i < FAKE_ETW_MAX_SESSIONS; i++) {
		struct fake_etw_session *session = &fake->machine.sessions[i];
		if (session->number)
			continue;
		*session = (struct fake_etw_session){.number = i + 1, .guid = properties->guid};
		strcpy(session->name, text);
		fake_etw_trace_child(fake);
		etw_text_narrow(properties->file, ETW_PATH_MAX, session->file,
				sizeof(session->file));
		fake_etw_write(fake, session, fake->piece_size);
		fake_etw_save(fake);
		*ret_handle = session->number;
		return 0;
	}
	return ETW_ERROR_NO_RESOURCES;
}

static uint32_t fake_etw_control(void *context, uint64_t handle, const uint16_t *name,
				 struct etw_properties *properties, uint32_t control)
{
	struct fake_etw *fake = context;
	uint32_t code = fake_etw_enter(fake);
	char text[128];
	if (name)
		etw_text_narrow(name, ETW_SESSION_NAME_MAX, text, sizeof(text));
	fake_etw_log(fake, control == ETW_CONTROL_STOP ? "stop" : "flush", NULL, 0);
	if (code)
		return code;
	struct fake_etw_session *session = fake_etw_session(fake, handle, name ? text : NULL);
	if (!session)
		return ETW_ERROR_NO_SESSION;
	bool stops = control == ETW_CONTROL_STOP;
	fake_etw_write(fake, session, stops ? SIZE_MAX : fake->piece_size);
	properties->events_lost = fake->events_lost;
	if (stops)
		*session = (struct fake_etw_session){0};
	fake_etw_save(fake);
	return 0;
}

static uint32_t fake_etw_set_interval(struct fake_etw *fake, const struct etw_interval *wanted)
{
	struct fake_etw_source *source = fake_etw_source(fake, wanted->source);
	if (!source || wanted->interval < source->min || wanted->interval > source->max)
		return ETW_ERROR_INVALID_PARAMETER;
	source->interval = wanted->interval;
	fake_etw_save(fake);
	return 0;
}

static uint32_t fake_etw_set(void *context, uint64_t handle, enum etw_class class, const void *info,
			     uint32_t size)
{
	struct fake_etw *fake = context;
	uint32_t code = fake_etw_enter(fake);
	char what[32];
	snprintf(what, sizeof(what), "set %d:", class);
	fake_etw_log(fake, what, info, size);
	if (code)
		return code;
	if (class == ETW_CLASS_INTERVAL)
		return handle || size != sizeof(struct etw_interval)
			       ? ETW_ERROR_INVALID_PARAMETER
			       : fake_etw_set_interval(fake, info);
	if (class == ETW_CLASS_SOURCE_CONFIG) {
		if (handle || size > sizeof(fake->machine.sampled))
			return ETW_ERROR_INVALID_PARAMETER;
		memcpy(fake->machine.sampled, info, size);
		fake->machine.num_sampled = size / sizeof(uint32_t);
		fake_etw_save(fake);
		return 0;
	}
	struct fake_etw_session *session = fake_etw_session(fake, handle, NULL);
	if (!session)
		return ETW_ERROR_INVALID_PARAMETER;
	if (class == ETW_CLASS_ENABLE_FLAGS && size == sizeof(session->masks))
		memcpy(session->masks, info, size);
	fake_etw_save(fake);
	return 0;
}

static uint32_t fake_etw_give(const void *answer, size_t answer_size, void *info, uint32_t size,
			      uint32_t *ret_size)
{
	*ret_size = (uint32_t)answer_size;
	if (size < answer_size)
		return ETW_ERROR_TOO_SMALL;
	memcpy(info, answer, answer_size);
	return 0;
}

static uint32_t fake_etw_list_sources(struct fake_etw *fake, void *info, uint32_t size,
				      uint32_t *ret_size)
{
	enum { NAME_UNITS = 128, ENTRY = sizeof(struct etw_source_info) + 2 * NAME_UNITS };
	char list[FAKE_ETW_MAX_SOURCES * ENTRY] = {0};
	size_t at = 0;
	for (size_t i = 0; i < FAKE_ETW_MAX_SOURCES; i++) {
		const struct fake_etw_source *source = &fake->machine.sources[i];
		if (!source->name[0])
			continue;
		struct etw_source_info entry = {.to_next = ENTRY,
						.source = source->id,
						.min_interval = source->min,
						.max_interval = source->max};
		memcpy(list + at, &entry, sizeof(entry));
		uint16_t name[NAME_UNITS];
		etw_text_widen(source->name, name, NAME_UNITS);
		memcpy(list + at + sizeof(entry), name, sizeof(name));
		at += ENTRY;
	}
	if (at) // the last one says so
		memset(list + at - ENTRY, 0, sizeof(uint32_t));
	return fake_etw_give(list, at, info, size, ret_size);
}

static uint32_t fake_etw_list_owners(struct fake_etw *fake, void *info, uint32_t size,
				     uint32_t *ret_size)
{
	struct {
		struct etw_counter_owners head;
		struct etw_counter_owner items[4];
	} owners = {.head = {0, fake->machine.num_owners}};
	memcpy(owners.items, fake->machine.owners, sizeof(owners.items));
	return fake_etw_give(
		&owners, sizeof(owners.head) + fake->machine.num_owners * sizeof(owners.items[0]),
		info, size < sizeof(owners) ? size : sizeof(owners), ret_size);
}

static uint32_t fake_etw_query(void *context, uint64_t handle, enum etw_class class, void *info,
			       uint32_t size, uint32_t *ret_size)
{
	struct fake_etw *fake = context;
	uint32_t code = fake_etw_enter(fake);
	*ret_size = 0;
	if (code)
		return code;
	if (fake->is_old && class >= ETW_CLASS_MAX_COUNTERS)
		return ETW_ERROR_INVALID_PARAMETER;
	switch (class) {
	case ETW_CLASS_INTERVAL: {
		struct etw_interval *asked = info;
		const struct fake_etw_source *source = fake_etw_source(fake, asked->source);
		if (!source)
			return ETW_ERROR_INVALID_PARAMETER;
		asked->interval = source->interval;
		*ret_size = sizeof(*asked);
		return 0;
	}
	case ETW_CLASS_SOURCE_CONFIG:
		return fake_etw_give(fake->machine.sampled,
				     fake->machine.num_sampled * sizeof(uint32_t), info, size,
				     ret_size);
	case ETW_CLASS_SOURCE_LIST:
		return fake_etw_list_sources(fake, info, size, ret_size);
	case ETW_CLASS_MAX_COUNTERS:
		return fake_etw_give(&fake->machine.max_counters, sizeof(uint32_t), info, size,
				     ret_size);
	case ETW_CLASS_COUNTER_OWNERS:
		return fake_etw_list_owners(fake, info, size, ret_size);
	default:
		return ETW_ERROR_INVALID_PARAMETER;
	}
}

static uint32_t fake_etw_list(void *context, struct etw_properties *const *sessions, uint32_t max,
			      uint32_t *ret_num)
{
	struct fake_etw *fake = context;
	uint32_t code = fake_etw_enter(fake);
	*ret_num = 0;
	for (size_t i = 0; !code && i < FAKE_ETW_MAX_SESSIONS; i++) {
		const struct fake_etw_session *session = &fake->machine.sessions[i];
		if (!session->number)
			continue;
		if (*ret_num == max)
			return ETW_ERROR_MORE_DATA;
		struct etw_properties *properties = sessions[(*ret_num)++];
		properties->logger = session->number;
		etw_text_widen(session->name, properties->name, ETW_SESSION_NAME_MAX);
	}
	return code;
}

static uint32_t fake_etw_add(struct fake_etw *fake, const struct etw_source_add *add)
{
	for (uint32_t i = 0; i < FAKE_ETW_MAX_SOURCES; i++) {
		struct fake_etw_source *source = &fake->machine.sources[i];
		if (source->name[0])
			continue;
		*source = (struct fake_etw_source){FIRST_OWN_SOURCE + i, 4096, INT32_MAX,
						   add->interval,        {0},  ""};
		memcpy(source->event, add->event, sizeof(source->event));
		etw_text_narrow(add->name, ETW_SOURCE_NAME_UNITS, source->name,
				sizeof(source->name));
		fake_etw_save(fake);
		return 0;
	}
	return 0xc000009a; // STATUS_INSUFFICIENT_RESOURCES
}

static uint32_t fake_etw_set_system(void *context, const void *info, uint32_t size)
{
	enum { STATUS_ACCESS_DENIED = 0xc0000022, STATUS_INVALID_PARAMETER = 0xc000000d };
	struct fake_etw *fake = context;
	uint32_t code = fake_etw_enter(fake);
	uint32_t what;
	memcpy(&what, info, sizeof(what));
	fake_etw_log(fake, "system", info, size < 36 ? size : 36);
	if (code || fake->has_no_privilege)
		return STATUS_ACCESS_DENIED;
	if (what == ETW_SOURCE_ADD && size == sizeof(struct etw_source_add))
		return fake_etw_add(fake, info);
	const struct etw_source_remove *removal = info;
	struct fake_etw_source *source = what == ETW_SOURCE_REMOVE && size == sizeof(*removal)
						 ? fake_etw_source(fake, removal->source)
						 : NULL;
	if (!source)
		return STATUS_INVALID_PARAMETER;
	*source = (struct fake_etw_source){0};
	fake_etw_save(fake);
	return 0;
}

static uint32_t fake_etw_enable_privilege(void *context)
{
	struct fake_etw *fake = context;
	uint32_t code = fake_etw_enter(fake);
	fake_etw_log(fake, "privilege", NULL, 0);
	if (code)
		return code;
	return fake->has_no_privilege ? ETW_ERROR_NOT_ALL_ASSIGNED : 0;
}

/** The 22nd word of /proc/PID/stat; 0: there is no such process. */
static uint64_t fake_etw_birth(uint32_t pid)
{
	char path[64], line[1024] = "";
	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/stat", pid);
	FILE *file = fopen(path, "r");
	if (!file)
		return 0;
	const char *at = fgets(line, sizeof(line), file) ? strrchr(line, ')') : NULL;
	fclose(file);
	for (int i = 2; at && i < 22; i++)
		at = strchr(at + 1, ' ');
	return at ? strtoull(at, NULL, 10) : 0;
}

static bool fake_etw_is_running(void *context, uint32_t pid, uint64_t birth)
{
	const struct fake_etw *fake = context;
	if (fake->asks_system)
		return fake_etw_birth(pid) == birth;
	return (!fake->is_dead && pid == (uint32_t)getpid() && birth == fake_etw_birth(pid)) ||
	       (pid == OTHER_PROCESS && fake->other_birth && birth == fake->other_birth);
}

struct etw_calls fake_etw_calls(struct fake_etw *fake)
{
	return (struct etw_calls){
		.context = fake,
		.pid = (uint32_t)getpid(),
		.birth = fake_etw_birth((uint32_t)getpid()),
		.cpu = ETW_CPU_ARM,
		.start = fake_etw_start,
		.control = fake_etw_control,
		.set = fake_etw_set,
		.query = fake_etw_query,
		.list = fake_etw_list,
		.set_system = fake_etw_set_system,
		.enable_privilege = fake_etw_enable_privilege,
		.is_running = fake_etw_is_running,
	};
}
