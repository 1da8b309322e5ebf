// SPDX-License-Identifier: Apache-2.0

#include "profile/values/number_sum.h"

#include <string.h>

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;

static wide number_sum_wide(const struct number_sum *sum)
{
	return (wide)((unsigned_wide)sum->sum_high << 64 | sum->sum_low);
}

static bool is_below(int64_t a, int64_t b, bool is_unsigned)
{
	return is_unsigned ? (uint64_t)a < (uint64_t)b : a < b;
}

static unsigned number_sum_bucket(uint64_t number)
{
	return number ? 64U - (unsigned)__builtin_clzll(number) : 0;
}

void number_sum_add(struct number_sum *sum, uint64_t number, bool is_unsigned, uint64_t times)
{
	bool is_negative = !is_unsigned && (int64_t)number < 0;
	wide value = is_unsigned ? (wide)number : (wide)(int64_t)number;
	unsigned_wide total = (unsigned_wide)number_sum_wide(sum) + (unsigned_wide)value * times;
	sum->sum_low = (uint64_t)total;
	sum->sum_high = (uint64_t)(total >> 64);
	if (!sum->count || is_below((int64_t)number, sum->least, is_unsigned))
		sum->least = (int64_t)number;
	if (!sum->count || is_below(sum->greatest, (int64_t)number, is_unsigned))
		sum->greatest = (int64_t)number;
	sum->is_unsigned = is_unsigned;
	sum->count += times;
	if (is_negative)
		sum->num_negative += times;
	else
		sum->buckets[number_sum_bucket(number)] += times;
}

double number_sum_total(const struct number_sum *sum)
{
	// Each half by itself: for 128 bits some compilers would call a function of their library.
	wide number = number_sum_wide(sum);
	unsigned_wide size = number < 0 ? 0 - (unsigned_wide)number : (unsigned_wide)number;
	double total = (double)(uint64_t)(size >> 64) * 0x1p64 + (double)(uint64_t)size;
	return number < 0 ? -total : total;
}

double number_sum_mean(const struct number_sum *sum)
{
	return sum->count ? number_sum_total(sum) / (double)sum->count : 0;
}

/** From the last digit on. */
static void write_digits(unsigned_wide number, bool is_negative, bool is_grouped,
			 char ret[static NUMBER_SUM_TEXT])
{
	char text[NUMBER_SUM_TEXT];
	size_t at = sizeof(text);
	unsigned num_digits = 0;
	text[--at] = '\0';
	do {
		if (is_grouped && num_digits && num_digits % 3 == 0)
			text[--at] = ',';
		text[--at] = (char)('0' + (int)(number % 10));
		number /= 10;
		num_digits++;
	} while (number);
	if (is_negative)
		text[--at] = '-';
	memcpy(ret, text + at, sizeof(text) - at);
}

static void write_wide(wide number, bool is_grouped, char ret[static NUMBER_SUM_TEXT])
{
	bool is_negative = number < 0;
	unsigned_wide bits = (unsigned_wide)number;
	write_digits(is_negative ? 0 - bits : bits, is_negative, is_grouped, ret);
}

void number_sum_write(uint64_t number, bool is_unsigned, char ret[static NUMBER_SUM_TEXT])
{
	write_wide(is_unsigned ? (wide)number : (wide)(int64_t)number, true, ret);
}

void number_sum_write_total(const struct number_sum *sum, char ret[static NUMBER_SUM_TEXT])
{
	write_wide(number_sum_wide(sum), true, ret);
}

void number_sum_write_digits(const struct number_sum *sum, char ret[static NUMBER_SUM_TEXT])
{
	write_wide(number_sum_wide(sum), false, ret);
}
