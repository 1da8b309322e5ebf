/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_CPU_WORDING_H
#define WPERF_CATALOG_CPU_WORDING_H

/**
 * A CPU with the titles and descriptions of another table: Arm has one file for several revisions
 * of a CPU, and its words describe the same events, metrics and groups on each of them.
 */

#include "base/arena.h"
#include "base/error.h"
#include "catalog/cpu.h"

#include <stdbool.h>

/** `neoverse-n2-r0p3` is one of `neoverse-n2`. */
bool cpu_is_revision_of(const struct cpu *cpu, const char *name);

/**
 * What @cpu counts, by the same codes and formulas, in the words of @words where that has the same
 * name (of an event: and code), else in its own.
 * @ret: lives as long as @arena and both tables.
 */
struct error *cpu_wording_take(const struct cpu *cpu, const struct cpu *words, struct arena *arena,
			       const struct cpu **ret);

#endif
