// SPDX-License-Identifier: Apache-2.0

#include "record/etl/unpack/etl_unpack.h"

#include "base/container/array.h"
#include "record/etl/unpack/etl_lznt1.h"
#include "record/etl/unpack/etl_xpress.h"
#include "record/etl/unpack/etl_xpress_huffman.h"

typedef bool unpack_fn(const uint8_t *packed, size_t packed_size, uint8_t *ret, size_t size);

static unpack_fn *const unpackers[] = {
	[ETL_PACKING_LZNT1] = etl_lznt1_unpack,
	[ETL_PACKING_XPRESS] = etl_xpress_unpack,
	[ETL_PACKING_XPRESS_HUFF] = etl_xpress_huffman_unpack,
};

bool etl_unpack(enum etl_packing packing, const uint8_t *packed, size_t packed_size, uint8_t *ret,
		size_t size)
{
	return packing < ARRAY_SIZE(unpackers) && unpackers[packing] &&
	       unpackers[packing](packed, packed_size, ret, size);
}
