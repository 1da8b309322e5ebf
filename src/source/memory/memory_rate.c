// SPDX-License-Identifier: Apache-2.0

#include "source/memory/memory_rate.h"

// As soon as a window of 100 ms has its share of samples, the period doubles, and the next window
// begins. Only samples that were drawn with the period of now count for that: a fast program has
// drawn more with the last one before it learns of the new one. When a whole second had less than
// an eighth of its share, the period is halved again. In between it stays, so that most samples of
// a phase of the program have the same weight.
//
// With 500 samples a second there are fifty for each period: the sum of a program that ends while
// the period still grows has a deviation of about 8 %. More of them would slow down fast programs
// at their start.

enum {
	NS_PER_S = 1000000000,
	WINDOWS = 10, // in a second
	WINDOW_NS = NS_PER_S / WINDOWS,
	FEW_PART = 8, // of the most in a second
};

static const uint64_t longest_period = UINT64_C(1) << 32;

uint64_t memory_rate_note(struct memory_rate *rate, uint64_t time_ns, uint64_t drawn_with)
{
	if (!rate->window_ns || time_ns - rate->window_ns >= WINDOW_NS) {
		rate->window_ns = time_ns;
		rate->num_in_window = 0;
	}
	if (!rate->second_ns)
		rate->second_ns = time_ns;
	rate->num_in_second++;
	rate->num_in_window += drawn_with == rate->period;
	if (rate->num_in_window > rate->most / WINDOWS && rate->period < longest_period) {
		rate->period *= 2;
		rate->window_ns = rate->second_ns = 0;
		rate->num_in_window = rate->num_in_second = 0;
	} else if (time_ns - rate->second_ns >= NS_PER_S) {
		if (rate->num_in_second < rate->most / FEW_PART && rate->period / 2 >= rate->least)
			rate->period /= 2;
		rate->second_ns = 0;
		rate->num_in_second = 0;
	}
	return rate->period;
}
