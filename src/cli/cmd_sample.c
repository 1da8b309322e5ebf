// SPDX-License-Identifier: Apache-2.0
// `sample` and `record`, which differ in who starts the program.

#include "cli/command.h"
#include "cli/diagnostics.h"
#include "cli/open_session.h"
#include "cli/options.h"
#include "cli/request.h"

#include <sys/stat.h>

static struct error *check_file(const char *kind, const char *path)
{
	struct stat status;
	if (!path || stat(path, &status) == 0)
		return NULL;
	return error_create(ERROR_FAILED, "%s file '%s' doesn't exist", kind, path);
}

/** What can be said of the target before any device is opened. */
static struct error *check_target(const struct options *options)
{
	bool spawns = options->command == COMMAND_RECORD && options->spawn;
	if (!options->pe_file && !options->image_name && !spawns)
		return error_with_hint(error_create(ERROR_FAILED,
						    "no pid or process name specified, sample "
						    "address are not de-ASLRed"),
				       options->command == COMMAND_RECORD
					       ? "write wperf record ... -- COMMAND [ARGS]"
					       : "name the program with --pe_file or --image_name");
	struct error *err = check_file("PE", options->pe_file);
	return err ? err : check_file("PDB", options->pdb_file);
}

static struct error *check_cores(const struct options *options, const struct session *session,
				 const struct request *request)
{
	if (session->info.counts_processes || request->cores.num_cores == 1)
		return NULL;
	return error_with_hint(
		error_create(ERROR_USAGE,
			     options->command == COMMAND_RECORD
				     ? "you can specify only one core for sampling"
				     : "sampling: you can specify 1 core with -c option"),
		"this source samples one core: say which one with -c");
}

struct error *command_sample(const struct options *options, int *ret_exit)
{
	struct error *err = check_target(options);
	if (err)
		return err;
	_cleanup_(session_close) struct session session = SESSION_INIT;
	err = open_catalogue_session(options, &session);
	if (err)
		return err;
	_cleanup_(request_deinit) struct request request = {0};
	err = request_create(options, &session, EVENT_SPEC_SAMPLE, &request, &session.warnings);
	diagnostics_print_warnings(string_builder_peek(&session.warnings));
	if (!err)
		err = check_cores(options, &session, &request);
	if (err)
		return err;
	return error_with_hint(error_create(ERROR_FAILED,
					    "this version of wperf does not sample yet"),
			       "the request is fine, and nothing was started");
}
