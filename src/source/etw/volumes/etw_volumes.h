/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_ETW_ETW_VOLUMES_H
#define WPERF_SOURCE_ETW_ETW_VOLUMES_H

/** The drives of this computer: ETW tells of files by their devices. */

#include "base/error.h"
#include "base/text/string_builder.h"

#include <stddef.h>

struct etw_volume {
	char *device; /* "\Device\HarddiskVolume3" */
	char *drive;  /* "C:" */
};

struct etw_volumes {
	struct etw_volume *items;
	size_t num_items, cap_items;
};

#define ETW_VOLUMES_INIT \
	{                \
	}

/** Both are copied. */
struct error *etw_volumes_add(struct etw_volumes *volumes, const char *device, const char *drive);
void etw_volumes_deinit(struct etw_volumes *volumes);

/** Add those of this computer; on Linux there are none. */
struct error *etw_volumes_read(struct etw_volumes *volumes);

/** The path with its drive in front, in @text, which is cleared before; other paths as they are. */
const char *etw_volumes_translate(const struct etw_volumes *volumes, const char *path,
				  struct string_builder *text);

#endif
