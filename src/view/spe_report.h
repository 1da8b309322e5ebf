/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_SPE_REPORT_H
#define WPERF_VIEW_SPE_REPORT_H

/**
 * What Arm's SPE knows of a profile: latencies, where data came from, misses, branches, operations,
 * and lines of data that threads share. As text for people, by topic, and as JSON, whole.
 *
 * To add a topic: a name here, its row in spe_topic.c, its function in spe_text.c, its member in
 * spe_json.c.
 */

#include "base/error.h"
#include "profile/spe/line_sharing.h"
#include "profile/spe/spe_list.h"
#include "profile/spe/spe_target_list.h"
#include "view/json/json_writer.h"

#include <stddef.h>
#include <stdio.h>

enum spe_topic {
	SPE_TOPIC_SUMMARY, /* of all others */
	SPE_TOPIC_LATENCY,
	SPE_TOPIC_SOURCE,
	SPE_TOPIC_MISS,
	SPE_TOPIC_BRANCH,
	SPE_TOPIC_OPERATION,
	SPE_TOPIC_SHARING,
	SPE_NUM_TOPICS,
};

/** As users write it; and back: SPE_NUM_TOPICS if there is no such topic. */
const char *spe_topic_name(enum spe_topic topic);
enum spe_topic spe_topic_find(const char *name);

/** By what a topic's places are ordered. */
enum spe_order spe_topic_order(enum spe_topic topic);

struct spe_report {
	const struct named_profile *profile;
	enum spe_topic topic;
	bool is_whole;          /* JSON has all of it, text only what the topic has */
	struct spe_list places; /* by a hot key, in the order of the topic */
	struct spe_list origins, operations;
	struct spe_target_list targets;
	struct line_sharing sharing;
};

/** @max_rows: of each table; 0 for all. What is not shown is said below the table. */
struct error *spe_report_print(const struct spe_report *report, size_t max_rows, FILE *stream);

/** What is known of some samples, as an object. */
void spe_report_write_stats(const struct spe_stats *stats, struct json_writer *json);

/** As an object; @max_rows: of places, branches and lines. */
struct error *spe_report_write_json(const struct spe_report *report, size_t max_rows,
				    struct json_writer *json);

/** What the page shows: places, which are functions, by their indexes. */
struct error *spe_report_write_page(const struct spe_report *report, struct json_writer *json);

#endif
