// SPDX-License-Identifier: Apache-2.0

#include "source/perf/source_perf.h"

#include "base/container/array.h"
#include "base/text/string_builder.h"
#include "catalog/linux/core_pmus.h"
#include "catalog/linux/system_events.h"
#include "catalog/midr.h"
#include "source/bpf/bpf_walker.h"
#include "source/perf/perf_arm_pmu.h"
#include "source/perf/perf_counting.h"
#include "source/perf/perf_host.h"
#include "source/perf/perf_refusal.h"
#include "source/perf/perf_ring_size.h"
#include "source/perf/perf_round.h"
#include "source/perf/perf_sampling.h"
#include "source/perf/perf_spe_pmu.h"
#include "source/probes/value_counting.h"
#include "source/probes/value_sampling.h"
#include "source/source.h"
#include "source/wakes/wake_sampling.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

// The table source_perf_ops connects the parts: counting (perf_counting.c), sampling
// (perf_sampling.c, perf_round.c), interpreted frames (bpf_walker.c) and SPE (perf_spe_pmu.c). What
// this machine can do is found by trying: each row of `detect` is a struct trial with the errno of
// an attempt, which report_trial() turns into a finding. EACCES is the kernel's own rule
// (perf_event_paranoid), EPERM a filter of system calls, as in containers.

static const struct setting_rule settings[] = {{.key = NULL}};

struct source_perf {
	struct source source;
	struct perf_counting counting;
	struct perf_sampling sampling;
	struct bpf_walker
		*walker; /* between source_perf_walk_open() and source_perf_sample_close() */
	const struct kernel_walk_program *frames; /* what it walks with */
	struct wake_sampling wakes;
	struct value_sampling values;      /* of probes, beside the sampling */
	struct value_counting counted;     /* ... and beside the counting */
	struct perf_arm_events arm_events; /* none before list_events() */
	struct perf_spe_pmu spe;           /* none before describe() */
};

static struct perf_counting *counting_of(struct source *source)
{
	return &((struct source_perf *)source)->counting;
}

static struct perf_sampling *source_perf_sampling_of(struct source *source)
{
	return &((struct source_perf *)source)->sampling;
}

static struct bpf_walker **walker_of(struct source *source)
{
	return &((struct source_perf *)source)->walker;
}

static struct wake_sampling *wakes_of(struct source *source)
{
	return &((struct source_perf *)source)->wakes;
}

static struct value_sampling *source_perf_values_of(struct source *source)
{
	return &((struct source_perf *)source)->values;
}

static void source_perf_sample_close(struct source *source)
{
	wake_sampling_close(wakes_of(source));
	value_sampling_close(source_perf_values_of(source));
	perf_sampling_close(source_perf_sampling_of(source));
	bpf_walker_destroy(*walker_of(source));
	*walker_of(source) = NULL;
}

static struct error *open_perf(const struct source_settings *said, bool force_lock,
			       struct source **ret)
{
	if (perf_host_paranoid() == INT_MIN)
		return error_with_hint(error_create(ERROR_FAILED, "this kernel has no perf events"),
				       "it was built without CONFIG_PERF_EVENTS, or /proc is not "
				       "mounted; --source sim works without");
	struct source_perf *perf = calloc(1, sizeof(*perf));
	if (!perf)
		return &error_no_memory;
	perf->source.ops = &source_perf_ops;
	// Its file descriptors are -1 at first, not 0.
	perf->sampling = (struct perf_sampling)PERF_SAMPLING_INIT;
	*ret = &perf->source;
	return NULL;
}

static void close_perf(struct source *source)
{
	value_counting_close(&((struct source_perf *)source)->counted);
	perf_counting_close(counting_of(source));
	source_perf_sample_close(source);
	perf_spe_pmu_deinit(&((struct source_perf *)source)->spe);
	free(source);
}

static struct error *identify_perf(const struct source_settings *said, uint64_t *ret_midr)
{
	*ret_midr = perf_host_midr(0);
	return NULL;
}

static struct error *source_perf_describe_cores(struct source_info *info)
{
	info->num_cores = perf_host_num_cores();
	info->core_midr = calloc(info->num_cores, sizeof(uint64_t));
	if (!info->core_midr)
		return &error_no_memory;
	for (unsigned core = 0; core < info->num_cores; core++)
		info->core_midr[core] = perf_host_midr(core);
	// MIDR_EL1 is in sysfs on Arm only; elsewhere /proc/cpuinfo names the vendor.
	if (!info->core_midr[0])
		return perf_host_cpuinfo("vendor_id", &info->vendor_name);
	uint8_t implementer = midr_decode(info->core_midr[0]).implementer;
	info->vendor_name = strdup(midr_vendor_name(implementer));
	return info->vendor_name ? NULL : &error_no_memory;
}

static const char *core_title(uint64_t midr)
{
	const char *title = midr_product_title(midr);
	const struct cpu *cpu = midr_find_cpu(midr);
	return title ? title : cpu->title ? cpu->title : cpu->name;
}

static struct error *describe_spe(struct source_perf *perf, struct source_info *info)
{
	perf_spe_pmu_deinit(&perf->spe);
	struct error *err = perf_spe_pmu_read(perf_host_sysfs, &perf->spe);
	if (err && err->code == ERROR_ABSENT) {
		error_destroy(err);
		return NULL;
	}
	info->has_spe = !err;
	info->spe_filters = perf_spe_pmu_filters(&perf->spe);
	return err;
}

static struct error *describe_perf(struct source *source, struct source_info *ret)
{
	struct utsname kernel;
	uname(&kernel);
	_cleanup_free_ char *model = NULL;
	struct error *err = source_perf_describe_cores(ret);
	if (!err)
		err = describe_spe((struct source_perf *)source, ret);
	if (!err)
		err = source_info_set_version(ret, kernel.release,
					      ret->has_spe ? "+perf+spe" : "+perf");
	if (!err)
		err = perf_host_cpuinfo("model name", &model);
	if (err)
		return err;
	ret->counts_processes = true;
	ret->topology = "/sys/devices/system";
	ret->max_frequency = perf_host_max_frequency();
	// Who may not open hardware events cannot try how many fit.
	ret->counters_known = !perf_host_forbids_cycles();
	// Those that the kernel gives us now: its own watchdog, say, may hold one.
	ret->counters.free[EVENT_CORE] = perf_host_count_counters();
	ret->counters.total[EVENT_CORE] = ret->counters.free[EVENT_CORE];

	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	string_builder_appendf(&text, "%s %s, %u core%s", kernel.sysname, kernel.release,
			       ret->num_cores, ret->num_cores == 1 ? "" : "s");
	if (model)
		string_builder_appendf(&text, " of %s", model);
	else if (ret->core_midr[0])
		string_builder_appendf(&text, " of %s", core_title(ret->core_midr[0]));
	return string_builder_finish(&text, &ret->description);
}

// Of the generic events each CPU has some only. EACCES or EBUSY say nothing of the event: only what
// the CPU or the kernel does not know is left out.
static void leave_out_missing(struct catalog *catalog, struct string_builder *notes)
{
	size_t num_kept = 0;
	for (size_t i = 0; i < catalog->num_system_events; i++) {
		const struct event *event = catalog->system_events[i];
		uint32_t type = system_event_of(event)->type;
		int errnum = 0;
		if (type == PERF_TYPE_HARDWARE || type == PERF_TYPE_HW_CACHE)
			errnum = perf_host_try(type, event->code, PERF_OWN_USER_CODE);
		if (errnum != ENOENT && errnum != EINVAL && errnum != EOPNOTSUPP)
			catalog->system_events[num_kept++] = event;
	}
	if (num_kept < catalog->num_system_events)
		string_builder_appendf(notes,
				       "note: generic events not listed, because this CPU cannot "
				       "count them: %zu\n",
				       catalog->num_system_events - num_kept);
	catalog->num_system_events = num_kept;
}

/** Where there are several kinds of cores. */
static struct error *add_core_pmus(struct catalog *catalog)
{
	struct perf_cpu_types types;
	perf_host_cpu_types(&types);
	if (types.num_types < 2)
		return NULL;
	struct core_pmu *pmus = arena_alloc_array(&catalog->arena, types.num_types, sizeof(*pmus));
	if (!pmus)
		return &error_no_memory;
	for (size_t i = 0; i < types.num_types; i++) {
		uint64_t midr = perf_host_midr(perf_host_first_core(types.names[i]));
		uint64_t cycles =
			(uint64_t)types.types[i] << PERF_PMU_TYPE_SHIFT | PERF_COUNT_HW_CPU_CYCLES;
		int errnum = perf_host_try(PERF_TYPE_HARDWARE, cycles, PERF_OWN_USER_CODE);
		pmus[i] = (struct core_pmu){
			.name = arena_strdup(&catalog->arena, types.names[i]),
			.type = types.types[i],
			.takes_generic_events = !errnum,
			.cpu = midr ? catalog_find_cpu(catalog, midr_find_cpu(midr)->name) : NULL,
		};
		if (!pmus[i].name)
			return &error_no_memory;
	}
	catalog->core_pmus = pmus;
	catalog->num_core_pmus = types.num_types;
	return NULL;
}

static struct error *list_perf_events(struct source *source, struct catalog *catalog,
				      struct string_builder *notes)
{
	bool has_pmu = perf_host_try_cycles() == 0;
	unsigned sets = SYSTEM_EVENTS_SOFTWARE | SYSTEM_EVENTS_SYSFS;
	if (has_pmu)
		sets |= SYSTEM_EVENTS_GENERIC;
	else if (perf_host_forbids_cycles())
		string_builder_append(notes,
				      "note: hardware events are not listed, because you may not "
				      "count them; 'wperf detect' shows what to do\n");
	else
		string_builder_appendf(notes,
				       "note: the kernel offers no CPU PMU here, so hardware "
				       "events are not available; %s\n",
				       PERF_HINT_NO_PMU);
	// Without a table of this CPU any raw code is allowed, and libpfm4 knows the events of x86
	// and others.
	if (!catalog->cpu) {
		catalog->max_raw_code = UINT64_MAX;
		sets |= has_pmu ? SYSTEM_EVENTS_PFM : 0;
	}
	catalog->tracing_folder = "/sys/kernel/tracing/events";
	catalog->sysfs_folder = perf_host_sysfs;
	struct error *err = add_core_pmus(catalog);
	if (!err)
		err = system_events_load(catalog, sets, perf_host_sysfs, notes);
	if (!err && has_pmu)
		leave_out_missing(catalog, notes);
	((struct source_perf *)source)->arm_events = perf_arm_events_of(catalog, NULL);
	return err;
}

/** One ability, found by trying. */
struct trial {
	const char *ability;
	int errnum;
	const char *detail;  /* if it works */
	const char *missing; /* if the machine has none, with its hint */
	const char *missing_hint;
	int paranoid; /* up to this perf_event_paranoid everybody may */
};

static struct error *report_no_permission(struct probe *probe, const struct trial *trial)
{
	char detail[160], hint[240];
	snprintf(detail, sizeof(detail), "no permission: kernel.perf_event_paranoid is %d",
		 perf_host_paranoid());
	snprintf(hint, sizeof(hint),
		 PERF_HINT_CAPABILITY "; or for all users: sysctl kernel.perf_event_paranoid=%d",
		 trial->paranoid);
	return probe_add_missing(probe, trial->ability, detail, hint, PRIVILEGES_COMMAND);
}

static struct error *report_trial(struct probe *probe, const struct trial *trial)
{
	switch (trial->errnum) {
	case 0:
		return probe_add_finding(probe, trial->ability, PROBE_YES, trial->detail, NULL);
	case EACCES:
		return report_no_permission(probe, trial);
	case EPERM: // not the kernel's own rules, but a filter of system calls, as containers have
		return probe_add_finding(probe, trial->ability, PROBE_NO,
					 "perf_event_open is forbidden here, as in most containers",
					 PERF_HINT_CONTAINER);
	case ENOENT:
	case ENODEV:
	case EOPNOTSUPP:
		return probe_add_finding(probe, trial->ability, PROBE_NO, trial->missing,
					 trial->missing_hint);
	case ENOSYS:
		return probe_add_finding(probe, trial->ability, PROBE_NO,
					 "this kernel has no perf events",
					 "use a kernel built with CONFIG_PERF_EVENTS");
	default:
		return probe_add_finding(probe, trial->ability, PROBE_NO, strerror(trial->errnum),
					 NULL);
	}
}

/** The least that there is. */
static struct trial try_software(enum perf_scope scope, const char *ability, const char *detail)
{
	// Documentation/admin-guide/sysctl/kernel.rst, perf_event_paranoid
	static const int paranoid[] = {
		[PERF_OWN_USER_CODE] = 2,
		[PERF_OWN_KERNEL_CODE] = 1,
		[PERF_WHOLE_CORE] = 0,
	};
	return (struct trial){
		.ability = ability,
		.errnum = perf_host_try(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, scope),
		.detail = detail,
		.missing = "the kernel does not offer them",
		.paranoid = paranoid[scope],
	};
}

static struct error *source_perf_check_sampling(void)
{
	_cleanup_(probe_deinit) struct probe probe = PROBE_INIT;
	struct trial trial = try_software(PERF_OWN_USER_CODE, "software events", "");
	// Debian and Ubuntu patch a level above 2 into their kernels that forbids everything to
	// users.
	if (trial.errnum == EACCES)
		return error_with_hint(
			error_create(ERROR_FAILED, "kernel.perf_event_paranoid is %d",
				     perf_host_paranoid()),
			"as root: sysctl kernel.perf_event_paranoid=2, or " PERF_HINT_CAPABILITY);
	struct error *err = trial.errnum ? report_trial(&probe, &trial) : NULL;
	if (err || !probe.num_findings)
		return err;
	const struct probe_finding *finding = &probe.findings[0];
	err = error_create(ERROR_FAILED, "%s", finding->detail);
	return finding->hint ? error_with_hint(err, "%s", finding->hint) : err;
}

static struct error *probe_hardware(struct probe *probe)
{
	char detail[64];
	int errnum = perf_host_try_cycles();
	snprintf(detail, sizeof(detail), "%u counters", errnum ? 0 : perf_host_count_counters());
	struct trial trial = {
		.ability = "hardware events",
		.errnum = errnum,
		.detail = detail,
		.missing = perf_host_is_virtual()
				   ? "no CPU PMU: the host of this virtual machine provides none"
				   : "the kernel offers no CPU PMU",
		.missing_hint = PERF_HINT_NO_PMU,
		.paranoid = 2, // user code
	};
	return report_trial(probe, &trial);
}

static struct error *probe_software(struct probe *probe)
{
	const struct {
		const char *ability, *detail;
		enum perf_scope scope;
	} rows[] = {
		{"software events", "of this user's processes", PERF_OWN_USER_CODE},
		{"kernel code", "-k works", PERF_OWN_KERNEL_CODE},
		{"whole cores", "-c without a command works", PERF_WHOLE_CORE},
	};
	struct error *err = NULL;
	for (size_t i = 0; !err && i < ARRAY_SIZE(rows); i++) {
		struct trial trial = try_software(rows[i].scope, rows[i].ability, rows[i].detail);
		err = report_trial(probe, &trial);
	}
	return err;
}

/** Said only where they are too small. */
static struct error *probe_buffers(struct probe *probe)
{
	static const struct sample_plan plan = {0};
	struct perf_ring_limits limits = perf_ring_limits_read(perf_host_num_cores());
	size_t size = perf_ring_size(&plan, &limits);
	if (!perf_ring_is_small(&plan, size))
		return NULL;
	char detail[80];
	snprintf(detail, sizeof(detail), "only %zu kB for each core: samples may be lost",
		 size >> 10);
	return probe_add_missing(probe, "buffers of samples", detail,
				 "raise the limit of locked memory (ulimit -l), or as root: "
				 "sysctl kernel.perf_event_mlock_kb=516",
				 "sudo sysctl kernel.perf_event_mlock_kb=516");
}

static struct error *probe_tracepoints(struct probe *probe)
{
	if (access("/sys/kernel/tracing/events", R_OK | X_OK) == 0)
		return probe_add_finding(probe, "tracepoints", PROBE_YES, "/sys/kernel/tracing",
					 NULL);
	if (errno == EACCES)
		return probe_add_missing(probe, "tracepoints", "cannot read /sys/kernel/tracing",
					 "as root: chmod -R o+rX /sys/kernel/tracing; all users "
					 "can then read its buffers, too",
					 "sudo chmod -R o+rX /sys/kernel/tracing");
	return probe_add_missing(probe, "tracepoints", "no /sys/kernel/tracing",
				 "as root: mount -t tracefs tracefs /sys/kernel/tracing",
				 "sudo mount -t tracefs tracefs /sys/kernel/tracing");
}

static struct error *probe_spe(struct probe *probe)
{
	if (perf_host_has_pmu("arm_spe_0"))
		return probe_add_finding(probe, "Arm SPE", PROBE_YES, "arm_spe_0", NULL);
	if (!perf_host_midr(0))
		return NULL; // not an Arm machine: nothing to miss
	return probe_add_missing(probe, "Arm SPE", "no arm_spe_0",
				 "load the module arm_spe_pmu; it needs a CPU with SPE and a "
				 "kernel booted with kpti=off",
				 "sudo modprobe arm_spe_pmu");
}

/** Each kind of core has a PMU of its own. */
static struct error *probe_arm_pmu(const char *pmu, struct probe *probe)
{
	uint64_t midr = perf_host_midr(perf_host_first_core(pmu));
	if (!midr || !perf_arm_pmu_is(pmu))
		return NULL;
	return perf_arm_pmu_probe(perf_host_sysfs, pmu, midr_find_cpu(midr), probe);
}

static struct error *source_perf_add_device(const char *pmu, struct probe *probe)
{
	char instance[PATH_MAX], hardware[64];
	snprintf(instance, sizeof(instance), "%s/%s", perf_host_sysfs, pmu);
	snprintf(hardware, sizeof(hardware), "perf type %d", perf_host_pmu_type(pmu));
	return probe_add_device(probe, instance, hardware);
}

// In the order of names, so that `detect` prints the same each time.
static struct error *visit_pmus(struct error *(*visit)(const char *pmu, struct probe *probe),
				struct probe *probe)
{
	struct dirent **entries;
	int num = scandir(perf_host_sysfs, &entries, NULL, alphasort);
	struct error *err = NULL;
	for (int i = 0; i < num; i++) {
		if (!err && entries[i]->d_name[0] != '.')
			err = visit(entries[i]->d_name, probe);
		free(entries[i]);
	}
	if (num >= 0)
		free(entries);
	return err;
}

static struct error *probe_perf(const struct source_settings *said, struct probe *ret)
{
	struct error *err = visit_pmus(source_perf_add_device, ret);
	if (!err)
		err = probe_hardware(ret);
	if (!err)
		err = visit_pmus(probe_arm_pmu, ret);
	if (!err)
		err = probe_software(ret);
	if (!err)
		err = probe_buffers(ret);
	if (!err)
		err = probe_tracepoints(ret);
	if (!err)
		err = probe_spe(ret);
	return err;
}

static struct value_counting *source_perf_counted_of(struct source *source)
{
	return &((struct source_perf *)source)->counted;
}

static void source_perf_count_close(struct source *source)
{
	value_counting_close(source_perf_counted_of(source));
	perf_counting_close(counting_of(source));
}

static struct error *source_perf_count_open(struct source *source, const struct count_plan *plan)
{
	source_perf_count_close(source);
	struct error *err = perf_counting_open(counting_of(source), plan);
	return err ? err
		   : value_counting_open(source_perf_counted_of(source), plan, counting_of(source));
}

static struct error *source_perf_count_start(struct source *source)
{
	struct error *err = value_counting_switch(source_perf_counted_of(source), true);
	return err ? err : perf_counting_start(counting_of(source));
}

static struct error *source_perf_count_stop(struct source *source)
{
	struct error *err = perf_counting_stop(counting_of(source));
	return err ? err : value_counting_switch(source_perf_counted_of(source), false);
}

static struct error *source_perf_count_switch(struct source *source, size_t column, bool is_on)
{
	struct error *err = perf_counting_switch(counting_of(source), column, is_on);
	return err ? err
		   : value_counting_switch_group(source_perf_counted_of(source), column, is_on);
}

static void source_perf_count_event(struct source *source, size_t column,
				    struct perf_data_event *ret)
{
	perf_counting_event(counting_of(source), column, ret);
}

static struct error *source_perf_count_reset(struct source *source)
{
	struct error *err = perf_counting_reset(counting_of(source));
	return err ? err : value_counting_reset(source_perf_counted_of(source));
}

static struct error *source_perf_count_read(struct source *source, struct source_counts *ret)
{
	return perf_counting_read(counting_of(source), ret);
}

static struct error *source_perf_read_values(struct source *source, struct value_counts *ret)
{
	return value_counting_read(source_perf_counted_of(source), ret);
}

static const char *source_perf_count_note(struct source *source, size_t column)
{
	const struct source_perf *perf = (struct source_perf *)source;
	const char *note = perf_counting_note(&perf->counting, column);
	uint64_t code;
	if (!note && perf_counting_core_code(&perf->counting, column, &code) &&
	    perf_arm_events_lack(&perf->arm_events, code))
		// PMCEID says what is implemented; an event that is not counts 0 without an error.
		return "this PMU may not have the event: it may always be 0";
	return note;
}

static bool count_absent(struct source *source, size_t column)
{
	return perf_counting_is_absent(counting_of(source), column);
}

static bool count_lost_core(struct source *source, size_t n, uint32_t *ret_core)
{
	return perf_counting_lost_core(counting_of(source), n, ret_core);
}

static const char *count_unit_name(struct source *source, size_t unit)
{
	return perf_counting_unit_name(counting_of(source), unit);
}

static struct error *source_perf_walk_check(const struct kernel_walk_program *program,
					    const char **ret_detail)
{
	_cleanup_(bpf_walker_destroyp) struct bpf_walker *walker = NULL;
	struct error *err = source_perf_check_sampling();
	if (!err)
		err = bpf_walker_create(program, BPF_WALKER_AT_EVENTS, &walker);
	if (!err)
		*ret_detail = bpf_walker_fetches_memory(walker)
				      ? "for any event; also for memory that is paged out"
				      : "for any event; not for memory that is paged out";
	return err;
}

static struct error *source_perf_walk_open(struct source *source,
					   const struct kernel_walk_program *program)
{
	// A walker belongs to one recording: samples of the last one must not come into its maps.
	source_perf_sample_close(source);
	((struct source_perf *)source)->frames = program;
	return bpf_walker_create(program, BPF_WALKER_AT_EVENTS, walker_of(source));
}

static struct error *source_perf_walk(struct source *source, uint32_t pid,
				      const struct kernel_walk *walk)
{
	struct bpf_walker *walker = *walker_of(source);
	// Without a walker stacks are read after the sample: nothing to tell the kernel.
	return walker ? bpf_walker_set_walk(walker, pid, walk) : NULL;
}

static bool source_perf_find_copy(struct source *source, const struct object_copy_key *key,
				  struct object_copy *ret)
{
	struct bpf_walker *walker = *walker_of(source);
	return walker && bpf_walker_find_copy(walker, key, ret);
}

static struct error *source_perf_sample_open(struct source *source, const struct sample_plan *plan)
{
	struct source_perf *perf = (struct source_perf *)source;
	bool has_values = value_sampling_is_wanted(plan);
	wake_sampling_close(&perf->wakes);
	value_sampling_close(&perf->values);
	perf_sampling_close(&perf->sampling);
	struct error *err =
		plan->wakers ? wake_sampling_load(plan, perf->frames, &perf->walker) : NULL;
	// Values are read by the same program; it is there for frames as well if they are wanted.
	if (!err && has_values && !perf->walker)
		err = bpf_walker_create(&bpf_walker_without_frames, BPF_WALKER_AT_EVENTS,
					&perf->walker);
	bool has_walker = plan->walks_frames || plan->wakers;
	if (!err)
		err = perf_sampling_open(&perf->sampling, plan, has_walker ? perf->walker : NULL,
					 &perf->spe);
	if (!err && plan->wakers)
		err = wake_sampling_open(&perf->wakes, plan, perf->walker, &perf->sampling);
	if (!err && has_values)
		err = value_sampling_open(&perf->values, plan, perf->walker, &perf->sampling);
	return err;
}

static struct error *source_perf_sample_start(struct source *source)
{
	struct error *err = value_sampling_start(source_perf_values_of(source));
	if (!err)
		err = perf_sampling_start(source_perf_sampling_of(source));
	return err ? err : wake_sampling_switch(wakes_of(source), true);
}

static struct error *source_perf_sample_stop(struct source *source)
{
	struct error *err = wake_sampling_switch(wakes_of(source), false);
	if (!err)
		err = value_sampling_stop(source_perf_values_of(source));
	return err ? err : perf_sampling_stop(source_perf_sampling_of(source));
}

static struct error *source_perf_sample_switch(struct source *source, size_t event, bool is_on)
{
	struct error *err = perf_sampling_switch(source_perf_sampling_of(source), event, is_on);
	return err ? err : value_sampling_switch_event(source_perf_values_of(source), event, is_on);
}

static struct error *source_perf_sample_wait(struct source *source, uint64_t timeout_ns, int fd)
{
	return perf_round_wait(source_perf_sampling_of(source), timeout_ns, fd);
}

static struct error *source_perf_sample_next(struct source *source, struct record *ret,
					     bool *ret_more)
{
	struct error *err = perf_round_next(source_perf_sampling_of(source), ret, ret_more);
	if (err || !*ret_more)
		return err;
	wake_sampling_number(wakes_of(source), ret);
	return value_sampling_take(source_perf_values_of(source), ret);
}

static bool source_perf_sample_wakeup(struct source *source, size_t n, struct sample_wakeup *ret)
{
	return perf_round_wakeup(source_perf_sampling_of(source), n, ret);
}

static struct sample_totals source_perf_sample_totals(struct source *source)
{
	struct sample_totals totals = perf_sampling_totals(source_perf_sampling_of(source));
	uint64_t num_lost = value_sampling_num_lost(source_perf_values_of(source));
	totals.num_lost += num_lost;
	totals.num_generated += num_lost;
	return totals;
}

static const char *source_perf_run_note(struct source *source, size_t n)
{
	return value_sampling_note(source_perf_values_of(source), n);
}

static const struct perf_data_event *source_perf_sample_events(struct source *source,
							       size_t *ret_num)
{
	const struct perf_sampling *sampling = source_perf_sampling_of(source);
	*ret_num = sampling->num_events;
	return sampling->file_events;
}

static const char *const default_events[] = {
	"task-clock",   "context-switches", "cpu-migrations", "page-faults", "cycles",
	"instructions", "branches",         "branch-misses",  NULL,
};

static const struct count_ops perf_count_ops = {
	.counts_cgroups = true,
	.open = source_perf_count_open,
	.start = source_perf_count_start,
	.stop = source_perf_count_stop,
	.reset = source_perf_count_reset,
	.read = source_perf_count_read,
	.read_values = source_perf_read_values,
	.close = source_perf_count_close,
	.switch_group = source_perf_count_switch,
	.event = source_perf_count_event,
	.reads_while_counting = true,
	.note = source_perf_count_note,
	.absent = count_absent,
	.lost_core = count_lost_core,
	.unit_name = count_unit_name,
};

static const struct sample_ops perf_sample_ops = {
	.check = source_perf_check_sampling,
	.open = source_perf_sample_open,
	.tells_switches = true,
	.check_wakers = wake_sampling_check,
	.tells_branches = true,
	.start = source_perf_sample_start,
	.stop = source_perf_sample_stop,
	.switch_event = source_perf_sample_switch,
	.wait = source_perf_sample_wait,
	.next = source_perf_sample_next,
	.close = source_perf_sample_close,
	.wakeup = source_perf_sample_wakeup,
	.totals = source_perf_sample_totals,
	.events = source_perf_sample_events,
	.walk_check = source_perf_walk_check,
	.walk_open = source_perf_walk_open,
	.walk = source_perf_walk,
	.find_copy = source_perf_find_copy,
};

const struct source_ops source_perf_ops = {
	.traits =
		{
			.name = "perf",
			.summary = "perf events of the Linux kernel",
			.settings = settings,
			.default_events = default_events,
		},
	.probe = probe_perf,
	.identify = identify_perf,
	.open = open_perf,
	.describe = describe_perf,
	.list_events = list_perf_events,
	.count = &perf_count_ops,
	.sample = &perf_sample_ops,
	.run_note = source_perf_run_note,
	.close = close_perf,
};
