/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_UNPACK_PACKED_SECTION_H
#define WPERF_OBJECT_UNPACK_PACKED_SECTION_H

/** Sections of ELF files that are packed: by their flag, or by a name with a 'z' (".zdebug_info").
 */

#include "object/elf/elf_image.h"

bool packed_section_is(const struct elf_section *section);

/** @ret: to be freed. */
struct error *packed_section_unpack(const struct elf_image *image,
				    const struct elf_section *section, uint8_t **ret,
				    size_t *ret_size);

#endif
