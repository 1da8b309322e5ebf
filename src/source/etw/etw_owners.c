// SPDX-License-Identifier: Apache-2.0
// ETW_PMC_COUNTER_OWNERSHIP_STATUS and ETW_PMC_SESSION_INFO of evntrace.h. Never seen on a real
// machine: what does not look like an answer says nothing, and nothing is refused for it. Only
// owners of one type name a source; the first CPU is asked, as sessions have all CPUs.

#include "source/etw/etw_owners.h"

#include "base/container/array.h"
#include "source/etw/etw_journal.h"
#include "source/etw/etw_loggers.h"
#include "source/etw/etw_rights.h"

#include <string.h>

enum { MAX_OWNERS = 64, MAX_USERS_SIZE = 64 * 1024 };

struct etw_owners {
	struct etw_counter_owners head;
	struct etw_counter_owner items[MAX_OWNERS];
};

/** None where Windows does not say. */
static struct etw_owners etw_owners_read(const struct etw_calls *calls)
{
	struct etw_owners owners = {0};
	uint32_t size = 0;
	uint32_t code = calls->query(calls->context, 0, ETW_CLASS_COUNTER_OWNERS, &owners,
				     sizeof(owners), &size);
	size_t room = size < sizeof(owners.head) || size > sizeof(owners)
			      ? 0
			      : (size - sizeof(owners.head)) / sizeof(owners.items[0]);
	if (code)
		room = 0;
	if (owners.head.num_counters > room)
		owners.head.num_counters = (uint32_t)room;
	return owners;
}

struct etw_interval_user {
	const struct etw_calls *calls;
	uint32_t source;
	struct etw_mark user;
	bool is_used;
};

static struct error *etw_owners_visit(void *context, struct etw_left *left)
{
	struct etw_interval_user *wanted = context;
	bool is_ours =
		left->mark.pid == wanted->calls->pid && left->mark.birth == wanted->calls->birth;
	for (size_t i = 0; !is_ours && i < left->undo.num_intervals; i++) {
		if (left->undo.intervals[i].source == wanted->source &&
		    etw_mark_is_alive(wanted->calls, left->mark)) {
			wanted->is_used = true;
			wanted->user = left->mark;
		}
	}
	return NULL;
}

static const char *etw_owners_name(const struct etw_sources *sources, uint32_t id)
{
	const struct etw_source *source = etw_sources_find(sources, id);
	return source ? etw_source_short_name(source) : "?";
}

/** Another wperf changed its interval, and sets it back when it ends. */
static struct error *etw_owners_check_wperf(const struct etw_calls *calls,
					    const struct etw_sources *sources, uint32_t source)
{
	struct etw_interval_user user = {.calls = calls, .source = source};
	struct error *err = etw_journal_visit(etw_owners_visit, &user);
	if (err || !user.is_used)
		return err;
	return error_with_hint(
		error_create(ERROR_FAILED,
			     "another wperf (process %u) samples '%s'; only one at a time can set "
			     "the interval",
			     user.user.pid, etw_owners_name(sources, source)),
		"wait until it ends");
}

struct error *etw_owners_check(const struct etw_calls *calls, const struct etw_sources *sources,
			       const uint32_t *wanted, size_t num_wanted)
{
	struct etw_owners owners = etw_owners_read(calls);
	struct error *err = NULL;
	for (size_t i = 0; !err && i < num_wanted; i++) {
		for (uint32_t at = 0; !err && at < owners.head.num_counters; at++) {
			const struct etw_counter_owner *owner = &owners.items[at];
			if (owner->type == ETW_OWNER_SOURCE && owner->source == wanted[i] &&
			    wanted[i] != ETW_SOURCE_TIMER)
				err = error_with_hint(
					error_create(ERROR_FAILED,
						     "another program counts or samples '%s'",
						     etw_owners_name(sources, wanted[i])),
					"stop it, or choose another event; 'wperf etw' shows "
					"who uses counters");
		}
		if (!err)
			err = etw_owners_check_wperf(calls, sources, wanted[i]);
	}
	return err;
}

static void etw_owners_add_lines(const struct etw_calls *calls, struct string_builder *ret)
{
	_cleanup_(etw_sources_deinit) struct etw_sources sources = {0};
	struct etw_owners owners = etw_owners_read(calls);
	uint32_t num_used = 0;
	error_destroy(etw_sources_list(calls, &sources));
	for (uint32_t i = 0; i < owners.head.num_counters; i++)
		num_used += owners.items[i].type != ETW_OWNER_FREE;
	if (num_used)
		string_builder_appendf(ret, "%u of %u counters of CPU %u are in use\n", num_used,
				       owners.head.num_counters, owners.head.cpu);
	for (uint32_t i = 0; i < owners.head.num_counters; i++)
		if (owners.items[i].type == ETW_OWNER_SOURCE)
			string_builder_appendf(ret, "counter %u counts '%s'\n", i,
					       etw_owners_name(&sources, owners.items[i].source));
}

static const char *etw_owners_logger(const struct etw_loggers *loggers, uint32_t number)
{
	for (size_t i = 0; i < loggers->num_items; i++)
		if (loggers->items[i].number == number)
			return loggers->items[i].name;
	return "?";
}

/** Windows says how much it has, so that it is asked once with room enough. */
static void etw_owners_add_users(const struct etw_calls *calls, const struct etw_loggers *loggers,
				 struct string_builder *ret)
{
	_cleanup_free_ char *users = calloc(1, MAX_USERS_SIZE);
	uint32_t size = 0;
	if (!users ||
	    calls->query(calls->context, 0, ETW_CLASS_COUNTER_USERS, users, MAX_USERS_SIZE, &size))
		return;
	if (size > MAX_USERS_SIZE)
		size = MAX_USERS_SIZE;
	for (uint32_t at = 0; size - at >= sizeof(struct etw_counter_user);) {
		struct etw_counter_user user;
		memcpy(&user, users + at, sizeof(user));
		if (user.num_sources)
			string_builder_appendf(ret, "session '%s' reads %u counters\n",
					       etw_owners_logger(loggers, user.logger),
					       user.num_sources);
		if (user.to_next < sizeof(user) || user.to_next > size - at)
			break;
		at += user.to_next;
	}
}

struct error *etw_session_others(const struct etw_calls *calls, struct string_builder *ret)
{
	_cleanup_(etw_loggers_deinit) struct etw_loggers loggers = {0};
	struct error *err = etw_loggers_list(calls, &loggers);
	if (err)
		return err;
	etw_owners_add_lines(calls, ret);
	etw_owners_add_users(calls, &loggers, ret);
	return ret->failed ? &error_no_memory : NULL;
}
