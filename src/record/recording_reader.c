// SPDX-License-Identifier: Apache-2.0

#include "record/recording_reader.h"

#include "base/cleanup.h"
#include "base/container/array.h"
#include "base/file/file_path.h"
#include "record/perf_data/perf_abi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// One row for each format. Its functions get what its open() made. The first bytes of a file choose
// the row; perf.data is what nothing else is, as only its reader takes pipes. A comma may be part
// of a file's name: only where there is no such file does it divide the names of several.

struct recording_format {
	struct error *(*open)(const struct recording_choice *choice, void **ret);
	void (*destroy)(void *reader);
	const struct perf_data_info *(*info)(const void *reader);
	struct error *(*next)(void *reader, struct record *ret, bool *ret_more);
	bool (*is_own)(const void *reader);
	struct perf_data_position (*position)(const void *reader);
	struct recording_notes (*notes)(const void *reader);
};

struct recording_reader {
	const struct recording_format *format;
	void *reader;
};

static struct error *recording_reader_open_perf_data(const struct recording_choice *choice,
						     void **ret)
{
	struct perf_data_reader *reader = NULL;
	struct error *err = choice->is_own_only ? perf_data_reader_open_own(choice->path, &reader)
						: perf_data_reader_open(choice->path, &reader);
	if (!err)
		*ret = reader;
	return err;
}

static void recording_reader_destroy_perf_data(void *reader)
{
	perf_data_reader_destroy(reader);
}

static const struct perf_data_info *recording_reader_perf_data_info(const void *reader)
{
	return perf_data_reader_info(reader);
}

static struct error *recording_reader_perf_data_next(void *reader, struct record *ret,
						     bool *ret_more)
{
	return perf_data_reader_next(reader, ret, ret_more);
}

static bool recording_reader_perf_data_is_own(const void *reader)
{
	return perf_data_reader_is_own(reader);
}

static struct perf_data_position recording_reader_perf_data_position(const void *reader)
{
	return perf_data_reader_position(reader);
}

static struct recording_notes recording_reader_perf_data_notes(const void *reader)
{
	return (struct recording_notes){.perf_data = perf_data_reader_damage(reader)};
}

static const struct recording_format perf_data_format = {
	.open = recording_reader_open_perf_data,
	.destroy = recording_reader_destroy_perf_data,
	.info = recording_reader_perf_data_info,
	.next = recording_reader_perf_data_next,
	.is_own = recording_reader_perf_data_is_own,
	.position = recording_reader_perf_data_position,
	.notes = recording_reader_perf_data_notes,
};

/** A path, or several with commas between them. */
struct path_list {
	char *text; /* that the paths are in */
	const char **paths;
	size_t num_paths, cap_paths;
};

static void path_list_deinit(struct path_list *list)
{
	free(list->text);
	free(list->paths);
}

static struct error *path_list_split(struct path_list *list, const char *text)
{
	list->text = strdup(text);
	if (!list->text)
		return &error_no_memory;
	for (char *path = list->text; path;) {
		struct error *err =
			array_reserve(&list->paths, &list->cap_paths, list->num_paths + 1);
		if (err)
			return err;
		list->paths[list->num_paths++] = path;
		path = strchr(path, ',');
		if (path)
			*path++ = '\0';
	}
	return NULL;
}

static bool recording_reader_is_file(const char *path)
{
	FILE *file = file_path_open_regular(path);
	if (file)
		fclose(file);
	return file != NULL;
}

static struct error *recording_reader_open_stream(const struct recording_choice *choice,
						  struct etl_stream **ret)
{
	if (!strchr(choice->path, ',') || recording_reader_is_file(choice->path))
		return etl_stream_open(choice->path, choice->is_own_only, ret);
	_cleanup_(path_list_deinit) struct path_list list = {0};
	struct error *err = path_list_split(&list, choice->path);
	return err ? err
		   : etl_stream_open_files(list.paths, list.num_paths, choice->is_own_only, ret);
}

static struct error *recording_reader_open_etl(const struct recording_choice *choice, void **ret)
{
	struct etl_stream *stream = NULL;
	struct etl_reader *reader = NULL;
	struct error *err = recording_reader_open_stream(choice, &stream);
	if (!err)
		err = etl_reader_create(stream, &reader);
	if (!err)
		*ret = reader;
	return err;
}

static void recording_reader_destroy_etl(void *reader)
{
	etl_reader_destroy(reader);
}

static const struct perf_data_info *recording_reader_etl_info(const void *reader)
{
	return etl_reader_info(reader);
}

static struct error *recording_reader_etl_next(void *reader, struct record *ret, bool *ret_more)
{
	return etl_reader_next(reader, ret, ret_more);
}

static bool recording_reader_etl_is_own(const void *reader)
{
	return etl_reader_is_own(reader);
}

static struct perf_data_position recording_reader_etl_position(const void *reader)
{
	const struct etl_stream_position position = etl_reader_position(reader);
	return (struct perf_data_position){.done = position.done, .whole = position.whole};
}

static struct recording_notes recording_reader_etl_notes(const void *reader)
{
	return (struct recording_notes){.etl = etl_reader_notes(reader)};
}

static const struct recording_format etl_format = {
	.open = recording_reader_open_etl,
	.destroy = recording_reader_destroy_etl,
	.info = recording_reader_etl_info,
	.next = recording_reader_etl_next,
	.is_own = recording_reader_etl_is_own,
	.position = recording_reader_etl_position,
	.notes = recording_reader_etl_notes,
};

/** The first bytes of a file, or of the first of several. */
struct recording_head {
	bool is_open; /* false: it is no regular file, or cannot be read */
	size_t size;
	uint8_t bytes[ETL_STREAM_HEAD];
};

static void recording_reader_read_head(const char *path, struct recording_head *ret)
{
	FILE *file = file_path_open_regular(path);
	size_t length = strcspn(path, ",");
	*ret = (struct recording_head){0};
	if (!file && path[length]) {
		_cleanup_free_ char *first = strndup(path, length);
		file = first ? file_path_open_regular(first) : NULL;
	}
	if (!file)
		return;
	ret->is_open = true;
	ret->size = fread(ret->bytes, 1, sizeof(ret->bytes), file);
	fclose(file);
}

static bool recording_head_begins(const struct recording_head *head, const char *bytes, size_t size)
{
	return head->size >= size && memcmp(head->bytes, bytes, size) == 0;
}

static bool recording_head_is_perf_data(const struct recording_head *head)
{
	return recording_head_begins(head, PERF_ABI_MAGIC, strlen(PERF_ABI_MAGIC));
}

static bool recording_head_is_etl(const struct recording_head *head)
{
	return etl_stream_is(head->bytes, head->size);
}

bool recording_reader_is_recording(const char *path)
{
	struct recording_head head;
	recording_reader_read_head(path, &head);
	// Most zip files have other things inside.
	bool is_zip = head.size && head.bytes[0] == 'P';
	return recording_head_is_perf_data(&head) || (!is_zip && recording_head_is_etl(&head));
}

static bool recording_reader_ends_with(const char *path, const char *suffix)
{
	size_t length = strlen(path), suffix_length = strlen(suffix);
	return length >= suffix_length && strcasecmp(path + length - suffix_length, suffix) == 0;
}

/** Files that belong to a recording of Windows and are none. NULL: it is no such file. */
static struct error *recording_reader_refuse_content(const char *path,
						     const struct recording_head *head)
{
	static const char of_wpr[] =
		"a profile of WPR says what to record; give the .etl file of wpr -stop";
	static const struct {
		const char *begin;
		size_t size;
		const char *what, *hint;
	} rows[] = {
		{"<", 1, "XML", of_wpr},
		{"\xef\xbb\xbf<", 4, "XML", of_wpr},
		{"\xff\xfe<", 3, "XML", of_wpr},
		{"BeginHeader", 11, "the text of xperf's dumper", "give the .etl file itself"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (recording_head_begins(head, rows[i].begin, rows[i].size))
			return error_with_hint(error_create(ERROR_FAILED,
							    "'%s' is %s, not a recording", path,
							    rows[i].what),
					       "%s", rows[i].hint);
	return NULL;
}

/** What none of our formats is: its name says which one was meant. */
static struct error *recording_reader_refuse_name(const char *path,
						  const struct recording_head *head)
{
	static const struct {
		const char *suffix, *what;
	} rows[] = {
		{".etl", "an ETW recording"},
		{".zip", "a zip file"},
		{".diagsession", "a zip file, as diagnostic sessions of Visual Studio are"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (!recording_reader_ends_with(path, rows[i].suffix))
			continue;
		if (!head->size)
			return error_create(ERROR_FAILED, "'%s' is empty", path);
		return error_create(ERROR_FAILED, "'%s' is not %s, whatever its name", path,
				    rows[i].what);
	}
	return NULL;
}

static struct error *recording_reader_refuse(const char *path, const struct recording_head *head)
{
	struct error *err = recording_reader_refuse_content(path, head);
	return err || recording_head_is_perf_data(head) ? err
							: recording_reader_refuse_name(path, head);
}

/** What can be known of standard input is that it is no perf.data. */
static struct error *recording_reader_hint(const char *path, struct error *err)
{
	if (!err || err == &error_no_memory || err->hint || strcmp(path, "-") != 0)
		return err;
	return error_with_hint(err, "ETW recordings (.etl) are read from files only: give the name "
				    "of the file");
}

struct error *recording_reader_open(const struct recording_choice *choice,
				    struct recording_reader **ret)
{
	_cleanup_(recording_reader_destroyp) struct recording_reader *reader =
		calloc(1, sizeof(*reader));
	if (!reader)
		return &error_no_memory;
	struct recording_head head;
	recording_reader_read_head(choice->path, &head);
	bool is_etl = recording_head_is_etl(&head);
	struct error *err =
		head.is_open && !is_etl ? recording_reader_refuse(choice->path, &head) : NULL;
	reader->format = is_etl ? &etl_format : &perf_data_format;
	if (!err)
		err = recording_reader_hint(choice->path,
					    reader->format->open(choice, &reader->reader));
	if (err)
		return err;
	*ret = take_ptr(reader);
	return NULL;
}

void recording_reader_destroy(struct recording_reader *reader)
{
	if (!reader)
		return;
	if (reader->reader)
		reader->format->destroy(reader->reader);
	free(reader);
}

const struct perf_data_info *recording_reader_info(const struct recording_reader *reader)
{
	return reader->format->info(reader->reader);
}

struct error *recording_reader_next(struct recording_reader *reader, struct record *ret,
				    bool *ret_more)
{
	return reader->format->next(reader->reader, ret, ret_more);
}

bool recording_reader_is_own(const struct recording_reader *reader)
{
	return reader->format->is_own(reader->reader);
}

struct perf_data_position recording_reader_position(const struct recording_reader *reader)
{
	return reader->format->position(reader->reader);
}

struct recording_notes recording_reader_notes(const struct recording_reader *reader)
{
	return reader->format->notes(reader->reader);
}
