/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_FILE_TELEMETRY_TOPDOWN_H
#define WPERF_CATALOG_FILE_TELEMETRY_TOPDOWN_H

/** The top-down tree of a CPU in Arm's telemetry files. */

#include "catalog/file/json_node.h"

struct cpu;
struct topdown_tree;

/**
 * @root: of the file. @cpu: has its metrics and groups already.
 * @ret: in @arena; NULL if the file has none.
 */
struct error *telemetry_topdown_read(const struct json_node *root, const struct cpu *cpu,
				     struct arena *arena, const struct topdown_tree **ret);

#endif
