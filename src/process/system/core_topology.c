// SPDX-License-Identifier: Apache-2.0

#include "process/system/core_topology.h"

#include <inttypes.h>
#include <stdio.h>

static int compare_numbers(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

int core_place_compare(const struct core_place *a, const struct core_place *b)
{
	int order = compare_numbers(a->socket, b->socket);
	if (!order)
		order = compare_numbers(a->die, b->die);
	if (!order)
		order = compare_numbers(a->cache_level, b->cache_level);
	return order ? order : compare_numbers(a->id, b->id);
}

struct core_place_label core_place_label(const struct core_grouping *by,
					 const struct core_place *place)
{
	struct core_place_label label = {.text = ""};
	size_t size = sizeof(label.text);
	switch (by->kind) {
	case CORE_GROUPING_CORE:
		snprintf(label.text, size, "S%" PRIu32 "-D%" PRIu32 "-C%" PRIu32, place->socket,
			 place->die, place->id);
		break;
	case CORE_GROUPING_CACHE:
		snprintf(label.text, size, "S%" PRIu32 "-D%" PRIu32 "-L%" PRIu32 "-ID%" PRIu32,
			 place->socket, place->die, place->cache_level, place->id);
		break;
	case CORE_GROUPING_DIE:
		snprintf(label.text, size, "S%" PRIu32 "-D%" PRIu32, place->socket, place->die);
		break;
	case CORE_GROUPING_SOCKET:
		snprintf(label.text, size, "S%" PRIu32, place->socket);
		break;
	case CORE_GROUPING_NODE:
		snprintf(label.text, size, "N%" PRIu32, place->id);
		break;
	case CORE_GROUPING_NONE:
		break;
	}
	return label;
}
