// SPDX-License-Identifier: Apache-2.0
// A line for each change, with what was there before:
//
//	wperf etw 1
//	file C:\Users\...\wperf-1234.etl (or "recording", if what is in it is wanted)
//	interval SOURCE OLD
//	sampled SOURCE ...
//	restored
//
// Each line is on the disk before its change is made. A line without an end was being written when
// the computer stopped: its change was not made. "restored" takes back what the settings before it
// say. The name of the file says which process it belongs to (etw_mark.h).

#include "source/etw/etw_journal.h"

#include "base/file/folder.h"
#include "base/os/environment.h"
#include "base/text/number.h"
#include "base/text/string_builder.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static const char first_line[] = "wperf etw 1\n";
static const char file_word[] = "file ", recording_word[] = "recording ";
static const char file_ending[] = ".journal";

enum { MAX_JOURNAL_SIZE = 64 * 1024, MAX_JOURNALS = 1000 };

/** The user's folder for journals, with a separator at its end; freed by the caller. */
static struct error *etw_journal_folder(char **ret)
{
	_cleanup_free_ char *cache = NULL;
	struct error *err = environment_cache_folder(&cache);
	if (err)
		return err;
	if (!cache)
		return error_with_hint(error_create(ERROR_FAILED,
						    "no folder for the journal of ETW settings"),
				       "set LOCALAPPDATA on Windows, HOME elsewhere");
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	string_builder_appendf(&text, "%s/wperf/etw/", cache);
	return string_builder_finish(&text, ret);
}

static struct error *etw_journal_fail(const struct etw_journal *journal)
{
	return error_with_hint(error_create_errno(errno ? errno : EIO, "cannot write '%s'",
						  journal->path),
			       "wperf writes there which settings 'wperf etw --clean' restores");
}

static struct error *etw_journal_sync(struct etw_journal *journal)
{
	errno = 0;
	return file_path_sync(journal->stream) ? NULL : etw_journal_fail(journal);
}

struct error *etw_journal_create(struct etw_journal *journal, const char *name)
{
	_cleanup_free_ char *folder = NULL;
	struct error *err = etw_journal_folder(&folder);
	if (err)
		return err;
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	string_builder_appendf(&text, "%s%s%s", folder, name, file_ending);
	err = string_builder_finish(&text, &journal->path);
	if (err)
		return err;
	errno = 0;
	if (file_path_make_folders(journal->path))
		journal->stream = file_path_create(journal->path);
	if (!journal->stream) {
		err = etw_journal_fail(journal);
		free(journal->path);
		journal->path = NULL;
		return err;
	}
	fputs(first_line, journal->stream);
	return etw_journal_sync(journal);
}

struct error *etw_journal_note_file(struct etw_journal *journal, const char *path,
				    bool is_recording)
{
	// A line end in it would begin another line.
	if (strpbrk(path, "\r\n"))
		return error_create(ERROR_USAGE, "not a file name for a recording: '%s'", path);
	fprintf(journal->stream, "%s%s\n", is_recording ? recording_word : file_word, path);
	return etw_journal_sync(journal);
}

struct error *etw_journal_note_interval(struct etw_journal *journal, struct etw_interval old)
{
	if (!etw_undo_add_interval(&journal->undo, old))
		return error_create(ERROR_USAGE,
				    "too many profile sources at once; the limit is %d",
				    ETW_UNDO_MAX);
	fprintf(journal->stream, "interval %" PRIu32 " %" PRIu32 "\n", old.source, old.interval);
	struct error *err = etw_journal_sync(journal);
	if (err) // it will not be changed
		journal->undo.num_intervals--;
	return err;
}

struct error *etw_journal_note_sampled(struct etw_journal *journal, const uint32_t *sources,
				       size_t num)
{
	if (num > ETW_UNDO_MAX)
		return error_create(ERROR_FAILED,
				    "too many sources are sampled on this machine: %zu", num);
	fputs("sampled", journal->stream);
	for (size_t i = 0; i < num; i++)
		fprintf(journal->stream, " %" PRIu32, sources[i]);
	fputs("\n", journal->stream);
	struct error *err = etw_journal_sync(journal);
	if (err)
		return err;
	memcpy(journal->undo.sampled, sources, num * sizeof(sources[0]));
	journal->undo.num_sampled = num;
	return NULL;
}

struct error *etw_journal_restore(struct etw_journal *journal, const struct etw_calls *calls)
{
	if (etw_undo_is_empty(&journal->undo))
		return NULL;
	struct error *err = etw_undo_apply(calls, &journal->undo);
	if (err)
		return error_with_hint(err, "to try again: 'wperf etw --clean'");
	fputs("restored\n", journal->stream);
	return etw_journal_sync(journal);
}

void etw_journal_close(struct etw_journal *journal, bool keeps_file)
{
	if (journal->stream)
		fclose(journal->stream);
	if (journal->path && !keeps_file && etw_undo_is_empty(&journal->undo))
		file_path_remove(journal->path);
	free(journal->path);
	*journal = (struct etw_journal)ETW_JOURNAL_INIT;
}

/** The next number of a line; false: there is none. */
static bool etw_journal_number(char **line, uint32_t *ret)
{
	while (**line == ' ')
		(*line)++;
	size_t length = strcspn(*line, " ");
	uint64_t number;
	if (number_parse_decimal(*line, length, &number) || number > UINT32_MAX)
		return false;
	*ret = (uint32_t)number;
	*line += length;
	return true;
}

/** The rest of @line after @word; NULL: it begins otherwise. */
static char *etw_journal_after(char *line, const char *word)
{
	size_t length = strlen(word);
	return strncmp(line, word, length) ? NULL : line + length;
}

static struct error *etw_journal_read_line(char *line, struct etw_left *left)
{
	char *rest;
	struct etw_interval old;
	bool is_recording = etw_journal_after(line, recording_word);
	rest = etw_journal_after(line, is_recording ? recording_word : file_word);
	if (rest && !left->unsafe_file) {
		left->unsafe_file = strdup(rest);
		left->is_recording = is_recording;
		return left->unsafe_file ? NULL : &error_no_memory;
	}
	if ((rest = etw_journal_after(line, "interval ")) &&
	    etw_journal_number(&rest, &old.source) && etw_journal_number(&rest, &old.interval)) {
		etw_undo_add_interval(&left->undo, old);
	} else if ((rest = etw_journal_after(line, "sampled "))) {
		left->undo.num_sampled = 0;
		while (left->undo.num_sampled < ETW_UNDO_MAX &&
		       etw_journal_number(&rest, &left->undo.sampled[left->undo.num_sampled]))
			left->undo.num_sampled++;
	} else if (!strcmp(line, "restored")) {
		left->undo = (struct etw_undo){0};
	}
	return NULL;
}

/** What is no journal says nothing. */
static struct error *etw_journal_read(struct etw_left *left)
{
	FILE *stream = file_path_open_regular(left->path);
	if (!stream)
		return NULL; // its process has removed it
	_cleanup_free_ char *text = calloc(1, MAX_JOURNAL_SIZE + 1);
	size_t size = text ? fread(text, 1, MAX_JOURNAL_SIZE, stream) : 0;
	fclose(stream);
	if (!text)
		return &error_no_memory;
	struct error *err = NULL;
	char *line = etw_journal_after(text, first_line);
	for (char *end; !err && line && (end = memchr(line, '\n', size - (size_t)(line - text)));
	     line = end + 1) {
		*end = '\0';
		err = etw_journal_read_line(line, left);
	}
	return err;
}

/** Is it the name of a journal, and of which process? */
static bool etw_journal_is_name(const char *name, struct etw_mark *ret)
{
	size_t length = strlen(name), ending = sizeof(file_ending) - 1;
	return length > ending && !strcmp(name + length - ending, file_ending) &&
	       etw_mark_read(name, ret);
}

struct error *etw_journal_visit(struct error *(*visit)(void *context, struct etw_left *left),
				void *context)
{
	_cleanup_free_ char *path = NULL;
	_cleanup_(folder_closep) struct folder *folder = NULL;
	struct error *err = etw_journal_folder(&path);
	if (err)
		return err;
	err = folder_open(path, &folder);
	if (err && err->code != ERROR_NO_MEMORY) { // there was no session yet
		error_destroy(err);
		return NULL;
	}
	const char *name;
	for (int i = 0; !err && i < MAX_JOURNALS && (name = folder_next(folder)); i++) {
		struct etw_left left = {0};
		if (!etw_journal_is_name(name, &left.mark))
			continue;
		_cleanup_free_ char *whole = NULL;
		if (asprintf(&whole, "%s%s", path, name) < 0)
			return &error_no_memory;
		left.path = whole;
		err = etw_journal_read(&left);
		if (!err)
			err = visit(context, &left);
		free(left.unsafe_file);
	}
	return err;
}
