// SPDX-License-Identifier: Apache-2.0
// Two decisions are made when the output opens: is the file that the user named one of text or of
// JSON (by the end of its name, and by what the command writes), and what goes to standard output
// beside it. A result file is written under another name, and takes its place only when it is
// complete (result_file.h); only JSON lines grow in place, as others read them meanwhile.

#include "report/output.h"

#include "base/file/file_path.h"
#include "base/terminal/terminal.h"
#include "base/text/string_builder.h"

#include <errno.h>

/** "/tmp/a.json", and "C:/a.json" of Windows, with either slash */
static bool is_absolute(const char *path)
{
	bool has_drive = path[0] && path[1] == ':';
	return path[0] == '/' || (has_drive && (path[2] == '/' || path[2] == '\\'));
}

static struct error *output_join_prefix(struct output_request request, char **ret)
{
	_cleanup_(string_builder_deinit) struct string_builder path = STRING_BUILDER_INIT;
	if (request.prefix && !is_absolute(request.path))
		string_builder_appendf(&path, "%s/", request.prefix);
	string_builder_append(&path, request.path);
	return string_builder_finish(&path, ret);
}

/** Each line of JSON lines is for readers that follow the file as it grows. */
static struct error *open_streamed(struct output_request request, struct output *output, FILE **ret)
{
	struct error *err = result_file_check(output->path);
	if (err)
		return err;
	*ret = file_path_open(output->path, request.appends ? "a" : "w");
	output->is_streamed = *ret != NULL;
	return *ret ? NULL : error_create_errno(errno, "Unable to open %s", output->path);
}

static struct error *output_open_file(struct output_request request, struct output *output,
				      FILE **ret)
{
	struct error *err = output_join_prefix(request, &output->path);
	if (err)
		return err;
	if (request.is_json_lines)
		return open_streamed(request, output, ret);
	err = request.appends ? result_file_open_behind(output->path, &output->file)
			      : result_file_open(output->path, &output->file);
	if (!err)
		*ret = output->file.stream;
	return err;
}

/**
 * --json and --compat decide first: clients of WindowsPerf expect JSON in every file. Then the name
 * decides, and last the command's habit for names that say nothing.
 */
static bool is_text_file(struct output_request request)
{
	if (!request.path || request.is_json || request.is_compat)
		return false;
	enum result_format format = result_format_of(request.path);
	return format == RESULT_TEXT || request.writes_only_csv ||
	       (format == RESULT_CSV && request.knows_csv) ||
	       (format == RESULT_ANY && request.is_text_by_default);
}

bool output_writes_json(struct output_request request)
{
	return request.is_json || (request.path && !is_text_file(request));
}

struct table_layout output_narrow_layout(struct output_request request, FILE *stream)
{
	return (struct table_layout){
		.max_columns = request.is_wide || request.is_compat ? 0 : terminal_columns(stream),
		.is_padded = request.is_compat,
	};
}

bool output_is_wanted(struct output_request request)
{
	return request.path || request.is_json || !request.is_quiet;
}

struct error *output_check(struct output_request request)
{
	// Two JSON values one behind the other are no JSON; JSON lines are made for it.
	if (request.appends && request.path && output_writes_json(request) &&
	    !request.is_json_lines)
		return error_with_hint(error_create(ERROR_USAGE,
						    "--append cannot add to a file of JSON"),
				       "use -o FILE.txt or -o FILE.csv, or --json-lines with -I");
	_cleanup_free_ char *path = NULL;
	struct error *err = request.path ? output_join_prefix(request, &path) : NULL;
	return err || !path ? err : result_file_check(path);
}

struct error *output_open(struct output_request request, struct output *output)
{
	*output = (struct output){.layout = {.is_padded = request.is_compat}};
	FILE *stream = stdout;
	if (request.path) {
		struct error *err = output_open_file(request, output, &stream);
		if (err) {
			// The caller has no output yet, and need not end it.
			free(take_ptr(output->path));
			return err;
		}
	}
	if (is_text_file(request)) {
		output->text = stream;
		output->narrow = output_narrow_layout(request, stream);
		return NULL;
	}
	if (output_writes_json(request)) {
		// A JSON file stands beside the text on standard output; --json on standard output
		// stands alone.
		output->json_stream = stream;
		output->writer = json_writer_create(stream);
		output->json = &output->writer;
	}
	if (!request.is_json && !request.is_quiet) {
		output->text = stdout;
		output->narrow = output_narrow_layout(request, stdout);
	}
	return NULL;
}

enum child_output output_of_command(struct output_request request)
{
	return request.is_json && !request.path ? CHILD_OUTPUT_STDERR : CHILD_OUTPUT_OURS;
}

static struct error *output_close_file(struct output *output)
{
	// The draft takes the place of the old file now.
	if (!output->is_streamed)
		return result_file_close(&output->file);
	output->is_streamed = false;
	return fclose(take_ptr(output->json_stream)) == 0
		       ? NULL
		       : error_create_errno(errno, "cannot write %s", output->path);
}

const char *output_name(const struct output *output)
{
	return output->path ? output->path : "standard output";
}

struct error *output_close(struct output *output)
{
	struct error *err = output->json ? json_finish(output->json, output_name(output)) : NULL;
	bool writes_stdout = output->text == stdout;
	if (!err && output->path)
		err = output_close_file(output);
	// Tables are printed without a look at each result: the stream remembers a failure until
	// here.
	if (!err && writes_stdout && (fflush(stdout) || ferror(stdout)))
		err = error_create_errno(errno, "cannot write standard output");
	return err;
}

void output_deinit(struct output *output)
{
	if (output->is_streamed)
		fclose(output->json_stream);
	result_file_deinit(&output->file);
	free(output->path);
}

struct error *output_write_table(struct output_request request, const char *key,
				 const struct table *table)
{
	struct error *err = table_check(table);
	if (err)
		return err;
	_cleanup_(output_deinit) struct output output;
	err = output_open(request, &output);
	if (err)
		return err;
	if (output.text)
		table_print(table, output.layout, output.text);
	if (output.json) {
		json_begin_object(output.json);
		json_key(output.json, key);
		table_write_json(table, output.json);
		json_end_object(output.json);
	}
	return output_close(&output);
}
