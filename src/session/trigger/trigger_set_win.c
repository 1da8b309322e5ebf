// SPDX-License-Identifier: Apache-2.0

#include "session/trigger/trigger_set.h"

struct error *trigger_set_create(const char *const *texts, size_t num_texts,
				 struct trigger_set **ret)
{
	*ret = NULL;
	return num_texts ? error_create(ERROR_USAGE, "--trigger works on Linux only") : NULL;
}

void trigger_set_destroy(struct trigger_set *set)
{
}

bool trigger_set_counts(const struct trigger_set *set)
{
	return false;
}

struct error *trigger_set_watch(struct trigger_set *set, struct session *session, const char *pids,
				const char *cores)
{
	return NULL;
}

struct error *trigger_set_poll(struct trigger_set *set, uint64_t now_ns, const char **ret)
{
	*ret = NULL;
	return NULL;
}

const char *trigger_set_reason(const struct trigger_set *set)
{
	return "";
}

uint64_t trigger_set_num_lost(const struct trigger_set *set)
{
	return 0;
}
