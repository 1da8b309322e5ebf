// SPDX-License-Identifier: Apache-2.0

#include "base/file/file_path.h"
#include "base/file/folder.h"
#include "base/os/interrupt.h"
#include "cli/command.h"
#include "cli/option/options.h"
#include "cli/option/stored/server_token.h"
#include "server/symbols/debug_uploader.h"

#include <stdio.h>
#include <string.h>

// Links may lead in circles.
enum { CMD_DEBUG_UPLOAD_MAX_DEPTH = 16 };

struct cmd_debug_upload {
	struct debug_uploader uploader;
	bool is_quiet;
	bool has_failed; /* a file was refused */
};

static bool cmd_debug_upload_is_folder(const char *path)
{
	_cleanup_(folder_closep) struct folder *folder = NULL;
	_cleanup_(error_destroyp) struct error *err = folder_open(path, &folder);
	return !err;
}

/** @is_named: by the user; else a folder has it, where most files are no programs. */
static struct error *cmd_debug_upload_file(struct cmd_debug_upload *work, const char *path,
					   bool is_named)
{
	_cleanup_(string_builder_deinit) struct string_builder words = STRING_BUILDER_INIT;
	enum debug_upload_result result;
	struct error *err = debug_uploader_send(&work->uploader, path, &words, &result);
	if (err)
		return err;
	const char *text = string_builder_peek(&words);
	work->has_failed |= result == DEBUG_UPLOAD_REFUSED;
	if (result == DEBUG_UPLOAD_REFUSED)
		fprintf(stderr, "%s: the server refuses it: %s\n", path, text);
	else if (result == DEBUG_UPLOAD_SKIPPED || (result == DEBUG_UPLOAD_FOREIGN && is_named))
		fprintf(stderr, "skipped: %s\n", text);
	else if (result != DEBUG_UPLOAD_FOREIGN && !work->is_quiet)
		printf("%s: %s\n", path, text);
	fflush(stdout);
	return NULL;
}

static struct error *cmd_debug_upload_folder(struct cmd_debug_upload *work, const char *path,
					     unsigned depth)
{
	_cleanup_(folder_closep) struct folder *folder = NULL;
	_cleanup_(string_builder_deinit) struct string_builder inner = STRING_BUILDER_INIT;
	struct error *err = folder_open(path, &folder);
	for (const char *name; !err && (name = folder_next(folder));) {
		if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
			continue;
		string_builder_clear(&inner);
		string_builder_appendf(&inner, "%s/%s", path, name);
		if (inner.failed)
			return &error_no_memory;
		if (interrupt_requested())
			return error_create(ERROR_FAILED, "interrupted");
		enum file_path_kind kind = file_path_kind(inner.text);
		if (kind == FILE_PATH_FILE)
			err = cmd_debug_upload_file(work, inner.text, false);
		else if (kind == FILE_PATH_OTHER && depth < CMD_DEBUG_UPLOAD_MAX_DEPTH &&
			 cmd_debug_upload_is_folder(inner.text))
			err = cmd_debug_upload_folder(work, inner.text, depth + 1);
	}
	return err;
}

static struct error *cmd_debug_upload_check(const struct options *options)
{
	if (!options->server)
		return error_with_hint(error_create(ERROR_USAGE, "missing server"),
				       "write wperf debug-upload --server http://HOST:4318 FILE");
	if (!options->arguments.num_items)
		return error_with_hint(error_create(ERROR_USAGE, "missing file"),
				       "name programs, libraries, .debug files or folders");
	return NULL;
}

struct error *command_debug_upload(const struct options *options, int *ret_exit)
{
	_cleanup_free_ char *token = NULL;
	struct error *err = cmd_debug_upload_check(options);
	if (!err)
		err = server_token_read(options, &token);
	struct cmd_debug_upload work = {
		.uploader = {.url = options->server, .token = token && *token ? token : NULL},
		.is_quiet = options->quiet,
	};
	if (!err)
		err = debug_uploader_check(&work.uploader);
	if (!err)
		err = interrupt_install();
	for (size_t i = 0; !err && i < options->arguments.num_items; i++) {
		const char *path = options->arguments.items[i];
		err = cmd_debug_upload_is_folder(path) ? cmd_debug_upload_folder(&work, path, 0)
						       : cmd_debug_upload_file(&work, path, true);
	}
	if (!err && work.has_failed)
		*ret_exit = 1;
	return err;
}
