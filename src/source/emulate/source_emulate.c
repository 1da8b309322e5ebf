// SPDX-License-Identifier: Apache-2.0

#include "source/emulate/source_emulate.h"

#include "base/container/array.h"
#include "base/os/host.h"
#include "base/text/number.h"
#include "base/text/string_builder.h"
#include "catalog/cpu.h"
#include "catalog/midr.h"
#include "source/emulate/emulated_counting.h"
#include "source/emulate/emulated_machine.h"
#include "source/emulate/emulated_sampling.h"
#include "source/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// wrap_command() replaces the command by one that runs it in the emulator, with shared memory that
// the plugin fills; counting and sampling then only read that memory. Therefore only programs that
// wperf starts can be profiled. Settings describe the modelled machine. What is exact and what is
// modelled follows from the measure of an event (event_truth()): instructions are counted, cycles
// and caches are computed by models, and the notes name their parameters.

enum {
	DEFAULT_COUNTERS = 31,
	CYCLE_SCALE = 1000, // cycles are given for so many instructions
	MAX_CPI = 1000,
};

static const char default_cpu[] = "neoverse-n1";

struct source_emulate {
	struct source base;
	const struct source_settings *said;
	const struct cpu *cpu;
	unsigned num_counters;
	uint32_t cycles_per_1000;
	struct memory_model_config model;
	char *cycles_note, *memory_note;
	struct emulated_machine machine;
	struct emulated_counting counting;
	struct emulated_sampling sampling;
};

static const struct setting_rule settings[] = {
	{"cpu", SETTING_TEXT, 0, 0, "CPU to emulate: its events and instructions"},
	{"counters", SETTING_NUMBER, 1, 31, "counters per core, besides the cycle counter"},
	{"cpi", SETTING_TEXT, 0, 0, "cycles per instruction of the model (default: 1)"},
	{"l1d", SETTING_TEXT, 0, 0, "L1 data cache, size:ways:line (default: 64K:4:64)"},
	{"l1i", SETTING_TEXT, 0, 0, "L1 instruction cache (default: 64K:4:64)"},
	{"l2", SETTING_TEXT, 0, 0, "L2 cache (default: 1M:8:64)"},
	{"ll", SETTING_TEXT, 0, 0, "last level cache (default: none)"},
	{"l1d_tlb", SETTING_TEXT, 0, 0, "L1 data TLB, entries or entries:ways"},
	{"l1i_tlb", SETTING_TEXT, 0, 0, "L1 instruction TLB"},
	{"l2_tlb", SETTING_TEXT, 0, 0, "L2 TLB"},
	{"qemu", SETTING_TEXT, 0, 0, "path of qemu-aarch64; it must support plugins"},
	{"plugin", SETTING_TEXT, 0, 0, "path of wperf's plugin, if it is not beside wperf"},
	{.key = NULL},
};

static const char *const level_keys[NUM_MODEL_LEVELS] = {
	[MODEL_L1D] = "l1d",       [MODEL_L1I] = "l1i",         [MODEL_L2] = "l2",
	[MODEL_LL] = "ll",         [MODEL_L1D_TLB] = "l1d_tlb", [MODEL_L1I_TLB] = "l1i_tlb",
	[MODEL_L2_TLB] = "l2_tlb",
};

/** The emulator's own CPUs of the same instructions; others are as new as it can be. */
static const struct {
	const char *cpu, *emulator;
} emulator_cpus[] = {
	{"armv8-a", "cortex-a72"},
	{"neoverse-n1", "neoverse-n1"},
};
// Without the setting it would compute the architecture's cipher for each signed pointer.
static const char newest_cpu[] = "max,pauth-impdef=on";

static struct error *find_cpu(const struct source_settings *said, const struct cpu **ret)
{
	const char *name = source_settings_text(said, "cpu", default_cpu);
	*ret = cpu_find(name);
	// Measures are events of the architecture (measure.c), which PMUs of another kind number
	// differently.
	if (*ret && strcmp((*ret)->pmu_arch, "pmu_v3") != 0)
		return error_with_hint(error_create(ERROR_USAGE, "cannot emulate CPU '%s'", name),
				       "its PMU is not Arm's PMUv3");
	if (*ret)
		return NULL;
	return cpu_hint_at_names(error_create(ERROR_USAGE, "the emulator has no CPU '%s'", name),
				 name);
}

/** "1", "0.7": with up to three digits behind the point. */
static bool parse_cpi(const char *text, uint32_t *ret)
{
	const char *point = strchr(text, '.');
	size_t length = point ? (size_t)(point - text) : strlen(text);
	uint64_t whole, part = 0;
	char digits[] = "000";
	if (number_parse_decimal(text, length, &whole) != NUMBER_OK || whole > MAX_CPI)
		return false;
	if (point) {
		size_t num_digits = strlen(point + 1);
		if (num_digits < 1 || num_digits > 3)
			return false;
		// The missing digits are zeros: .7 is 700 thousandths.
		memcpy(digits, point + 1, num_digits);
		if (number_parse_decimal(digits, 3, &part) != NUMBER_OK)
			return false;
	}
	*ret = (uint32_t)(whole * CYCLE_SCALE + part);
	return *ret > 0;
}

static struct error *parse_levels(struct source_emulate *emulate,
				  const struct source_settings *said)
{
	// Levels that are not named keep the shape of the default model.
	emulate->model = memory_model_default;
	for (unsigned level = 0; level < NUM_MODEL_LEVELS; level++) {
		const char *text = source_settings_text(said, level_keys[level], NULL);
		struct cache_shape *shape = &emulate->model.levels[level];
		if (!text || (cache_shape_parse(text, (enum model_level)level, shape) &&
			      cache_shape_is_possible(shape, (enum model_level)level)))
			continue;
		return error_with_hint(
			error_create(ERROR_USAGE, "invalid setting %s=%s", level_keys[level], text),
			"caches are size:ways:line (64K:4:64), TLBs entries or "
			"entries:ways (48, 1280:5); sets and lines are powers of two");
	}
	return NULL;
}

static struct error *name_models(struct source_emulate *emulate)
{
	_cleanup_(string_builder_deinit) struct string_builder cycles = STRING_BUILDER_INIT;
	_cleanup_(string_builder_deinit) struct string_builder memory = STRING_BUILDER_INIT;
	string_builder_appendf(&cycles, "modelled: %g cycles per instruction",
			       (double)emulate->cycles_per_1000 / CYCLE_SCALE);
	string_builder_append(&memory, "modelled: separate caches for each thread, no prefetching");
	for (unsigned level = 0; level < NUM_MODEL_LEVELS; level++) {
		char shape[32];
		cache_shape_format(&emulate->model.levels[level], (enum model_level)level, shape,
				   sizeof(shape));
		string_builder_appendf(&memory, ", %s=%s", level_keys[level], shape);
	}
	struct error *err = string_builder_finish(&cycles, &emulate->cycles_note);
	return err ? err : string_builder_finish(&memory, &emulate->memory_note);
}

static struct source_emulate *emulate_of(struct source *source)
{
	return (struct source_emulate *)source;
}

static void close_emulate(struct source *source)
{
	struct source_emulate *emulate = emulate_of(source);
	emulated_counting_close(&emulate->counting);
	emulated_sampling_close(&emulate->sampling);
	emulated_machine_deinit(&emulate->machine);
	free(emulate->cycles_note);
	free(emulate->memory_note);
	free(emulate);
}

static struct error *open_emulate(const struct source_settings *said, bool force_lock,
				  struct source **ret)
{
	_cleanup_(source_closep) struct source *source = calloc(1, sizeof(struct source_emulate));
	if (!source)
		return &error_no_memory;
	source->ops = &source_emulate_ops;
	struct source_emulate *emulate = emulate_of(source);
	emulate->machine = (struct emulated_machine)EMULATED_MACHINE_INIT;
	emulate->said = said;
	emulate->num_counters =
		(unsigned)source_settings_number(said, "counters", DEFAULT_COUNTERS);
	struct error *err = find_cpu(said, &emulate->cpu);
	const char *cpi = source_settings_text(said, "cpi", "1");
	if (!err && !parse_cpi(cpi, &emulate->cycles_per_1000))
		err = error_with_hint(error_create(ERROR_USAGE, "invalid setting cpi=%s", cpi),
				      "cycles per instruction, 0.001 to %d", MAX_CPI);
	if (!err)
		err = parse_levels(emulate, said);
	if (!err)
		err = name_models(emulate);
	if (err)
		return err;
	*ret = take_ptr(source);
	return NULL;
}

static struct error *identify_emulate(const struct source_settings *said, uint64_t *ret_midr)
{
	const struct cpu *cpu;
	struct error *err = find_cpu(said, &cpu);
	if (!err)
		*ret_midr = midr_of_cpu(cpu);
	return err;
}

static struct error *describe_emulate(struct source *source, struct source_info *ret)
{
	struct source_emulate *emulate = emulate_of(source);
	long num_cores = sysconf(_SC_NPROCESSORS_CONF);
	ret->machine = "aarch64";
	// The number of cores of this machine: as many threads run at a time.
	ret->num_cores = num_cores > 0 ? (unsigned)num_cores : 1;
	ret->core_midr = calloc(ret->num_cores, sizeof(*ret->core_midr));
	if (!ret->core_midr)
		return &error_no_memory;
	for (unsigned core = 0; core < ret->num_cores; core++)
		ret->core_midr[core] = midr_of_cpu(emulate->cpu);
	ret->counters_known = true;
	ret->counters.free[EVENT_CORE] = ret->counters.total[EVENT_CORE] = emulate->num_counters;
	ret->fixed_counters[EVENT_CORE] = 1;
	ret->counts_processes = true;
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	string_builder_appendf(&text, "emulated %s, a core for each thread", emulate->cpu->name);
	struct error *err = string_builder_finish(&text, &ret->description);
	if (err)
		return err;
	struct host host = host_read();
	return source_info_set_version(ret, host.release, "+emu");
}

/** The tables of its CPU say it all, but what the models are. */
static struct error *source_emulate_list_no_events(struct source *source, struct catalog *catalog,
						   struct string_builder *notes)
{
	const struct source_emulate *emulate = emulate_of(source);
	string_builder_appendf(notes, "note: cpu_cycles is %s\n", emulate->cycles_note);
	string_builder_appendf(notes, "note: events of caches and TLBs are %s\n",
			       emulate->memory_note);
	return NULL;
}

// Everything is exact but what time is needed for: cycles, caches and TLBs.
static enum event_truth event_truth(struct source *source, const struct event *event)
{
	enum measure measure;
	if (event->event_class != EVENT_CORE || !measure_of_event(event->code, &measure))
		return EVENT_ABSENT;
	return measure_is_modelled(measure) ? EVENT_MODELLED : EVENT_EXACT;
}

static const char *event_note(struct source *source, const struct event *event)
{
	enum measure measure;
	if (event_truth(source, event) != EVENT_MODELLED ||
	    !measure_of_event(event->code, &measure))
		return NULL;
	return measure == MEASURE_CYCLES ? emulate_of(source)->cycles_note
					 : emulate_of(source)->memory_note;
}

static struct error *wrap_command(struct source *source, char *const *command, const char *sysroot,
				  char *const **ret)
{
	struct source_emulate *emulate = emulate_of(source);
	const char *cpu = newest_cpu;
	for (size_t i = 0; i < ARRAY_SIZE(emulator_cpus); i++)
		if (strcmp(emulator_cpus[i].cpu, emulate->cpu->name) == 0)
			cpu = emulator_cpus[i].emulator;
	const struct emulated_command emulated = {
		.command = command,
		.sysroot = sysroot,
		.cpu = cpu,
		.emulator = source_settings_text(emulate->said, "qemu", NULL),
		.plugin = source_settings_text(emulate->said, "plugin", NULL),
	};
	// Each run has a region of its own, in which all counts are 0.
	emulated_machine_deinit(&emulate->machine);
	struct error *err = emulated_machine_prepare(&emulate->machine, &emulated);
	if (err)
		return err;
	struct region_config *config = &emulate->machine.region->config;
	config->cycles_per_1000 = emulate->cycles_per_1000;
	config->model = emulate->model;
	*ret = emulate->machine.words;
	return NULL;
}

static const char *sysroot_of(struct source *source)
{
	const struct emulated_machine *machine = &emulate_of(source)->machine;
	// Symbols are looked for there first: names of files in maps are those of the emulated
	// system.
	return machine->region && *machine->program.sysroot ? machine->program.sysroot : NULL;
}

/** There is nothing to look at but what wrap_command() prepared. */
static struct error *check_prepared(const struct source_emulate *emulate)
{
	if (emulate->machine.region)
		return NULL;
	return error_with_hint(error_create(ERROR_USAGE,
					    "the emulator profiles only programs that it runs"),
			       "give a program: wperf record --source emulate PROGRAM [ARGS]");
}

static struct error *source_emulate_count_open(struct source *source, const struct count_plan *plan)
{
	struct source_emulate *emulate = emulate_of(source);
	emulated_counting_close(&emulate->counting);
	struct error *err = check_prepared(emulate);
	// Of a program that it has run before, and not to be counted now.
	if (!err && !plan->num_pids)
		err = error_create(ERROR_USAGE, "no program to be counted");
	return err ? err
		   : emulated_counting_open(&emulate->counting, emulate->machine.region, plan);
}

static struct error *source_emulate_count_start(struct source *source)
{
	return NULL; // programs count from their first instruction on
}

static struct error *source_emulate_count_stop(struct source *source)
{
	return NULL;
}

static struct error *source_emulate_count_reset(struct source *source)
{
	emulated_counting_reset(&emulate_of(source)->counting);
	return NULL;
}

static struct error *source_emulate_count_read(struct source *source, struct source_counts *ret)
{
	return emulated_counting_read(&emulate_of(source)->counting, ret);
}

static const char *source_emulate_count_note(struct source *source, size_t column)
{
	const struct emulated_counting *counting = &emulate_of(source)->counting;
	const char *note = emulated_counting_note(counting, column);
	const struct event *event = emulated_counting_event(counting, column);
	return note || !event ? note : event_note(source, event);
}

static void source_emulate_count_close(struct source *source)
{
	emulated_counting_close(&emulate_of(source)->counting);
}

static struct error *source_emulate_sample_open(struct source *source,
						const struct sample_plan *plan)
{
	struct source_emulate *emulate = emulate_of(source);
	emulated_sampling_close(&emulate->sampling);
	struct error *err = check_prepared(emulate);
	return err ? err : emulated_sampling_open(&emulate->sampling, &emulate->machine, plan);
}

/** Each thread holds still until its sample has been taken: its memory is what it was then. */
static struct error *source_emulate_walk_open(struct source *source,
					      const struct kernel_walk_program *program)
{
	return NULL;
}

static struct error *source_emulate_sample_start(struct source *source)
{
	emulated_sampling_start(&emulate_of(source)->sampling);
	return NULL;
}

static struct error *source_emulate_sample_stop(struct source *source)
{
	emulated_sampling_stop(&emulate_of(source)->sampling);
	return NULL;
}

static struct error *source_emulate_sample_wait(struct source *source, uint64_t timeout_ns, int fd)
{
	return emulated_sampling_wait(&emulate_of(source)->sampling, timeout_ns, fd);
}

static struct error *source_emulate_sample_next(struct source *source, struct record *ret,
						bool *ret_more)
{
	return emulated_sampling_next(&emulate_of(source)->sampling, ret, ret_more);
}

static void source_emulate_sample_close(struct source *source)
{
	emulated_sampling_close(&emulate_of(source)->sampling);
}

static struct sample_totals source_emulate_sample_totals(struct source *source)
{
	return emulate_of(source)->sampling.totals;
}

static const struct perf_data_event *source_emulate_sample_events(struct source *source,
								  size_t *ret_num)
{
	const struct emulated_sampling *sampling = &emulate_of(source)->sampling;
	*ret_num = sampling->num_events;
	return sampling->events;
}

static const char *source_emulate_run_note(struct source *source, size_t n)
{
	return emulated_machine_note(&emulate_of(source)->machine, n);
}

static const char *const default_events[] = {
	"inst_retired", "ld_spec",    "st_spec", "dp_spec",    "vfp_spec",
	"ase_spec",     "br_retired", "exc_svc", "cpu_cycles", NULL,
};

static struct error *add_tool(struct probe *probe, const char *ability, struct error *err,
			      const char *path)
{
	struct error *failed = err ? probe_add_error(probe, ability, err)
				   : probe_add_finding(probe, ability, PROBE_YES, path, NULL);
	error_destroy(err);
	return failed;
}

static struct error *probe_emulate(const struct source_settings *said, struct probe *ret)
{
	char path[PATH_MAX] = "";
	struct error *err =
		emulated_machine_find_emulator(source_settings_text(said, "qemu", NULL), path);
	err = add_tool(ret, "AArch64 programs", err, path);
	if (err)
		return err;
	err = emulated_machine_find_plugin(source_settings_text(said, "plugin", NULL), path);
	return add_tool(ret, "exact PMU events", err, path);
}

static const struct count_ops emulate_count_ops = {
	.open = source_emulate_count_open,
	.start = source_emulate_count_start,
	.stop = source_emulate_count_stop,
	.reset = source_emulate_count_reset,
	.read = source_emulate_count_read,
	.note = source_emulate_count_note,
	.close = source_emulate_count_close,
};

static const struct sample_ops emulate_sample_ops = {
	.open = source_emulate_sample_open,
	.start = source_emulate_sample_start,
	.stop = source_emulate_sample_stop,
	.wait = source_emulate_sample_wait,
	.next = source_emulate_sample_next,
	.close = source_emulate_sample_close,
	.totals = source_emulate_sample_totals,
	.events = source_emulate_sample_events,
	.walk_open = source_emulate_walk_open,
};

const struct source_ops source_emulate_ops = {
	.traits =
		{
			.name = "emulate",
			.summary = "AArch64 programs in QEMU, with an emulated PMU: exact and "
				   "repeatable counts",
			.settings = settings,
			.default_events = default_events,
		},
	.probe = probe_emulate,
	.identify = identify_emulate,
	.open = open_emulate,
	.describe = describe_emulate,
	.list_events = source_emulate_list_no_events,
	.event_truth = event_truth,
	.event_note = event_note,
	.wrap_command = wrap_command,
	.sysroot = sysroot_of,
	.run_note = source_emulate_run_note,
	.count = &emulate_count_ops,
	.sample = &emulate_sample_ops,
	.close = close_emulate,
};
