/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_JSON_SCHEMAS_H
#define WPERF_REPORT_JSON_SCHEMAS_H

/** JSON schemas of what commands print with --json: those of docs/schemas, which tests apply. */

#include "base/error.h"

/**
 * @kind: "stat", "report", ...; NULL: one document, in which each kind is a member.
 * @path: NULL: to standard output.
 */
struct error *json_schemas_write(const char *kind, const char *path);

#endif
