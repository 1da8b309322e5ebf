// SPDX-License-Identifier: Apache-2.0
// Each topic of --spe prints some of the lists that a report has, and JSON all of them: only what
// will be shown is summed up, as each list walks over all samples.

#include "report/spe/spe_tables.h"

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
					    "the recording has no samples of Arm SPE, and none "
					    "that say where data came from"),
			       "record them with -e arm_spe_0//; on other processors, wperf reads "
			       "recordings of perf mem and perf c2c");
}

/** NAMED_NONE: every event, as the samples of SPE know theirs. */
static struct error *make_filter(const struct sample_choice *choice,
				 const struct named_profile *profile, struct profile_filter **ret)
{
	uint32_t event = NAMED_NONE;
	struct error *err = sample_choice_check_event(choice, profile);
	for (uint32_t i = 0; !err && choice->event && i < profile->num_events; i++)
		if (sample_choice_wants_event(choice, profile, i))
			event = i;
	return err ? err : sample_choice_filter(choice, profile, event, ret);
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
	// Places are in every topic; what they are sorted by depends on it.
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

struct error *spe_tables_write(const struct spe_choice *choice, const struct named_profile *profile,
			       FILE *text, struct json_writer *json)
{
	_cleanup_(spe_tables_deinit) struct spe_report report = {
		.profile = profile, .topic = choice->topic, .is_whole = json};
	_cleanup_(profile_filter_destroyp) struct profile_filter *filter = NULL;
	struct error *err = check_profile(profile);
	if (!err)
		err = make_filter(&choice->samples, profile, &filter);
	if (!err)
		err = spe_tables_fill(&report, choice->key, filter);
	if (!err && text)
		err = spe_report_print(&report, choice->max_rows, text);
	if (err || !json)
		return err;
	json_key(json, "spe");
	return spe_report_write_json(&report, choice->max_rows, json);
}
