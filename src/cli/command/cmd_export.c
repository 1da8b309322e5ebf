// SPDX-License-Identifier: Apache-2.0
// `export` and `script`, which is the export that has a name of its own.

#include "base/cleanup.h"
#include "base/terminal/terminal.h"
#include "catalog/comma_list.h"
#include "cli/command.h"
#include "cli/option/options.h"
#include "report/export_format.h"
#include "report/recorded/packet_listing.h"
#include "report/recorded/read_profile.h"
#include "report/result_file.h"
#include "view/export/perf_script.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct error *no_format(const char *name)
{
	struct error *err = name ? error_create(ERROR_USAGE, "unknown format '%s'", name)
				 : error_create(ERROR_USAGE, "export needs a format");
	return error_with_hint(err, "--format takes pprof, firefox, speedscope, collapsed or "
				    "perf-script");
}

/** The format of --format, else the one that the file's name asks for. */
static const char *named_format(const struct options *options)
{
	return options->command == COMMAND_SCRIPT ? "perf-script" : options->format;
}

/** NULL if there is none; refuse_format() says why. */
static const struct export_format *choose_format(const struct options *options)
{
	const char *name = named_format(options);
	if (name)
		return export_format_find(name);
	return options->output ? export_format_of(options->output) : NULL;
}

static struct error *refuse_format(const struct options *options)
{
	const char *name = named_format(options), *path = options->output;
	if (!name && path && result_format_of(path) != RESULT_ANY)
		return result_format_refuse("export", path, options->input);
	return no_format(name);
}

/** The number of --event's event, or of the only one there is; NAMED_NONE for all. */
static uint32_t cmd_export_find_event(const struct options *options,
				      const struct named_profile *profile)
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
		err = read_profile_filter(options, profile, cmd_export_find_event(options, profile),
					  &filter);
	if (!err)
		profile_filter_keep(filter, profile);
	return err;
}

static struct error *write_out(const struct options *options, const struct export_format *format,
			       const struct named_profile *profile)
{
	uint32_t event = cmd_export_find_event(options, profile);
	if (options->output)
		return export_format_write(format, options->output, profile, event);
	if (format->is_binary && terminal_is_terminal(stdout))
		return error_with_hint(
			error_create(ERROR_USAGE,
				     "%s is binary and cannot be printed to a terminal",
				     format->name),
			"write it to a file with -o FILE");
	struct error *err = format->write(profile, event, stdout, "standard output");
	return err || !fflush(stdout) ? err
				      : error_create_errno(errno, "cannot write standard output");
}

static struct error *add_field(const char *name, char sign, unsigned *fields)
{
	unsigned field = perf_script_find_field(name);
	if (!field)
		return error_with_hint(
			error_create(ERROR_USAGE, "script has no field '%s'", name),
			"-F takes comm, pid, tid, cpu, time, period, event, ip, sym, dso and "
			"srcline; +srcline adds it to the usual ones, -tid leaves one out");
	if (sign == '-' && field == PERF_SCRIPT_TID)
		field |= PERF_SCRIPT_PID; // the usual "pid/tid"; perf's has the thread alone
	*fields = sign == '-' ? *fields & ~field : *fields | field;
	return NULL;
}

static bool is_sign(char letter)
{
	return letter == '+' || letter == '-';
}

/** @ret: of comm,ip,sym, or of +srcline,-tid, which change the usual ones. */
static struct error *cmd_export_read_fields(const char *text, unsigned *ret)
{
	_cleanup_free_ char *copy = strdup(text);
	bool is_change = is_sign(text[0]);
	unsigned fields = is_change ? PERF_SCRIPT_USUAL : 0;
	if (!copy)
		return &error_no_memory;
	for (char *rest = copy, *word; (word = comma_list_next(&rest));) {
		if (is_sign(word[0]) != is_change)
			return error_with_hint(
				error_create(ERROR_USAGE, "-F %s: fields with and without a sign",
					     text),
				"comm,ip chooses all fields; +srcline,-tid changes the usual ones");
		struct error *err = add_field(word + is_change, word[0], &fields);
		if (err)
			return err;
	}
	*ret = fields;
	return NULL;
}

static struct error *choose_fields(const struct options *options, unsigned *ret)
{
	enum { OF_ADDRESS = PERF_SCRIPT_SYM | PERF_SCRIPT_DSO | PERF_SCRIPT_SRCLINE };
	const char *text = options->fields;
	unsigned fields = 0;
	struct error *err = cmd_export_read_fields(text, &fields);
	if (err)
		return err;
	bool has_ip = fields & PERF_SCRIPT_IP;
	if (!has_ip && is_sign(text[0]))
		fields &= ~(unsigned)OF_ADDRESS; // -ip leaves them out, too, as with perf
	if (!has_ip && fields & OF_ADDRESS)
		return error_with_hint(error_create(ERROR_USAGE, "-F %s: no ip", text),
				       "sym, dso and srcline are of the addresses: add ip");
	if (!fields)
		return error_create(ERROR_USAGE, "-F %s: no fields are left", text);
	*ret = fields;
	return NULL;
}

static struct error *write_fields(const struct options *options, unsigned fields,
				  const struct named_profile *profile)
{
	uint32_t event = cmd_export_find_event(options, profile);
	if (!options->output)
		return perf_script_write_fields(profile, event, fields, stdout, "standard output");
	_cleanup_(result_file_deinit) struct result_file file = RESULT_FILE_INIT;
	struct error *err = result_file_open(options->output, &file);
	if (!err)
		err = perf_script_write_fields(profile, event, fields, file.stream,
					       options->output);
	return err ? err : result_file_close(&file);
}

struct error *command_export(const struct options *options, int *ret_exit)
{
	if (options->packets)
		return packet_listing_print(options);
	const struct export_format *format = choose_format(options);
	if (!format)
		return refuse_format(options);
	unsigned fields = 0;
	struct error *err = options->fields ? choose_fields(options, &fields) : NULL;
	if (err)
		return err;
	_cleanup_(named_profile_deinit) struct named_profile profile = {0};
	err = read_profile(options, NULL, format->keeps_samples, &profile);
	if (!err)
		err = keep_wanted(options, &profile);
	if (err)
		return err;
	return fields ? write_fields(options, fields, &profile)
		      : write_out(options, format, &profile);
}
