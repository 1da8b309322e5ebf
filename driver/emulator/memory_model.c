// SPDX-License-Identifier: Apache-2.0

#include "driver/emulator/memory_model.h"

#include "driver/emulator/cache_level.h"

#include <string.h>

// Each level is an array of words, a line address with flags (cache_level.c). An access goes down:
// use_l1d() on a miss calls use_l2(), that on a miss use_ll(); a dirty victim is written to the
// next level before the new line is read from there. Counting functions are separate from accesses,
// because the most frequent case, the same line again, must only count (newest_data, newest_code):
// every emulated load and store passes here.

struct memory_model {
	uint64_t *counts; /* own ones, unless somebody wants them elsewhere */
	uint64_t own_counts[NUM_MODEL_EVENTS];
	struct cache_level levels[NUM_MODEL_LEVELS];
	uint64_t *newest_data; // the line of the last access
	uint64_t *newest_code;
};

enum {
	KIB = 1 << 10,
	MIB = 1 << 20,
	ALIGNMENT = 64,
	// The words of the levels come after the struct.
	HEADER_BYTES = (sizeof(struct memory_model) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT,
};

const struct memory_model_config memory_model_default = {
	.levels =
		{
			[MODEL_L1D] = {64 * KIB, 4, 64},
			[MODEL_L1I] = {64 * KIB, 4, 64},
			[MODEL_L2] = {1 * MIB, 8, 64},
			[MODEL_LL] = {4 * MIB, 16, 64},
			[MODEL_L1D_TLB] = {48 * TLB_PAGE_BYTES, 48, TLB_PAGE_BYTES},
			[MODEL_L1I_TLB] = {48 * TLB_PAGE_BYTES, 48, TLB_PAGE_BYTES},
			[MODEL_L2_TLB] = {1280 * TLB_PAGE_BYTES, 5, TLB_PAGE_BYTES},
		},
};

size_t memory_model_size(const struct memory_model_config *config)
{
	size_t size = HEADER_BYTES;
	for (unsigned i = 0; i < NUM_MODEL_LEVELS; i++)
		size += cache_level_size(&config->levels[i]);
	return size;
}

struct memory_model *memory_model_init(void *memory, const struct memory_model_config *config)
{
	struct memory_model *model = memory;
	memset(model->own_counts, 0, sizeof(model->own_counts));
	model->counts = model->own_counts;
	char *words = (char *)memory + HEADER_BYTES;
	for (unsigned i = 0; i < NUM_MODEL_LEVELS; i++) {
		cache_level_init(&model->levels[i], &config->levels[i], words);
		words += cache_level_size(&config->levels[i]);
	}
	// An empty place: nothing hits it.
	model->newest_data = cache_level_newest(&model->levels[MODEL_L1D], 0);
	model->newest_code = cache_level_newest(&model->levels[MODEL_L1I], 0);
	return model;
}

static void use_ll(struct memory_model *model, uint64_t address, uint32_t size, bool is_write)
{
	struct cache_level *ll = &model->levels[MODEL_LL];
	for (uint64_t left = cache_level_num_lines(ll, address, size); left; left--) {
		uint64_t victim; // goes to memory, where nothing is counted
		bool is_hit = cache_level_access(ll, address, is_write, &victim) == CACHE_HIT;
		address = cache_level_next_line(ll, address);
		if (is_write)
			continue;
		model->counts[MODEL_LL_CACHE_RD]++;
		model->counts[MODEL_LL_CACHE_MISS_RD] += !is_hit;
	}
}

static void use_l2_line(struct memory_model *model, uint64_t address, bool is_write)
{
	struct cache_level *l2 = &model->levels[MODEL_L2];
	uint64_t victim;
	enum cache_outcome outcome = cache_level_access(l2, address, is_write, &victim);
	model->counts[MODEL_L2D_CACHE]++;
	model->counts[is_write ? MODEL_L2D_CACHE_WR : MODEL_L2D_CACHE_RD]++;
	if (outcome == CACHE_HIT)
		return;
	model->counts[MODEL_L2D_CACHE_REFILL]++;
	// The victim goes first, as its place is needed for the new line.
	if (outcome == CACHE_MISS_WRITE_BACK) {
		model->counts[MODEL_L2D_CACHE_WB]++;
		use_ll(model, victim, l2->line, true);
	}
	use_ll(model, cache_level_line_start(l2, address), l2->line, false);
}

static void use_l2(struct memory_model *model, uint64_t address, uint32_t size, bool is_write)
{
	const struct cache_level *l2 = &model->levels[MODEL_L2];
	for (uint64_t left = cache_level_num_lines(l2, address, size); left; left--) {
		use_l2_line(model, address, is_write);
		address = cache_level_next_line(l2, address);
	}
}

static void use_l1d(struct memory_model *model, uint64_t address, bool is_write)
{
	struct cache_level *l1 = &model->levels[MODEL_L1D];
	uint64_t victim;
	enum cache_outcome outcome = cache_level_access(l1, address, is_write, &victim);
	if (outcome == CACHE_HIT)
		return;
	model->counts[MODEL_L1D_CACHE_REFILL]++;
	model->counts[is_write ? MODEL_L1D_CACHE_REFILL_WR : MODEL_L1D_CACHE_REFILL_RD]++;
	if (outcome == CACHE_MISS_WRITE_BACK) {
		model->counts[MODEL_L1D_CACHE_WB]++;
		use_l2(model, victim, l1->line, true);
	}
	use_l2(model, cache_level_line_start(l1, address), l1->line, false);
}

static void use_l1i(struct memory_model *model, uint64_t address)
{
	struct cache_level *l1 = &model->levels[MODEL_L1I];
	uint64_t victim;
	if (cache_level_access(l1, address, false, &victim) == CACHE_HIT)
		return;
	model->counts[MODEL_L1I_CACHE_REFILL]++;
	use_l2(model, cache_level_line_start(l1, address), l1->line, false);
}

// Both first levels share the second; only its misses walk the page tables.
static void use_tlb(struct memory_model *model, enum model_level level, uint64_t address,
		    enum model_event refill, enum model_event walk)
{
	uint64_t victim;
	if (cache_level_access(&model->levels[level], address, false, &victim) == CACHE_HIT)
		return;
	model->counts[refill]++;
	model->counts[MODEL_L2D_TLB]++;
	if (cache_level_access(&model->levels[MODEL_L2_TLB], address, false, &victim) == CACHE_HIT)
		return;
	model->counts[MODEL_L2D_TLB_REFILL]++;
	model->counts[walk]++;
}

static void count_data_line(struct memory_model *model, bool is_write)
{
	model->counts[MODEL_L1D_TLB_EVENT]++;
	model->counts[MODEL_L1D_CACHE]++;
	model->counts[is_write ? MODEL_L1D_CACHE_WR : MODEL_L1D_CACHE_RD]++;
}

void memory_model_data(struct memory_model *model, uint64_t address, uint32_t size, bool is_write)
{
	struct cache_level *l1 = &model->levels[MODEL_L1D];
	// The line of the last access is the newest of its set, and so is its page.
	if (cache_level_hits(l1, model->newest_data, address, size, is_write)) {
		count_data_line(model, is_write);
		return;
	}
	for (uint64_t left = cache_level_num_lines(l1, address, size); left; left--) {
		count_data_line(model, is_write);
		use_tlb(model, MODEL_L1D_TLB, address, MODEL_L1D_TLB_REFILL, MODEL_DTLB_WALK);
		use_l1d(model, address, is_write);
		model->newest_data = cache_level_newest(l1, address);
		address = cache_level_next_line(l1, address);
	}
}

static void count_code_line(struct memory_model *model)
{
	model->counts[MODEL_L1I_TLB_EVENT]++;
	model->counts[MODEL_L1I_CACHE]++;
}

void memory_model_fetch(struct memory_model *model, uint64_t address, uint32_t size)
{
	struct cache_level *l1 = &model->levels[MODEL_L1I];
	if (cache_level_hits(l1, model->newest_code, address, size, false)) {
		count_code_line(model);
		return;
	}
	for (uint64_t left = cache_level_num_lines(l1, address, size); left; left--) {
		count_code_line(model);
		use_tlb(model, MODEL_L1I_TLB, address, MODEL_L1I_TLB_REFILL, MODEL_ITLB_WALK);
		use_l1i(model, address);
		model->newest_code = cache_level_newest(l1, address);
		address = cache_level_next_line(l1, address);
	}
}

const uint64_t *memory_model_counts(const struct memory_model *model)
{
	return model->counts;
}

void memory_model_count_into(struct memory_model *model, uint64_t *counts)
{
	model->counts = counts;
}
