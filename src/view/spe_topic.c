// SPDX-License-Identifier: Apache-2.0

#include "view/spe_report.h"

#include <string.h>

// Each topic of --spe has the order in which it lists places: what is said of a place decides which
// place is first.
//
//	latency      most cycles in all           miss       most L1D misses and TLB walks
//	source       most loads from beyond L1    branch     most mispredicted branches

static const struct {
	const char *name;
	enum spe_order order;
} topics[SPE_NUM_TOPICS] = {
	[SPE_TOPIC_SUMMARY] = {"summary", SPE_ORDER_LATENCY},
	[SPE_TOPIC_LATENCY] = {"latency", SPE_ORDER_LATENCY},
	[SPE_TOPIC_SOURCE] = {"source", SPE_ORDER_BEYOND},
	[SPE_TOPIC_MISS] = {"miss", SPE_ORDER_MISSES},
	[SPE_TOPIC_BRANCH] = {"branch", SPE_ORDER_BRANCHES},
	[SPE_TOPIC_OPERATION] = {"operation", SPE_ORDER_COUNT},
	[SPE_TOPIC_SHARING] = {"sharing", SPE_ORDER_COUNT},
};

const char *spe_topic_name(enum spe_topic topic)
{
	return topics[topic].name;
}

enum spe_topic spe_topic_find(const char *name)
{
	enum spe_topic topic = 0;
	while (topic < SPE_NUM_TOPICS && strcmp(topics[topic].name, name) != 0)
		topic++;
	return topic;
}

enum spe_order spe_topic_order(enum spe_topic topic)
{
	return topics[topic].order;
}
