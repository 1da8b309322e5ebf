// SPDX-License-Identifier: Apache-2.0

#include "view/text/spe_place.h"

#include "profile/hot/hot_label.h"
#include "record/spe/spe_operation.h"

#include <string.h>

// How a place of SPE samples is named, for text and JSON: module and symbol of a row whatever its
// key, and the place itself if rows are lines or addresses. Branches and cache lines have stacks
// instead of rows; their place is a line if the innermost frame has one, else an address.
//
//	row of        module   symbol     place
//	function      app      parse
//	line          app      parse      main.c:12
//	address       app      parse      app+0x1234
//	module        app
//	no stack               [no stack]

static const struct spe_place_names no_names = {"", ""};

static struct spe_place_names names_of_function(const struct named_profile *profile,
						uint32_t function)
{
	const struct named_function *named = &profile->functions[function];
	return (struct spe_place_names){
		.module =
			named->module == NAMED_NONE
				? ""
				: named_profile_text(profile, profile->modules[named->module].name),
		.symbol = named_profile_text(profile, named->name),
	};
}

static uint32_t spe_place_frame_of(const struct named_profile *profile, uint32_t stack)
{
	return stack == STACK_NONE ? NAMED_NONE : profile->stacks.nodes[stack].frame;
}

struct spe_place_names spe_place_of_stack(const struct named_profile *profile, uint32_t stack)
{
	uint32_t frame = spe_place_frame_of(profile, stack);
	return frame == NAMED_NONE ? no_names
				   : names_of_function(profile, profile->frames[frame].function);
}

static void spe_place_append_place(const struct named_profile *profile, unsigned key, uint32_t item,
				   struct string_builder *text)
{
	const struct hot_list list = {.key = key};
	const struct hot_entry entry = {.item = item};
	hot_label_append(&list, profile, &entry, text);
}

void spe_place_append(const struct named_profile *profile, uint32_t stack,
		      struct string_builder *text)
{
	uint32_t frame = spe_place_frame_of(profile, stack);
	if (frame != NAMED_NONE)
		spe_place_append_place(
			profile, profile->frames[frame].line ? HOT_LINE : HOT_ADDRESS, frame, text);
}

struct spe_place_names spe_place_of_row(const struct named_profile *profile,
					const struct spe_list *list, const struct spe_row *row)
{
	if (row->item == NAMED_NONE)
		return list->by == HOT_MODULE ? (struct spe_place_names){"[unknown]", ""}
					      : (struct spe_place_names){"", "[no stack]"};
	if (list->by == HOT_FUNCTION)
		return names_of_function(profile, row->item);
	if (list->by == HOT_MODULE)
		return (struct spe_place_names){
			named_profile_text(profile, profile->modules[row->item].name), ""};
	return names_of_function(profile, profile->frames[row->item].function);
}

void spe_place_append_row(const struct named_profile *profile, const struct spe_list *list,
			  const struct spe_row *row, struct string_builder *text)
{
	if (spe_place_is_line(list->by) && row->item != NAMED_NONE)
		spe_place_append_place(profile, list->by, row->item, text);
}

void spe_place_append_origin(const struct spe_group *group, struct string_builder *text)
{
	string_builder_append(text, spe_level_name(group->origin.level));
	const struct spe_data_source *source = group->origin.source;
	if (source && strcmp(source->name, spe_level_name(group->origin.level)) != 0)
		string_builder_appendf(text, " (%s)", source->name);
}

void spe_place_append_operation(const struct spe_group *group, struct string_builder *text)
{
	if (group->operation == SPE_VALUE_ABSENT ||
	    !spe_operation_append(text, spe_group_class(group), spe_group_operation(group)))
		string_builder_append(text, "not known");
}
