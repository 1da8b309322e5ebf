// SPDX-License-Identifier: Apache-2.0
// `export` and `script`, which is the export that has a name of its own.

#include "base/array.h"
#include "base/file_path.h"
#include "base/terminal.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/packet_listing.h"
#include "cli/read_profile.h"
#include "view/collapsed.h"
#include "view/firefox.h"
#include "view/perf_script.h"
#include "view/pprof.h"
#include "view/speedscope.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

struct format {
	const char *name;
	struct error *(*write)(const struct named_profile *profile, uint32_t event, FILE *stream,
			       const char *name);
	bool keeps_samples; /* each with its time */
	bool is_binary;
};

static const char script_format[] = "perf-script";

static const struct format formats[] = {
	{"pprof", pprof_write, false, true},
	{"firefox", firefox_write, true, false},
	{"speedscope", speedscope_write, true, false},
	{"collapsed", collapsed_write, false, false},
	{script_format, perf_script_write, true, false},
};

static const char *format_name(const struct options *options)
{
	return options->command == COMMAND_SCRIPT ? script_format : options->format;
}

static const struct format *find_format(const char *name)
{
	for (size_t i = 0; name && i < ARRAY_SIZE(formats); i++)
		if (strcmp(name, formats[i].name) == 0)
			return &formats[i];
	return NULL;
}

static struct error *no_format(const char *name)
{
	struct error *err = name ? error_create(ERROR_USAGE, "there is no format '%s'", name)
				 : error_create(ERROR_USAGE, "export needs a format");
	return error_with_hint(err, "--format takes pprof, firefox, speedscope, collapsed or "
				    "perf-script");
}

/** The number of --event's event, or of the only one there is; NAMED_NONE for all. */
static uint32_t find_event(const struct options *options, const struct named_profile *profile)
{
	if (profile->num_events == 1)
		return 0; // with its name and unit
	for (uint32_t i = 0; options->event && i < profile->num_events; i++)
		if (read_profile_wants_event(options, profile, i))
			return i;
	return NAMED_NONE;
}

static struct error *keep_wanted(const struct options *options, struct named_profile *profile)
{
	_cleanup_(profile_filter_destroyp) struct profile_filter *filter = NULL;
	struct error *err = read_profile_check_event(options, profile);
	if (!err)
		err = read_profile_filter(options, profile, find_event(options, profile), &filter);
	if (!err)
		profile_filter_keep(filter, profile);
	return err;
}

static struct error *write_file(const struct options *options, const struct format *format,
				const struct named_profile *profile)
{
	const char *path = options->output;
	if (!path && format->is_binary && terminal_is_terminal(stdout))
		return error_with_hint(error_create(ERROR_USAGE, "%s is no text for a terminal",
						    format->name),
				       "write it into a file with --output");
	FILE *stream = path ? file_path_open(path, "w") : stdout;
	if (!stream)
		return error_create_errno(errno, "Unable to open %s", path);
	const char *name = path ? path : "standard output";
	struct error *err = format->write(profile, find_event(options, profile), stream, name);
	int failed = path ? fclose(stream) : fflush(stream);
	return err || !failed ? err : error_create_errno(errno, "cannot write %s", name);
}

struct error *command_export(const struct options *options, int *ret_exit)
{
	if (options->packets)
		return packet_listing_print(options);
	const struct format *format = find_format(format_name(options));
	if (!format)
		return no_format(format_name(options));
	_cleanup_(named_profile_deinit) struct named_profile profile = {0};
	struct error *err = read_profile(options, NULL, format->keeps_samples, &profile);
	if (!err)
		err = keep_wanted(options, &profile);
	return err ? err : write_file(options, format, &profile);
}
