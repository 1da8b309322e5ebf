// SPDX-License-Identifier: Apache-2.0

#include "catalog/event_spec.h"

#include "base/container/array.h"
#include "base/text/number.h"
#include "base/text/string_builder.h"
#include "catalog/comma_list.h"
#include "catalog/linux/core_pmus.h"
#include "catalog/linux/probe_point.h"
#include "catalog/linux/probe_values.h"
#include "catalog/linux/sysfs_terms.h"
#include "catalog/linux/system_events.h"
#include "catalog/linux/tracepoint.h"
#include "catalog/spe_spec.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// The grammar is in the header. Names may contain colons (tracepoints, libpfm4's umasks), and so do
// modifiers and intervals: split_word() looks up the whole word, then cuts it at its last colon
// until an event is found. What was cut off is then read as modifiers or an interval. Errors
// restore the word (join_word()), so that the message shows what the user wrote, with the nearest
// name as a hint.

/** A name takes modifiers and an interval; more colons belong to the name. */
enum { MAX_SUFFIXES = 4 };

/** A letter behind the colon. */
static const struct {
	char letter;
	unsigned modifier;
} modifier_letters[] = {
	{'u', EVENT_USER},  {'k', EVENT_KERNEL}, {'h', EVENT_HYPERVISOR},
	{'G', EVENT_GUEST}, {'H', EVENT_HOST},   {'I', EVENT_NOT_IDLE},
};

/** What the letters behind a colon say. */
struct event_modifiers {
	unsigned places; /* enum event_modifier */
	unsigned precise;
};

struct spec_parser {
	struct catalog *catalog;
	const char *spec;
	enum event_spec_mode mode;
	const char *metric;
	struct event_list *list;

	const char *group; /* where the open group starts in the spec, or NULL */
	enum event_class group_class;
	size_t group_first; /* in list */
};

/** An event word, taken apart: `name:suffix:suffix`. */
struct event_word {
	const struct event *event;
	struct sysfs_rate rate;       /* of its terms */
	char *suffixes[MAX_SUFFIXES]; /* the last one first */
	size_t num_suffixes;
};

/** Each letter once, but `p` up to EVENT_MAX_PRECISE times. */
static bool find_modifiers(const char *text, struct event_modifiers *ret)
{
	struct event_modifiers modifiers = {0};
	for (const char *letter = text; *letter; letter++) {
		if (*letter == 'p') {
			if (++modifiers.precise > EVENT_MAX_PRECISE)
				return false;
			continue;
		}
		size_t i = 0;
		while (i < ARRAY_SIZE(modifier_letters) && modifier_letters[i].letter != *letter)
			i++;
		if (i == ARRAY_SIZE(modifier_letters) ||
		    modifiers.places & modifier_letters[i].modifier)
			return false;
		modifiers.places |= modifier_letters[i].modifier;
	}
	*ret = modifiers;
	return *text;
}

/** The number in `r1b`, `0x1b` or `27`: where it starts, or NULL if @word is no raw event. */
static const char *raw_number(const char *word, uint64_t *ret_code, enum number_result *ret_result)
{
	bool is_hex = word[0] == 'r';
	const char *number = is_hex ? word + 1 : word;
	size_t length = strlen(number);
	enum number_result result = is_hex ? number_parse_hex(number, length, false, ret_code)
					   : number_parse(number, length, ret_code);
	if (result == NUMBER_INVALID)
		return NULL;
	*ret_result = result;
	return number;
}

/** `page-faults:5` is no tracepoint, also where nobody may look which ones there are. */
static bool begins_with_event(const struct catalog *catalog, const char *word)
{
	char name[64];
	size_t length = strcspn(word, ":");
	if (length >= sizeof(name))
		return false;
	memcpy(name, word, length);
	name[length] = '\0';
	return catalog_find_event(catalog, EVENT_CORE, name) != NULL;
}

/**
 * An event that the kernel knows on other machines: whoever counts shows that it is missing here.
 * NULL for none; also where the kernel is not who counts.
 */
static const struct event *event_spec_find_absent(const struct spec_parser *parser,
						  enum event_class event_class, const char *word)
{
	if (parser->mode != EVENT_SPEC_COUNT || event_class != EVENT_CORE ||
	    !parser->catalog->num_system_events)
		return NULL;
	const struct system_event *event = system_events_find_generic(word);
	return event ? &event->event : NULL;
}

/** @ret: NULL if there is no such event. */
static struct error *event_spec_find(const struct spec_parser *parser, enum event_class event_class,
				     const char *word, const struct event **ret,
				     struct sysfs_rate *ret_rate)
{
	struct catalog *catalog = parser->catalog;
	uint64_t code = 0;
	enum number_result result = NUMBER_OK;
	const char *number = raw_number(word, &code, &result);
	if (number && (result == NUMBER_RANGE || code > catalog->max_raw_code))
		return error_create(ERROR_USAGE, "extra event value out of range in %s", number);
	if (number)
		return catalog_raw_event(catalog, event_class, code, ret);
	const struct event *event = catalog_find_event(catalog, event_class, word);
	if (event && event_class != EVENT_CORE && event->event_class != event_class) {
		// The DSU counts architectural events, too: the same event, but of its class.
		struct event *copy = arena_alloc(&catalog->arena, sizeof(*copy));
		if (!copy)
			return &error_no_memory;
		*copy = *event;
		copy->event_class = event_class;
		*ret = copy;
		return NULL;
	}
	if (!event)
		event = event_spec_find_absent(parser, event_class, word);
	*ret = event;
	if (event || event_class != EVENT_CORE)
		return NULL;
	struct error *err = probe_point_find(catalog, word, ret);
	if (!err && !*ret)
		err = sysfs_terms_find(catalog, word, ret, ret_rate);
	bool is_found = err || *ret;
	return is_found || begins_with_event(catalog, word) ? err
							    : tracepoint_find(catalog, word, ret);
}

/** The length of `pmu/terms/` at the beginning of @text; 0 if there is none. */
static size_t pmu_word_length(const char *text)
{
	size_t name = strcspn(text, "/,:{} ");
	const char *end = name && text[name] == '/' ? strchr(text + name + 1, '/') : NULL;
	return end ? (size_t)(end + 1 - text) : 0;
}

/** As comma_list_next(), but the commas of `pmu/term,term/` and of a probe's values belong to the
 *  item. */
static char *next_item(const struct catalog *catalog, char **rest)
{
	char *item = *rest;
	if (!item)
		return NULL;
	size_t braces = strspn(item, "{");
	*rest = item + braces;
	size_t probe = probe_values_word_length(*rest);
	if (catalog->sysfs_folder)
		*rest += probe ? probe : pmu_word_length(*rest);
	comma_list_next(rest);
	return item;
}

/** Find the event of the longest part of @text up to a colon, and cut off what is behind. */
static struct error *split_word(const struct spec_parser *parser, enum event_class event_class,
				char *text, struct event_word *ret)
{
	struct event_word word = {0};
	for (;;) {
		struct error *err =
			event_spec_find(parser, event_class, text, &word.event, &word.rate);
		if (err)
			return err;
		char *colon = strrchr(text, ':');
		if (word.event || !colon || word.num_suffixes == MAX_SUFFIXES)
			break;
		*colon = '\0';
		word.suffixes[word.num_suffixes++] = colon + 1;
	}
	*ret = word;
	return NULL;
}

/** Undo what split_word() cut. */
static void join_word(const struct event_word *word)
{
	for (size_t i = 0; i < word->num_suffixes; i++)
		word->suffixes[i][-1] = ':';
}

static bool is_by_bytes(const struct event *event)
{
	return event && event->event_class == EVENT_PERF && system_event_of(event)->by_bytes;
}

/** @event: by bytes: `64K`, `1M` and `2G` are numbers, too. */
static enum number_result parse_interval(const char *text, const struct event *event, uint64_t *ret)
{
	static const char units[] = "KMG";
	enum { BITS_OF_UNIT = 10 };
	size_t length = strlen(text);
	const char *unit = length && is_by_bytes(event) ? strchr(units, text[length - 1]) : NULL;
	unsigned shift = unit ? BITS_OF_UNIT * (unsigned)(unit - units + 1) : 0;
	enum number_result result = number_parse(text, length - (unit != NULL), ret);
	if (result == NUMBER_OK && *ret > UINT64_MAX >> shift)
		return NUMBER_RANGE;
	*ret = result == NUMBER_OK ? *ret << shift : 0;
	return result;
}

static bool is_suffix(const char *text)
{
	struct event_modifiers modifiers;
	uint64_t interval;
	return find_modifiers(text, &modifiers) ||
	       parse_interval(text, NULL, &interval) != NUMBER_INVALID;
}

/** @text: the word that was cut into @word. */
static struct error *unknown_event(const struct spec_parser *parser, enum event_class event_class,
				   const char *text, const struct event_word *word)
{
	join_word(word);
	// What can only be an interval is not part of the name that is unknown.
	bool is_sample = parser->mode == EVENT_SPEC_SAMPLE;
	for (size_t i = 0; is_sample && i < word->num_suffixes && is_suffix(word->suffixes[i]); i++)
		word->suffixes[i][-1] = '\0';
	if (system_events_find_generic(text))
		return error_with_hint(error_create(ERROR_FAILED, "this machine cannot count '%s'",
						    text),
				       "run 'wperf detect' to see why, and how to enable it");
	struct error *err = error_create(ERROR_USAGE, "unknown event name: %s", text);
	if (is_sample && strpbrk(text, "{}"))
		return error_with_hint(
			err, "only stat counts groups; give sample and record single events");
	if (spe_spec_is(text))
		return error_with_hint(
			err, is_sample ? "use a separate -e for arm_spe_0/.../"
				       : "arm_spe_0/.../ works with sample and record only");
	if (strpbrk(text, "*?") && strchr(text, ':'))
		return error_with_hint(err,
				       "-e does not accept wildcards; name each tracepoint, as in "
				       "sched:sched_switch,sched:sched_wakeup");
	const char *nearest = catalog_nearest_event(parser->catalog, event_class, text);
	if (nearest)
		return error_with_hint(err, "did you mean '%s%s'?", event_class_prefix(event_class),
				       nearest);
	return err;
}

static struct error *set_interval(const char *text, struct event_request *request)
{
	const char *hint = is_by_bytes(request->event)
				   ? "use a number of bytes, as in 65536, 64K or 1M"
				   : "use a number of events from 1 to 0xffffffff";
	uint64_t interval = 0;
	enum number_result result = parse_interval(text, request->event, &interval);
	if (result == NUMBER_RANGE || interval > UINT32_MAX)
		return error_with_hint(error_create(ERROR_USAGE,
						    "event interval: %s is out of range!", text),
				       "%s", hint);
	if (result == NUMBER_INVALID || interval == 0)
		return error_with_hint(error_create(ERROR_USAGE, "event interval: %s is invalid!",
						    text),
				       "%s", hint);
	request->interval = interval;
	return NULL;
}

static struct error *unwanted_suffix(const struct spec_parser *parser, const char *text,
				     const struct event_word *word, const char *suffix)
{
	uint64_t interval;
	bool is_interval = number_parse(suffix, strlen(suffix), &interval) != NUMBER_INVALID;
	join_word(word);
	struct error *err = error_create(ERROR_USAGE, "unknown event name: %s", text);
	if (is_interval)
		return error_with_hint(
			err, "intervals (name:interval) work with sample and record only");
	return error_with_hint(err, "%s",
			       parser->catalog->sysfs_folder
				       ? "':' may be followed by u (user), k (kernel), h, G, H, I, "
					 "and p, pp or ppp"
				       : "':' may be followed by u (user), k (kernel) or uk");
}

/** Sources that program the counters themselves know user code and kernel code. */
static struct error *apply_suffixes(const struct spec_parser *parser, const char *text,
				    const struct event_word *word, struct event_request *request)
{
	const unsigned everywhere = EVENT_USER | EVENT_KERNEL;
	for (size_t i = word->num_suffixes; i-- > 0;) {
		const char *suffix = word->suffixes[i];
		struct event_modifiers modifiers;
		bool is_modifier = find_modifiers(suffix, &modifiers);
		// Sources that program the counters themselves know user code and kernel code.
		if (is_modifier && !parser->catalog->sysfs_folder)
			is_modifier = !modifiers.precise && !(modifiers.places & ~everywhere);
		if (is_modifier) {
			request->modifiers |= modifiers.places;
			if (modifiers.precise > request->precise)
				request->precise = modifiers.precise;
			continue;
		}
		if (parser->mode == EVENT_SPEC_COUNT)
			return unwanted_suffix(parser, text, word, suffix);
		struct error *err = set_interval(suffix, request);
		if (err)
			return err;
	}
	return NULL;
}

/** Without counters it is the kernel, not we, who says that it cannot count an event of cores. */
static bool is_left_to_kernel(const struct spec_parser *parser, enum event_class event_class)
{
	return parser->mode == EVENT_SPEC_COUNT && event_class == EVENT_CORE &&
	       parser->catalog->num_system_events &&
	       parser->catalog->counters.total[EVENT_CORE] == 0;
}

/** Can this machine count the event at all? The kernel knows about its own. */
static struct error *check_unit(const struct spec_parser *parser, const struct event *event)
{
	if (!event_class_is_pmu(event->event_class) ||
	    is_left_to_kernel(parser, event->event_class))
		return NULL;
	const struct pmu_counters *counters = &parser->catalog->counters;
	const char *prefix = event_class_prefix(event->event_class);
	const char *unit = event_class_name(event->event_class);
	unsigned total = counters->total[event->event_class];
	if (total == 0)
		return error_create(ERROR_FAILED,
				    "cannot count %s%s: this machine has no %s counters", prefix,
				    event->name, unit);
	// Sampling is checked as a whole: cycles need none of these.
	if (parser->mode == EVENT_SPEC_COUNT && counters->free[event->event_class] == 0)
		return error_create(ERROR_FAILED,
				    "cannot count %s%s: no free %s counters out of a total of (%u)",
				    prefix, event->name, unit, total);
	return NULL;
}

static size_t copy_size(const struct event *event)
{
	return event->event_class == EVENT_PERF ? sizeof(struct system_event) : sizeof(*event);
}

/** A row keeps its modifiers, as `cycles:u`; WindowsPerf's rows have none. */
static struct error *name_modifiers(const struct spec_parser *parser, const struct event_word *word,
				    struct event_request *request)
{
	struct arena *arena = &parser->catalog->arena;
	_cleanup_(string_builder_deinit) struct string_builder name = STRING_BUILDER_INIT;
	struct event_modifiers modifiers;
	string_builder_append(&name, request->event->name);
	for (size_t i = word->num_suffixes; i-- > 0;)
		if (find_modifiers(word->suffixes[i], &modifiers))
			string_builder_appendf(&name, ":%s", word->suffixes[i]);
	if (!parser->catalog->sysfs_folder || name.length == strlen(request->event->name))
		return NULL;
	struct event *copy = arena_alloc(arena, copy_size(request->event));
	const char *text = arena_strdup(arena, string_builder_peek(&name));
	if (!copy || !text || name.failed)
		return &error_no_memory;
	memcpy(copy, request->event, copy_size(request->event));
	copy->name = text;
	request->event = copy;
	return NULL;
}

/** @text: a word without prefix and braces; written to. */
static struct error *parse_word(const struct spec_parser *parser, enum event_class event_class,
				char *text)
{
	struct event_word word = {0};
	struct error *err = split_word(parser, event_class, text, &word);
	if (err)
		return err;
	if (!word.event)
		return unknown_event(parser, event_class, text, &word);
	struct event_request request = {
		.event = word.event,
		.metric = parser->metric,
		.group = EVENT_UNGROUPED,
	};
	err = apply_suffixes(parser, text, &word, &request);
	if (err)
		return err;
	// Terms may bring their own period, which says nothing of a count; the one behind the word
	// wins.
	if (!request.interval)
		request.interval = word.rate.period;
	request.frequency = word.rate.frequency;
	err = check_unit(parser, word.event);
	if (!err)
		err = name_modifiers(parser, &word, &request);
	if (!err)
		err = event_list_add(parser->list, &request);
	// The events of a group stay together: close_group().
	bool is_spread;
	return err || parser->group
		       ? err
		       : core_pmus_spread(parser->catalog, parser->list,
					  parser->list->num_items - 1, false, &is_spread);
}

/** perf takes modifiers right behind the slash, too: `cpu/cycles/u` is `cpu/cycles/:u`. */
static struct error *parse_event(const struct spec_parser *parser, enum event_class event_class,
				 char *text)
{
	size_t length = pmu_word_length(text);
	if (!length || !text[length] || text[length] == ':')
		return parse_word(parser, event_class, text);
	_cleanup_(string_builder_deinit) struct string_builder word = STRING_BUILDER_INIT;
	string_builder_append_n(&word, text, length);
	string_builder_appendf(&word, ":%s", text + length);
	_cleanup_free_ char *with_colon = NULL;
	struct error *err = string_builder_finish(&word, &with_colon);
	return err ? err : parse_word(parser, event_class, with_colon);
}

static struct error *check_group_size(const struct pmu_counters *counters,
				      enum event_class event_class, size_t size)
{
	// The kernel knows how many of its events fit.
	if (!event_class_is_pmu(event_class))
		return NULL;
	unsigned total = counters->total[event_class];
	unsigned free_counters = counters->free[event_class];
	if (size > total)
		return error_create(ERROR_USAGE,
				    "event group size(%zu) exceeds number of hardware PMU "
				    "counters(%u)",
				    size, total);
	if (size > free_counters)
		return error_create(ERROR_USAGE,
				    "event group size(%zu) exceeds number of free hardware PMU "
				    "counters(%u) out of a total of (%u)",
				    size, free_counters, total);
	return NULL;
}

/** The items of the list since the brace become a group, unless there is only one of them. */
static struct error *close_group(struct spec_parser *parser)
{
	const struct event_list *list = parser->list;
	size_t size = list->num_items - parser->group_first;
	enum event_class event_class = list->items[parser->group_first].event->event_class;
	for (size_t i = parser->group_first; i < list->num_items; i++) {
		if (list->items[i].event->event_class != event_class)
			return error_create(ERROR_USAGE,
					    "event group mixes events of %s and %s: %.*s}",
					    event_class_name(event_class),
					    event_class_name(list->items[i].event->event_class),
					    (int)strcspn(parser->group, "}"), parser->group);
	}
	parser->group = NULL;
	bool is_group = size > 1, is_spread = false;
	struct error *err =
		!is_group || is_left_to_kernel(parser, event_class)
			? NULL
			: check_group_size(&parser->catalog->counters, event_class, size);
	if (!err)
		err = core_pmus_spread(parser->catalog, parser->list, parser->group_first, is_group,
				       &is_spread);
	if (!err && is_group && !is_spread)
		event_list_group(parser->list, parser->group_first);
	return err;
}

/** The class that the prefix of *text says, else the group's; *text moves behind the prefix. */
static enum event_class take_prefix(const struct spec_parser *parser, char **text)
{
	enum event_class event_class;
	size_t length = event_class_split(*text, &event_class);
	*text += length;
	return length == 0 && parser->group ? parser->group_class : event_class;
}

static struct error *empty_name(const struct spec_parser *parser)
{
	return error_create(ERROR_USAGE, "empty event name in '%s'", parser->spec);
}

/** @text: an event word behind the brace that opens a group, before the one that closes it. */
static struct error *event_spec_parse_member(struct spec_parser *parser,
					     enum event_class event_class, char *text)
{
	size_t length = strlen(text);
	bool closes = length && text[length - 1] == '}';
	bool closes_twice = closes && length > 1 && text[length - 2] == '}';
	if (closes_twice || (closes && !parser->group))
		return error_create(ERROR_USAGE, "missing '{' for event group %s", text);
	if (closes)
		text[--length] = '\0';
	if (length == 0)
		return empty_name(parser);
	struct error *err = parse_event(parser, event_class, text);
	if (err)
		return err;
	return closes ? close_group(parser) : NULL;
}

/** In the grammar of counting. @item: a copy of what stands @at a place of the spec. */
static struct error *parse_counting_item(struct spec_parser *parser, const char *at, char *item)
{
	char *text = item;
	enum event_class event_class = take_prefix(parser, &text);
	if (*text != '{')
		return event_spec_parse_member(parser, event_class, text);
	if (parser->group)
		return error_create(ERROR_USAGE, "nested group is not supported %.*s",
				    (int)strcspn(at, ","), at);
	parser->group = at;
	parser->group_class = event_class;
	parser->group_first = parser->list->num_items;
	text++;
	event_class = take_prefix(parser, &text);
	if (*text == '{')
		return error_create(ERROR_USAGE, "nested group is not supported %s", item);
	return event_spec_parse_member(parser, event_class, text);
}

static struct error *parse_sampling_item(struct spec_parser *parser, const char *at, char *item)
{
	if (!*item)
		return empty_name(parser);
	enum event_class event_class;
	if (event_class_split(item, &event_class))
		return error_with_hint(error_create(ERROR_USAGE, "unknown event name: %s", item),
				       "sample and record can use core events only");
	return parse_event(parser, EVENT_CORE, item);
}

typedef struct error *(*parse_item_fn)(struct spec_parser *parser, const char *at, char *item);

struct error *event_spec_parse(struct catalog *catalog, const char *spec, enum event_spec_mode mode,
			       const char *metric, struct event_list *list)
{
	struct spec_parser parser = {
		.catalog = catalog,
		.spec = spec,
		.mode = mode,
		.metric = metric,
		.list = list,
	};
	parse_item_fn parse_item =
		mode == EVENT_SPEC_SAMPLE ? parse_sampling_item : parse_counting_item;
	_cleanup_free_ char *copy = strdup(spec);
	if (!copy)
		return &error_no_memory;
	for (char *rest = copy, *item; (item = next_item(catalog, &rest));) {
		struct error *err = parse_item(&parser, spec + (item - copy), item);
		if (err)
			return err;
	}
	if (parser.group)
		return error_create(ERROR_USAGE, "missing '}' for event group %s", parser.group);
	return NULL;
}

struct error *event_spec_check_sampling(const struct catalog *catalog,
					const struct event_list *list)
{
	// All events of a recording are sampled at the same time: they do not take turns.
	size_t wanted = event_list_count(list, EVENT_CORE);
	for (size_t i = 0; i < list->num_items; i++) {
		if (event_is_cycles(list->items[i].event)) {
			// One event can have the fixed cycle counter.
			wanted--;
			break;
		}
	}
	unsigned total = catalog->counters.total[EVENT_CORE];
	unsigned free_counters = catalog->counters.free[EVENT_CORE];
	if (wanted > total)
		return error_create(ERROR_USAGE,
				    "number of events requested exceeds the number of hardware PMU "
				    "counters(%u)",
				    total);
	if (wanted > free_counters)
		return error_create(
			ERROR_USAGE,
			"number of events requested exceeds the number of free hardware "
			"PMU counters(%u) out of a total of (%u)",
			free_counters, total);
	return NULL;
}
