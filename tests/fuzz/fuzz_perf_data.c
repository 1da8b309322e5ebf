// SPDX-License-Identifier: Apache-2.0

/** A perf.data file, of any mode: all of its records are taken, and everything they point at read.
 */

#include "base/cleanup.h"
#include "record/perf_data/perf_data_reader.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

// zstd allocates as much as a frame says its window is, up to the 128 MiB of `perf record -z 22`.
// Here 1 MiB must do: otherwise the budget would have to allow each input all that.
ZSTD_DStream *__real_ZSTD_createDStream(void);
ZSTD_DStream *__wrap_ZSTD_createDStream(void);

ZSTD_DStream *__wrap_ZSTD_createDStream(void)
{
	ZSTD_DStream *stream = __real_ZSTD_createDStream();
	if (stream && ZSTD_isError(ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, 20)))
		abort();
	return stream;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t sum_of(const void *bytes, size_t size)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < size; i++)
		sum += ((const uint8_t *)bytes)[i];
	return sum;
}

static uint64_t touch_record(const struct record *record)
{
	uint64_t sum = sum_of(record->raw, record->raw_size);
	const struct record_sample *sample = &record->sample;
	switch (record->kind) {
	case RECORD_SAMPLE:
		if (sample->spe)
			sum += sum_of(sample->spe, sizeof(*sample->spe)) + sample->spe_midr;
		sum += sum_of(sample->chain, sample->chain_length * sizeof(*sample->chain));
		sum += sum_of(sample->stack, sample->stack_size);
		sum += sum_of(sample->branches, sample->num_branches * sizeof(*sample->branches));
		if (sample->regs_abi)
			sum += sum_of(sample->regs,
				      (size_t)__builtin_popcountll(sample->regs_mask) * 8);
		return sum;
	case RECORD_MAP:
		return sum + strlen(record->map.path) + record->map.build_id.size;
	case RECORD_COMM:
		return sum + strlen(record->comm.name);
	default:
		return sum;
	}
}

static uint64_t touch_text(const char *text)
{
	return text ? strlen(text) : 0;
}

static uint64_t touch_info(const struct perf_data_info *info)
{
	uint64_t sum = touch_text(info->host) + touch_text(info->system_release) +
		       touch_text(info->version) + touch_text(info->machine) +
		       touch_text(info->cpu_description) + touch_text(info->cpu_id);
	for (size_t i = 0; i < info->num_events; i++) {
		const struct perf_data_event *event = &info->events[i];
		sum += touch_text(event->name) + sum_of(event->attr, event->attr_size);
		sum += sum_of(event->ids, event->num_ids * sizeof(*event->ids));
	}
	for (size_t i = 0; i < info->num_build_ids; i++)
		sum += touch_text(info->build_ids[i].path) + info->build_ids[i].build_id.size;
	for (size_t i = 0; info->arguments && info->arguments[i]; i++)
		sum += touch_text(info->arguments[i]);
	return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(perf_data_reader_destroyp) struct perf_data_reader *reader = NULL;
	struct error *err = perf_data_reader_open_memory("fuzz", data, size, &reader);
	bool more = !err;
	uint64_t sum = 0;
	while (more) {
		struct record record;
		err = perf_data_reader_next(reader, &record, &more);
		if (err)
			break;
		if (more) {
			if (record.event &&
			    record.event >= perf_data_reader_info(reader)->num_events)
				abort();
			sum += touch_record(&record);
		}
	}
	if (reader)
		sum += touch_info(perf_data_reader_info(reader));
	error_destroy(err);
	return sum == UINT64_MAX ? 1 : 0;
}
