// SPDX-License-Identifier: Apache-2.0

#include "profile/anonymous_profile.h"

#include "base/text/anonymous_text.h"

struct error *anonymous_profile_apply(struct named_profile *profile)
{
	struct string_table *strings = &profile->strings;
	for (uint32_t i = 1; i < strings->num_entries; i++) {
		_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
		bool is_changed = anonymous_text_append(string_table_get(strings, i), &text);
		if (text.failed)
			return &error_no_memory;
		struct error *err = is_changed ? string_table_replace(strings, i, text.text) : NULL;
		if (err)
			return err;
	}
	return NULL;
}
