// SPDX-License-Identifier: Apache-2.0
// The page must work on another machine, so all that it shows goes into it: source code where it
// can be read here, machine code of hot functions, and tables of SPE's samples if there are some.

#include "report/profile_page.h"

#include "base/cleanup.h"
#include "base/text/anonymous_text.h"
#include "report/code/page_listings.h"
#include "report/code/source_files.h"
#include "report/result_file.h"
#include "report/spe/spe_tables.h"
#include "view/page/report_page.h"

#include <string.h>

/** A page may be passed on, and the program names the files: nothing but source code goes in. */
static bool is_source(const char *path)
{
	static const char *const suffixes[] = {".c",   ".h",   ".cc",   ".cpp", ".cxx",   ".hh",
					       ".hpp", ".hxx", ".inl",  ".inc", ".def",   ".s",
					       ".S",   ".asm", ".py",   ".pyx", ".rs",    ".go",
					       ".f",   ".f90", ".m",    ".mm",  ".swift", ".zig",
					       ".d",   ".js",  ".java", NULL};
	const char *dot = strrchr(path, '.');
	for (size_t i = 0; dot && suffixes[i]; i++)
		if (strcmp(dot, suffixes[i]) == 0)
			return true;
	return false;
}

static struct error *profile_page_open_source(void *context, const char *path, struct file_map *ret)
{
	if (!is_source(path))
		return error_create(ERROR_FAILED, "'%s' is not source code", path);
	return source_files_open(context, path, ret);
}

/** Who gets an anonymous page can read there what is missing, and so can who passes it on. Notes of
 *  the terminal may have paths. */
static struct error *profile_page_make_anonymous(const char *notes, struct string_builder *ret)
{
	string_builder_append(ret,
			      "note: this page is anonymous: it has no source text, no machine "
			      "code, no arguments of programs, no host, and 'user' instead "
			      "of users' names in paths\n");
	if (notes && !anonymous_text_append(notes, ret))
		string_builder_append(ret, notes);
	return ret->failed ? &error_no_memory : NULL;
}

struct error *profile_page_write(const struct profile_page_request *request,
				 const struct named_profile *profile)
{
	_cleanup_(page_listings_deinit) struct page_listings listings = PAGE_LISTINGS_INIT;
	_cleanup_(spe_tables_deinit) struct spe_report spe = {
		.profile = profile, .topic = SPE_TOPIC_LATENCY, .is_whole = true};
	_cleanup_(string_builder_deinit) struct string_builder anonymous = STRING_BUILDER_INIT;
	struct error *err = profile->is_anonymous
				    ? profile_page_make_anonymous(request->notes, &anonymous)
				    : page_listings_create(profile, request->sysroots, &listings);
	// The page has the lists of all topics: its reader cannot run `report --spe` for another
	// one.
	if (!err && profile->spe)
		err = spe_tables_fill(&spe, HOT_FUNCTION, NULL);
	if (err)
		return err;
	_cleanup_(result_file_deinit) struct result_file file = RESULT_FILE_INIT;
	err = result_file_open(request->path, &file);
	if (err)
		return err;
	_cleanup_(source_files_deinit) struct source_files sources =
		source_files_create(request->sysroots);
	err = source_files_set_profile(&sources, profile);
	if (err)
		return err;
	const struct report_page_options options = {
		.notes = profile->is_anonymous ? anonymous.text : request->notes,
		.open_source = profile_page_open_source,
		.source_context = &sources,
		.listings = listings.items,
		.num_listings = listings.num_items,
		.spe = profile->spe ? &spe : NULL,
		.join = request->join,
		.recording_names = {request->recording_names[0], request->recording_names[1]},
	};
	err = report_page_write(file.stream, request->path, profile, &options);
	return err ? err : result_file_close(&file);
}
