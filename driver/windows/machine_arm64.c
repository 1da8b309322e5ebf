// SPDX-License-Identifier: Apache-2.0

#include "driver/windows/machine.h"

#include "driver/core/request.h"
#include "driver/windows/cpus.h"
#include "driver/windows/hardware_counters.h"
#include "driver/windows/interrupted_stack.h"
#include "driver/windows/parameters.h"
#include "driver/windows/pmi.h"
#include "driver/windows/regs_arm64.h"
#include "driver/windows/trace/count_log.h"

enum {
	PMU_VERSION_NONE = 0,
	PMU_VERSION_OTHER = 15,
	KIB = 1024,
	SPE_BUFFER = 512 * KIB,            // of a core
	ALL_SPE_BUFFERS = 32 * 1024 * KIB, // cores beyond 64 get smaller ones
	RING = 256 * KIB,                  // of a core, for samples
};

struct machine {
	struct driver_registers registers;
	struct cpus cpus;
	struct hardware_counters counters;
	struct parameters parameters;
	struct pmi pmi;
	bool is_hooked;
	struct count_log count_log;
	void *spe_buffers; // NULL: no SPE
	void *rings;       // NULL: there was no memory for them
	struct driver_core core;
};

static uint64_t machine_arm64_read_register(void *context, unsigned cpu, enum driver_register reg)
{
	return regs_arm64_read(reg);
}

static void machine_arm64_write_register(void *context, unsigned cpu, enum driver_register reg,
					 uint64_t value)
{
	regs_arm64_write(reg, value);
}

static void machine_arm64_drain_profiling(void *context, unsigned cpu)
{
	regs_arm64_drain_profiling();
}

static void on_cpu(void *context, unsigned cpu, driver_cpu_fn *function, void *argument)
{
	struct machine *machine = context;
	cpus_run(&machine->cpus, cpu, function, argument);
}

// An interrupt runs in the context of the thread that it interrupted: that is the current one.
static void machine_arm64_read_task(void *context, unsigned cpu, struct driver_task *ret)
{
	ret->pid = (uint32_t)(ULONG_PTR)PsGetCurrentProcessId();
	ret->tid = (uint32_t)(ULONG_PTR)PsGetCurrentThreadId();
}

static bool machine_arm64_read_frame(void *context, unsigned cpu, uint64_t address,
				     struct driver_frame *ret)
{
	return interrupted_stack_read(address, ret);
}

static void machine_arm64_counted(void *context, unsigned cpu, uint32_t event, unsigned counter,
				  uint64_t value)
{
	const struct machine *machine = context;
	count_log_write(&machine->count_log, cpu, event, counter, value);
}

// No read_dmc: there is no memory controller of which we know for sure where it is.
static const struct driver_register_ops register_ops = {
	.read = machine_arm64_read_register,
	.write = machine_arm64_write_register,
	.drain_profiling = machine_arm64_drain_profiling,
	.read_task = machine_arm64_read_task,
	.read_frame = machine_arm64_read_frame,
	.counted = machine_arm64_counted,
	.on_cpu = on_cpu,
};

static void machine_arm64_tick(void *context, unsigned cpu)
{
	struct machine *machine = context;
	driver_core_tick(&machine->core, cpu);
}

// The exception level is in the saved PSTATE (SPSR_EL1.M). Callers are looked for at EL1 only: at
// EL0 x29 is whatever a program put there.
static void handle_overflow(void *context, unsigned cpu, const struct trap_frame *frame)
{
	struct machine *machine = context;
	bool in_kernel = (frame->spsr & TRAP_FRAME_EL_MASK) != TRAP_FRAME_EL0;
	const struct driver_interrupted interrupted = {
		.pc = frame->pc,
		.lr = frame->lr,
		.fp = in_kernel ? frame->fp : 0,
		.sp = frame->sp,
		.in_kernel = in_kernel,
	};
	// Not ours: nobody else handles it while we do, and it comes again and again until it is.
	if (cpu >= machine->cpus.num || !driver_core_overflow(&machine->core, cpu, &interrupted))
		regs_arm64_write(DRIVER_PMOVSCLR_EL0,
				 regs_arm64_read(DRIVER_PMOVSCLR_EL0) &
					 regs_arm64_read(DRIVER_PMINTENSET_EL1));
}

NTSTATUS machine_probe(void)
{
	uint64_t dfr0 = regs_arm64_read(DRIVER_ID_AA64DFR0_EL1);
	unsigned version = driver_register_field(dfr0, 11, 8); // PMUVer
	bool is_known = version != PMU_VERSION_NONE && version != PMU_VERSION_OTHER;
	return is_known ? STATUS_SUCCESS : STATUS_NOT_SUPPORTED;
}

static bool has_spe(const struct machine *machine)
{
	for (unsigned cpu = 0; cpu < machine->cpus.num; cpu++) {
		if (driver_spe_exists(&machine->registers, cpu))
			return true;
	}
	return false;
}

// Of the CPU that has fewest: PMCR_EL0.N, which a hypervisor may make smaller.
static unsigned count_counters(const struct machine *machine)
{
	unsigned num = DRIVER_MAX_EVENT_COUNTERS;
	for (unsigned cpu = 0; cpu < machine->cpus.num; cpu++) {
		unsigned of_cpu = driver_register_num_counters(
			driver_registers_fetch(&machine->registers, cpu, DRIVER_PMCR_EL0));
		num = of_cpu < num ? of_cpu : num;
	}
	return num;
}

// Whole pages: PMBLIMITR_EL1 has the address of a page.
static size_t size_of_spe_buffer(const struct machine *machine)
{
	size_t share = ALL_SPE_BUFFERS / machine->cpus.num / PAGE_SIZE * PAGE_SIZE;
	return share < SPE_BUFFER ? share : SPE_BUFFER;
}

static const char *features_of(const struct machine *machine)
{
	if (machine->count_log.provider.is_registered)
		return machine->spe_buffers ? "+etw-drv+spe" : "+etw-drv";
	return machine->spe_buffers ? "+spe" : "";
}

static NTSTATUS init_core(struct machine *machine)
{
	unsigned cluster_size = machine->parameters.dsu_cluster_size;
	bool has_dsu = cluster_size > 0 && cluster_size <= machine->cpus.num;
	const struct driver_config config = {
		.num_cores = machine->cpus.num,
		.dsu_clusters = has_dsu ? machine->cpus.num / cluster_size : 0,
		.dsu_cluster_size = has_dsu ? cluster_size : 0,
		.spe = machine->spe_buffers != NULL,
		.spe_buffers = machine->spe_buffers,
		.spe_buffer_size = size_of_spe_buffer(machine),
		.ring_memory = machine->rings,
		.ring_size = RING,
		.free_counters = machine->counters.ours,
		.no_interrupts = !machine->is_hooked,
		.version = {3, 8, 0},
		.git_version = "wperf-" WPERF_VERSION,
		.features = features_of(machine),
	};
	enum driver_status status = driver_core_init(&machine->core, &config, &machine->registers);
	return status == DRIVER_OK ? STATUS_SUCCESS : STATUS_NOT_SUPPORTED;
}

static void machine_arm64_do_nothing(void *argument)
{
}

// The core is silent. First no interrupt begins, then none is running, then its memory can go.
static void give_back(struct machine *machine)
{
	if (machine->is_hooked)
		pmi_unhook();
	// What runs on a CPU below the PMI's level says that no PMI's handler is running there.
	for (unsigned cpu = 0; cpu < machine->cpus.num; cpu++)
		cpus_run(&machine->cpus, cpu, machine_arm64_do_nothing, NULL);
	hardware_counters_give_back(&machine->counters);
	cpus_deinit(&machine->cpus);
	count_log_deinit(&machine->count_log);
	kernel_free(machine->rings);
	kernel_free(machine->spe_buffers);
	kernel_free(machine);
}

NTSTATUS machine_create(struct machine **ret)
{
	PAGED_CODE();
	struct machine *machine = kernel_allocate(sizeof(*machine));
	if (!machine)
		return STATUS_INSUFFICIENT_RESOURCES;
	machine->registers.ops = &register_ops;
	machine->registers.context = machine;
	// Before the core: its probing runs on each CPU.
	cpus_init(&machine->cpus, machine_arm64_tick, machine);
	parameters_read(&machine->parameters);
	// SPE takes virtual addresses: pool that stays in place does, in one piece.
	if (has_spe(machine))
		machine->spe_buffers =
			kernel_allocate(size_of_spe_buffer(machine) * machine->cpus.num);
	machine->rings = kernel_allocate((size_t)RING * machine->cpus.num);
	hardware_counters_take(&machine->counters, count_counters(machine));
	count_log_init(&machine->count_log);
	// Until the core is there no counter is set to overflow, and if the HAL refuses the hook,
	// cores can count, but not sample.
	machine->pmi = (struct pmi){.function = handle_overflow, .context = machine};
	machine->is_hooked = NT_SUCCESS(pmi_hook(&machine->pmi));
	NTSTATUS status = init_core(machine);
	if (NT_SUCCESS(status))
		*ret = machine;
	else
		give_back(machine);
	return status;
}

void machine_destroy(struct machine *machine)
{
	PAGED_CODE();
	driver_core_forget_work(&machine->core);
	give_back(machine);
}

static void machine_arm64_set_timers(struct machine *machine)
{
	for (unsigned cpu = 0; cpu < machine->cpus.num; cpu++)
		cpus_set_period(&machine->cpus, cpu,
				driver_core_timer_period_ms(&machine->core, cpu));
}

enum driver_status machine_request(struct machine *machine, driver_client client, uint32_t code,
				   const void *in, size_t in_size, void *out, size_t out_size,
				   size_t *ret_size)
{
	enum driver_status status =
		driver_request(&machine->core, client, code, in, in_size, out, out_size, ret_size);
	// A request may have started or ended counting.
	machine_arm64_set_timers(machine);
	return status;
}

void machine_close(struct machine *machine, driver_client client)
{
	driver_core_close(&machine->core, client);
	machine_arm64_set_timers(machine);
}

// Timers go on: a tick of what is suspended does nothing.
void machine_suspend(struct machine *machine)
{
	driver_core_suspend(&machine->core);
}

void machine_resume(struct machine *machine)
{
	driver_core_resume(&machine->core);
}

driver_client machine_owner(const struct machine *machine)
{
	return machine->core.lock.owner;
}
