/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_DISASSEMBLY_INSTRUCTION_LIST_H
#define WPERF_OBJECT_DISASSEMBLY_INSTRUCTION_LIST_H

/** Instructions as text. */

#include "base/error.h"
#include "base/text/string_builder.h"

#include <stddef.h>
#include <stdint.h>

struct instruction {
	uint64_t address;
	uint32_t size;    /* in bytes, at least 1 */
	const char *text; /* "ldr\tx0, [x1, #8]"; "<unknown>" for bytes that are none */
};

struct instruction_list {
	struct instruction *items;
	size_t num_items, cap_items;
	struct string_builder text; /* private: holds the texts */
};

/** For those who decode: add one; its text gets its place with instruction_list_settle(). */
struct error *instruction_list_add(struct instruction_list *list, uint64_t address, uint32_t size,
				   const char *text);
struct error *instruction_list_settle(struct instruction_list *list);

void instruction_list_deinit(struct instruction_list *list);

#endif
