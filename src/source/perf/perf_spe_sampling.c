// SPDX-License-Identifier: Apache-2.0

#include "source/perf/perf_spe_sampling.h"

#include "base/container/array.h"
#include "base/os/clock.h"
#include "base/os/generic_timer.h"
#include "source/perf/perf_host.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// One perf_spe per core, whose results are given core by core: each is in time order, and the
// profile needs no order across cores. Time stamps of SPE count the generic timer (CNTVCT_EL0);
// set_conversion() takes timer and clock anew in each round, since CLOCK_MONOTONIC is adjusted by
// NTP. A thread that was there before the recording has no fork record:
// perf_spe_sampling_find_process() asks /proc once for its process.

enum { AUX_BYTES = 4 << 20 };

// The clock of records runs a little faster or slower than the timer, as it is kept right.
static void set_conversion(struct perf_spe_sampling *sampling)
{
	sampling->context.conversion = time_conversion_of_timer(
		generic_timer_frequency(), generic_timer_ticks(), clock_ns(CLOCK_MONOTONIC));
}

static struct error *perf_spe_sampling_describe_machine(struct perf_spe_sampling *sampling)
{
	_cleanup_(spe_machine_deinit) struct spe_machine machine = {
		.pmu_type = sampling->pmu->type,
	};
	unsigned num_cores = perf_host_num_cores();
	machine.cores = calloc(num_cores, sizeof(*machine.cores));
	if (!machine.cores)
		return &error_no_memory;
	for (unsigned core = 0; core < num_cores; core++) {
		// On a machine with several kinds of cores, some may have no SPE.
		if (!perf_spe_pmu_has_core(sampling->pmu, core))
			continue;
		machine.cores[machine.num_cores++] = (struct spe_machine_core){
			.cpu = core,
			.midr = (uint32_t)perf_host_midr(core),
			.pmu_type = sampling->pmu->type,
			.min_period = sampling->pmu->min_period,
		};
	}
	return spe_file_head_init(&sampling->head, &machine, &sampling->context.conversion);
}

struct error *perf_spe_sampling_create(const struct perf_spe_pmu *pmu, uint32_t event,
				       const struct sample_plan *plan,
				       struct perf_spe_sampling **ret)
{
	_cleanup_(perf_spe_sampling_destroyp) struct perf_spe_sampling *sampling =
		calloc(1, sizeof(*sampling));
	if (!sampling)
		return &error_no_memory;
	sampling->pmu = pmu;
	sampling->context = (struct perf_spe_context){
		.threads = &sampling->threads,
		.event = event,
		.period = plan->spe->configs[SPE_PERIOD],
		.is_of_threads = plan->num_pids > 0,
	};
	sampling->area_bytes = AUX_BYTES;
	sampling->max_cores = perf_host_num_cores();
	sampling->cores = calloc(sampling->max_cores, sizeof(*sampling->cores));
	if (!sampling->cores)
		return &error_no_memory;
	set_conversion(sampling);
	struct error *err = perf_spe_sampling_describe_machine(sampling);
	if (err)
		return err;
	*ret = take_ptr(sampling);
	return NULL;
}

int perf_spe_sampling_map(struct perf_spe_sampling *sampling, unsigned core, int fd,
			  struct perf_event_mmap_page *page, size_t ring_bytes)
{
	if (sampling->num_cores == sampling->max_cores)
		return E2BIG;
	struct perf_spe *spe = &sampling->cores[sampling->num_cores];
	perf_spe_init(spe, core, (uint32_t)perf_host_midr(core));
	int errnum = perf_aux_map(&spe->aux, fd, page, ring_bytes, sampling->area_bytes);
	sampling->num_cores += errnum == 0;
	return errnum;
}

void perf_spe_sampling_look(struct perf_spe_sampling *sampling)
{
	set_conversion(sampling);
	for (size_t i = 0; i < sampling->num_cores; i++)
		perf_spe_look(&sampling->cores[i]);
	sampling->current = 0;
}

struct error *perf_spe_sampling_note(struct perf_spe_sampling *sampling, int core,
				     const struct record *record)
{
	struct error *err = NULL;
	for (size_t i = 0; !err && core >= 0 && i < sampling->num_cores; i++)
		if (sampling->cores[i].core == (uint32_t)core)
			err = perf_spe_note(&sampling->cores[i], record);
	return err ? err : running_threads_note(&sampling->threads, record);
}

bool perf_spe_sampling_introduce(struct perf_spe_sampling *sampling, struct record *ret)
{
	return spe_file_head_next(&sampling->head, ret);
}

// A thread that was there before: the kernel told of none of its doings.
static void perf_spe_sampling_find_process(struct perf_spe_sampling *sampling,
					   struct record *record)
{
	if (record->tid == UINT32_MAX || !record->tid ||
	    running_threads_has(&sampling->threads, record->tid))
		return;
	uint32_t pid = perf_host_process_of(record->tid);
	if (pid)
		record->pid = pid;
	const struct running_thread thread = {record->pid, record->tid};
	// Without memory for the note, /proc is asked again at the thread's next sample.
	error_destroy(running_threads_add(&sampling->threads, thread));
}

bool perf_spe_sampling_next(struct perf_spe_sampling *sampling, struct record *ret)
{
	for (; sampling->current < sampling->num_cores; sampling->current++) {
		struct perf_spe *spe = &sampling->cores[sampling->current];
		if (!perf_spe_next(spe, &sampling->context, ret))
			continue;
		if (ret->kind == RECORD_SAMPLE)
			perf_spe_sampling_find_process(sampling, ret);
		return true;
	}
	return false;
}

struct spe_trace_totals perf_spe_sampling_totals(const struct perf_spe_sampling *sampling)
{
	struct spe_trace_totals totals = {};
	for (size_t i = 0; i < sampling->num_cores; i++) {
		const struct perf_spe *spe = &sampling->cores[i];
		totals.num_records += spe->stream.num_records;
		totals.num_bad_bytes += spe->stream.num_bad_bytes;
		totals.num_damages += spe->stream.num_damages;
		totals.num_truncations += spe->num_truncations;
		totals.num_gaps += spe->num_gaps;
		totals.num_collisions += spe->num_collisions;
	}
	return totals;
}

void perf_spe_sampling_unmap(struct perf_spe_sampling *sampling)
{
	for (size_t i = 0; i < sampling->num_cores; i++) {
		perf_aux_unmap(&sampling->cores[i].aux);
		perf_spe_deinit(&sampling->cores[i]);
	}
	sampling->num_cores = 0;
}

void perf_spe_sampling_destroy(struct perf_spe_sampling *sampling)
{
	if (!sampling)
		return;
	perf_spe_sampling_unmap(sampling);
	running_threads_deinit(&sampling->threads);
	free(sampling->cores);
	spe_file_head_deinit(&sampling->head);
	free(sampling);
}
