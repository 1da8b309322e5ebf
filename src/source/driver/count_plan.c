// SPDX-License-Identifier: Apache-2.0

#include "source/driver/count_plan.h"

void source_counts_deinit(struct source_counts *counts)
{
	for (size_t i = 0; i < NUM_EVENT_CLASSES; i++)
		count_set_deinit(&counts->sets[i]);
}
