// SPDX-License-Identifier: Apache-2.0
// The symbolizer keeps one complaint per module. Modules with the same reason share a note: with 30
// stripped libraries, a note for each would hide the others. Complaints are sorted by it, so the
// first modules of a group have the most addresses.

#include "report/notes/nameless_notes.h"

#include "base/file/file_name.h"
#include "profile/unnamed_jit.h"
#include "report/notes/diagnostics.h"
#include "symbols/symbolizer.h"
#include "view/layout/safe_text.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum {
	MAX_MODULES = 3, // of a line
	// Below that, nobody would change how a runtime is started for it.
	LEAST_JIT_PERCENT = 5,
};

/** The modules of one reason. */
struct group {
	const struct symbolizer_complaint *complaints;
	size_t num_complaints;
	size_t first; /* of the reason */
	bool is_anonymous;
};

static bool nameless_notes_is_same(const struct symbolizer_complaint *a,
				   const struct symbolizer_complaint *b)
{
	return strcmp(a->reason, b->reason) == 0;
}

static bool nameless_notes_is_first(const struct group *group)
{
	for (size_t i = 0; i < group->first; i++)
		if (nameless_notes_is_same(&group->complaints[i], &group->complaints[group->first]))
			return false;
	return true;
}

/** How many modules, and of them together how many addresses. */
static size_t nameless_notes_sum_up(const struct group *group, uint64_t *ret_places)
{
	size_t num_modules = 0;
	*ret_places = 0;
	for (size_t i = group->first; i < group->num_complaints; i++) {
		if (!nameless_notes_is_same(&group->complaints[i],
					    &group->complaints[group->first]))
			continue;
		num_modules++;
		*ret_places += group->complaints[i].num_places;
	}
	return num_modules;
}

static void nameless_notes_print_modules(const struct group *group, size_t num_modules,
					 FILE *stream)
{
	size_t num_shown = 0;
	for (size_t i = group->first; i < group->num_complaints && num_shown < MAX_MODULES; i++) {
		const struct symbolizer_complaint *complaint = &group->complaints[i];
		if (!nameless_notes_is_same(complaint, &group->complaints[group->first]))
			continue;
		const char *name = file_name_of(complaint->module);
		fputs(num_shown++ ? ", " : "", stream);
		safe_text_print(name, strlen(name), stream);
		fprintf(stream, " (%" PRIu64 ")", complaint->num_places);
	}
	if (num_modules > num_shown)
		fprintf(stream, " and %zu more", num_modules - num_shown);
}

static void nameless_notes_print_group(const struct group *group, FILE *stream)
{
	const struct symbolizer_complaint *first = &group->complaints[group->first];
	uint64_t num_places;
	size_t num_modules = nameless_notes_sum_up(group, &num_places);
	fprintf(stream, "note: no symbols for %" PRIu64 " address%s in ", num_places,
		num_places == 1 ? "" : "es");
	// A single module is named by its whole path, to be found; several by their file names, to
	// fit a line. Paths have names of users.
	if (num_modules == 1 && !group->is_anonymous)
		safe_text_print(first->module, strlen(first->module), stream);
	else
		nameless_notes_print_modules(group, num_modules, stream);
	fputs(": ", stream);
	diagnostics_print_reason(first->reason, first->hint, stream);
}

void nameless_notes_print_cut_files(uint64_t num_parts, FILE *stream)
{
	if (num_parts)
		fprintf(stream,
			"note: debug information is incomplete: %" PRIu64
			" of its parts would need too much memory\n",
			num_parts);
}

struct error *nameless_notes_print(struct symbolizer *symbolizer,
				   const struct named_profile *profile, bool is_anonymous,
				   FILE *stream)
{
	struct unnamed_jit jit = {0};
	if (profile)
		jit = unnamed_jit_find(profile);
	// One line is enough for code of a JIT compiler, if it is worth one.
	bool has_jit_note = profile && jit.percent >= LEAST_JIT_PERCENT;
	if (has_jit_note)
		fprintf(stream, "note: %.0f %% of samples are in JIT code without names; %s\n",
			jit.percent, jit.advice);
	struct group group = {.is_anonymous = is_anonymous};
	struct error *err =
		symbolizer_complaints(symbolizer, &group.complaints, &group.num_complaints);
	// Each complaint is tried as the first of its group; only one per reason is.
	for (; !err && group.first < group.num_complaints; group.first++) {
		const struct symbolizer_complaint *first = &group.complaints[group.first];
		// Code of JIT compilers is in memory without a file. The note above has said what
		// to do about it.
		bool is_of_jit = !first->is_refusal && !strcmp(first->module, "[memory]");
		if (nameless_notes_is_first(&group) && !(has_jit_note && is_of_jit))
			nameless_notes_print_group(&group, stream);
	}
	struct symbolizer_cuts cuts = symbolizer_cuts(symbolizer);
	if (cuts.num_names)
		fprintf(stream,
			"note: %zu name%s left mangled: it would take too long to print %s\n",
			cuts.num_names, cuts.num_names == 1 ? " is" : "s are",
			cuts.num_names == 1 ? "it" : "them");
	nameless_notes_print_cut_files(cuts.num_file_parts, stream);
	return err;
}
