/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_WINDOWS_DRIVER_STEPS_H
#define WPERF_TESTS_WINDOWS_DRIVER_STEPS_H

/** Sessions with the driver, told on standard output: the same words for the same answers. */

#include <stdbool.h>

/** Each request as it is meant. */
bool steps_right(void);

/** Each request with each length, from the wrong client, with cores that are none. */
bool steps_wrong(void);

/** Requests by chance, of two clients. */
bool steps_noise(void);

/** The lock is taken from its owner by force, freed by a close, and given back. */
bool steps_lock(void);

/** Requests that wait: until there is enough, cancelled, robbed. In Windows only: elsewhere there
 * is nobody who lets time pass meanwhile. */
bool steps_wait(void);

#endif
