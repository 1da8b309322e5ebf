// SPDX-License-Identifier: Apache-2.0

#include "source/sim/source_sim.h"

#include "base/text/string_builder.h"
#include "catalog/cpu.h"
#include "catalog/midr.h"
#include "driver/sim/sim.h"
#include "source/driver/driver_source.h"
#include "source/sim/sim_program.h"

#include <stdio.h>
#include <string.h>

// The source is the driver's client (driver_source.c) with a transport that calls the simulated
// driver (driver/sim) directly. Settings choose the machine. The lock of the driver can be
// simulated as busy or stolen, which tests messages that are hard to provoke on hardware.

enum {
	DEFAULT_CORES = 8,
	DEFAULT_COUNTERS = 6,
	DEFAULT_CLUSTERS = 1,
	DEFAULT_CHANNELS = 1,
	PMU_VERSION_3_1 = 4,
	MAX_KINDS = 8,
};

static const char default_cpu[] = "neoverse-n1";

enum { CLIENT_OURS = 1, CLIENT_STRANGER = 2 };

/** Equal shares of the cores, in order. */
struct core_kinds {
	const struct cpu *cpus[MAX_KINDS];
	size_t num_cpus;
};

struct source_sim {
	struct driver_source driver;
	struct core_kinds kinds;
	struct sim sim;
	struct sim_program program;
	const char *topology; /* of the settings; or NULL */
};

static const struct setting_rule settings[] = {
	{"cpu", SETTING_TEXT, 0, 0, "CPU to simulate; a+b divides the cores between two kinds"},
	{"cores", SETTING_NUMBER, 1, WPERF_MAX_CORES, "number of cores"},
	{"counters", SETTING_NUMBER, 0, 30, "counters per core, besides the one for cycles"},
	{"busy", SETTING_NUMBER, 0, 30, "number of counters in use by others"},
	{"dsu", SETTING_NUMBER, 0, WPERF_MAX_CORES,
	 "number of clusters with a DynamIQ Shared Unit (DSU)"},
	{"dmc", SETTING_NUMBER, 0, 254, "number of memory controller channels"},
	{"spe", SETTING_NUMBER, 0, 1, "1: with the Statistical Profiling Extension (SPE)"},
	{"ring", SETTING_NUMBER, 0, 1, "0: samples like WindowsPerf's driver, without call stacks"},
	{"lock", SETTING_TEXT, 0, 0, "lock of the driver: free, busy or stolen"},
	{"driver", SETTING_TEXT, 0, 0, "version of the driver (default: 3.8.0)"},
	{"topology", SETTING_TEXT, 0, 0, "folder like /sys/devices/system, for --per-socket"},
	{.key = NULL},
};

/** The kinds of cores of `cpu=a+b`. */
static struct error *parse_cpus(struct core_kinds *kinds, const char *names)
{
	_cleanup_free_ char *copy = strdup(names);
	if (!copy)
		return &error_no_memory;
	char *rest = copy;
	for (char *name; (name = strsep(&rest, "+"));) {
		const struct cpu *cpu = cpu_find(name);
		if (!cpu)
			return cpu_hint_at_names(
				error_create(ERROR_USAGE, "the simulator has no CPU '%s'", name),
				name);
		if (kinds->num_cpus == MAX_KINDS)
			return error_create(ERROR_USAGE, "more than %d kinds of cores in cpu=%s",
					    MAX_KINDS, names);
		kinds->cpus[kinds->num_cpus++] = cpu;
	}
	return NULL;
}

// Printed again and compared, as sscanf() takes signs, blanks and leading zeros.
static struct error *parse_driver_version(const char *text, struct sim_config *config)
{
	unsigned major, minor, patch;
	char again[sizeof("255.255.255")] = "";
	if (sscanf(text, "%3u.%3u.%3u", &major, &minor, &patch) == 3)
		snprintf(again, sizeof(again), "%u.%u.%u", major, minor, patch);
	if (strcmp(text, again) != 0 || major > 255 || minor > 255 || patch > 255)
		return error_with_hint(error_create(ERROR_USAGE, "invalid setting driver=%s", text),
				       "a version: 3.8.0");
	config->version[0] = (uint8_t)major;
	config->version[1] = (uint8_t)minor;
	config->version[2] = (uint8_t)patch;
	return NULL;
}

static struct error *fill_config(const struct source_settings *said, struct source_sim *sim,
				 struct sim_config *config)
{
	*config = (struct sim_config){
		.num_cores = (unsigned)source_settings_number(said, "cores", DEFAULT_CORES),
		.counters = (unsigned)source_settings_number(said, "counters", DEFAULT_COUNTERS),
		.busy_counters = (unsigned)source_settings_number(said, "busy", 0),
		.dsu_clusters = (unsigned)source_settings_number(said, "dsu", DEFAULT_CLUSTERS),
		.dmc_channels = (unsigned)source_settings_number(said, "dmc", DEFAULT_CHANNELS),
		.spe = source_settings_number(said, "spe", 0),
		.no_ring = !source_settings_number(said, "ring", 1),
		.pmu_version = PMU_VERSION_3_1,
	};
	struct error *err = parse_cpus(&sim->kinds, source_settings_text(said, "cpu", default_cpu));
	if (err)
		return err;
	// Kinds of cores are next to each other, in the order of their names: a+b of four are a a b
	// b.
	for (unsigned core = 0; core < config->num_cores; core++) {
		size_t kind = (size_t)core * sim->kinds.num_cpus / config->num_cores;
		config->core_midr[core] = midr_of_cpu(sim->kinds.cpus[kind]);
	}
	for (size_t i = 0; i < sim->kinds.num_cpus; i++) {
		const struct cpu *cpu = sim->kinds.cpus[i];
		for (size_t k = 0; k < cpu->num_events; k++)
			sim_config_add_event(config, cpu->events[k]->code);
	}
	return parse_driver_version(source_settings_text(said, "driver", "3.8.0"), config);
}

// The transport of this source: a function call, where that of the driver is DeviceIoControl().
// Sizes and owners are checked by the same driver_request(), and the status becomes the error
// number that Windows would make of it.
static uint32_t send_to_core(void *context, uint32_t code, const void *in, size_t in_size,
			     void *out, size_t out_size, size_t *ret_size)
{
	struct source_sim *sim = context;
	return driver_status_win32_error(
		sim_request(&sim->sim, CLIENT_OURS, code, in, in_size, out, out_size, ret_size));
}

static uint64_t source_sim_now_ns(void *context)
{
	return ((struct source_sim *)context)->sim.now_ns;
}

static void pass_sim_time(void *context, uint64_t duration_ns)
{
	sim_advance(&((struct source_sim *)context)->sim, duration_ns);
}

static uint32_t source_sim_wait_for_ring(void *context, uint64_t duration_ns)
{
	sim_advance_until_enough(&((struct source_sim *)context)->sim, duration_ns);
	return 0;
}

static uint32_t send_as_stranger(void *context, uint32_t code, const void *in, size_t in_size,
				 void *out, size_t out_size, size_t *ret_size)
{
	struct source_sim *sim = context;
	return driver_status_win32_error(sim_request(&sim->sim, CLIENT_STRANGER, code, in, in_size,
						     out, out_size, ret_size));
}

/** Play the lock: another client has it, or takes it from us as soon as we have it. */
static struct error *take_lock(struct source_sim *sim, const char *game, bool force)
{
	struct driver_transport stranger = {.request = send_as_stranger, .context = sim};
	bool busy = !strcmp(game, "busy"), stolen = !strcmp(game, "stolen");
	if (!busy && !stolen && strcmp(game, "free") != 0)
		return error_with_hint(error_create(ERROR_USAGE, "invalid setting lock=%s", game),
				       "lock takes free, busy or stolen");
	// Each game is two clients of the same driver, in the order in which it would happen.
	struct error *err = busy ? driver_client_lock(&stranger, false) : NULL;
	if (!err)
		err = driver_client_lock(&sim->driver.transport, force);
	if (!err && stolen)
		err = driver_client_lock(&stranger, true);
	return err;
}

static struct error *start_machine(struct source_sim *sim, const struct sim_config *config)
{
	const char *field = "";
	if (sim_init(&sim->sim, config, &field) != DRIVER_OK)
		return error_with_hint(
			error_create(
				ERROR_USAGE,
				"cannot simulate this machine: %s does not fit the other settings",
				field),
			"dsu must divide cores, and busy must not exceed counters");
	sim->driver.topology = (struct driver_topology){
		.dsu_clusters = config->dsu_clusters,
		.dsu_cluster_size =
			config->dsu_clusters ? config->num_cores / config->dsu_clusters : 0,
		.dmc_channels = config->dmc_channels,
	};
	// pass_time and now_ns are of the simulation: nobody waits for simulated time.
	sim->driver.transport = (struct driver_transport){
		.request = send_to_core,
		.context = sim,
		.now_ns = source_sim_now_ns,
		.pass_time = pass_sim_time,
		.wait_for_ring = source_sim_wait_for_ring,
		.is_simulated = true,
	};
	// The timer of the simulated machine ticks every nanosecond of its time.
	sim->driver.machine = (struct spe_client_machine){
		.num_cores = config->num_cores,
		.core_midr = sim->sim.config.core_midr,
		.pid = PROGRAM_PID,
		.conversion = {.multiplier = 1, .is_known = true},
	};
	return NULL;
}

static void close_sim(struct source *source)
{
	struct source_sim *sim = (struct source_sim *)source;
	driver_source_deinit(&sim->driver);
	sim_program_deinit(&sim->program);
	free(sim);
}

static struct error *open_sim(const struct source_settings *said, bool force_lock,
			      struct source **ret)
{
	_cleanup_(source_closep) struct source *source = calloc(1, sizeof(struct source_sim));
	if (!source)
		return &error_no_memory;
	source->ops = &source_sim_ops;
	struct source_sim *sim = (struct source_sim *)source;

	struct sim_config config;
	sim->topology = source_settings_text(said, "topology", NULL);
	struct error *err = fill_config(said, sim, &config);
	if (!err)
		err = start_machine(sim, &config);
	if (!err)
		err = take_lock(sim, source_settings_text(said, "lock", "free"), force_lock);
	if (err)
		return err;
	*ret = take_ptr(source);
	return NULL;
}

static struct error *describe_sim(struct source *source, struct source_info *ret)
{
	struct source_sim *sim = (struct source_sim *)source;
	struct error *err =
		driver_client_describe(&sim->driver.transport, &sim->driver.topology, ret);
	if (err)
		return err;
	const struct sim_config *config = &sim->sim.config;
	ret->machine = "aarch64";
	ret->topology = sim->topology;
	ret->core_midr = calloc(config->num_cores, sizeof(uint64_t));
	if (!ret->core_midr)
		return &error_no_memory;
	for (unsigned core = 0; core < config->num_cores; core++)
		ret->core_midr[core] = config->core_midr[core];
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	string_builder_append(&text, "simulated ");
	for (size_t i = 0; i < sim->kinds.num_cpus; i++)
		string_builder_appendf(&text, "%s%s", i ? "+" : "", sim->kinds.cpus[i]->name);
	string_builder_appendf(&text, ", %u core%s", config->num_cores,
			       config->num_cores == 1 ? "" : "s");
	return string_builder_finish(&text, &ret->description);
}

static struct error *identify_sim(const struct source_settings *said, uint64_t *ret_midr)
{
	struct core_kinds kinds = {.num_cpus = 0};
	struct error *err = parse_cpus(&kinds, source_settings_text(said, "cpu", default_cpu));
	if (!err)
		*ret_midr = midr_of_cpu(kinds.cpus[0]);
	return err;
}

static struct error *source_sim_list_no_events(struct source *source, struct catalog *catalog,
					       struct string_builder *notes)
{
	return NULL; // the tables of its CPU say it all
}

static struct sim_program *source_sim_program_of(struct source *source)
{
	return &((struct source_sim *)source)->program;
}

static struct error *source_sim_sample_open(struct source *source, const struct sample_plan *plan)
{
	sim_program_deinit(source_sim_program_of(source));
	struct error *err = sim_program_init(source_sim_program_of(source));
	return err ? err : driver_source_sample_open(source, plan);
}

static struct error *source_sim_sample_start(struct source *source)
{
	source_sim_program_of(source)->began_ns = ((struct source_sim *)source)->sim.now_ns;
	return driver_source_sample_start(source);
}

static struct error *source_sim_sample_next(struct source *source, struct record *ret,
					    bool *ret_more)
{
	*ret_more = true;
	return sim_program_introduce(source_sim_program_of(source), ret)
		       ? NULL
		       : driver_source_sample_next(source, ret, ret_more);
}

static void source_sim_sample_close(struct source *source)
{
	driver_source_sample_close(source);
	sim_program_deinit(source_sim_program_of(source));
}

static const struct sample_symbol *sample_symbols(struct source *source, size_t *ret_num)
{
	*ret_num = source_sim_program_of(source)->num_symbols;
	return source_sim_program_of(source)->symbols;
}

static struct error *source_sim_pass_time(struct source *source, uint64_t duration_ns)
{
	pass_sim_time(source, duration_ns);
	return NULL;
}

static struct error *probe_sim(const struct source_settings *said, struct probe *ret)
{
	static const char ability[] = "events and driver requests";
	_cleanup_(source_closep) struct source *source = NULL;
	_cleanup_(source_info_deinit) struct source_info info = SOURCE_INFO_INIT;
	struct error *err = open_sim(said, false, &source);
	if (!err)
		err = describe_sim(source, &info);
	if (!err)
		return probe_add_finding(ret, ability, PROBE_YES, info.description, NULL);
	// A wrong setting is the user's error, and no finding.
	if (err->code == ERROR_USAGE || err == &error_no_memory)
		return err;
	error_destroy(err);
	return probe_add_finding(ret, ability, PROBE_NO, "another wperf holds the driver",
				 "wait for it to end, or take the driver with --force-lock");
}

static const struct count_ops sim_count_ops = {
	.open = driver_source_count_open,
	.start = driver_source_count_start,
	.stop = driver_source_count_stop,
	.reset = driver_source_count_reset,
	.read = driver_source_count_read,
	.close = driver_source_count_close,
};

static const struct sample_ops sim_sample_ops = {
	.open = source_sim_sample_open,
	.start = source_sim_sample_start,
	.stop = driver_source_sample_stop,
	.wait = driver_source_sample_wait,
	.next = source_sim_sample_next,
	.close = source_sim_sample_close,
	.totals = driver_source_sample_totals,
	.events = driver_source_sample_events,
	.symbols = sample_symbols,
};

const struct source_ops source_sim_ops = {
	.traits =
		{
			.name = "sim",
			.summary =
				"a simulated Arm machine: the driver's core on simulated registers",
			.settings = settings,
			.is_simulated = true,
		},
	.probe = probe_sim,
	.identify = identify_sim,
	.open = open_sim,
	.describe = describe_sim,
	.list_events = source_sim_list_no_events,
	.pass_time = source_sim_pass_time,
	.run_note = driver_source_run_note,
	.count = &sim_count_ops,
	.sample = &sim_sample_ops,
	.close = close_sim,
};
