// SPDX-License-Identifier: Apache-2.0
// PROFILE_SOURCE_INFO in evntrace.h; registration at run time is not documented by Microsoft
// (etw_layout.h). Windows finds a source that was registered by its name only, so that names of
// ours are unique: they say which process registered them.

#include "base/container/array.h"
#include "base/text/utf8.h"
#include "source/etw/etw_calls.h"
#include "source/etw/etw_mark.h"
#include "source/etw/etw_rights.h"
#include "source/etw/etw_session.h"
#include "source/etw/etw_text.h"

#include <stdio.h>
#include <string.h>

enum { MAX_LIST_SIZE = 1 << 20, MAX_SOURCES = 4096, MAX_TRIES = 4 };

/** @ret: freed by the caller. The list may grow between the question for its length and it. */
static struct error *etw_sources_read(const struct etw_calls *calls, char **ret, uint32_t *ret_size)
{
	uint32_t size = 0;
	uint32_t code = calls->query(calls->context, 0, ETW_CLASS_SOURCE_LIST, NULL, 0, &size);
	for (int i = 0; i < MAX_TRIES && size && size <= MAX_LIST_SIZE; i++) {
		_cleanup_free_ char *list = calloc(1, size);
		if (!list)
			return &error_no_memory;
		uint32_t got = size;
		code = calls->query(calls->context, 0, ETW_CLASS_SOURCE_LIST, list, size, &got);
		if (!code) {
			*ret_size = got < size ? got : size;
			*ret = take_ptr(list);
			return NULL;
		}
		size = got > size ? got : 0;
	}
	return etw_error(code ? code : ETW_ERROR_BAD_LENGTH,
			 "cannot list the profile sources of Windows");
}

static uint32_t etw_sources_interval(const struct etw_calls *calls, uint32_t source)
{
	struct etw_interval interval = {.source = source};
	uint32_t size = 0;
	uint32_t code = calls->query(calls->context, 0, ETW_CLASS_INTERVAL, &interval,
				     sizeof(interval), &size);
	return code ? 0 : interval.interval;
}

static struct error *etw_sources_decode(const struct etw_calls *calls, const char *list,
					uint32_t size, struct etw_sources *ret)
{
	size_t capacity = 0;
	for (uint32_t at = 0; ret->num_items < MAX_SOURCES;) {
		struct etw_source_info info;
		if (size - at < sizeof(info))
			break;
		memcpy(&info, list + at, sizeof(info));
		struct error *err = array_reserve(&ret->items, &capacity, ret->num_items + 1);
		if (err)
			return err;
		struct etw_source *source = &ret->items[ret->num_items++];
		*source = (struct etw_source){.id = info.source,
					      .min_interval = info.min_interval,
					      .max_interval = info.max_interval,
					      .interval = etw_sources_interval(calls, info.source)};
		uint32_t name = at + (uint32_t)sizeof(info);
		etw_text_narrow(list + name, (size - name) / sizeof(uint16_t), source->name,
				sizeof(source->name));
		source->is_ours = etw_mark_read(source->name, NULL);
		if (info.to_next < sizeof(info) || info.to_next > size - at)
			break;
		at += info.to_next;
	}
	return NULL;
}

struct error *etw_sources_list(const struct etw_calls *calls, struct etw_sources *ret)
{
	_cleanup_free_ char *list = NULL;
	_cleanup_(etw_sources_deinit) struct etw_sources sources = {0};
	uint32_t size = 0, answer = 0;
	struct error *err = etw_sources_read(calls, &list, &size);
	if (!err)
		err = etw_sources_decode(calls, list, size, &sources);
	if (err)
		return err;
	// Windows before 10 1903 does not know the question.
	uint32_t max_counters = 0;
	if (!calls->query(calls->context, 0, ETW_CLASS_MAX_COUNTERS, &max_counters,
			  sizeof(max_counters), &answer))
		sources.max_counters = max_counters;
	*ret = sources;
	sources = (struct etw_sources){0};
	return NULL;
}

void etw_sources_deinit(struct etw_sources *sources)
{
	free(sources->items);
	*sources = (struct etw_sources){0};
}

const struct etw_source *etw_sources_find(const struct etw_sources *sources, uint32_t id)
{
	for (size_t i = 0; i < sources->num_items; i++)
		if (sources->items[i].id == id)
			return &sources->items[i];
	return NULL;
}

const char *etw_source_short_name(const struct etw_source *source)
{
	const char *name = source->is_ours ? etw_mark_read(source->name, NULL) : NULL;
	return name ? name : source->name;
}

/** The fields of an event, as `perf` packs them into its raw numbers on x86. */
enum {
	RAW_UMASK = 8,
	RAW_EDGE = 18,
	RAW_ANY = 21,
	RAW_INVERT = 23,
	RAW_CMASK = 24,
};

static uint8_t etw_sources_bit(uint32_t number, int bit)
{
	return number >> bit & 1;
}

static struct error *etw_sources_layout(enum etw_cpu cpu, uint32_t number, uint8_t ret[8])
{
	memset(ret, 0, 8);
	switch (cpu) {
	case ETW_CPU_ARM:
		// The event does not count while the core is halted: byte 4.
		memcpy(ret, &number, sizeof(number));
		return NULL;
	case ETW_CPU_INTEL:
		ret[0] = (uint8_t)number;
		ret[1] = (uint8_t)(number >> RAW_UMASK);
		ret[2] = (uint8_t)(number >> RAW_CMASK);
		ret[3] = etw_sources_bit(number, RAW_INVERT);
		ret[4] = etw_sources_bit(number, RAW_ANY);
		ret[5] = etw_sources_bit(number, RAW_EDGE);
		return NULL;
	case ETW_CPU_AMD:
		if (number > UINT16_MAX)
			break;
		ret[0] = (uint8_t)number;
		ret[1] = (uint8_t)(number >> RAW_UMASK);
		return NULL;
	}
	return error_create(ERROR_USAGE,
			    "Windows cannot register event 0x%x on this CPU: it accepts only event "
			    "and unit mask, 0xUUEE",
			    number);
}

/** By its name. Not there: Windows said yes and did nothing. */
static struct error *etw_sources_find_new(const struct etw_calls *calls, const char *name,
					  struct etw_source *ret)
{
	_cleanup_(etw_sources_deinit) struct etw_sources sources = {0};
	struct error *err = etw_sources_list(calls, &sources);
	if (err)
		return err;
	for (size_t i = 0; i < sources.num_items; i++) {
		if (!strcmp(sources.items[i].name, name)) {
			*ret = sources.items[i];
			return NULL;
		}
	}
	return error_with_hint(error_create(ERROR_FAILED,
					    "Windows did not register '%s' as a profile source",
					    name),
			       "choose a source that 'wperf etw' lists");
}

struct error *etw_sources_register(const struct etw_calls *calls, uint32_t number, const char *name,
				   uint32_t interval, struct etw_source *ret)
{
	struct etw_source_add add = {.what = ETW_SOURCE_ADD,
				     .version = ETW_SOURCE_ADD_VERSION,
				     .family = ETW_THIS_CPU,
				     .model = ETW_THIS_CPU,
				     .stepping = ETW_THIS_CPU,
				     .interval = interval};
	struct error *err = etw_sources_layout(calls->cpu, number, add.event);
	if (err)
		return err;
	char mark[ETW_MARK_SIZE], whole[ETW_SOURCE_NAME_MAX];
	etw_mark_write((struct etw_mark){calls->pid, calls->birth}, mark);
	if ((size_t)snprintf(whole, sizeof(whole), "%s%s", mark, name) >= sizeof(whole) ||
	    !etw_text_widen(whole, add.name, ETW_SOURCE_NAME_UNITS))
		return error_create(ERROR_USAGE, "not a valid name of a profile source: '%s'",
				    name);
	uint32_t code = calls->enable_privilege(calls->context);
	if (!code)
		code = etw_error_of_status(calls->set_system(calls->context, &add, sizeof(add)));
	if (code)
		return etw_error(code, "cannot register event 0x%x as the profile source '%s'",
				 number, name);
	err = etw_sources_find_new(calls, whole, ret);
	if (!err || err->code == ERROR_NO_MEMORY)
		return err;
	// Only its number, which Windows gives it, can remove it: ask once more.
	error_destroy(err);
	err = etw_sources_find_new(calls, whole, ret);
	return err ? error_with_hint(err, "if it was registered all the same, 'wperf etw --clean' "
					  "removes it")
		   : NULL;
}

struct error *etw_sources_unregister(const struct etw_calls *calls, uint32_t id)
{
	struct etw_source_remove removal = {.what = ETW_SOURCE_REMOVE,
					    .source = id,
					    .family = ETW_THIS_CPU,
					    .model = ETW_THIS_CPU,
					    .stepping = ETW_THIS_CPU};
	uint32_t code =
		etw_error_of_status(calls->set_system(calls->context, &removal, sizeof(removal)));
	return code ? etw_error(code, "cannot remove the profile source %u", id) : NULL;
}
