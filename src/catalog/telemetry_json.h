/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_TELEMETRY_JSON_H
#define WPERF_CATALOG_TELEMETRY_JSON_H

/**
 * --events-dir: Arm's telemetry-solution files (one JSON per CPU, schema cpu-v1.0, and the form
 * without "$schema" that came before it), read at run time, with their full descriptions.
 */

#include "base/error.h"
#include "catalog/catalog.h"

/**
 * Load every *.json in @directory that describes a CPU into catalog->loaded_cpus, in order of
 * file name. Other JSON files (mapping.json, schemas) are passed over; a file that is no JSON, or
 * a CPU with something missing or of a wrong type, is an error that names file and place.
 * A CPU's name is its file's without ".json". A revision that only we have a table of gets the
 * words of its CPU's file (neoverse-n2-r0p3 those of neoverse-n2.json). No CPU at all in the folder
 * is an error. On failure the catalog has the CPUs that it had.
 */
struct error *telemetry_json_load(struct catalog *catalog, const char *directory);

/**
 * The same for the bytes of one file.
 * @file_name: without folder, ends with ".json".
 * @arena:     holds the CPU and all that belongs to it.
 * @ret:       set only on success; NULL if the file describes something else than a CPU.
 */
struct error *telemetry_json_parse(const char *file_name, const void *data, size_t size,
				   struct arena *arena, const struct cpu **ret);

#endif
