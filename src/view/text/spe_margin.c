// SPDX-License-Identifier: Apache-2.0

#include "view/text/spe_margin.h"

#include "base/container/array.h"
#include "view/layout/decimal.h"

#include <inttypes.h>
#include <string.h>

// Three columns of fixed width beside each line of source and each instruction: mean latency, the
// two levels from which most data came, and the rates of what is worth a word. A line has little
// room, so that percentages have no decimals, and what does not fit is cut.
//
//	cycles  data from                 events
//	   9.6  L1 96%, L2 4%             mispred 3%, not taken 40%

enum {
	CYCLES_COLUMNS = 8,
	FROM_COLUMNS = 26,
	EVENTS_COLUMNS = SPE_MARGIN_COLUMNS - CYCLES_COLUMNS - FROM_COLUMNS,
	TEXT_MAX = 128,
	NUM_LEVELS = 2, // that are said
};

// What is worth a word beside a line, and which.
static const struct {
	enum spe_stats_rate rate;
	const char *word;
} words[] = {
	{SPE_RATE_MISPREDICTED, "mispred"},  {SPE_RATE_NOT_TAKEN, "not taken"},
	{SPE_RATE_L1D_MISS, "L1 miss"},      {SPE_RATE_TLB_WALK, "walk"},
	{SPE_RATE_MISALIGNED, "misaligned"},
};

void spe_margin_print_head(FILE *stream)
{
	fprintf(stream, "%*s  %-*s  %-*s", CYCLES_COLUMNS, "cycles", FROM_COLUMNS - 2, "data from",
		EVENTS_COLUMNS - 2, "events");
}

static void spe_margin_append(char *text, const char *word, uint64_t part, uint64_t whole)
{
	size_t length = strlen(text);
	snprintf(text + length, TEXT_MAX - length, "%s%s %.0f%%", length ? ", " : "", word,
		 100.0 * (double)part / (double)whole);
}

/** The level with the most samples, but for the one that was said last. */
static unsigned next_level(const struct spe_stats *stats, unsigned last)
{
	unsigned best = SPE_LEVEL_NONE;
	for (unsigned i = 0; i < SPE_LEVEL_NONE; i++) {
		bool is_said = last != SPE_LEVEL_NONE && i == last;
		if (stats->levels[i] && !is_said &&
		    (best == SPE_LEVEL_NONE || stats->levels[i] > stats->levels[best]))
			best = i;
	}
	return best;
}

void spe_margin_print(const struct spe_stats *stats, FILE *stream)
{
	char from[TEXT_MAX] = "", events[TEXT_MAX] = "";
	const char *cycles = "";
	struct decimal mean;
	unsigned level = SPE_LEVEL_NONE;
	for (size_t i = 0; stats && i < NUM_LEVELS; i++) {
		level = next_level(stats, level);
		if (level == SPE_LEVEL_NONE)
			break;
		spe_margin_append(from, spe_level_name(level), stats->levels[level],
				  spe_stats_num_loaded(stats));
	}
	for (size_t i = 0; stats && i < ARRAY_SIZE(words); i++) {
		struct spe_rate rate = stats->rates[words[i].rate];
		if (rate.count)
			spe_margin_append(events, words[i].word, rate.count, rate.of);
	}
	if (stats && stats->latencies[SPE_COUNTER_TOTAL].count) {
		mean = decimal_fixed(spe_latency_mean(&stats->latencies[SPE_COUNTER_TOTAL]), 1);
		cycles = mean.text;
	}
	fprintf(stream, "%*s  %-*.*s  %-*.*s", CYCLES_COLUMNS, cycles, FROM_COLUMNS - 2,
		FROM_COLUMNS - 2, from, EVENTS_COLUMNS - 2, EVENTS_COLUMNS - 2, events);
}
