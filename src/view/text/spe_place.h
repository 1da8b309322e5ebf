/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_TEXT_SPE_PLACE_H
#define WPERF_VIEW_TEXT_SPE_PLACE_H

/** What the places of SPE's rows, branches and accesses are called. */

#include "base/text/string_builder.h"
#include "profile/spe/spe_list.h"

struct spe_place_names {
	const char *module, *symbol; /* "" if there is none */
};

/** Of a stack's leaf. */
struct spe_place_names spe_place_of_stack(const struct named_profile *profile, uint32_t stack);

/** Append `main.c:12`, or without a line `app+0x1234`; nothing of no stack. */
void spe_place_append(const struct named_profile *profile, uint32_t stack,
		      struct string_builder *text);

/** Of a row of places. @is_place: also the place is told apart, not the function or module alone.
 */
struct spe_place_names spe_place_of_row(const struct named_profile *profile,
					const struct spe_list *list, const struct spe_row *row);
void spe_place_append_row(const struct named_profile *profile, const struct spe_list *list,
			  const struct spe_row *row, struct string_builder *text);

/** Is a row of this key a line or an instruction in a function? */
static inline bool spe_place_is_line(unsigned by)
{
	return by == HOT_LINE || by == HOT_ADDRESS;
}

/** Append what a row of SPE_BY_ORIGIN or SPE_BY_OPERATION is of: `L1`, `LD GP-REG`. */
void spe_place_append_origin(const struct spe_group *group, struct string_builder *text);
void spe_place_append_operation(const struct spe_group *group, struct string_builder *text);

#endif
