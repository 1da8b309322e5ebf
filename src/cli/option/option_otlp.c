// SPDX-License-Identifier: Apache-2.0

#include "cli/option/option_otlp.h"

#include "base/file/file_name.h"
#include "fleet/otlp/otlp_encoder.h"
#include "fleet/otlp/otlp_file.h"
#include "report/result_file.h"

#include <string.h>

// A file of OTLP profiles has names already, and its samples have no times. So little of what is
// done with a recording remains (read_profile_adapt()).

bool options_names_otlp(const char *path)
{
	return result_format_of(path) == RESULT_OTLP;
}

static struct error *option_otlp_refuse_times(const struct read_request *request)
{
	return error_with_hint(error_create(ERROR_USAGE,
					    "samples of OTLP profiles have no time, as this needs: "
					    "'%s'",
					    request->path),
			       "report, annotate and flamegraph read it, and export to pprof or "
			       "collapsed");
}

struct error *options_read_otlp(const struct read_request *request, bool needs_times,
				struct named_profile *ret)
{
	_cleanup_(fleet_batch_deinit) struct fleet_batch batch = {0};
	if (needs_times || request->time_range)
		return option_otlp_refuse_times(request);
	if (request->copy_path)
		return error_with_hint(error_create(ERROR_USAGE, "'%s' is not a recording",
						    request->path),
				       "OTLP profiles are sums: perf.data cannot be made of them");
	struct error *err = otlp_file_read(request->path, request->is_forced, &batch);
	if (err)
		return err;
	*ret = batch.profile;
	batch.profile = (struct named_profile){0};
	return NULL;
}

/** The first word of the command line, which may be in quotes, without its folder. */
static struct error *option_otlp_set_service(struct fleet_batch *batch)
{
	const char *line = named_profile_text(&batch->profile, batch->profile.command_line);
	bool is_quoted = *line == '"' || *line == '\'';
	char ends[] = {is_quoted ? *line : ' ', '\0'};
	line += is_quoted;
	size_t length = strcspn(line, ends);
	_cleanup_free_ char *word = malloc(length + 1);
	if (!word)
		return &error_no_memory;
	memcpy(word, line, length);
	word[length] = '\0';
	const char *name = file_name_of(word);
	return *name ? fleet_batch_set_label(batch, "service.name", name) : NULL;
}

static struct error *option_otlp_set_label(struct fleet_batch *batch, const char *key,
					   uint32_t string)
{
	return string ? fleet_batch_set_label(batch, key,
					      named_profile_text(&batch->profile, string))
		      : NULL;
}

/** @event: the only one that is wanted. @ret_samples: its samples, to be freed. */
static struct error *option_otlp_keep_event(struct named_profile *profile, uint32_t event,
					    struct named_sample **ret_samples)
{
	struct named_sample *samples = calloc(profile->num_samples + 1, sizeof(*samples));
	if (!samples)
		return &error_no_memory;
	size_t num_kept = 0;
	for (size_t i = 0; i < profile->num_samples; i++) {
		if (profile->samples[i].event != event)
			continue;
		samples[num_kept] = profile->samples[i];
		samples[num_kept++].event = 0;
	}
	profile->events += event;
	profile->num_events = 1;
	profile->num_samples = num_kept;
	profile->samples = *ret_samples = samples;
	return NULL;
}

/** A batch of the whole recording. */
static struct error *option_otlp_write(const struct named_profile *profile, uint32_t event,
				       FILE *stream, const char *name)
{
	_cleanup_free_ struct named_sample *samples = NULL;
	char no_id[] = "";
	// Its profile is a view of the caller's: all of it but the labels stays theirs.
	struct fleet_batch batch = {.id = no_id,
				    .profile = *profile,
				    .start_ns = profile->start_wall_ns,
				    .length_ns = profile->duration_ns};
	struct error *err = NULL;
	if (event != NAMED_NONE)
		err = option_otlp_keep_event(&batch.profile, event, &samples);
	if (!err)
		err = option_otlp_set_service(&batch);
	if (!err)
		err = option_otlp_set_label(&batch, "host.name", profile->host);
	if (!err)
		err = option_otlp_set_label(&batch, "host.arch", profile->machine);
	if (!err)
		err = otlp_encoder_write(&batch, result_file_is_compressed(name), stream, name);
	fleet_batch_deinit_labels(&batch);
	return err;
}

const struct export_format options_otlp_format = {
	.name = "otlp",
	.write = option_otlp_write,
	.is_binary = true,
};
