/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_FILE_TELEMETRY_JSON_H
#define WPERF_CATALOG_FILE_TELEMETRY_JSON_H

/**
 * --events-dir: Arm's telemetry-solution files (one JSON per CPU, schema cpu-v1.0, and the form
 * without "$schema" that came before it), read at run time, with their full descriptions.
 */

#include "base/error.h"
#include "catalog/catalog.h"

/**
 * Load all *.json in @directory that describe a CPU into catalog->loaded_cpus, by file name. Other
 * JSON files (mapping.json, schemas) are skipped. Invalid JSON, and missing or wrong members of a
 * CPU, are errors with file and position; so is a folder without CPUs. After an error, the catalog
 * is unchanged. The name of a CPU is that of its file without ".json". Revisions that only have a
 * built-in table get the texts of their CPU's file (neoverse-n2-r0p3 those of neoverse-n2.json).
 */
struct error *telemetry_json_load(struct catalog *catalog, const char *directory);

/**
 * The same for the bytes of one file.
 * @file_name: without folder, ends with ".json".
 * @arena:     holds the CPU and its tables.
 * @ret:       set only on success; NULL if the file does not describe a CPU.
 */
struct error *telemetry_json_parse(const char *file_name, const void *data, size_t size,
				   struct arena *arena, const struct cpu **ret);

#endif
