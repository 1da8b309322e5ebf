// SPDX-License-Identifier: Apache-2.0

#include "record/spe/spe_source_name.h"

#include "base/container/array.h"
#include "record/spe/spe_event.h"
#include "record/spe/spe_operation.h"

#include <stddef.h>

// WindowsPerf names an SPE sample by its operation and all of its events. Building the string for
// each sample would be slow, and there are few different ones: the key has one bit for each event
// with a word, and the row of the operation above them. The words are in the order of
// WindowsPerf's output.

// A key: the events that have a word, and above them the index of the operation's name.
enum { OPERATION_SHIFT = 24 };

// In the order in which they are said.
static const struct {
	unsigned event;
	const char *word;
} words[] = {
	{SPE_EVENT_MISALIGNED, "alignment"},
	{SPE_EVENT_RETIRED, "retired"},
	{SPE_EVENT_EMPTY_PREDICATE, "sve-empty-predicate"},
	{SPE_EVENT_EXCEPTION, "generated-exception"},
	{SPE_EVENT_LLC_ACCESS, "last-level-cache-access"},
	{SPE_EVENT_LLC_MISS, "last-level-cache-miss"},
	{SPE_EVENT_L1D_ACCESS, "level1-data-cache-access"},
	{SPE_EVENT_L1D_REFILL, "level1-data-cache-refill"},
	{SPE_EVENT_MISPREDICTED, "mispredicted"},
	{SPE_EVENT_NOT_TAKEN, "not-taken"},
	{SPE_EVENT_PARTIAL_PREDICATE, "sve-partial-predicate"},
	{SPE_EVENT_REMOTE_ACCESS, "remote-acess"},
	{SPE_EVENT_TLB_ACCESS, "tlb_access"},
	{SPE_EVENT_TLB_WALK, "tlb-walk"},
};

// The first that matches; the lowest bits of a payload.
static const struct {
	uint8_t class;
	uint8_t mask, value;
	const char *name;
} operations[] = {
	{SPE_CLASS_LOAD_STORE, 0xff, 0x00, "LOAD_STORE_ATOMIC-LOAD-GP"},
	{SPE_CLASS_LOAD_STORE, 0xff, 0x01, "LOAD_STORE_ATOMIC-STORE-GP"},
	{SPE_CLASS_LOAD_STORE, 0xff, 0x04, "LOAD_STORE_ATOMIC-LOAD-SIMD-FP"},
	{SPE_CLASS_LOAD_STORE, 0xff, 0x05, "LOAD_STORE_ATOMIC-STORE-SIMD-FP"},
	{SPE_CLASS_LOAD_STORE, 0x01, 0x00, "LOAD_STORE_ATOMIC-LOAD-OTHER"},
	{SPE_CLASS_LOAD_STORE, 0x01, 0x01, "LOAD_STORE_ATOMIC-STORE-OTHER"},
	{SPE_CLASS_BRANCH, 0x03, 0x00, "BRANCH_OR_EXCEPTION-UNCONDITIONAL-DIRECT"},
	{SPE_CLASS_BRANCH, 0x03, 0x01, "BRANCH_OR_EXCEPTION-CONDITIONAL-DIRECT"},
	{SPE_CLASS_BRANCH, 0x03, 0x02, "BRANCH_OR_EXCEPTION-UNCONDITIONAL-INDIRECT"},
	{SPE_CLASS_BRANCH, 0x03, 0x03, "BRANCH_OR_EXCEPTION-CONDITIONAL-INDIRECT"},
};

static const char other[] = "OTHER";

uint32_t spe_source_name_key(const struct spe_record *record)
{
	uint32_t key = 0;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		key |= (uint32_t)spe_record_has_event(record, words[i].event) << words[i].event;
	unsigned class = spe_record_class(record);
	uint8_t operation = spe_record_operation(record);
	size_t i = 0;
	while (i < ARRAY_SIZE(operations) &&
	       (operations[i].class != class ||
		(operation & operations[i].mask) != operations[i].value))
		i++;
	return key | (uint32_t)i << OPERATION_SHIFT;
}

void spe_source_name_append(struct string_builder *text, uint32_t key)
{
	uint32_t operation = key >> OPERATION_SHIFT;
	string_builder_append(text, operation < ARRAY_SIZE(operations) ? operations[operation].name
								       : other);
	const char *before = "/";
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (!(key & 1u << words[i].event))
			continue;
		string_builder_append(text, before);
		string_builder_append(text, words[i].word);
		before = "+";
	}
	if (*before == '/')
		string_builder_append(text, "/none");
}
