// SPDX-License-Identifier: Apache-2.0
// A sum stands for several samples of one stack. How many of them are kept is drawn for each one by
// itself (a binomial distribution), and the weight of the sum is divided by how many were expected
// to be kept: weight * kept / (count * keep), whose expectation is the weight.

#include "agent/sample_thinning.h"

#include "base/cleanup.h"
#include "base/container/array.h"
#include "base/os/random_bytes.h"

#include <stdlib.h>
#include <string.h>

#define HOUR_NS (UINT64_C(3600) * 1000000000)

struct error *sample_dice_init(struct sample_dice *dice)
{
	struct error *err = random_bytes_fill(&dice->state, sizeof(dice->state));
	dice->state |= 1;
	return err;
}

/** xorshift64* (Vigna, "An experimental exploration of Marsaglia's xorshift generators", 2016). */
double sample_dice_roll(struct sample_dice *dice)
{
	enum { NUM_BITS = 53 }; // of a double
	dice->state ^= dice->state >> 12;
	dice->state ^= dice->state << 25;
	dice->state ^= dice->state >> 27;
	uint64_t number = dice->state * UINT64_C(0x2545f4914f6cdd1d);
	return (double)(number >> (64 - NUM_BITS)) / (double)(UINT64_C(1) << NUM_BITS);
}

static uint64_t sample_thinning_weight(double weight)
{
	// The largest double below 2^64.
	const double most = 18446744073709549568.0;
	return weight >= most ? UINT64_MAX : (uint64_t)(weight + 0.5);
}

size_t sample_thinning_apply(struct sample_dice *dice, struct named_sample *samples, size_t num,
			     double keep)
{
	size_t num_kept = 0;
	for (size_t i = 0; i < num; i++) {
		struct named_sample sample = samples[i];
		uint32_t count = 0;
		for (uint32_t j = 0; j < sample.count; j++)
			count += sample_dice_roll(dice) < keep;
		if (!count)
			continue;
		sample.weight = sample_thinning_weight((double)sample.weight * count /
						       (sample.count * keep));
		sample.count = count;
		samples[num_kept++] = sample;
	}
	return num_kept;
}

void sample_thinning_scale(struct named_sample *samples, size_t num, double factor)
{
	for (size_t i = 0; i < num; i++)
		samples[i].weight = sample_thinning_weight((double)samples[i].weight * factor);
}

static struct error *sample_budgets_find(struct sample_budgets *budgets, const char *service,
					 uint64_t now_ns, uint64_t window_ns,
					 struct sample_budget **ret)
{
	for (size_t i = 0; i < budgets->num_items; i++) {
		*ret = &budgets->items[i];
		if (strcmp((*ret)->service, service) == 0)
			return NULL;
	}
	struct error *err =
		array_reserve(&budgets->items, &budgets->cap_items, budgets->num_items + 1);
	char *name = strdup(service);
	if (err || !name) {
		free(name);
		return err ? err : &error_no_memory;
	}
	*ret = &budgets->items[budgets->num_items++];
	**ret = (struct sample_budget){
		.service = name,
		.grown_ns = now_ns > window_ns ? now_ns - window_ns : 0,
	};
	return NULL;
}

/** A service that has not used anything for an hour has a full budget, as a new one soon has. */
static void sample_budgets_forget(struct sample_budgets *budgets, uint64_t now_ns)
{
	size_t num_kept = 0;
	for (size_t i = 0; i < budgets->num_items; i++) {
		if (now_ns - budgets->items[i].grown_ns > HOUR_NS)
			free(budgets->items[i].service);
		else
			budgets->items[num_kept++] = budgets->items[i];
	}
	budgets->num_items = num_kept;
}

struct error *sample_budgets_take(struct sample_budgets *budgets, const char *service,
				  uint64_t num_samples, uint64_t now_ns, uint64_t window_ns,
				  double *ret_keep)
{
	struct sample_budget *budget;
	*ret_keep = 1;
	if (!budgets->per_hour || !num_samples)
		return NULL;
	sample_budgets_forget(budgets, now_ns);
	struct error *err = sample_budgets_find(budgets, service, now_ns, window_ns, &budget);
	if (err)
		return err;
	double per_hour = budgets->per_hour;
	budget->left += per_hour * (double)(now_ns - budget->grown_ns) / (double)HOUR_NS;
	budget->left = budget->left < per_hour ? budget->left : per_hour;
	budget->grown_ns = now_ns;
	double allowed = budget->left < 1 ? 1 : budget->left;
	if (allowed < (double)num_samples)
		*ret_keep = allowed / (double)num_samples;
	budget->left -= (double)num_samples * *ret_keep;
	return NULL;
}

void sample_budgets_deinit(struct sample_budgets *budgets)
{
	for (size_t i = 0; i < budgets->num_items; i++)
		free(budgets->items[i].service);
	free(budgets->items);
}
