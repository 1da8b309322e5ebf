// SPDX-License-Identifier: Apache-2.0

#include "profile/log_histogram.h"

#include <math.h>
#include <stdlib.h>

// Buckets as in HdrHistogram: the position of the highest bit chooses the doubling, the next four
// bits the bucket in it. The array covers only the range that occurred, and grows at both ends in
// steps of GRAIN buckets. Most groups have samples of one latency, which needs no array: the count
// is in the structure itself.
//
// Each doubling from 32 on has 16 buckets, so that a bucket is at most 1/16 of its value wide:
//
//	values     0 ... 31       32 ... 63      64 ... 127     128 ... 255
//	buckets    0 ... 31       32 ... 47      48 ... 63      64 ... 79
//	width      1              2              4              8

enum {
	PART_BITS = 4, // buckets of a doubling: 2^PART_BITS
	PARTS = 1 << PART_BITS,
	GRAIN = 4, // buckets come in so many
};

static unsigned bucket_of(uint32_t value)
{
	if (value < 2 * PARTS)
		return value;
	// The highest bit and the PART_BITS behind it are kept, and the shift counts what was
	// dropped. Numbers below 2 * PARTS have a bucket each.
	unsigned shift = 31 - PART_BITS - (unsigned)__builtin_clz(value);
	return (shift << PART_BITS) + (value >> shift);
}

// The least number of a bucket.
static uint64_t bucket_low(unsigned bucket)
{
	if (bucket < 2 * PARTS)
		return bucket;
	unsigned shift = (bucket >> PART_BITS) - 1;
	return (uint64_t)(PARTS + bucket % PARTS) << shift;
}

static const uint64_t *counts_of(const struct log_histogram *histogram)
{
	return histogram->num == 1 ? &histogram->count : histogram->counts;
}

static struct error *log_histogram_grow(struct log_histogram *histogram, unsigned first,
					unsigned end)
{
	unsigned old_end = histogram->first + histogram->num;
	first = first / GRAIN * GRAIN;
	end = (end + GRAIN - 1) / GRAIN * GRAIN;
	if (histogram->num && histogram->first < first)
		first = histogram->first;
	if (histogram->num && old_end > end)
		end = old_end;
	uint64_t *counts = calloc(end - first, sizeof(*counts));
	if (!counts)
		return &error_no_memory;
	for (unsigned i = 0; i < histogram->num; i++)
		counts[histogram->first + i - first] = counts_of(histogram)[i];
	log_histogram_deinit(histogram);
	*histogram = (struct log_histogram){
		.counts = counts, .first = (uint16_t)first, .num = (uint16_t)(end - first)};
	return NULL;
}

// Have buckets from @first up to @end.
static struct error *log_histogram_reserve(struct log_histogram *histogram, unsigned first,
					   unsigned end)
{
	if (histogram->num && first >= histogram->first &&
	    end <= (unsigned)histogram->first + histogram->num)
		return NULL;
	if (histogram->num || end - first > 1)
		return log_histogram_grow(histogram, first, end);
	histogram->first = (uint16_t)first;
	histogram->num = 1;
	histogram->count = 0;
	return NULL;
}

static uint64_t *count_at(struct log_histogram *histogram, unsigned bucket)
{
	return histogram->num == 1 ? &histogram->count
				   : &histogram->counts[bucket - histogram->first];
}

struct error *log_histogram_add(struct log_histogram *histogram, uint32_t value)
{
	unsigned bucket = bucket_of(value);
	struct error *err = log_histogram_reserve(histogram, bucket, bucket + 1);
	if (!err)
		++*count_at(histogram, bucket);
	return err;
}

void log_histogram_prefetch(const struct log_histogram *histogram, uint32_t value)
{
	unsigned index = bucket_of(value) - histogram->first;
	if (histogram->num > 1 && index < histogram->num)
		__builtin_prefetch(&histogram->counts[index]);
}

struct error *log_histogram_merge(struct log_histogram *histogram,
				  const struct log_histogram *other)
{
	if (!other->num)
		return NULL;
	struct error *err =
		log_histogram_reserve(histogram, other->first, other->first + other->num);
	for (unsigned i = 0; !err && i < other->num; i++)
		*count_at(histogram, other->first + i) += counts_of(other)[i];
	return err;
}

uint64_t log_histogram_count(const struct log_histogram *histogram)
{
	return log_histogram_between(histogram, 0, UINT64_MAX);
}

uint64_t log_histogram_between(const struct log_histogram *histogram, uint64_t low, uint64_t end)
{
	uint64_t sum = 0;
	for (unsigned i = 0; i < histogram->num; i++) {
		uint64_t value = bucket_low(histogram->first + i);
		if (value >= low && value < end)
			sum += counts_of(histogram)[i];
	}
	return sum;
}

uint32_t log_histogram_percentile(const struct log_histogram *histogram, double percent)
{
	// The nearest rank: the least value that this share of the samples does not exceed.
	double wanted = ceil((double)log_histogram_count(histogram) * percent / 100);
	uint64_t sum = 0;
	for (unsigned i = 0; i < histogram->num; i++) {
		unsigned bucket = histogram->first + i;
		sum += counts_of(histogram)[i];
		// The middle of the bucket: which of its values it was is not known.
		if (sum && (double)sum >= wanted)
			return (uint32_t)((bucket_low(bucket) + bucket_low(bucket + 1) - 1) / 2);
	}
	return 0;
}

void log_histogram_deinit(struct log_histogram *histogram)
{
	if (histogram->num > 1)
		free(histogram->counts);
	*histogram = (struct log_histogram)LOG_HISTOGRAM_INIT;
}
