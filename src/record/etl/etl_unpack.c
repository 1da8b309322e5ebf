// SPDX-License-Identifier: Apache-2.0

#include "record/etl/etl_unpack.h"

#include "record/etl/etl_xpress.h"

bool etl_unpack(enum etl_packing packing, const uint8_t *packed, size_t packed_size, uint8_t *ret,
		size_t size)
{
	switch (packing) {
	case ETL_PACKING_XPRESS:
		return etl_xpress_unpack(packed, packed_size, ret, size);
	default:
		return false;
	}
}
