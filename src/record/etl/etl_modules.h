/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_ETL_ETL_MODULES_H
#define WPERF_RECORD_ETL_ETL_MODULES_H

/**
 * Windows images of an ETW recording: their paths as users write them ("C:\Windows\..."), and the
 * PDBs that merged files name, by process and base. Strings are kept as long as the table.
 */

#include "record/etl/etl_payload.h"
#include "record/record.h"

#include "base/container/hash_table.h"
#include "base/container/string_table.h"
#include "base/error.h"

#include <stdbool.h>

struct etl_module_volume {
	const char *from, *to;
};

struct etl_module_id {
	uint32_t pid, age, next; /* of the same process and base; UINT32_MAX: none */
	uint64_t base, time_ns;
	struct record_build_id build_id;
	const char *pdb; /* the file's name, without a path */
};

struct etl_modules {
	struct string_table strings;
	struct etl_module_volume *volumes;
	size_t num_volumes, cap_volumes;
	struct etl_module_id *ids;
	size_t num_ids, cap_ids;
	struct hash_table id_index;
};

#define ETL_MODULES_INIT \
	{                \
	}

/** A string that stays. */
struct error *etl_modules_text(struct etl_modules *modules, struct etl_text text, const char **ret);

struct error *etl_modules_add_volume(struct etl_modules *modules, const struct etl_volume *volume);

/** @id: of ETL_IMAGE_ID_RSDS. */
struct error *etl_modules_add_id(struct etl_modules *modules, uint64_t time_ns,
				 const struct etl_image_id *id);

/** The PDB of an image: of all at this place the nearest in time. NULL: not known. */
const struct etl_module_id *etl_modules_find_id(const struct etl_modules *modules, uint32_t pid,
						uint64_t base, uint64_t time_ns);

/** "\Device\HarddiskVolume3\Windows\System32\ntdll.dll" says where C: is, if nothing else did. */
struct error *etl_modules_learn(struct etl_modules *modules, const char *path);

/** From a path of the kernel to that of the user. Not translated where the volume is not known. */
struct error *etl_modules_path(struct etl_modules *modules, const char *path, const char **ret);

void etl_modules_deinit(struct etl_modules *modules);

#endif
