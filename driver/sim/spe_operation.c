// SPDX-License-Identifier: Apache-2.0

#include "driver/sim/spe_operation.h"

#include "driver/sim/load.h"
#include "driver/sim/program.h"

#include <string.h>

// An operation is a function of a seed: `dice` gives one number after the other. Packets follow the
// Arm ARM, "Statistical Profiling Extension sample record format": headers with the size of the
// payload in bits 5:4, PC and counters first, END or TIMESTAMP last. Records are padded to a fixed
// size, so that the simulated unit need not align them.

enum { PER_MILLE = 1000, INSTRUCTION_BYTES = 4, CACHE_LINE = 64 };

// The numbers of bits are those of the Arm ARM, "Events packet"; names are those that perf uses.
// Bits of the Events packet.
enum {
	RETIRED = 1 << 1,
	L1D_ACCESS = 1 << 2,
	L1D_REFILL = 1 << 3,
	TLB_ACCESS = 1 << 4,
	TLB_WALK = 1 << 5,
	NOT_TAKEN = 1 << 6,
	MISPREDICTED = 1 << 7,
	LLC_ACCESS = 1 << 8,
	LLC_MISS = 1 << 9,
	MISALIGNED = 1 << 11,
};

// Payloads of the Operation Type packet.
enum {
	LOADS_GENERAL = 0,
	STORES_GENERAL = 1,
	CONDITIONAL = 1 << 0,
	INDIRECT = 1 << 1,
	OTHER_SIMD = 1 << 1 | 1 << 2, // of class other: floating point and SIMD
};

// As in load.c, of all operations.
static const struct {
	enum spe_operation_class class;
	unsigned per_mille;
	enum program_kind kind;
} classes[] = {
	{SPE_LOAD, 240, PROGRAM_LOADS},      {SPE_STORE, 110, PROGRAM_LOADS},
	{SPE_BRANCH, 115, PROGRAM_BRANCHES}, {SPE_VECTOR, 90, PROGRAM_VECTORS},
	{SPE_OTHER, 445, PROGRAM_CYCLES},
};

// Data sources of Neoverse cores (their TRMs, "SPE data source packets"): L1, L2, peer core, system
// cache, DRAM.
// Where the data of a load is, as Arm's cores number it. Latencies: at least, and what varies.
static const struct {
	unsigned per_mille;
	uint8_t source;
	uint16_t cycles, more_cycles;
	uint16_t events;
} levels[] = {
	{930, 0x0, 4, 3, L1D_ACCESS},
	{50, 0x8, 11, 8, L1D_ACCESS | L1D_REFILL},
	{3, 0x9, 40, 30, L1D_ACCESS | L1D_REFILL},
	{10, 0xb, 60, 60, L1D_ACCESS | L1D_REFILL | LLC_ACCESS},
	{7, 0xe, 180, 250, L1D_ACCESS | L1D_REFILL | LLC_ACCESS | LLC_MISS},
};

// Where the data is: a heap of Windows' user space, and a pool of its kernel.
#define HEAP UINT64_C(0x1c2d4000000)
#define POOL UINT64_C(0xffff8a0000000000)

enum { HOT_LINES = 48, ALL_LINES = 16384 };

// One number after the other from a seed.
struct dice {
	uint64_t state;
};

static unsigned throw_below(struct dice *dice, unsigned end)
{
	dice->state = load_hash(dice->state);
	return (unsigned)(dice->state >> 32) % end;
}

static bool throw_per_mille(struct dice *dice, unsigned per_mille)
{
	return throw_below(dice, PER_MILLE) < per_mille;
}

static size_t throw_class(struct dice *dice)
{
	unsigned position = throw_below(dice, PER_MILLE);
	size_t i = 0;
	for (; position >= classes[i].per_mille; i++)
		position -= classes[i].per_mille;
	return i;
}

// Most of memory is seldom touched.
static uint64_t throw_address(struct dice *dice, bool is_kernel)
{
	unsigned num_lines = throw_per_mille(dice, 800) ? HOT_LINES : ALL_LINES;
	uint64_t line = throw_below(dice, num_lines);
	uint64_t base = is_kernel ? POOL : HEAP;
	return base + line * CACHE_LINE + throw_below(dice, CACHE_LINE / 8) * 8;
}

static void throw_translation(struct dice *dice, struct spe_sim_operation *operation)
{
	operation->events |= TLB_ACCESS;
	operation->translation = 1;
	if (!throw_per_mille(dice, 8))
		return;
	operation->events |= TLB_WALK;
	operation->translation = (uint16_t)(20 + throw_below(dice, 60));
}

static void make_load(struct dice *dice, struct spe_sim_operation *operation)
{
	unsigned position = throw_below(dice, PER_MILLE);
	size_t i = 0;
	for (; position >= levels[i].per_mille; i++)
		position -= levels[i].per_mille;
	operation->payload = LOADS_GENERAL;
	operation->source = levels[i].source;
	operation->events |= levels[i].events;
	operation->address = throw_address(dice, operation->is_kernel);
	throw_translation(dice, operation);
	operation->total = (uint16_t)(operation->issue + operation->translation + levels[i].cycles +
				      throw_below(dice, levels[i].more_cycles));
	if (throw_per_mille(dice, 4))
		operation->events |= MISALIGNED;
}

static void make_store(struct dice *dice, struct spe_sim_operation *operation)
{
	operation->payload = STORES_GENERAL;
	operation->events |= L1D_ACCESS;
	operation->address = throw_address(dice, operation->is_kernel);
	throw_translation(dice, operation);
	operation->total = (uint16_t)(operation->issue + operation->translation + 3);
}

static void make_branch(struct dice *dice, struct spe_sim_operation *operation)
{
	bool is_conditional = throw_per_mille(dice, 750);
	operation->payload = is_conditional ? CONDITIONAL : throw_per_mille(dice, 350) * INDIRECT;
	bool is_taken = !is_conditional || throw_per_mille(dice, 600);
	operation->events |= is_taken ? 0 : NOT_TAKEN;
	operation->events |= throw_per_mille(dice, 30) ? MISPREDICTED : 0;
	struct program_place target =
		program_place(PROGRAM_BRANCHES, operation->is_kernel, operation->pc);
	operation->address = is_taken ? target.pc : operation->pc + INSTRUCTION_BYTES;
	operation->total = (uint16_t)(operation->issue + 1 + throw_below(dice, 2));
}

struct spe_sim_operation spe_sim_operation_make(bool is_kernel, uint64_t seed)
{
	struct dice dice = {load_hash(seed)};
	size_t class = throw_class(&dice);
	struct spe_sim_operation operation = {
		.class = classes[class].class,
		.is_kernel = is_kernel,
		.events = throw_per_mille(&dice, 960) ? RETIRED : 0,
		.issue = (uint16_t)(1 + throw_below(&dice, 12)),
	};
	struct program_place place = program_place(classes[class].kind, is_kernel, dice.state);
	// One class per instruction: those of a hot spot are neighbours.
	uint64_t distance = class * INSTRUCTION_BYTES;
	operation.pc = distance < place.end - place.pc ? place.pc + distance : place.pc - distance;
	switch (operation.class) {
	case SPE_LOAD:
		make_load(&dice, &operation);
		break;
	case SPE_STORE:
		make_store(&dice, &operation);
		break;
	case SPE_BRANCH:
		make_branch(&dice, &operation);
		break;
	case SPE_VECTOR:
		operation.payload = OTHER_SIMD;
		operation.total = (uint16_t)(operation.issue + 2 + throw_below(&dice, 4));
		break;
	case SPE_OTHER:
		operation.total = (uint16_t)(operation.issue + 1);
		break;
	}
	return operation;
}

// Payloads are little-endian.
struct packets {
	uint8_t *next;
};

static void spe_operation_put(struct packets *packets, uint8_t header, uint64_t payload,
			      unsigned size)
{
	*packets->next++ = header;
	for (unsigned i = 0; i < size; i++)
		*packets->next++ = (uint8_t)(payload >> 8 * i);
}

enum {
	END = 0x01,
	EVENTS_16 = 0x52,
	SOURCE_8 = 0x43,
	OPERATION_OTHER = 0x48,
	OPERATION_MEMORY = 0x49,
	OPERATION_BRANCH = 0x4a,
	TIMESTAMP = 0x71,
	LATENCY_TOTAL = 0x98,
	LATENCY_ISSUE = 0x99,
	LATENCY_TRANSLATION = 0x9a,
	ADDRESS_PC = 0xb0,
	ADDRESS_TARGET = 0xb1,
	ADDRESS_VIRTUAL = 0xb2,
	ADDRESS_PHYSICAL = 0xb3,
	MAX_LATENCY = 0xfff, // counters of 12 bits
};

#define ADDRESS_BITS ((UINT64_C(1) << 56) - 1)
// NS, and the lower bit of EL, of the Address packet.
#define NON_SECURE (UINT64_C(1) << 63)
#define LEVEL_1    (UINT64_C(1) << 61)

static uint64_t code_address(const struct spe_sim_operation *operation, uint64_t address)
{
	return (address & ADDRESS_BITS) | NON_SECURE | (operation->is_kernel ? LEVEL_1 : 0);
}

static void put_latency(struct packets *packets, uint8_t header, uint16_t cycles)
{
	spe_operation_put(packets, header, cycles < MAX_LATENCY ? cycles : MAX_LATENCY, 2);
}

static uint8_t operation_header(enum spe_operation_class class)
{
	switch (class) {
	case SPE_LOAD:
	case SPE_STORE:
		return OPERATION_MEMORY;
	case SPE_BRANCH:
		return OPERATION_BRANCH;
	default:
		return OPERATION_OTHER;
	}
}

void spe_sim_operation_write(const struct spe_sim_operation *operation,
			     const struct spe_sim_record *record,
			     uint8_t bytes[SPE_SIM_RECORD_SIZE])
{
	struct packets packets = {bytes};
	memset(bytes, 0, SPE_SIM_RECORD_SIZE);
	spe_operation_put(&packets, ADDRESS_PC, code_address(operation, operation->pc), 8);
	put_latency(&packets, LATENCY_ISSUE, operation->issue);
	put_latency(&packets, LATENCY_TOTAL, operation->total);
	spe_operation_put(&packets, EVENTS_16, operation->events, 2);
	spe_operation_put(&packets, operation_header(operation->class), operation->payload, 1);
	if (operation->class == SPE_LOAD || operation->class == SPE_STORE) {
		spe_operation_put(&packets, ADDRESS_VIRTUAL, operation->address & ADDRESS_BITS, 8);
		put_latency(&packets, LATENCY_TRANSLATION, operation->translation);
		if (operation->class == SPE_LOAD)
			spe_operation_put(&packets, SOURCE_8, operation->source, 1);
		if (record->has_physical_address)
			spe_operation_put(&packets, ADDRESS_PHYSICAL,
					  (operation->address & 0xffffffffff) | NON_SECURE, 8);
	}
	if (operation->class == SPE_BRANCH)
		spe_operation_put(&packets, ADDRESS_TARGET,
				  code_address(operation, operation->address), 8);
	// Zeros between, so that all records end where the next one may begin.
	unsigned end_size = record->has_timestamp ? 8 : 0;
	packets.next = bytes + SPE_SIM_RECORD_SIZE - 1 - end_size;
	if (record->has_timestamp)
		spe_operation_put(&packets, TIMESTAMP, record->timestamp, 8);
	else
		spe_operation_put(&packets, END, 0, 0);
}
