// SPDX-License-Identifier: Apache-2.0

#include "profile/hot/hot_label.h"

#include "profile/interpreted/interpreted_raise.h"

#include <inttypes.h>

// The text of a row is made from the item that stands for it. Which table the item is a number of
// (functions, frames, modules, threads, or none for a CPU) follows from the list's key: the table
// label_kinds has a function for each key. A row without an item has a name in brackets, which no
// function or file has.

static const char unknown[] = "[unknown]";
static const char no_stack[] = "[no stack]";

uint32_t hot_label_function(const struct hot_list *list, const struct named_profile *profile,
			    const struct hot_entry *entry)
{
	if (entry->item == NAMED_NONE)
		return NAMED_NONE;
	if (list->key == HOT_FUNCTION || list->key == HOT_INTERPRETED_FUNCTION ||
	    list->key == HOT_INTERPRETED_TASK || list->key == HOT_INTERPRETED_EXCEPTION)
		return entry->item;
	bool is_frame = list->key == HOT_LINE || list->key == HOT_ADDRESS ||
			list->key == HOT_INTERPRETED_LINE || list->key == HOT_INTERPRETED_RAISE;
	return is_frame ? profile->frames[entry->item].function : NAMED_NONE;
}

uint32_t hot_label_module(const struct hot_list *list, const struct named_profile *profile,
			  const struct hot_entry *entry)
{
	if (list->key == HOT_MODULE)
		return entry->item;
	uint32_t function = hot_label_function(list, profile, entry);
	return function == NAMED_NONE ? NAMED_NONE : profile->functions[function].module;
}

uint32_t hot_label_thread(const struct hot_list *list, const struct hot_entry *entry)
{
	bool is_thread = list->key == HOT_THREAD || list->key == HOT_PROCESS;
	return is_thread ? entry->item : NAMED_NONE;
}

static void append_text(const struct named_profile *profile, uint32_t string,
			struct string_builder *label)
{
	string_builder_append(label, named_profile_text(profile, string));
}

static void hot_label_append_function(const struct named_profile *profile, uint32_t item,
				      struct string_builder *label)
{
	append_text(profile, profile->functions[item].name, label);
}

static void hot_label_append_module(const struct named_profile *profile, uint32_t module,
				    struct string_builder *label)
{
	if (module == NAMED_NONE)
		string_builder_append(label, unknown);
	else
		append_text(profile, profile->modules[module].name, label);
}

void hot_label_append_line(const struct named_profile *profile, const struct named_frame *frame,
			   struct string_builder *label)
{
	append_text(profile, frame->file, label);
	if (frame->line)
		string_builder_appendf(label, ":%" PRIu32, frame->line);
}

// A frame without a line, such as one of a program without debug information, shows its function.
static void append_line(const struct named_profile *profile, uint32_t item,
			struct string_builder *label)
{
	const struct named_frame *frame = &profile->frames[item];
	if (frame->line)
		hot_label_append_line(profile, frame, label);
	else
		hot_label_append_function(profile, frame->function, label);
}

static void hot_label_append_address(const struct named_profile *profile, uint32_t item,
				     struct string_builder *label)
{
	const struct named_frame *frame = &profile->frames[item];
	if (!frame->address) {
		append_line(profile, item, label);
		return;
	}
	hot_label_append_module(profile, profile->functions[frame->function].module, label);
	string_builder_appendf(label, "+0x%" PRIx64, frame->address);
}

static void append_thread(const struct named_profile *profile, uint32_t item,
			  struct string_builder *label)
{
	append_text(profile, profile->threads[item].name, label);
}

static void hot_label_append_process(const struct named_profile *profile, uint32_t item,
				     struct string_builder *label)
{
	append_text(profile, profile->threads[item].process_name, label);
}

static void hot_label_append_cpu(const struct named_profile *profile, uint32_t item,
				 struct string_builder *label)
{
	string_builder_appendf(label, "cpu %" PRIu32, item);
}

static void append_exception(const struct named_profile *profile, uint32_t item,
			     struct string_builder *label)
{
	string_builder_append(label, interpreted_raise_type(profile, item));
}

/** "ValueError at /srv/shop.py:5". */
static void append_raise(const struct named_profile *profile, uint32_t item,
			 struct string_builder *label)
{
	const struct named_frame *frame = &profile->frames[item];
	append_exception(profile, frame->function, label);
	string_builder_append(label, " at ");
	hot_label_append_line(profile, frame, label);
}

struct label_kind {
	void (*append)(const struct named_profile *profile, uint32_t item,
		       struct string_builder *label);
	const char *of_none; // NULL: it names the language
};

static const struct label_kind label_kinds[HOT_NUM_KEYS] = {
	[HOT_FUNCTION] = {hot_label_append_function, no_stack},
	[HOT_LINE] = {append_line, no_stack},
	[HOT_MODULE] = {hot_label_append_module, unknown},
	[HOT_ADDRESS] = {hot_label_append_address, no_stack},
	[HOT_THREAD] = {append_thread, unknown},
	[HOT_PROCESS] = {hot_label_append_process, unknown},
	[HOT_CPU] = {hot_label_append_cpu, unknown},
	[HOT_INTERPRETED_LINE] = {append_line, NULL},
	[HOT_INTERPRETED_FUNCTION] = {hot_label_append_function, NULL},
	[HOT_INTERPRETED_FILE] = {append_text, NULL},
	[HOT_INTERPRETED_TASK] = {hot_label_append_function, "[no task]"},
	[HOT_INTERPRETED_EXCEPTION] = {append_exception, "[no exception]"},
	[HOT_INTERPRETED_RAISE] = {append_raise, "[no exception]"},
};

void hot_label_append(const struct hot_list *list, const struct named_profile *profile,
		      const struct hot_entry *entry, struct string_builder *label)
{
	const struct label_kind *kind = &label_kinds[list->key];
	if (entry->item != NAMED_NONE)
		kind->append(profile, entry->item, label);
	else if (kind->of_none)
		string_builder_append(label, kind->of_none);
	else
		string_builder_appendf(label, "[no %s]", profile->language->name);
}
