// SPDX-License-Identifier: Apache-2.0

#include "record/spe/spe_file_head.h"

#include "record/perf_data/perf_abi.h"

#include "base/container/array.h"

#include <stdlib.h>
#include <string.h>

// PERF_RECORD_TIME_CONV (shift, mult, zero, cycles, mask, flags) comes before
// PERF_RECORD_AUXTRACE_INFO, so that a reader knows the conversion when it meets the first data.

struct error *spe_file_head_init(struct spe_file_head *head, const struct spe_machine *machine,
				 const struct time_conversion *conversion)
{
	*head = (struct spe_file_head)SPE_FILE_HEAD_INIT;
	const struct perf_abi_header header = {.type = PERF_ABI_TIME_CONV,
					       .size = sizeof(head->timer)};
	const uint64_t has_zero = conversion->is_known;
	// Cycles are 0 and the mask is full: the counter has all of its bits.
	const uint64_t words[] = {conversion->shift,   conversion->multiplier,
				  conversion->zero_ns, 0,
				  UINT64_MAX,          has_zero};
	memcpy(head->timer, &header, sizeof(header));
	memcpy(head->timer + 1, words, sizeof(words));
	return spe_machine_write(machine, &head->machine, &head->machine_size);
}

void spe_file_head_deinit(struct spe_file_head *head)
{
	free(head->machine);
	*head = (struct spe_file_head)SPE_FILE_HEAD_INIT;
}

bool spe_file_head_next(struct spe_file_head *head, struct record *ret)
{
	const struct {
		const uint64_t *words;
		size_t size;
	} records[] = {
		{head->timer, sizeof(head->timer)},
		{head->machine, head->machine_size},
	};
	if (head->num_given == ARRAY_SIZE(records))
		return false;
	*ret = (struct record){
		.kind = RECORD_OTHER,
		.cpu = UINT32_MAX,
		.raw = (const uint8_t *)records[head->num_given].words,
		.raw_size = records[head->num_given].size,
	};
	head->num_given++;
	return true;
}
