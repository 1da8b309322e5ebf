/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_ETL_FILE_ETL_BUFFER_H
#define WPERF_RECORD_ETL_FILE_ETL_BUFFER_H

/** The header of one buffer of an ETW file (WMI_BUFFER_HEADER). */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	ETL_BUFFER_HEADER_SIZE = 72,
	/** Windows' own limit is 1 MiB, from Windows 10 on 16 MiB. */
	ETL_BUFFER_MAX_SIZE = 16 << 20,
};

struct etl_buffer {
	uint64_t offset; /* in the file; the caller's */
	int64_t sequence;
	uint32_t size; /* in the file */
	uint32_t used; /* with the header; of a packed one, after unpacking */
	uint16_t cpu;
	uint16_t packing; /* in the first buffer of a packed file: enum etl_packing of the rest */
	bool is_packed;
	bool is_first; /* of its file */
};

/** @bytes: ETL_BUFFER_HEADER_SIZE of them. False: it is no buffer that can be read. */
bool etl_buffer_read(const uint8_t *bytes, struct etl_buffer *ret);

/** May these be the first bytes of an ETW file? @size: at least ETL_BUFFER_HEADER_SIZE + 8. */
bool etl_buffer_begins_file(const uint8_t *bytes, size_t size);

#endif
