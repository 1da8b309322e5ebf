// SPDX-License-Identifier: Apache-2.0

#include "cli/output.h"

#include "base/file_path.h"
#include "base/string_builder.h"
#include "cli/options.h"
#include "view/table.h"

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

static struct error *open_file(const struct options *options, struct output *output)
{
	struct error *err = join_prefix(options, &output->path);
	if (err)
		return err;
	output->json_stream = file_path_open(output->path, "w");
	if (!output->json_stream)
		return error_create_errno(errno, "Unable to open %s", output->path);
	return NULL;
}

bool output_is_wanted(const struct options *options)
{
	return options->output || options->json || !options->quiet;
}

struct error *output_open(const struct options *options, struct output *output)
{
	*output = (struct output){0};
	if (options->output) {
		struct error *err = open_file(options, output);
		if (err)
			return err;
	} else if (options->json) {
		output->json_stream = stdout;
	}
	if (output->json_stream) {
		output->writer = json_writer_create(output->json_stream);
		output->json = &output->writer;
	}
	if (!options->json && !options->quiet)
		output->text = stdout;
	return NULL;
}

static struct error *finish_json(struct output *output)
{
	struct error *err =
		json_finish(output->json, output->path ? output->path : "standard output");
	bool closed = !output->path || fclose(output->json_stream) == 0;
	output->json_stream = NULL;
	if (err)
		return err;
	return closed ? NULL : error_create_errno(errno, "cannot write %s", output->path);
}

struct error *output_close(struct output *output)
{
	struct error *err = NULL;
	if (output->json_stream)
		err = finish_json(output);
	if (!err && output->text && (fflush(output->text) || ferror(output->text)))
		err = error_create_errno(errno, "cannot write standard output");
	return err;
}

void output_deinit(struct output *output)
{
	if (output->json_stream && output->path)
		fclose(output->json_stream);
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
		table_print(table, output.text);
	if (output.json) {
		json_begin_object(output.json);
		json_key(output.json, key);
		table_write_json(table, output.json);
		json_end_object(output.json);
	}
	return output_close(&output);
}
