// SPDX-License-Identifier: Apache-2.0

#include "view/json/diff_json.h"

// The JSON of report --diff. Rows are matched by name, so that a row has the two texts that make it
// one, and no number of either profile. A change that was measured, not sampled, has no interval.

static void write_number(struct json_writer *json, const char *key, double value)
{
	json_key(json, key);
	json_double(json, value);
}

static void diff_json_write_side(const struct diff_json *facts, size_t side, const char *key,
				 struct named_total whole, struct json_writer *json)
{
	const struct named_profile *profile = facts->profiles[side];
	const struct named_event *event = &profile->events[facts->events[side]];
	json_key(json, key);
	json_begin_object(json);
	json_key_text(json, "event", named_profile_text(profile, event->name));
	json_key_text(json, "unit", named_profile_text(profile, event->unit));
	json_key_u64(json, "samples", whole.count);
	json_key_u64(json, "weight", whole.weight);
	json_key_u64(json, "lost", profile->num_lost);
	json_end_object(json);
}

static void diff_json_write_share(const char *key, const struct profile_diff_share *share,
				  struct json_writer *json)
{
	json_key(json, key);
	json_begin_object(json);
	write_number(json, "self_percent", share->self_percent);
	write_number(json, "total_percent", share->total_percent);
	json_key_u64(json, "samples", share->self.count);
	json_key_u64(json, "weight", share->self.weight);
	json_end_object(json);
}

static void diff_json_write_row(const struct diff_json *facts, const struct profile_diff_row *row,
				struct json_writer *json)
{
	const struct profile_diff *diff = facts->diff;
	struct share_change change = profile_diff_self_range(diff, row);
	json_begin_object(json);
	json_key_text(json, "name", row->name);
	if (*row->module)
		json_key_text(json, "module", row->module);
	write_number(json, "self_change", change.points);
	if (!diff->before.is_measured || !diff->after.is_measured) {
		write_number(json, "self_change_low", change.low);
		write_number(json, "self_change_high", change.high);
	}
	write_number(json, "total_change", profile_diff_total_change(row));
	diff_json_write_share("before", &row->before, json);
	diff_json_write_share("after", &row->after, json);
	if (facts->has_max_growth) {
		json_key(json, "fails");
		json_bool(json, change.low > facts->max_growth);
	}
	json_end_object(json);
}

void diff_json_write(const struct diff_json *facts, struct json_writer *json)
{
	const struct profile_diff *diff = facts->diff;
	json_begin_object(json);
	json_key(json, "diff");
	json_begin_object(json);
	json_key_text(json, "by", hot_key_name(diff->key));
	diff_json_write_side(facts, 0, "before", diff->before.whole, json);
	diff_json_write_side(facts, 1, "after", diff->after.whole, json);
	if (facts->has_max_growth)
		write_number(json, "fail_above", facts->max_growth);
	json_key(json, "rows");
	json_begin_array(json);
	for (size_t i = 0; i < diff->num_rows && (!facts->max_rows || i < facts->max_rows); i++)
		diff_json_write_row(facts, &diff->rows[i], json);
	json_end_array(json);
	json_end_object(json);
	json_end_object(json);
}
