/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_LINUX_ACCESS_EVENTS_H
#define WPERF_CATALOG_LINUX_ACCESS_EVENTS_H

/**
 * Events whose samples say of an access to memory which data it was, where they came from and how
 * long it took: PEBS of Intel, IBS of AMD. (Arm's SPE is no event: spe_spec.h.)
 *
 * `mem` stands for all of them that a machine has, as for perf mem record:
 *
 *	Intel  cpu/mem-loads,ldlat=30/, of 30 cycles and more, and cpu/mem-stores/; on processors
 *	       with two kinds of cores those of cpu_core and cpu_atom
 *	AMD    ibs_op//
 */

#include "base/error.h"
#include "base/text/string_builder.h"
#include "catalog/event.h"

#include <stdbool.h>

#define ACCESS_EVENTS_WORD "mem"

/** Private: the PMU of AMD's IBS that samples operations. */
#define ACCESS_EVENTS_IBS "ibs_op"

/** Is it `mem`, perhaps with a period, as `mem:10000`? */
bool access_events_are_meant(const char *word);

/**
 * The events that stand for @word on this machine, with commas between them.
 * @sysfs: "/sys/bus/event_source/devices", or a test's folder; NULL: there is none.
 */
struct error *access_events_find(const char *sysfs, const char *word, struct string_builder *ret);

/** Private: there are none. */
struct error *access_events_missing(void) __attribute__((returns_nonnull));

/** Do its samples say such things? */
bool access_events_have(const struct event *event);

#endif
