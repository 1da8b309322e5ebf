/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_ETL_UNPACK_ETL_XPRESS_HUFFMAN_H
#define WPERF_RECORD_ETL_UNPACK_ETL_XPRESS_HUFFMAN_H

/** LZ77 with Huffman codes of [MS-XCA], which Windows calls XPRESS_HUFF. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** As etl_unpack(). */
bool etl_xpress_huffman_unpack(const uint8_t *packed, size_t packed_size, uint8_t *ret,
			       size_t size);

#endif
