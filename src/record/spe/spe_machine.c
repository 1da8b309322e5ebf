// SPDX-License-Identifier: Apache-2.0

#include "record/spe/spe_machine.h"

#include "record/perf_data/perf_abi.h"

#include "base/reader.h"

#include <stdlib.h>
#include <string.h>

// PERF_RECORD_AUXTRACE_INFO of SPE, as tools/perf/arch/arm64/util/arm-spe.c writes and
// tools/perf/util/arm-spe.c reads it. The first version has just the PMU type; the MIDR then is
// that of the file's CPU. The second (Linux 6.13) has a block for each core, with its MIDR, which
// decides what data sources and some events mean. Versions are told apart by the size, as the
// first has no number. Sizes in the record lead from block to block, so newer fields are skipped.

// Words behind the type of the trace. The first version has no number, and two words: the type of
// the event, and whether buffers are of cores.
enum { FIRST_VERSION_WORDS = 2, SECOND_VERSION = 2 };

// Of each core: a word that marks its beginning, its number, and how many words follow.
enum { CORE_HEADER_WORDS = 3, CORE_MIN_WORDS = 2 };
#define CORE_MARK UINT64_C(0x1010101010101010)

static struct reader spe_machine_body_of(const uint8_t *bytes, size_t size, uint32_t *ret_type)
{
	struct reader body = reader_create(bytes, size);
	reader_skip(&body, sizeof(struct perf_abi_header));
	*ret_type = reader_u32(&body);
	reader_u32(&body);
	return body;
}

bool spe_machine_is_told(const uint8_t *bytes, size_t size)
{
	uint32_t type;
	struct reader body = spe_machine_body_of(bytes, size, &type);
	return !body.failed && type == PERF_ABI_AUXTRACE_ARM_SPE;
}

static struct error *spe_machine_damaged(void)
{
	return error_create(ERROR_FAILED, "its SPE description is damaged");
}

static struct error *spe_machine_read_core(struct reader *body, struct spe_machine_core *ret)
{
	reader_u64(body); // the mark
	ret->cpu = (uint32_t)reader_u64(body);
	uint64_t num_words = reader_u64(body);
	size_t left = reader_left(body) / sizeof(uint64_t);
	if (body->failed || num_words < CORE_MIN_WORDS || num_words > left)
		return spe_machine_damaged();
	struct reader core = reader_sub(body, num_words * sizeof(uint64_t));
	ret->midr = (uint32_t)reader_u64(&core);
	ret->pmu_type = (uint32_t)reader_u64(&core);
	return NULL; // limits of the hardware follow, which are for who records
}

static int compare_cores(const void *left, const void *right)
{
	const struct spe_machine_core *a = left, *b = right;
	return a->cpu < b->cpu ? -1 : a->cpu > b->cpu;
}

// The header says how many words it has itself; a block of each core follows.
static struct error *read_second(struct reader *body, struct spe_machine *machine)
{
	struct reader header = *body;
	uint64_t version = reader_u64(&header), num_words = reader_u64(&header);
	machine->pmu_type = (uint32_t)reader_u64(&header);
	size_t num_cores = reader_u64(&header);
	if (header.failed || version < SECOND_VERSION ||
	    num_words > reader_left(body) / sizeof(uint64_t))
		return spe_machine_damaged();
	reader_skip(body, num_words * sizeof(uint64_t));
	if (num_cores > reader_left(body) / (CORE_HEADER_WORDS * sizeof(uint64_t)))
		return spe_machine_damaged();
	machine->cores = calloc(num_cores + 1, sizeof(*machine->cores));
	if (!machine->cores)
		return &error_no_memory;
	struct error *err = NULL;
	for (size_t i = 0; !err && i < num_cores; i++)
		err = spe_machine_read_core(body, &machine->cores[i]);
	if (err)
		return err;
	machine->num_cores = num_cores;
	qsort(machine->cores, num_cores, sizeof(*machine->cores), compare_cores);
	// 0 if they differ.
	machine->common_midr = num_cores ? machine->cores[0].midr : 0;
	for (size_t i = 1; i < num_cores; i++)
		if (machine->cores[i].midr != machine->common_midr)
			machine->common_midr = 0;
	return NULL;
}

struct error *spe_machine_read(const uint8_t *bytes, size_t size, const char *cpu_id,
			       struct spe_machine *ret)
{
	_cleanup_(spe_machine_deinit) struct spe_machine machine = SPE_MACHINE_INIT;
	uint32_t type;
	struct reader body = spe_machine_body_of(bytes, size, &type);
	struct error *err = NULL;
	if (reader_left(&body) <= FIRST_VERSION_WORDS * sizeof(uint64_t)) {
		machine.pmu_type = (uint32_t)reader_u64(&body);
		// Of arm64, perf says the MIDR of the core that it began on.
		machine.common_midr = cpu_id ? (uint32_t)strtoull(cpu_id, NULL, 16) : 0;
	} else {
		err = read_second(&body, &machine);
	}
	if (err)
		return err;
	*ret = machine;
	machine = (struct spe_machine)SPE_MACHINE_INIT;
	return NULL;
}

enum {
	PREFIX_WORDS = 2, // the record's header and the type of the trace
	HEADER_WORDS = 4,
	PARAMETERS = 3, // of each core
	CORE_WORDS = CORE_HEADER_WORDS + PARAMETERS,
	MAX_WORDS = PERF_ABI_MAX_RECORD / sizeof(uint64_t),
	MAX_CORES = (MAX_WORDS - PREFIX_WORDS - HEADER_WORDS) / CORE_WORDS,
};

static void put_second(const struct spe_machine *machine, size_t num_cores, uint64_t *words)
{
	const uint64_t head[HEADER_WORDS] = {SECOND_VERSION, HEADER_WORDS, machine->pmu_type,
					     num_cores};
	memcpy(words, head, sizeof(head));
	words += HEADER_WORDS;
	for (size_t i = 0; i < num_cores; i++, words += CORE_WORDS) {
		const struct spe_machine_core *core = &machine->cores[i];
		const uint64_t values[CORE_WORDS] = {CORE_MARK,  core->cpu,      PARAMETERS,
						     core->midr, core->pmu_type, core->min_period};
		memcpy(words, values, sizeof(values));
	}
}

struct error *spe_machine_write(const struct spe_machine *machine, uint64_t **ret, size_t *ret_size)
{
	// Every perf reads the first version, which is enough if one MIDR is that of all cores.
	bool is_first = !machine->is_elsewhere;
	for (size_t i = 1; i < machine->num_cores; i++)
		is_first &= machine->cores[i].midr == machine->cores[0].midr;
	size_t num_cores = machine->num_cores < MAX_CORES ? machine->num_cores : MAX_CORES;
	size_t num_words = PREFIX_WORDS + (is_first ? (size_t)FIRST_VERSION_WORDS
						    : HEADER_WORDS + num_cores * CORE_WORDS);
	uint64_t *words = calloc(num_words, sizeof(*words));
	if (!words)
		return &error_no_memory;
	const struct perf_abi_header header = {.type = PERF_ABI_AUXTRACE_INFO,
					       .size = (uint16_t)(num_words * sizeof(*words))};
	memcpy(words, &header, sizeof(header));
	words[1] = PERF_ABI_AUXTRACE_ARM_SPE;
	if (is_first) {
		words[PREFIX_WORDS] = machine->pmu_type;
		words[PREFIX_WORDS + 1] = 1; // a buffer of each core
	} else {
		put_second(machine, num_cores, words + PREFIX_WORDS);
	}
	*ret = words;
	*ret_size = header.size;
	return NULL;
}

const struct spe_machine_core *spe_machine_core(const struct spe_machine *machine, uint32_t cpu)
{
	const struct spe_machine_core key = {.cpu = cpu};
	return machine->num_cores ? bsearch(&key, machine->cores, machine->num_cores, sizeof(key),
					    compare_cores)
				  : NULL;
}

void spe_machine_deinit(struct spe_machine *machine)
{
	free(machine->cores);
	*machine = (struct spe_machine)SPE_MACHINE_INIT;
}
