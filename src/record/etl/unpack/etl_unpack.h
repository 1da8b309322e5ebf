/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_ETL_UNPACK_ETL_UNPACK_H
#define WPERF_RECORD_ETL_UNPACK_ETL_UNPACK_H

/**
 * Unpacks what Windows' RtlCompressBuffer() packed ([MS-XCA] has the formats). Input may come from
 * anywhere: nothing is read or written outside of the two buffers.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The numbers are those of COMPRESSION_FORMAT_*. */
enum etl_packing {
	ETL_PACKING_NONE = 0,
	ETL_PACKING_LZNT1 = 2,
	ETL_PACKING_XPRESS = 3,      /* "plain LZ77" */
	ETL_PACKING_XPRESS_HUFF = 4, /* "LZ77+Huffman" */
};

/** False: it is no whole stream of this packing that has exactly @size bytes unpacked. */
bool etl_unpack(enum etl_packing packing, const uint8_t *packed, size_t packed_size, uint8_t *ret,
		size_t size);

#endif
