// SPDX-License-Identifier: Apache-2.0

#include "report/spe/spe_tables.h"

#include "cli/option/options.h"
#include "report/recorded/read_profile.h"

/** What a row of places can be. */
static struct error *choose_key(const struct options *options, enum hot_key *ret)
{
	enum hot_key key = options->sort ? hot_key_find(options->sort) : HOT_FUNCTION;
	*ret = key;
	if (key == HOT_FUNCTION || key == HOT_LINE || key == HOT_MODULE || key == HOT_ADDRESS)
		return NULL;
	return error_with_hint(error_create(ERROR_USAGE, "--spe cannot sort by %s", options->sort),
			       "with --spe, --sort takes function, line, module or address");
}

struct error *spe_tables_choose(const struct options *options, struct spe_choice *ret)
{
	struct spe_choice choice = {.topic = spe_topic_find(options->spe)};
	if (choice.topic == SPE_NUM_TOPICS)
		return error_with_hint(
			error_create(ERROR_USAGE, "unknown --spe view '%s'", options->spe),
			"--spe takes summary, latency, source, miss, branch, operation or sharing");
	const char *misfit = options->time_range ? "--time"
			     : options->tree     ? "--tree"
			     : options->diff     ? "--diff"
						 : NULL;
	if (misfit)
		return error_create(ERROR_USAGE, "--spe and %s cannot be combined", misfit);
	struct error *err = choose_key(options, &choice.key);
	if (!err)
		*ret = choice;
	return err;
}

void spe_tables_deinit(struct spe_report *report)
{
	spe_list_deinit(&report->places);
	spe_list_deinit(&report->origins);
	spe_list_deinit(&report->operations);
	spe_target_list_deinit(&report->targets);
	line_sharing_deinit(&report->sharing);
}

static struct error *check_profile(const struct named_profile *profile)
{
	if (profile->spe)
		return NULL;
	return error_with_hint(error_create(ERROR_FAILED,
					    "the recording has no samples of Arm SPE"),
			       "record them with -e arm_spe_0//");
}

/** NAMED_NONE: every event, as the samples of SPE know theirs. */
static struct error *make_filter(const struct options *options, const struct named_profile *profile,
				 struct profile_filter **ret)
{
	uint32_t event = NAMED_NONE;
	struct error *err = read_profile_check_event(options, profile);
	for (uint32_t i = 0; !err && options->event && i < profile->num_events; i++)
		if (read_profile_wants_event(options, profile, i))
			event = i;
	return err ? err : read_profile_filter(options, profile, event, ret);
}

/** Does the topic's text have it, or a whole report? */
static bool has_part(const struct spe_report *report, enum spe_topic part)
{
	return report->is_whole || report->topic == SPE_TOPIC_SUMMARY || report->topic == part;
}

struct error *spe_tables_fill(struct spe_report *report, enum hot_key key,
			      const struct profile_filter *filter)
{
	const struct named_profile *profile = report->profile;
	struct error *err = spe_list_create(profile, key, spe_topic_order(report->topic), filter,
					    &report->places);
	if (!err && has_part(report, SPE_TOPIC_SOURCE))
		err = spe_list_create(profile, SPE_BY_ORIGIN, SPE_ORDER_COUNT, filter,
				      &report->origins);
	if (!err && has_part(report, SPE_TOPIC_OPERATION))
		err = spe_list_create(profile, SPE_BY_OPERATION, SPE_ORDER_COUNT, filter,
				      &report->operations);
	if (!err && has_part(report, SPE_TOPIC_BRANCH))
		err = spe_target_list_create(profile, filter, &report->targets);
	if (!err && has_part(report, SPE_TOPIC_SHARING))
		err = line_sharing_create(profile, filter, &report->sharing);
	return err;
}

struct error *spe_tables_write(const struct options *options, const struct named_profile *profile,
			       const struct spe_choice *choice, FILE *text,
			       struct json_writer *json)
{
	_cleanup_(spe_tables_deinit) struct spe_report report = {
		.profile = profile, .topic = choice->topic, .is_whole = json};
	_cleanup_(profile_filter_destroyp) struct profile_filter *filter = NULL;
	struct error *err = check_profile(profile);
	if (!err)
		err = make_filter(options, profile, &filter);
	if (!err)
		err = spe_tables_fill(&report, choice->key, filter);
	if (!err && text)
		err = spe_report_print(&report, options_rows(options, DEFAULT_ROWS), text);
	if (err || !json)
		return err;
	json_key(json, "spe");
	return spe_report_write_json(&report, options_rows(options, DEFAULT_ROWS), json);
}
