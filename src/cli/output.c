// SPDX-License-Identifier: Apache-2.0

#include "cli/output.h"

#include "base/file/file_path.h"
#include "base/terminal/terminal.h"
#include "base/text/string_builder.h"
#include "cli/option/options.h"

#include <errno.h>

/** "/tmp/a.json", and "C:/a.json" of Windows, with either slash */
static bool is_absolute(const char *path)
{
	bool has_drive = path[0] && path[1] == ':';
	return path[0] == '/' || (has_drive && (path[2] == '/' || path[2] == '\\'));
}

static struct error *join_prefix(const struct options *options, char **ret)
{
	_cleanup_(string_builder_deinit) struct string_builder path = STRING_BUILDER_INIT;
	if (options->output_prefix && !is_absolute(options->output))
		string_builder_appendf(&path, "%s/", options->output_prefix);
	string_builder_append(&path, options->output);
	return string_builder_finish(&path, ret);
}

/** Each line of JSON lines is for readers that follow the file as it grows. */
static struct error *open_streamed(const struct options *options, struct output *output, FILE **ret)
{
	struct error *err = result_file_check(output->path);
	if (err)
		return err;
	*ret = file_path_open(output->path, options->append ? "a" : "w");
	output->is_streamed = *ret != NULL;
	return *ret ? NULL : error_create_errno(errno, "Unable to open %s", output->path);
}

static struct error *output_open_file(const struct options *options, struct output *output,
				      FILE **ret)
{
	struct error *err = join_prefix(options, &output->path);
	if (err)
		return err;
	if (options->json_lines)
		return open_streamed(options, output, ret);
	err = options->append ? result_file_open_behind(output->path, &output->file)
			      : result_file_open(output->path, &output->file);
	if (!err)
		*ret = output->file.stream;
	return err;
}

/** Of `report` and `stat` a name without an end that we know is that of a text, too. */
static bool is_text_file(const struct options *options)
{
	if (!options->output || options->json || options->compat)
		return false;
	enum result_format format = result_format_of(options->output);
	bool is_stat = options->command == COMMAND_STAT;
	return format == RESULT_TEXT || (is_stat && (format == RESULT_CSV || options->separator)) ||
	       (format == RESULT_ANY && (is_stat || options->command == COMMAND_REPORT));
}

bool output_writes_json(const struct options *options)
{
	return options->json || (options->output && !is_text_file(options));
}

struct table_layout output_narrow_layout(const struct options *options, FILE *stream)
{
	return (struct table_layout){
		.max_columns = options->wide || options->compat ? 0 : terminal_columns(stream),
		.is_padded = options->compat,
	};
}

bool output_is_wanted(const struct options *options)
{
	return options->output || options->json || !options->quiet;
}

struct error *output_check(const struct options *options)
{
	if (options->append && options->output && output_writes_json(options) &&
	    !options->json_lines)
		return error_with_hint(error_create(ERROR_USAGE,
						    "--append cannot add to a file of JSON"),
				       "use -o FILE.txt or -o FILE.csv, or --json-lines with -I");
	_cleanup_free_ char *path = NULL;
	struct error *err = options->output ? join_prefix(options, &path) : NULL;
	return err || !path ? err : result_file_check(path);
}

struct error *output_open(const struct options *options, struct output *output)
{
	*output = (struct output){.layout = {.is_padded = options->compat}};
	FILE *stream = stdout;
	if (options->output) {
		struct error *err = output_open_file(options, output, &stream);
		if (err) {
			free(take_ptr(output->path));
			return err;
		}
	}
	if (is_text_file(options)) {
		output->text = stream;
		return NULL;
	}
	if (output_writes_json(options)) {
		output->json_stream = stream;
		output->writer = json_writer_create(stream);
		output->json = &output->writer;
	}
	if (!options->json && !options->quiet)
		output->text = stdout;
	return NULL;
}

enum child_output output_of_command(const struct options *options)
{
	return options->json && !options->output ? CHILD_OUTPUT_STDERR : CHILD_OUTPUT_OURS;
}

static struct error *output_close_file(struct output *output)
{
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

struct error *output_write_table(const struct options *options, const char *key,
				 const struct table *table)
{
	struct error *err = table_check(table);
	if (err)
		return err;
	_cleanup_(output_deinit) struct output output;
	err = output_open(options, &output);
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
