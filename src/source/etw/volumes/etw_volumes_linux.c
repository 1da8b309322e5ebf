// SPDX-License-Identifier: Apache-2.0

#include "source/etw/volumes/etw_volumes.h"

struct error *etw_volumes_read(struct etw_volumes *volumes)
{
	return NULL;
}
