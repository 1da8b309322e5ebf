// SPDX-License-Identifier: Apache-2.0

#include "record/spe/spe_operation.h"

#include "base/container/array.h"

#include <stddef.h>

// An operation packet has a class (2 bits of the header) and a payload byte, whose bits mean
// something else for each class; see "Operation Type packet" in the Arm Architecture Reference
// Manual. Two tables describe this: `kinds`, in which the first match by mask and value wins, so
// special patterns come before general ones, and `details`, flags within a kind. Both carry perf's
// words (tools/perf/util/arm-spe-decoder/arm-spe-pkt-decoder.c), and their order is that of perf's
// output: tests/spe compares the two.

// The first that matches a payload is its kind.
struct kind {
	uint8_t class;
	uint8_t mask, value;
	uint8_t kind;
	const char *word; // of perf
};

static const struct kind kinds[] = {
	{SPE_CLASS_OTHER, 0x89, 0x08, SPE_OPERATION_SVE, "SVE-OTHER"},
	{SPE_CLASS_OTHER, 0x89, 0x88, SPE_OPERATION_SME, "SME-OTHER"},
	{SPE_CLASS_OTHER, 0xf8, 0x00, SPE_OPERATION_OTHER, "OTHER"},
	// Not architected; its lowest bit is as that of the others.
	{SPE_CLASS_OTHER, 0x00, 0x00, SPE_OPERATION_UNKNOWN, "OTHER"},
	{SPE_CLASS_LOAD_STORE, 0xe2, 0x02, SPE_OPERATION_EXTENDED, ""},
	{SPE_CLASS_LOAD_STORE, 0xfe, 0x04, SPE_OPERATION_SIMD_FP, " SIMD-FP"},
	{SPE_CLASS_LOAD_STORE, 0xfe, 0x00, SPE_OPERATION_GENERAL, " GP-REG"},
	{SPE_CLASS_LOAD_STORE, 0xfe, 0x10, SPE_OPERATION_UNSPECIFIED, " UNSPEC-REG"},
	{SPE_CLASS_LOAD_STORE, 0xfe, 0x30, SPE_OPERATION_SYSTEM_REGISTER, " NV-SYSREG"},
	{SPE_CLASS_LOAD_STORE, 0xfe, 0x14, SPE_OPERATION_TAG, " MTE-TAG"},
	{SPE_CLASS_LOAD_STORE, 0xfe, 0x20, SPE_OPERATION_MEMORY_COPY, " MEMCPY"},
	{SPE_CLASS_LOAD_STORE, 0xff, 0x25, SPE_OPERATION_MEMORY_SET, " MEMSET"},
	{SPE_CLASS_LOAD_STORE, 0x0a, 0x08, SPE_OPERATION_VECTOR, " SVE-SME-REG"},
	{SPE_CLASS_LOAD_STORE, 0xfa, 0x40, SPE_OPERATION_GCS, " GCS"},
	{SPE_CLASS_LOAD_STORE, 0x00, 0x00, SPE_OPERATION_UNKNOWN, ""},
	{SPE_CLASS_BRANCH, 0x00, 0x00, SPE_OPERATION_BRANCH, "B"},
};

// What more the bits of a kind say, in the order in which perf says it.
struct detail {
	uint8_t kind;
	uint8_t mask, value;
	uint16_t flag;
	const char *word;
};

static const struct detail details[] = {
	{SPE_OPERATION_SVE, 0x02, 0x02, SPE_OPERATION_IS_FLOAT, " FP"},
	{SPE_OPERATION_SVE, 0x04, 0x04, SPE_OPERATION_IS_PREDICATED, " PRED"},
	{SPE_OPERATION_SME, 0x02, 0x02, SPE_OPERATION_IS_FLOAT, " FP"},
	{SPE_OPERATION_OTHER, 0x04, 0x04, SPE_OPERATION_IS_SIMD, " ASE"},
	{SPE_OPERATION_OTHER, 0x02, 0x02, SPE_OPERATION_IS_FLOAT, " FP"},
	{SPE_OPERATION_OTHER, 0x01, 0x01, SPE_OPERATION_IS_CONDITIONAL, " COND-SELECT"},
	{SPE_OPERATION_OTHER, 0x01, 0x00, 0, " INSN-OTHER"},
	{SPE_OPERATION_EXTENDED, 0x04, 0x04, SPE_OPERATION_IS_ATOMIC, " AT"},
	{SPE_OPERATION_EXTENDED, 0x08, 0x08, SPE_OPERATION_IS_EXCLUSIVE, " EXCL"},
	{SPE_OPERATION_EXTENDED, 0x10, 0x10, SPE_OPERATION_IS_ACQUIRE_RELEASE, " AR"},
	{SPE_OPERATION_VECTOR, 0x04, 0x04, SPE_OPERATION_IS_PREDICATED, " PRED"},
	{SPE_OPERATION_VECTOR, 0x80, 0x80, SPE_OPERATION_IS_GATHER_SCATTER, " SG"},
	{SPE_OPERATION_GCS, 0x04, 0x04, SPE_OPERATION_IS_COMMON, " COMM"},
	{SPE_OPERATION_BRANCH, 0x01, 0x01, SPE_OPERATION_IS_CONDITIONAL, " COND"},
	{SPE_OPERATION_BRANCH, 0x02, 0x02, SPE_OPERATION_IS_INDIRECT, " IND"},
	{SPE_OPERATION_BRANCH, 0x04, 0x04, SPE_OPERATION_IS_GCS, " GCS"},
	{SPE_OPERATION_BRANCH, 0x18, 0x08, SPE_OPERATION_IS_CALL, " CR-BL"},
	{SPE_OPERATION_BRANCH, 0x18, 0x10, SPE_OPERATION_IS_RETURN, " CR-RET"},
	{SPE_OPERATION_BRANCH, 0x18, 0x18, SPE_OPERATION_IS_PLAIN_BRANCH, " CR-NON-BL-RET"},
};

static const struct kind *find_kind(unsigned class, uint8_t payload)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (kinds[i].class == class && (payload & kinds[i].mask) == kinds[i].value)
			return &kinds[i];
	return NULL;
}

static bool has_detail(const struct detail *detail, enum spe_operation_kind kind, uint8_t payload)
{
	return detail->kind == kind && (payload & detail->mask) == detail->value;
}

// SVE: 32 bits times a power of two in bits 4 to 6; SME: 128 bits times one whose lowest bit is 2.
static uint32_t vector_bits_of(enum spe_operation_kind kind, uint8_t payload)
{
	unsigned power = payload >> 4 & 7;
	if (kind == SPE_OPERATION_SVE || kind == SPE_OPERATION_VECTOR)
		return UINT32_C(32) << power;
	if (kind == SPE_OPERATION_SME)
		return UINT32_C(128) << (power << 1 | (payload >> 2 & 1));
	return 0;
}

struct spe_operation spe_operation_of(unsigned class, uint64_t payload)
{
	uint8_t bits = (uint8_t)payload;
	const struct kind *kind = find_kind(class, bits);
	struct spe_operation operation = {};
	if (!kind)
		return operation;
	operation.kind = kind->kind;
	operation.vector_bits = vector_bits_of(kind->kind, bits);
	if (class == SPE_CLASS_LOAD_STORE && bits & 1)
		operation.flags = SPE_OPERATION_IS_STORE;
	for (size_t i = 0; i < ARRAY_SIZE(details); i++)
		if (has_detail(&details[i], kind->kind, bits))
			operation.flags |= details[i].flag;
	return operation;
}

bool spe_operation_append(struct string_builder *text, unsigned class, uint64_t payload)
{
	uint8_t bits = (uint8_t)payload;
	const struct kind *kind = find_kind(class, bits);
	if (!kind)
		return false;
	if (class == SPE_CLASS_LOAD_STORE)
		string_builder_append(text, bits & 1 ? "ST" : "LD");
	string_builder_append(text, kind->word);
	uint32_t vector_bits = vector_bits_of(kind->kind, bits);
	if (vector_bits)
		string_builder_appendf(text,
				       kind->kind == SPE_OPERATION_SME ? " ETS %u" : " EVLEN %u",
				       vector_bits);
	for (size_t i = 0; i < ARRAY_SIZE(details); i++)
		if (has_detail(&details[i], kind->kind, bits))
			string_builder_append(text, details[i].word);
	// Of these perf says no more than of others.
	if (class == SPE_CLASS_OTHER && kind->kind == SPE_OPERATION_UNKNOWN)
		string_builder_append(text, bits & 1 ? " COND-SELECT" : " INSN-OTHER");
	return true;
}
