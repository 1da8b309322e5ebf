// SPDX-License-Identifier: Apache-2.0
// Dates of the Gregorian calendar. Years are taken to begin in March, so that the leap day is the
// last of its year: the days before a month then follow from its number alone (Hinnant,
// "chrono-Compatible Low-Level Date Algorithms").

#include "base/text/wall_time.h"

#include "base/text/duration.h"
#include "base/text/number.h"

#include <stdio.h>
#include <string.h>

enum {
	SECOND_NS = 1000000000,
	DAY_SECONDS = 86400,
	ERA_DAYS = 146097,         // of 400 years
	DAYS_BEFORE_1970 = 719468, // since 0000-03-01
	LAST_YEAR = 2261,          // times are below 2^63 ns
};

struct wall_time {
	unsigned year, month, day, hour, minute, second;
};

static uint64_t wall_time_days(const struct wall_time *time)
{
	unsigned year = time->month > 2 ? time->year : time->year - 1;
	unsigned month = time->month > 2 ? time->month - 3 : time->month + 9;
	unsigned of_era = year % 400;
	unsigned day = (153 * month + 2) / 5 + time->day - 1;
	return year / 400 * (uint64_t)ERA_DAYS + of_era * 365 + of_era / 4 - of_era / 100 + day -
	       DAYS_BEFORE_1970;
}

static struct wall_time wall_time_of(uint64_t seconds)
{
	uint64_t days = seconds / DAY_SECONDS + DAYS_BEFORE_1970;
	unsigned in_era = (unsigned)(days % ERA_DAYS), in_day = (unsigned)(seconds % DAY_SECONDS);
	unsigned of_era = (in_era - in_era / 1460 + in_era / 36524 - in_era / 146096) / 365;
	unsigned in_year = in_era - (365 * of_era + of_era / 4 - of_era / 100);
	unsigned month = (5 * in_year + 2) / 153;
	struct wall_time time = {
		.year = (unsigned)(days / ERA_DAYS) * 400 + of_era,
		.month = month < 10 ? month + 3 : month - 9,
		.day = in_year - (153 * month + 2) / 5 + 1,
		.hour = in_day / 3600,
		.minute = in_day / 60 % 60,
		.second = in_day % 60,
	};
	time.year += time.month <= 2;
	return time;
}

/** Exactly @digits of them at *text, which moves behind them. */
static bool wall_time_number(const char **text, unsigned digits, unsigned *ret)
{
	*ret = 0;
	for (; digits; digits--, (*text)++) {
		if (**text < '0' || **text > '9')
			return false;
		*ret = *ret * 10 + (unsigned)(**text - '0');
	}
	return true;
}

static bool wall_time_skip(const char **text, char c)
{
	bool is_there = **text == c;
	*text += is_there;
	return is_there;
}

static bool wall_time_read(const char *text, struct wall_time *time)
{
	if (!wall_time_number(&text, 4, &time->year) || !wall_time_skip(&text, '-') ||
	    !wall_time_number(&text, 2, &time->month) || !wall_time_skip(&text, '-') ||
	    !wall_time_number(&text, 2, &time->day))
		return false;
	if (wall_time_skip(&text, 'T') || wall_time_skip(&text, ' ')) {
		if (!wall_time_number(&text, 2, &time->hour) || !wall_time_skip(&text, ':') ||
		    !wall_time_number(&text, 2, &time->minute))
			return false;
		if (wall_time_skip(&text, ':') && !wall_time_number(&text, 2, &time->second))
			return false;
	}
	wall_time_skip(&text, 'Z');
	return !*text;
}

static bool wall_time_parse_date(const char *text, uint64_t *ret_ns)
{
	struct wall_time time = {0};
	if (!wall_time_read(text, &time) || time.year < 1970 || time.year > LAST_YEAR ||
	    time.month < 1 || time.month > 12 || time.hour > 23 || time.minute > 59 ||
	    time.second > 59)
		return false;
	uint64_t days = time.day ? wall_time_days(&time) : 0;
	// A 30th of February is another day when it is written again.
	struct wall_time again = wall_time_of(days * DAY_SECONDS);
	if (again.day != time.day || again.month != time.month)
		return false;
	uint64_t in_day = time.hour * 3600 + time.minute * 60 + time.second;
	*ret_ns = (days * DAY_SECONDS + in_day) * SECOND_NS;
	return true;
}

bool wall_time_parse(const char *text, uint64_t now_ns, uint64_t *ret_ns)
{
	uint64_t number;
	if (*text == '@') {
		if (number_parse_decimal(text + 1, strlen(text + 1), &number) != NUMBER_OK ||
		    number > INT64_MAX / SECOND_NS)
			return false;
		*ret_ns = number * SECOND_NS;
		return true;
	}
	if (!duration_parse(text, &number))
		return wall_time_parse_date(text, ret_ns);
	if (number > now_ns)
		return false;
	*ret_ns = now_ns - number;
	return true;
}

struct wall_time_text wall_time_format(uint64_t ns)
{
	struct wall_time time = wall_time_of(ns / SECOND_NS);
	struct wall_time_text ret;
	snprintf(ret.text, sizeof(ret.text), "%04u-%02u-%02uT%02u:%02u:%02uZ", time.year % 10000,
		 time.month % 100, time.day % 100, time.hour % 100, time.minute % 100,
		 time.second % 100);
	return ret;
}
