// SPDX-License-Identifier: Apache-2.0
// The samples of both events are counts that are independent of each other. Of all samples of a row
// those of the one event have a share, whose interval is Wilson's (share.h); a share p stands for
// p / (1 - p) samples of this event for each of the other. Weights say how much a sample counts
// for, and have no part in chance.
//
//	cycles         40 samples of 1,000,000     p = 40 / 120 (25.5 to 42.2 %)
//	instructions   80 samples of 1,000,000     CPI = 0.50 (0.34 to 0.73)

#include "profile/hot/event_ratio.h"

#include "base/container/array.h"
#include "profile/hot/share.h"

#include <stdlib.h>
#include <string.h>

static const char *const cycles[] = {"cycles", "cpu-cycles", "cpu_cycles"};
static const char *const instructions[] = {"instructions", "inst_retired"};
static const char *const misses[] = {
	"cache-misses",          "branch-misses",       "L1-dcache-load-misses",
	"L1-icache-load-misses", "LLC-load-misses",     "LLC-store-misses",
	"dTLB-load-misses",      "dTLB-store-misses",   "iTLB-load-misses",
	"branch-load-misses",    "l1d_cache_refill",    "l1d_cache_refill_rd",
	"l1d_cache_refill_wr",   "l1i_cache_refill",    "l2d_cache_refill",
	"l2d_cache_refill_rd",   "l2d_cache_refill_wr", "l3d_cache_refill",
	"l3d_cache_refill_rd",   "l1d_cache_lmiss_rd",  "l1i_cache_lmiss",
	"l2d_cache_lmiss_rd",    "l3d_cache_lmiss_rd",  "ll_cache_miss",
	"ll_cache_miss_rd",      "l1d_tlb_refill",      "l1i_tlb_refill",
	"l2d_tlb_refill",        "dtlb_walk",           "itlb_walk",
	"br_mis_pred",           "br_mis_pred_retired",
};

/** A name in its parts: "armv8_pmuv3_0/cpu_cycles/u", "cycles:upp". */
struct event_name {
	const char *name;
	size_t length;
	const char *modifiers; // of which some say what is counted, others how exactly
};

static struct event_name event_ratio_split(const char *text)
{
	const char *slash = strchr(text, '/');
	struct event_name name = {.name = slash ? slash + 1 : text};
	name.length = strcspn(name.name, slash ? ",/" : ":");
	name.modifiers = name.name + name.length;
	if (slash)
		name.modifiers += strcspn(name.modifiers, "/");
	return name;
}

static bool event_ratio_is_one_of(struct event_name name, const char *const *names, size_t num)
{
	for (size_t i = 0; i < num; i++)
		if (strlen(names[i]) == name.length &&
		    memcmp(names[i], name.name, name.length) == 0)
			return true;
	return false;
}

/** User, kernel, hypervisor, guest, host. */
static bool event_ratio_count_the_same(struct event_name a, struct event_name b)
{
	static const char what[] = "ukhGH";
	for (const char *c = what; *c; c++)
		if (!strchr(a.modifiers, *c) != !strchr(b.modifiers, *c))
			return false;
	return true;
}

static struct event_name event_ratio_name(const struct named_profile *profile, uint32_t event)
{
	return event_ratio_split(named_profile_text(profile, profile->events[event].name));
}

static const struct event_ratio cpi = {.name = "CPI", .key = "cpi", .factor = 1},
				mpki = {.name = "MPKI", .key = "mpki", .factor = 1000};

const char *event_ratio_key(const char *word)
{
	const struct event_ratio *const kinds[] = {&cpi, &mpki};
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (strcmp(kinds[i]->key, word) == 0)
			return kinds[i]->key;
	return NULL;
}

bool event_ratio_find(const struct named_profile *profile, uint32_t event, struct event_ratio *ret)
{
	struct event_name name = event_ratio_name(profile, event);
	struct event_ratio ratio = mpki;
	if (event_ratio_is_one_of(name, cycles, ARRAY_SIZE(cycles)))
		ratio = cpi;
	else if (!event_ratio_is_one_of(name, misses, ARRAY_SIZE(misses)))
		return false;
	for (uint32_t i = 0; i < profile->num_events; i++) {
		struct event_name other = event_ratio_name(profile, i);
		if (!event_ratio_is_one_of(other, instructions, ARRAY_SIZE(instructions)) ||
		    !event_ratio_count_the_same(name, other))
			continue;
		ratio.instructions = i;
		*ret = ratio;
		return true;
	}
	return false;
}

/** A share as a multiple of the rest. */
static double event_ratio_odds(double percent)
{
	return percent / (100 - percent);
}

struct ratio event_ratio_of(const struct event_ratio *ratio, struct named_total part,
			    struct named_total whole)
{
	if (part.count < EVENT_RATIO_MIN_SAMPLES || whole.count < EVENT_RATIO_MIN_SAMPLES ||
	    !whole.weight)
		return (struct ratio){.is_known = false};
	// Counts alone: as if each sample had a weight of 1.
	struct named_total some = {part.count, part.count};
	struct named_total all = {part.count + whole.count, part.count + whole.count};
	struct share share = share_of(some, all);
	double value = ratio->factor * (double)part.weight / (double)whole.weight;
	double scale = value / event_ratio_odds(share.percent);
	return (struct ratio){
		.is_known = true,
		.value = value,
		.low = scale * event_ratio_odds(share.low),
		.high = scale * event_ratio_odds(share.high),
	};
}

/** Entries by item. */
static int hot_ratios_compare(const void *a, const void *b)
{
	const struct hot_entry *one = a, *other = b;
	return (one->item > other->item) - (one->item < other->item);
}

struct error *hot_ratios_create(const struct event_ratio *ratio, const struct hot_list *list,
				const struct hot_list *others, enum hot_order order,
				struct hot_ratios *ret)
{
	_cleanup_free_ struct ratio *values = calloc(list->num_entries + 1, sizeof(*values));
	_cleanup_free_ struct hot_entry *entries =
		calloc(others->num_entries + 1, sizeof(*entries));
	if (!values || !entries)
		return &error_no_memory;
	if (others->num_entries)
		memcpy(entries, others->entries, others->num_entries * sizeof(*entries));
	qsort(entries, others->num_entries, sizeof(*entries), hot_ratios_compare);
	bool are_known = false;
	for (size_t i = 0; i < list->num_entries; i++) {
		const struct hot_entry *entry = &list->entries[i];
		const struct hot_entry *other = bsearch(entry, entries, others->num_entries,
							sizeof(*entries), hot_ratios_compare);
		if (other && order == HOT_BY_TOTAL)
			values[i] = event_ratio_of(ratio, entry->total, other->total);
		else if (other)
			values[i] = event_ratio_of(ratio, entry->self, other->self);
		are_known |= values[i].is_known;
	}
	*ret = (struct hot_ratios){*ratio, take_ptr(values), are_known};
	return NULL;
}

void hot_ratios_deinit(struct hot_ratios *ratios)
{
	free(ratios->values);
	*ratios = (struct hot_ratios){0};
}

/** A row of both while they are sorted. */
struct hot_ratio_row {
	struct ratio ratio;
	struct hot_entry entry;
	size_t place; /* that it had */
};

static int hot_ratios_by_value(const void *left, const void *right)
{
	const struct hot_ratio_row *a = left, *b = right;
	if (a->ratio.is_known != b->ratio.is_known)
		return a->ratio.is_known ? -1 : 1;
	if (a->ratio.is_known && a->ratio.value != b->ratio.value)
		return a->ratio.value > b->ratio.value ? -1 : 1;
	return (a->place > b->place) - (a->place < b->place);
}

struct error *hot_ratios_sort(struct hot_ratios *ratios, struct hot_list *list)
{
	_cleanup_free_ struct hot_ratio_row *rows = calloc(list->num_entries + 1, sizeof(*rows));
	if (!rows)
		return &error_no_memory;
	for (size_t i = 0; i < list->num_entries; i++)
		rows[i] = (struct hot_ratio_row){ratios->values[i], list->entries[i], i};
	qsort(rows, list->num_entries, sizeof(*rows), hot_ratios_by_value);
	for (size_t i = 0; i < list->num_entries; i++) {
		ratios->values[i] = rows[i].ratio;
		list->entries[i] = rows[i].entry;
	}
	return NULL;
}
