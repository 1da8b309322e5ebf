/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_ETL_UNPACK_ETL_XPRESS_H
#define WPERF_RECORD_ETL_UNPACK_ETL_XPRESS_H

/** Plain LZ77 of [MS-XCA], which Windows calls XPRESS: nearly all packed ETW files have it. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** As etl_unpack(). */
bool etl_xpress_unpack(const uint8_t *packed, size_t packed_size, uint8_t *ret, size_t size);

#endif
