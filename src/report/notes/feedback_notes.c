// SPDX-License-Identifier: Apache-2.0

#include "report/notes/feedback_notes.h"

#include "profile/feedback_profile.h"
#include "view/layout/decimal.h"
#include "view/layout/safe_text.h"

#include <string.h>

// A module is chosen silently only if there is no other. Lines that are missing are named from a
// share on that is enough to mislead: each program has code without them, such as that of libraries
// which were linked into it.

enum { LEAST_PERCENT = 5 };

struct error *feedback_notes_print(const struct named_profile *profile, uint32_t event,
				   FILE *stream)
{
	_cleanup_(feedback_profile_deinit) struct feedback_profile feedback = FEEDBACK_PROFILE_INIT;
	struct error *err = feedback_profile_create(profile, event, &feedback);
	const struct leaf_module *of = &feedback.of;
	if (err || of->module == NAMED_NONE)
		return err;
	const char *name = named_profile_text(profile, profile->modules[of->module].name);
	if (of->num_samples < of->num_all) {
		fputs("note: the profile is of '", stream);
		safe_text_print(name, strlen(name), stream);
		fprintf(stream, "', which has %s of %s samples; --module chooses another\n",
			decimal_grouped(of->num_samples).text, decimal_grouped(of->num_all).text);
	}
	if (!feedback.has_cold_code) {
		fputs("note: which lines of '", stream);
		safe_text_print(name, strlen(name), stream);
		fputs("' have no samples is not known here, and clang may inline cold calls; "
		      "export "
		      "where the program is that was recorded\n",
		      stream);
	}
	uint64_t missing = of->num_samples - feedback.num_samples;
	if (missing * 100 >= of->num_samples * LEAST_PERCENT && missing)
		fprintf(stream,
			"note: %s of %s samples are in functions without lines and are left out; "
			"-gline-tables-only -fdebug-info-for-profiling adds lines\n",
			decimal_grouped(missing).text, decimal_grouped(of->num_samples).text);
	return NULL;
}
