/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_ETL_UNPACK_ETL_LZNT1_H
#define WPERF_RECORD_ETL_UNPACK_ETL_LZNT1_H

/** LZNT1 of [MS-XCA], which NTFS has, too. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** As etl_unpack(). */
bool etl_lznt1_unpack(const uint8_t *packed, size_t packed_size, uint8_t *ret, size_t size);

#endif
