// SPDX-License-Identifier: Apache-2.0

#include "source/driver/driver_source.h"

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

struct error *driver_source_count_stop(struct source *source)
{
	return counting_client_stop(&driver_source_driver_of(source)->counting);
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
	return driver_sampler_stop(&driver_source_driver_of(source)->sampler);
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
	return driver_sampler_totals(&driver_source_driver_of(source)->sampler);
}

const struct perf_data_event *driver_source_sample_events(struct source *source, size_t *ret_num)
{
	return driver_sampler_events(&driver_source_driver_of(source)->sampler, ret_num);
}
