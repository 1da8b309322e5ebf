// SPDX-License-Identifier: Apache-2.0
// Both profiles become one (profile_join.h), whose events and threads the page knows by recording.
// Notes of the second recording stand behind those of the first, under its name. Source files are
// read as they are today, which fits one of the two recordings at most if they have changed: a note
// says so.

#include "report/recorded/diff_page.h"

#include "base/file/memory_stream.h"
#include "base/text/string_builder.h"
#include "profile/profile_join.h"
#include "report/notes/diagnostics.h"
#include "report/profile_page.h"
#include "report/recorded/diff_pair.h"
#include "view/layout/safe_text.h"
#include "view/text/hot_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Source files with samples in both recordings. */
struct shared_files {
	const char *hottest; /* of the first recording; NULL: there are none */
	size_t num_files;
};

static struct error *shared_files_find(const struct named_profile *before,
				       const struct named_profile *later, struct shared_files *ret)
{
	_cleanup_(hot_files_deinit) struct hot_files mine = HOT_FILES_INIT;
	_cleanup_(hot_files_deinit) struct hot_files others = HOT_FILES_INIT;
	_cleanup_free_ bool *is_others = calloc(later->strings.num_entries + 1, sizeof(*is_others));
	*ret = (struct shared_files){0};
	struct error *err = is_others ? hot_files_init(&mine, before) : &error_no_memory;
	if (!err)
		err = hot_files_init(&others, later);
	if (err)
		return err;
	for (size_t i = 0; i < others.num_items; i++)
		is_others[others.items[i].path] = others.items[i].inclusive > 0;
	for (size_t i = 0; i < mine.num_items; i++) {
		const char *path = named_profile_text(before, mine.items[i].path);
		uint32_t string = string_table_find(&later->strings, path);
		bool has_samples = mine.items[i].inclusive > 0;
		if (!has_samples || string == HASH_TABLE_NONE || !is_others[string])
			continue;
		if (!ret->num_files++)
			ret->hottest = path;
	}
	return NULL;
}

static void diff_page_print_facts(const struct shared_files *shared, bool has_spe,
				  const char *first_name, FILE *stream)
{
	if (shared->num_files) {
		fputs("note: both recordings have lines of '", stream);
		safe_text_print(shared->hottest, strlen(shared->hottest), stream);
		fputc('\'', stream);
		if (shared->num_files > 1)
			fprintf(stream, " and of %zu more", shared->num_files - 1);
		fputs(": the page shows the text of today\n", stream);
	}
	if (has_spe)
		fprintf(stream, "note: the page's tables of sampled operations are of '%s' alone\n",
			first_name);
}

/** All notes: the first recording's, the second's under its name, and those on both. */
static void diff_page_append_notes(const struct diff_page *page, const char *later_name,
				   const char *facts, struct string_builder *notes)
{
	string_builder_append(notes, page->notes[0]);
	if (*page->notes[1])
		string_builder_appendf(notes, "of '%s':\n%s", later_name, page->notes[1]);
	string_builder_append(notes, facts);
}

struct error *diff_page_write(const struct diff_page *page, struct named_profile *before,
			      const struct named_profile *later)
{
	_cleanup_(memory_stream_deinit) struct memory_stream facts = MEMORY_STREAM_INIT;
	_cleanup_(string_builder_deinit) struct string_builder notes = STRING_BUILDER_INIT;
	bool has_spe = before->spe || later->spe;
	const char *names[2];
	struct profile_join join;
	struct shared_files shared;
	struct error *err = shared_files_find(before, later, &shared);
	if (!err)
		err = profile_join_add(before, later, &join);
	if (!err)
		err = memory_stream_open(&facts);
	if (err)
		return err;
	diff_pair_name(page->recording_paths, page->is_anonymous, names);
	diff_page_print_facts(&shared, has_spe, names[0], facts.stream);
	err = memory_stream_close(&facts);
	if (err)
		return err;
	diff_page_append_notes(page, names[1], facts.text, &notes);
	if (notes.failed)
		return &error_no_memory;
	diagnostics_print_notes(facts.text, stderr);
	const struct profile_page_request request = {
		.path = page->path,
		.sysroots = page->sysroots,
		.notes = string_builder_peek(&notes),
		.join = &join,
		.recording_names = {names[0], names[1]},
	};
	return profile_page_write(&request, before);
}
