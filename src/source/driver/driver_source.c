// SPDX-License-Identifier: Apache-2.0

#include "source/driver/driver_source.h"

#include <inttypes.h>
#include <stdio.h>

// Counting and sampling by the driver's requests, for both sources that send them: `driver` and
// `sim` have a struct driver_source at their beginning, and differ in its transport only. Each
// function finds the part of it that does the work; opening closes what was open before, so that a
// source can be used again with another plan.

static struct driver_source *driver_source_driver_of(struct source *source)
{
	return (struct driver_source *)source;
}

void driver_source_deinit(struct driver_source *source)
{
	counting_client_close(&source->counting);
	driver_sampler_close(&source->sampler);
	if (source->transport.request)
		driver_client_unlock(&source->transport);
}

struct error *driver_source_count_open(struct source *source, const struct count_plan *plan)
{
	struct driver_source *driver = driver_source_driver_of(source);
	counting_client_close(&driver->counting);
	// Topology and number of cores are known since the source was described.
	return counting_client_open(&driver->counting, &driver->transport, &driver->topology,
				    driver->machine.num_cores, plan);
}

struct error *driver_source_count_start(struct source *source)
{
	return counting_client_start(&driver_source_driver_of(source)->counting);
}

/** What the driver lost is a remark: who cannot tell it, WindowsPerf's driver, has counted too. */
static void ask_for_losses(struct driver_source *driver)
{
	const struct driver_transport *transport = &driver->transport;
	uint32_t any = 0;
	struct wperf_losses losses;
	size_t size = 0;
	driver->losses = (struct wperf_losses){.lost_rounds = 0};
	if (transport->request(transport->context, WPERF_LOSSES_CTL_QUERY, &any, sizeof(any),
			       &losses, sizeof(losses), &size) == 0 &&
	    size == sizeof(losses))
		driver->losses = losses;
}

struct error *driver_source_count_stop(struct source *source)
{
	struct driver_source *driver = driver_source_driver_of(source);
	struct error *err = counting_client_stop(&driver->counting);
	if (!err)
		ask_for_losses(driver);
	return err;
}

struct error *driver_source_count_reset(struct source *source)
{
	return counting_client_reset(&driver_source_driver_of(source)->counting);
}

struct error *driver_source_count_read(struct source *source, struct source_counts *ret)
{
	return counting_client_read(&driver_source_driver_of(source)->counting, ret);
}

void driver_source_count_close(struct source *source)
{
	counting_client_close(&driver_source_driver_of(source)->counting);
}

struct error *driver_source_sample_open(struct source *source, const struct sample_plan *plan)
{
	struct driver_source *driver = driver_source_driver_of(source);
	driver_sampler_close(&driver->sampler);
	return driver_sampler_open(&driver->sampler, &driver->transport, &driver->machine, plan);
}

struct error *driver_source_sample_start(struct source *source)
{
	return driver_sampler_start(&driver_source_driver_of(source)->sampler);
}

struct error *driver_source_sample_stop(struct source *source)
{
	struct driver_source *driver = driver_source_driver_of(source);
	struct error *err = driver_sampler_stop(&driver->sampler);
	if (!err)
		ask_for_losses(driver);
	return err;
}

struct error *driver_source_sample_wait(struct source *source, uint64_t timeout_ns, int fd)
{
	return driver_sampler_wait(&driver_source_driver_of(source)->sampler, timeout_ns);
}

struct error *driver_source_sample_next(struct source *source, struct record *ret, bool *ret_more)
{
	*ret_more = driver_sampler_next(&driver_source_driver_of(source)->sampler, ret);
	return NULL;
}

void driver_source_sample_close(struct source *source)
{
	driver_sampler_close(&driver_source_driver_of(source)->sampler);
}

struct sample_totals driver_source_sample_totals(struct source *source)
{
	struct driver_source *driver = driver_source_driver_of(source);
	struct sample_totals totals = driver_sampler_totals(&driver->sampler);
	totals.num_throttled = driver->losses.num_throttled;
	return totals;
}

const char *driver_source_run_note(struct source *source, size_t n)
{
	struct driver_source *driver = driver_source_driver_of(source);
	uint64_t num_rounds = driver->losses.lost_rounds;
	uint64_t num_samplings = driver->losses.lost_samplings;
	if (n > 0 || (!num_rounds && !num_samplings))
		return NULL;
	if (num_rounds)
		snprintf(driver->lost_note, sizeof(driver->lost_note),
			 "cores slept or were switched off while they counted: %" PRIu64
			 " period%s left out of the counts",
			 num_rounds, num_rounds == 1 ? " is" : "s are");
	else
		snprintf(driver->lost_note, sizeof(driver->lost_note),
			 "cores slept or were switched off while they sampled, %" PRIu64
			 " time%s: samples up to 10 ms after each are missing",
			 num_samplings, num_samplings == 1 ? "" : "s");
	return driver->lost_note;
}

const struct perf_data_event *driver_source_sample_events(struct source *source, size_t *ret_num)
{
	return driver_sampler_events(&driver_source_driver_of(source)->sampler, ret_num);
}
