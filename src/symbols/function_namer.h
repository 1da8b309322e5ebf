/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SYMBOLS_FUNCTION_NAMER_H
#define WPERF_SYMBOLS_FUNCTION_NAMER_H

/** Puts functions into a profile, with names as people read them; each name is worked out once. */

#include "base/container/hash_table.h"
#include "base/error.h"
#include "profile/named_profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct readable_pair {
	uint32_t linkage_name, name; /* strings of the profile */
};

struct function_namer {
	bool with_full_names;
	size_t num_too_large; /* names that stayed mangled, as they would grow without end */
	struct readable_pair *pairs;
	size_t num_pairs, cap_pairs;
	struct hash_table by_linkage_name;
};

/** What is known of a function. */
struct function_facts {
	const char *name; /* as in a symbol table */
	size_t name_length;
	uint32_t module; /* of the profile, or NAMED_NONE */
	enum frame_kind kind;
	const char *file; /* of its definition, or NULL */
	uint32_t line;
};

struct error *function_namer_add(struct function_namer *namer, struct named_profile *profile,
				 const struct function_facts *facts, uint32_t *ret);

void function_namer_deinit(struct function_namer *namer);

#endif
