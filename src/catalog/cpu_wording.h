/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_CPU_WORDING_H
#define WPERF_CATALOG_CPU_WORDING_H

/**
 * A CPU with the titles and descriptions of another table: Arm publishes one file for several
 * revisions of a CPU, and its texts apply to all of them.
 */

#include "base/container/arena.h"
#include "base/error.h"
#include "catalog/cpu.h"

#include <stdbool.h>

/** Is @cpu a revision of @name? `neoverse-n2-r0p3` is one of `neoverse-n2`. */
bool cpu_is_revision_of(const struct cpu *cpu, const char *name);

/**
 * The table of @cpu, with the titles and descriptions of @words for what has the same name there
 * (and the same code, for events).
 * @ret: valid as long as @arena and both tables.
 */
struct error *cpu_wording_take(const struct cpu *cpu, const struct cpu *words, struct arena *arena,
			       const struct cpu **ret);

#endif
