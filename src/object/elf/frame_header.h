/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_ELF_FRAME_HEADER_H
#define WPERF_OBJECT_ELF_FRAME_HEADER_H

/**
 * Where functions of an ELF file begin and end, by the table that programs bring to find their
 * exception tables (.eh_frame_hdr): also stripped files have it. A function that the compiler put
 * in two places is two.
 */

#include "object/object.h"

#include <stdbool.h>
#include <stdint.h>

/** @header, @frames: the sections .eh_frame_hdr and .eh_frame. False: no function is there, or the
 *  table has a form that no linker writes. */
bool frame_header_find(const struct object_bytes *header, const struct object_bytes *frames,
		       uint64_t address, uint64_t *ret_start, uint64_t *ret_end);

/** The first function that starts at @address or after it. */
bool frame_header_next(const struct object_bytes *header, const struct object_bytes *frames,
		       uint64_t address, uint64_t *ret_start, uint64_t *ret_end);

#endif
