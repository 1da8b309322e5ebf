// SPDX-License-Identifier: Apache-2.0

#include "source/memory/touched_pages.h"

#include "catalog/linux/system_event.h"
#include "source/perf/source_perf.h"
#include "source/source.h"

#include <linux/perf_event.h>
#include <unistd.h>

// The kernel's records of processes are left out: the programs announce themselves to the source
// `memory`, in time for their allocations, which the kernel's records would not be (a round is a
// millisecond late). Samples are that late, too: their processes are known by then.

static const struct system_event page_faults = {
	.event = {.name = "page-faults",
		  .event_class = EVENT_PERF,
		  .code = PERF_COUNT_SW_PAGE_FAULTS},
	.type = PERF_TYPE_SOFTWARE,
	.scale = 1,
};

struct error *touched_pages_open(struct touched_pages *touched, const struct sample_plan *plan,
				 uint64_t bytes, const struct kernel_walk_program *program)
{
	long page_size = sysconf(_SC_PAGESIZE);
	touched->page_size = page_size > 0 ? (uint64_t)page_size : 4096;
	uint64_t num_pages = bytes / touched->page_size;
	num_pages = num_pages ? num_pages : 1;
	touched->period = num_pages * touched->page_size;
	struct event_request request = {
		.event = &page_faults.event,
		.group = EVENT_UNGROUPED,
		.interval = num_pages,
	};
	const struct event_list events = {.items = &request, .num_items = 1, .cap_items = 1};
	struct sample_plan kernel = *plan;
	kernel.events = &events;
	kernel.walks_frames = kernel.wakes = false;
	struct error *err = source_perf_ops.open(NULL, false, &touched->kernel);
	if (!err && plan->walks_frames) {
		// Without rights for it, page faults have native callers only.
		struct error *refused = source_perf_ops.sample->walk_open(touched->kernel, program);
		kernel.walks_frames = !refused;
		error_destroy(refused);
	}
	if (!err)
		err = source_perf_ops.sample->open(touched->kernel, &kernel);
	return err;
}

void touched_pages_close(struct touched_pages *touched)
{
	if (touched->kernel)
		source_perf_ops.close(touched->kernel);
	*touched = (struct touched_pages)TOUCHED_PAGES_INIT;
}

struct error *touched_pages_start(struct touched_pages *touched)
{
	return touched->kernel ? source_perf_ops.sample->start(touched->kernel) : NULL;
}

struct error *touched_pages_stop(struct touched_pages *touched)
{
	return touched->kernel ? source_perf_ops.sample->stop(touched->kernel) : NULL;
}

struct error *touched_pages_walk(struct touched_pages *touched, uint32_t pid,
				 const struct kernel_walk *walk)
{
	return touched->kernel ? source_perf_ops.sample->walk(touched->kernel, pid, walk) : NULL;
}

bool touched_pages_find_copy(struct touched_pages *touched, const struct object_copy_key *key,
			     struct object_copy *ret)
{
	return touched->kernel && source_perf_ops.sample->find_copy(touched->kernel, key, ret);
}

struct error *touched_pages_look(struct touched_pages *touched)
{
	enum { NO_FD = -1 };
	return touched->kernel ? source_perf_ops.sample->wait(touched->kernel, 0, NO_FD) : NULL;
}

struct error *touched_pages_next(struct touched_pages *touched, struct record *ret, bool *ret_more)
{
	struct error *err = NULL;
	*ret_more = touched->kernel != NULL;
	while (!err && *ret_more) {
		err = source_perf_ops.sample->next(touched->kernel, ret, ret_more);
		if (!err && *ret_more && (ret->kind == RECORD_SAMPLE || ret->kind == RECORD_LOST))
			break;
	}
	if (err || !*ret_more)
		return err;
	// They are written like those of allocations, under the id of their event.
	ret->raw = NULL;
	ret->raw_size = 0;
	if (ret->kind == RECORD_SAMPLE) {
		ret->sample.period *= touched->page_size;
		ret->sample.has_gone_on = true;
	}
	return NULL;
}

struct sample_totals touched_pages_totals(const struct touched_pages *touched)
{
	return touched->kernel ? source_perf_ops.sample->totals(touched->kernel)
			       : (struct sample_totals){0};
}
