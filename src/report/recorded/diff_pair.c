// SPDX-License-Identifier: Apache-2.0

#include "report/recorded/diff_pair.h"

#include "base/file/file_name.h"
#include "view/layout/safe_text.h"

#include <stdio.h>
#include <string.h>

void diff_pair_name(const char *const paths[2], bool is_anonymous, const char *ret[2])
{
	ret[0] = file_name_of(paths[0]);
	ret[1] = file_name_of(paths[1]);
	if (is_anonymous || strcmp(ret[0], ret[1]) != 0)
		return;
	ret[0] = paths[0];
	ret[1] = paths[1];
}

static bool diff_pair_find_common_event(const struct sample_choice *choice,
					const struct named_profile *const profiles[2],
					uint32_t events[2])
{
	const struct named_profile *before = profiles[0], *later = profiles[1];
	for (uint32_t i = events[0]; i < before->num_events;
	     i = sample_choice_next_event(choice, before, i + 1)) {
		const char *name = named_profile_text(before, before->events[i].name);
		const struct sample_choice same = {.event = name};
		uint32_t found = sample_choice_next_event(&same, later, 0);
		if (found == later->num_events)
			continue;
		events[0] = i;
		events[1] = found;
		return true;
	}
	return false;
}

struct error *diff_pair_choose_events(const struct sample_choice *choice,
				      const struct named_profile *const profiles[2],
				      bool must_match, uint32_t ret[2])
{
	const char *names[2];
	uint32_t events[2];
	for (size_t side = 0; side < 2; side++) {
		struct error *err = sample_choice_check_event(choice, profiles[side]);
		if (err)
			return err;
		events[side] = sample_choice_next_event(choice, profiles[side], 0);
		names[side] = named_profile_text(profiles[side],
						 profiles[side]->events[events[side]].name);
	}
	bool has_common = diff_pair_find_common_event(choice, profiles, events);
	if (!has_common && must_match)
		return error_with_hint(error_create(ERROR_FAILED,
						    "the recordings have no event in common: "
						    "'%s' and '%s'",
						    names[0], names[1]),
				       "record both with the same -e");
	if (!has_common) {
		fputs("note: compared are the events '", stderr);
		safe_text_print(names[0], strlen(names[0]), stderr);
		fputs("' and '", stderr);
		safe_text_print(names[1], strlen(names[1]), stderr);
		fputs("'\n", stderr);
	}
	ret[0] = events[0];
	ret[1] = events[1];
	return NULL;
}
