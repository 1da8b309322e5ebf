// SPDX-License-Identifier: Apache-2.0
// The name after -o decides what is written there, as a user who types x.html or x.pb.gz has said
// it all; only JSON and text stay what they are elsewhere, the output. Then comes the recording:
// one that was named in two ways is refused, and `record` keeps wperf.data if none was named,
// unless -q and a result say that only the result is wanted.

#include "report/sample/record_files.h"

#include "base/file/file_map.h"
#include "base/file/file_path.h"
#include "record/perf_data/perf_data_header.h"
#include "report/result_file.h"

#include <string.h>

static const char default_name[] = "wperf.data";

static struct error *name_recording(const char *path, struct record_files *files)
{
	if (files->recording && strcmp(files->recording, path) != 0)
		return error_with_hint(error_create(ERROR_USAGE,
						    "the recording has two names: '%s' and '%s'",
						    files->recording, path),
				       "-o and --save mean the same: leave one out");
	files->recording = path;
	return NULL;
}

static struct error *name_page(const char *path, struct record_files *files)
{
	if (files->html && strcmp(files->html, path) != 0)
		return error_with_hint(error_create(ERROR_USAGE,
						    "the page has two names: '%s' and '%s'",
						    files->html, path),
				       "-o %s and --html mean the same: leave one out", path);
	files->html = path;
	return NULL;
}

/** -o, by its name. What is not taken here stays the output. */
static struct error *take_output(const char *command, struct record_files *files)
{
	const char *path = files->output;
	enum result_format format = result_format_of(path);
	if (format == RESULT_JSON || format == RESULT_TEXT)
		return NULL;
	files->output = NULL;
	switch (format) {
	case RESULT_ANY:
	case RESULT_RECORDING:
		return name_recording(path, files);
	case RESULT_HTML:
		return name_page(path, files);
	case RESULT_CSV:
	case RESULT_PICTURE:
		return result_format_refuse(command, path, NULL);
	default:
		files->export_format = export_format_of(path);
		files->export_path = path;
		return NULL;
	}
}

/** An empty file, of mktemp for example, may be overwritten: nothing is lost. */
static bool is_empty(const char *path)
{
	_cleanup_(file_map_close) struct file_map map = FILE_MAP_INIT;
	_cleanup_(error_destroyp) struct error *err = file_map_open(&map, path);
	return !err && map.size == 0;
}

/** A slip of the fingers shall not cost anybody a program or a source file. */
static struct error *check_recording(const char *path)
{
	if (strcmp(path, "-") == 0)
		return error_with_hint(
			error_create(ERROR_USAGE, "a recording needs a file, not standard output"),
			"use -o FILE, then: wperf script -i FILE");
	if (file_path_kind(path) != FILE_PATH_FILE || perf_data_is_recording(path) ||
	    is_empty(path))
		return NULL;
	return error_with_hint(error_create(ERROR_FAILED,
					    "'%s' is not a recording and would be overwritten",
					    path),
			       "choose another name, or remove the file first");
}

struct error *record_files_choose(const struct record_files_request *request,
				  struct record_files *ret)
{
	struct record_files files = {
		.recording = request->save,
		.output = request->output,
		.html = request->html,
	};
	// WindowsPerf has this name, and no other.
	if (!files.recording && request->exports_perf_data)
		files.recording = "perf.data";
	struct error *err = NULL;
	if (files.output && !request->is_output_json)
		err = take_output(request->command, &files);
	bool has_result = files.html || files.output || files.export_format;
	if (!err && !files.recording && request->keeps_recording &&
	    !(request->is_quiet && has_result)) {
		files.recording = default_name;
		files.is_default = true;
	}
	// The default name may be replaced: perf does so, and the old recording becomes
	// wperf.data.old.
	if (!err && files.recording && !files.is_default)
		err = check_recording(files.recording);
	if (!err)
		*ret = files;
	return err;
}
