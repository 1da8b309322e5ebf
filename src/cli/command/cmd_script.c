// SPDX-License-Identifier: Apache-2.0
// `script`: the samples of a recording in the words of perf script, or the packets of SPE's trace.

#include "base/cleanup.h"
#include "catalog/comma_list.h"
#include "cli/command.h"
#include "cli/option/option_recording.h"
#include "report/recorded/packet_listing.h"
#include "report/result_file.h"
#include "view/export/perf_script.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
static struct error *cmd_script_read_fields(const char *text, unsigned *ret)
{
	_cleanup_free_ char *copy = strdup(text);
	// The first word decides: lists with and without signs mean different things, and are not
	// mixed.
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
	struct error *err = cmd_script_read_fields(text, &fields);
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

/** @fields: 0: the usual ones. */
static struct error *cmd_script_write(const struct options *options, unsigned fields,
				      const struct named_profile *profile, FILE *stream,
				      const char *name)
{
	const struct sample_choice choice = options_sample_choice(options);
	uint32_t event = sample_choice_single_event(&choice, profile);
	return fields ? perf_script_write_fields(profile, event, fields, stream, name)
		      : perf_script_write(profile, event, stream, name);
}

static struct error *cmd_script_show(const struct options *options, unsigned fields,
				     const struct named_profile *profile)
{
	const char *path = options->output;
	if (!path) {
		struct error *err =
			cmd_script_write(options, fields, profile, stdout, "standard output");
		return err || !fflush(stdout)
			       ? err
			       : error_create_errno(errno, "cannot write standard output");
	}
	_cleanup_(result_file_deinit) struct result_file file = RESULT_FILE_INIT;
	struct error *err = result_file_open(path, &file);
	if (!err)
		err = cmd_script_write(options, fields, profile, file.stream, path);
	return err ? err : result_file_close(&file);
}

static struct error *print_packets(const struct options *options)
{
	bool is_filtered = options->event || options->thread || options->module ||
			   options->symbol || options->time_range || options->python;
	struct error *err = options_check_recording(options);
	if (err)
		return err;
	// Packets are bytes of the trace, before any sample was made of them.
	if (is_filtered)
		return error_with_hint(
			error_create(ERROR_USAGE, "--packets cannot be combined with filters"),
			"leave out --event, --thread, --module, --symbol, --time and --python");
	return packet_listing_print(options_recording_path(options), options->force,
				    options->output);
}

struct error *command_script(const struct options *options, int *ret_exit)
{
	if (options->packets)
		return print_packets(options);
	unsigned fields = 0;
	struct error *err = options->fields ? choose_fields(options, &fields) : NULL;
	if (err)
		return err;
	_cleanup_(named_profile_deinit) struct named_profile profile = {0};
	const struct sample_choice choice = options_sample_choice(options);
	err = options_read_profile(options, NULL, true, &profile);
	if (!err)
		err = sample_choice_keep(&choice, &profile);
	return err ? err : cmd_script_show(options, fields, &profile);
}
