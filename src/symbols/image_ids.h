/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SYMBOLS_IMAGE_IDS_H
#define WPERF_SYMBOLS_IMAGE_IDS_H

/** What identifies the Windows images of a recording, found by module: by build id, else by path.
 */

#include "base/error.h"
#include "object/object_parts.h"
#include "process/module_table.h"
#include "record/perf_data/perf_data.h"

#include <stdbool.h>
#include <stddef.h>

struct image_ids {
	const struct perf_data_pdb **by_build_id, **by_path; /* sorted */
	size_t num_by_build_id, num_by_path;
};

#define IMAGE_IDS_INIT \
	{              \
	}

/** @pdbs: must outlive the ids. */
struct error *image_ids_init(struct image_ids *ids, const struct perf_data_pdb *pdbs,
			     size_t num_pdbs);
void image_ids_deinit(struct image_ids *ids);

/** False: the recording says nothing of the module. @ret: its name is the recording's. */
bool image_ids_find(const struct image_ids *ids, const struct module *module,
		    struct object_pdb *ret);

#endif
