/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_VALUES_NUMBER_SUM_H
#define WPERF_PROFILE_VALUES_NUMBER_SUM_H

/** Numbers of 64 bits summed up: how many, their sum, the least and the greatest, and how many of
 *  each power of two. */

#include <stdbool.h>
#include <stdint.h>

enum { NUMBER_SUM_BUCKETS = 65 };

struct number_sum {
	uint64_t count;
	bool is_unsigned;
	uint64_t sum_low, sum_high; /* of 128 bits, with a sign */
	int64_t least, greatest;    /* of unsigned numbers: their bits; only with a count */
	uint64_t num_negative;
	uint64_t buckets[NUMBER_SUM_BUCKETS]; /* 0: of the number 0; n: from 2^(n-1) to 2^n - 1 */
};

/** @times: how often the number came. */
void number_sum_add(struct number_sum *sum, uint64_t number, bool is_unsigned, uint64_t times);

double number_sum_total(const struct number_sum *sum);

/** 0 of none. */
double number_sum_mean(const struct number_sum *sum);

/** Numbers as people read them: with commas, and with their sign. */
enum { NUMBER_SUM_TEXT = 56 };
void number_sum_write(uint64_t number, bool is_unsigned, char ret[static NUMBER_SUM_TEXT]);

/** The sum, exactly, also if it has more than 64 bits. */
void number_sum_write_total(const struct number_sum *sum, char ret[static NUMBER_SUM_TEXT]);

/** The same without commas, for programs. */
void number_sum_write_digits(const struct number_sum *sum, char ret[static NUMBER_SUM_TEXT]);

#endif
