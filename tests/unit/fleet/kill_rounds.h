/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_UNIT_FLEET_KILL_ROUNDS_H
#define WPERF_TESTS_UNIT_FLEET_KILL_ROUNDS_H

#include <stdlib.h>

/** How often a test kills a program: WPERF_KILL_ROUNDS, or @usual. */
static inline unsigned kill_rounds(unsigned usual)
{
	const char *text = getenv("WPERF_KILL_ROUNDS");
	return text ? (unsigned)strtoul(text, NULL, 10) : usual;
}

#endif
