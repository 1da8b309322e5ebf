/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_FILE_TELEMETRY_NAMES_H
#define WPERF_CATALOG_FILE_TELEMETRY_NAMES_H

/** Lists of metrics and groups in Arm's telemetry files. */

#include "base/container/arena.h"
#include "base/error.h"
#include "catalog/cpu.h"
#include "catalog/file/json_node.h"

#include <stdbool.h>

/**
 * The member @key, an array of names, joined by commas. Each must be a metric of @cpu, or with
 * @or_groups one of its groups; both are sorted by name.
 */
struct error *telemetry_names_join(const struct json_node *node, const char *key,
				   const struct cpu *cpu, bool or_groups, struct arena *arena,
				   const char **ret);

#endif
