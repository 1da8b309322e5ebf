// SPDX-License-Identifier: Apache-2.0
// The end of a file's name tells what the user wants in it. Each command takes the formats that it
// can write, and refuses the others with the command that does write them. What is written goes to
// a draft first (base/file/file_draft.h), so that a run that fails leaves the old file as it was.

#include "report/result_file.h"

#include "base/container/array.h"
#include "base/file/file_path.h"
#include "record/recording_reader.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

static const struct {
	const char *suffix; // the longer ones first
	enum result_format format;
} suffixes[] = {
	{".speedscope.json", RESULT_SPEEDSCOPE},
	{".firefox.json", RESULT_FIREFOX},
	{".json", RESULT_JSON},
	{".jsonl", RESULT_JSON},
	{".txt", RESULT_TEXT},
	{".csv", RESULT_CSV},
	{".html", RESULT_HTML},
	{".htm", RESULT_HTML},
	{".pb.gz", RESULT_PPROF},
	{".pprof", RESULT_PPROF},
	{".otlp", RESULT_OTLP},
	{".otlp.gz", RESULT_OTLP},
	{".folded", RESULT_COLLAPSED},
	{".collapsed", RESULT_COLLAPSED},
	{".data", RESULT_RECORDING},
	{".svg", RESULT_SVG},
	{".png", RESULT_PICTURE},
	{".pdf", RESULT_PICTURE},
};

static bool result_file_ends_with(const char *path, const char *suffix)
{
	size_t length = strlen(path), suffix_length = strlen(suffix);
	// Whatever the case: names from Windows end in .JSON, too.
	return length >= suffix_length && strcasecmp(path + length - suffix_length, suffix) == 0;
}

enum result_format result_format_of(const char *path)
{
	for (size_t i = 0; i < ARRAY_SIZE(suffixes); i++)
		if (result_file_ends_with(path, suffixes[i].suffix))
			return suffixes[i].format;
	return RESULT_ANY;
}

bool result_file_is_compressed(const char *path)
{
	return result_file_ends_with(path, ".gz");
}

struct error *result_format_refuse(const char *command, const char *path, const char *input)
{
	struct error *err = error_create(ERROR_USAGE, "'%s' cannot write '%s'", command, path);
	const char *option = input ? " -i " : "";
	input = input ? input : "";
	// The part before the end, for hints that give a name with another end.
	int stem = (int)(strrchr(path, '.') ? strrchr(path, '.') - path : (long)strlen(path));
	switch (result_format_of(path)) {
	case RESULT_PICTURE:
		return error_with_hint(err,
				       "wperf draws flame graphs as pages and as SVG: use "
				       "-o %.*s.html or -o %.*s.svg",
				       stem, path, stem, path);
	case RESULT_HTML:
		return error_with_hint(err, "use: wperf flamegraph%s%s -o %s", option, input, path);
	case RESULT_PPROF:
	case RESULT_OTLP:
	case RESULT_FIREFOX:
	case RESULT_SPEEDSCOPE:
	case RESULT_COLLAPSED:
	case RESULT_SVG:
		return error_with_hint(err, "use: wperf export%s%s -o %s", option, input, path);
	case RESULT_TEXT:
	case RESULT_JSON:
		return error_with_hint(err, "use: wperf report%s%s -o %s", option, input, path);
	case RESULT_CSV:
		return error_with_hint(err, "CSV is for counts: wperf stat -t --output-csv %s",
				       path);
	case RESULT_RECORDING:
	case RESULT_ANY:
		break;
	}
	return error_with_hint(err, "only record writes recordings: wperf record -o %s", path);
}

struct error *result_file_check(const char *path)
{
	// A recording may have taken hours, and the program that it is of may be gone. Its bytes
	// are checked, not its name.
	if (!recording_reader_is_recording(path))
		return NULL;
	return error_with_hint(error_create(ERROR_FAILED,
					    "'%s' is a recording and would be overwritten", path),
			       "choose another name, or remove the file first");
}

struct error *result_file_open(const char *path, struct result_file *ret)
{
	struct error *err = result_file_check(path);
	if (err)
		return err;
	struct result_file file = {.path = path};
	if (!file_draft_open(&file.draft, path))
		return error_create_errno(errno, "Unable to open %s", path);
	file.stream = file.draft.stream;
	*ret = file;
	return NULL;
}

/** @from: a regular file, or NULL for nothing. */
static bool copy_all(FILE *from, FILE *to)
{
	char buffer[4096];
	size_t size;
	while (from && (size = fread(buffer, 1, sizeof(buffer), from)) > 0)
		if (fwrite(buffer, 1, size, to) != size)
			return false;
	return !from || !ferror(from);
}

struct error *result_file_open_behind(const char *path, struct result_file *ret)
{
	_cleanup_(result_file_deinit) struct result_file file = RESULT_FILE_INIT;
	FILE *old = file_path_open_regular(path);
	struct error *err = result_file_open(path, &file);
	if (!err && !copy_all(old, file.stream))
		err = error_create_errno(errno, "cannot copy %s", path);
	if (old)
		fclose(old);
	if (err)
		return err;
	*ret = file;
	file = (struct result_file)RESULT_FILE_INIT;
	return NULL;
}

struct error *result_file_close(struct result_file *file)
{
	file->stream = NULL;
	return file_draft_close(&file->draft, file->path);
}

void result_file_deinit(struct result_file *file)
{
	file_draft_deinit(&file->draft);
}
