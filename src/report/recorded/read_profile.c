// SPDX-License-Identifier: Apache-2.0
// First the loader makes a profile of the file, and names its frames. Then come the notes about the
// file. Idle samples go next, and the notes on names are last, as their shares are of the samples
// that are left.

#include "report/recorded/read_profile.h"

#include "base/cleanup.h"
#include "base/file/file_name.h"
#include "base/file/file_path.h"
#include "interpreter/interpreted_choice.h"
#include "profile/anonymous_profile.h"
#include "profile/idle_samples.h"
#include "profile/interpreted/interpreted_stacks.h"
#include "profile/interpreted/process_roles.h"
#include "profile/stored/own_cost.h"
#include "report/notes/nameless_notes.h"
#include "report/notes/off_cpu_notes.h"
#include "report/notes/recording_notes.h"
#include "report/recorded/sample_choice.h"
#include "session/loading.h"
#include "session/profile_facts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *read_profile_default_path(void)
{
	// A recording of perf is read where there is none of ours; the error for neither names
	// ours.
	bool has_ours = file_path_kind("wperf.data") != FILE_PATH_ABSENT;
	return has_ours || file_path_kind("perf.data") == FILE_PATH_ABSENT ? "wperf.data"
									   : "perf.data";
}

static void read_profile_print_notes(const char *path, const struct loading_notes *notes,
				     FILE *stream)
{
	if (notes->truncated_bytes)
		fprintf(stream,
			"note: '%s' is truncated: its last %" PRIu64
			" bytes are an incomplete record\n",
			path, notes->truncated_bytes);
	if (notes->bad_records)
		fprintf(stream, "note: malformed records in '%s', ignored: %" PRIu64 "\n", path,
			notes->bad_records);
	if (notes->num_let_go)
		fprintf(stream,
			"note: '%s': samples before the kept part were let go, as asked (--ring): "
			"%" PRIu64 "\n",
			path, notes->num_let_go);
	recording_notes_print_etl(path, &notes->etl, stream);
	recording_notes_print_spe(&notes->spe, stream);
	recording_notes_print_cut_stacks(&notes->totals, stream);
	off_cpu_notes_print_wakes(&notes->totals, stream);
}

struct error *read_profile_hint(const char *path, struct error *err)
{
	if (err == &error_no_memory || file_path_kind(path) != FILE_PATH_ABSENT)
		return err;
	return error_with_hint(err, "make one: wperf record COMMAND");
}

/** Tables and pages are about work. */
static struct error *read_profile_leave_out_idle(const struct read_request *request,
						 struct named_profile *profile)
{
	// SPE samples operations, and a core that is idle has none.
	if (!request->leaves_out_idle || profile->spe)
		return NULL;
	_cleanup_(profile_filter_destroyp) struct profile_filter *filter = NULL;
	const struct sample_choice choice = {.time_range = request->time_range};
	struct error *err = sample_choice_filter(&choice, profile, NAMED_NONE, &filter);
	return err ? err : idle_samples_leave_out(profile, filter);
}

/** What becomes of frames of interpreted code. */
static struct error *read_profile_apply_choice(const struct interpreted_choice *choice,
					       struct named_profile *profile)
{
	// Without such frames the profile stays as it is.
	if (!interpreted_stacks_are_there(profile))
		return NULL;
	if (!choice->is_wanted)
		return interpreted_stacks_hide(profile);
	return choice->rule == INTERPRETED_ONLY ? interpreted_stacks_reduce(profile) : NULL;
}

/** What is known of a language is here, not in what was read: that has its name. */
static struct error *read_profile_set_language(struct named_profile *profile)
{
	if (!profile->named_language)
		return NULL;
	// The name goes with what it is the name of.
	_cleanup_free_ char *name = strdup(profile->named_language->name);
	return name ? profile_facts_set_language(profile, name) : &error_no_memory;
}

struct error *read_profile_adapt(const struct read_request *request, struct named_profile *profile)
{
	struct interpreted_choice choice;
	struct error *err = request->interpreted
				    ? interpreted_choice_read(request->interpreted, &choice)
				    : NULL;
	if (!err)
		err = read_profile_set_language(profile);
	if (!err && request->is_anonymous)
		err = anonymous_profile_apply(profile);
	if (!err && request->leaves_out_own_cost)
		err = own_cost_leave_out(profile);
	if (!err)
		err = read_profile_leave_out_idle(request, profile);
	if (!err)
		err = process_roles_apply(profile);
	return err || !request->interpreted ? err : read_profile_apply_choice(&choice, profile);
}

struct error *read_profile(const struct read_request *request, FILE *notes,
			   struct named_profile *ret)
{
	struct interpreted_choice choice;
	// A wrong word is refused before anything is read.
	struct error *err = request->interpreted
				    ? interpreted_choice_read(request->interpreted, &choice)
				    : NULL;
	if (err)
		return err;
	// Callers and lines are always read: which table is wanted is known to the report only.
	const struct loading_config config = {
		.path = request->path,
		.is_forced = request->is_forced,
		.is_anonymous = request->is_anonymous,
		.sysroots = request->sysroots,
		.symbol_path = request->symbol_path,
		.keeps_samples = request->keeps_samples,
		.has_callers = true,
		.with_lines = true,
		.joins_wakers = request->joins_wakers,
		.with_full_names = request->with_full_names,
		.with_spe = request->with_spe,
		.tells_spe_threads = request->tells_spe_threads,
		.copy_path = request->copy_path,
		.watch = request->watch,
	};
	struct loading_notes facts;
	_cleanup_(named_profile_deinit) struct named_profile profile = {0};
	_cleanup_(symbolizer_destroyp) struct symbolizer *symbolizer = NULL;
	err = loading_read(&config, &profile, &facts, &symbolizer);
	if (err)
		return request->is_default ? read_profile_hint(config.path, err) : err;
	read_profile_print_notes(request->is_anonymous ? file_name_of(config.path) : config.path,
				 &facts, notes);
	err = request->with_cold_code ? symbolizer_fill_functions(symbolizer, &profile) : NULL;
	if (!err)
		err = read_profile_leave_out_idle(request, &profile);
	if (!err)
		err = nameless_notes_print(symbolizer, &profile, request->is_anonymous, notes);
	if (!err)
		err = process_roles_apply(&profile);
	if (!err && request->interpreted)
		err = read_profile_apply_choice(&choice, &profile);
	if (err)
		return err;
	*ret = profile;
	profile = (struct named_profile){0};
	return NULL;
}
