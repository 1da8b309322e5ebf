// SPDX-License-Identifier: Apache-2.0

#include "cli/option/foreign/foreign_words.h"

#include "base/cleanup.h"
#include "cli/option/foreign/foreign_command.h"

#include <stdlib.h>

struct error *foreign_words_replace(const struct foreign_place *place, const char *const *ours,
				    char ***ret, size_t *ret_num)
{
	// The words of the other tool are left out, ours stand in their place, and the user's
	// options stay where they are.
	size_t num_words = 0;
	_cleanup_free_ char **words =
		calloc(place->num_words + FOREIGN_MAX_WORDS + 1, sizeof(*words));
	if (!words)
		return &error_no_memory;
	for (size_t i = 0; i < place->num_words; i++) {
		if (i != place->command && i != place->second)
			words[num_words++] = place->words[i];
		for (size_t k = 0; i == place->command && k < FOREIGN_MAX_WORDS && ours[k]; k++)
			words[num_words++] = (char *)ours[k]; // nobody writes to them
	}
	*ret = take_ptr(words);
	*ret_num = num_words;
	return NULL;
}
