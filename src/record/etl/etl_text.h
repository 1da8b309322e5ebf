/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_ETL_ETL_TEXT_H
#define WPERF_RECORD_ETL_ETL_TEXT_H

/** Strings in payloads of ETW events: UTF-16 without a promise that it is valid, and ANSI. */

#include "base/reader.h"
#include "base/text/string_builder.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** In the payload, not aligned and without the NUL. */
struct etl_text {
	const uint8_t *bytes;
	size_t size;
	bool is_wide; /* UTF-16, else ANSI */
};

/** The string at the reader, up to its NUL or to the end of the payload; the reader moves past. */
struct etl_text etl_text_wide(struct reader *reader);
struct etl_text etl_text_ansi(struct reader *reader);

/** A field of fixed size, in bytes, which need not have a NUL. */
struct etl_text etl_text_field(struct reader *reader, size_t size);

/** Appends it as UTF-8. What is no character in either encoding becomes U+FFFD: ANSI text says
 *  nothing of its code page, so that is all but ASCII. */
void etl_text_append(struct string_builder *builder, struct etl_text text);

#endif
