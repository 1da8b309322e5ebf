/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_FLEET_OTLP_OTLP_DICTIONARY_H
#define WPERF_FLEET_OTLP_OTLP_DICTIONARY_H

/**
 * The dictionary of a request that is written: tables of strings, attributes, mappings, functions,
 * locations and stacks. What is asked for gets a number, and its entry is written then; so only
 * what is used is in it. Entry 0 of each table is the zero value.
 *
 * Adding does not fail visibly; otlp_dictionary_finish() returns the error.
 */

#include "base/error.h"
#include "fleet/otlp/otlp_key.h"
#include "profile/named_profile.h"
#include "view/export/protobuf_message.h"

struct otlp_dictionary; /* private */

/**
 * @profile:     not owned, must outlive the dictionary.
 * @keeps_order: a location for each frame and a stack for each stack, in the profile's order.
 */
struct error *otlp_dictionary_create(const struct named_profile *profile, bool keeps_order,
				     struct otlp_dictionary **ret);
void otlp_dictionary_destroy(struct otlp_dictionary *dictionary);

static inline void otlp_dictionary_destroyp(struct otlp_dictionary **dictionary)
{
	otlp_dictionary_destroy(*dictionary);
}

/**
 * Locations get their numbers in the order of the profile's frames, so that tables of who reads all
 * of it have rows of equal sums in the same order: first each stack is noted, then they are
 * ordered, and only then may numbers be asked for.
 */
void otlp_dictionary_note_stack(struct otlp_dictionary *dictionary, uint32_t stack);
void otlp_dictionary_order(struct otlp_dictionary *dictionary);

/** Numbers in the dictionary. */
uint32_t otlp_dictionary_string(struct otlp_dictionary *dictionary, const char *text);
uint32_t otlp_dictionary_stack(struct otlp_dictionary *dictionary, uint32_t stack);

/** Attributes. @list: numbers of attributes so far, packed; this one's goes behind them. */
void otlp_dictionary_add_text(struct otlp_dictionary *dictionary, struct protobuf_message *list,
			      enum otlp_key key, const char *text);
void otlp_dictionary_add_number(struct otlp_dictionary *dictionary, struct protobuf_message *list,
				enum otlp_key key, uint64_t number);
void otlp_dictionary_add_flag(struct otlp_dictionary *dictionary, struct protobuf_message *list,
			      enum otlp_key key);

/** Write the dictionary as a field of @message. */
struct error *otlp_dictionary_finish(struct otlp_dictionary *dictionary, uint32_t field,
				     struct protobuf_message *message);

/** @list: as a packed field of @message, if it is not empty; it is empty then. */
void otlp_dictionary_write_list(struct protobuf_message *message, uint32_t field,
				struct protobuf_message *list);

#endif
