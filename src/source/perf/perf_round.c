// SPDX-License-Identifier: Apache-2.0

#include "source/perf/perf_round.h"

#include "base/container/array.h"
#include "base/os/clock.h"
#include "base/os/interrupt.h"
#include "source/bpf/bpf_walker.h"
#include "source/bpf/walk_record.h"
#include "source/perf/perf_core_ring.h"
#include "source/perf/perf_spe_sampling.h"

#include <errno.h>
#include <sys/epoll.h>

// Every ring is in time order, but the rings are not in order with each other. perf_round_wait()
// begins a round: it notes the heads of all rings and a bound, one millisecond ago. A core may
// still be writing a record that is newer than the bound, but hardly an older one.
// perf_round_next() merges by time up to the bound; newer records wait for the next round.
// choose_ring() also computes until when the oldest ring stays the oldest (runner_up_ns), so that
// most records need no comparison of all cores.
//
// wakeup_samples() runs before all this, and looks only at the beginnings of new samples
// (perf_wakeup.c), because interpreted frames have to be read at once. Walks of the BPF program are
// taken out of the ring on the way (peek_record()). A walk that met a page which was not in memory
// is repeated by the thread itself when it returns to user code; awaits_late_walk() holds the bound
// back for it, for at most 100 ms.

enum {
	// A core may be kept from finishing a record for about so long (a guest's, say).
	SETTLE_NS = 1000000,
	// A sample waits no longer for a thread that walks once more, but blocks in the kernel.
	LATE_NS = 100000000,
};

/** Walks are kept on the way, for the samples behind them. */
static bool peek_record(struct perf_sampling *sampling, struct perf_core_ring *ring,
			const uint8_t **ret)
{
	while (perf_ring_peek(&ring->ring, ret, &ring->size)) {
		if (!ring->walk || !walk_record_take(ring->walk, *ret, ring->size,
						     &sampling->totals.num_walks_unpaired))
			return true;
		perf_ring_drop(&ring->ring, ring->size);
	}
	return false;
}

static bool awaits_late_walk(const struct perf_sampling *sampling,
			     const struct perf_core_ring *ring)
{
	struct walk_record *walk = ring->walk;
	if (!walk || !walk->is_waiting || walk->late_slot == WALK_NEVER_LATE)
		return false;
	if (bpf_walker_take_late(sampling->walker, walk) && !sampling->has_stopped &&
	    clock_ns(CLOCK_MONOTONIC) < ring->time_ns + LATE_NS)
		return true;
	walk->late_slot = WALK_NEVER_LATE;
	return false;
}

/** The next record of a ring, if it is older than the bound. */
static void perf_round_peek(struct perf_sampling *sampling, struct perf_core_ring *ring)
{
	ring->bytes = NULL;
	const uint8_t *bytes;
	if (!peek_record(sampling, ring, &bytes))
		return;
	ring->time_ns = perf_format_time(&sampling->decoding, bytes, ring->size);
	// Another core may still bring an older one.
	if (ring->time_ns >= sampling->bound_ns)
		return;
	if (awaits_late_walk(sampling, ring))
		sampling->bound_ns = ring->time_ns;
	else
		ring->bytes = bytes;
}

static void wakeup_samples(struct perf_sampling *sampling)
{
	for (size_t i = 0; i < sampling->num_rings; i++) {
		perf_ring_look(&sampling->rings[i].ring);
		perf_wakeup_look(&sampling->rings[i].wakeup, &sampling->rings[i].ring,
				 sampling->makes_switch_samples);
	}
	// Of a thread that was sampled on several cores only the newest sample of all. After all
	// rings were looked at: the thread may have moved while we did.
	for (size_t i = 0; i < sampling->num_rings; i++) {
		const struct perf_wakeup *newer = &sampling->rings[i].wakeup;
		for (size_t k = 0; newer->is_new && k < sampling->num_rings; k++) {
			struct perf_wakeup *older = &sampling->rings[k].wakeup;
			if (older->is_new && older->sample.tid == newer->sample.tid &&
			    older->sample.time_ns < newer->sample.time_ns)
				older->is_new = false;
		}
	}
}

bool perf_round_wakeup(const struct perf_sampling *sampling, size_t n, struct sample_wakeup *ret)
{
	for (size_t i = 0; i < sampling->num_rings; i++) {
		const struct perf_wakeup *wakeup = &sampling->rings[i].wakeup;
		if (n < wakeup->num_leaving) {
			*ret = wakeup->leaving[n];
			return true;
		}
		n -= wakeup->num_leaving;
		if (!wakeup->is_new || n-- > 0)
			continue;
		*ret = wakeup->sample;
		return true;
	}
	return false;
}

/** Watched from now on; an exit is one edge. */
static struct error *perf_round_watch(struct perf_sampling *sampling, int fd)
{
	struct epoll_event edge = {.events = EPOLLIN | EPOLLET};
	if (fd < 0 || fd == sampling->watched_fd)
		return NULL;
	sampling->watched_fd = fd;
	// EEXIST: it was watched before another one was.
	if (!epoll_ctl(sampling->epoll_fd, EPOLL_CTL_ADD, fd, &edge) || errno == EEXIST)
		return NULL;
	return error_create_errno(errno, "cannot wait for the program to end");
}

struct error *perf_round_wait(struct perf_sampling *sampling, uint64_t timeout_ns, int fd)
{
	struct error *err = perf_round_watch(sampling, fd);
	enum interrupt_wake wake;
	if (!err && timeout_ns)
		err = interrupt_wait(sampling->epoll_fd, timeout_ns, &wake);
	if (err)
		return err;
	// The edges were seen.
	struct epoll_event edges[16];
	// Without waiting: what is left would wake us at once the next time.
	while (epoll_wait(sampling->epoll_fd, edges, ARRAY_SIZE(edges), 0) == ARRAY_SIZE(edges))
		continue;
	if (sampling->wakes)
		wakeup_samples(sampling);
	// The round begins here.
	sampling->bound_ns =
		sampling->has_stopped ? UINT64_MAX : clock_ns(CLOCK_MONOTONIC) - SETTLE_NS;
	sampling->current = NULL;
	sampling->are_rings_empty = false;
	if (sampling->spe)
		perf_spe_sampling_look(sampling->spe);
	for (size_t i = 0; i < sampling->num_rings; i++) {
		perf_ring_look(&sampling->rings[i].ring);
		perf_round_peek(sampling, &sampling->rings[i]);
	}
	return NULL;
}

/** The ring with the oldest record, or NULL; and how long it stays that. */
static void choose_ring(struct perf_sampling *sampling)
{
	struct perf_core_ring *oldest = NULL;
	uint64_t runner_up_ns = UINT64_MAX;
	for (size_t i = 0; i < sampling->num_rings; i++) {
		struct perf_core_ring *ring = &sampling->rings[i];
		if (!ring->bytes || ring->time_ns >= sampling->bound_ns)
			continue;
		if (!oldest || ring->time_ns < oldest->time_ns) {
			runner_up_ns = oldest ? oldest->time_ns : runner_up_ns;
			oldest = ring;
		} else if (ring->time_ns < runner_up_ns) {
			runner_up_ns = ring->time_ns;
		}
	}
	sampling->current = oldest;
	sampling->runner_up_ns = runner_up_ns;
}

static void add_to_totals(struct sample_totals *totals, const struct record *record)
{
	switch (record->kind) {
	case RECORD_SAMPLE:
		totals->num_generated++;
		totals->num_walks[record->sample.walk_end]++;
		totals->num_sampled += record->event == 0 ? record->sample.period : 0;
		break;
	case RECORD_LOST:
		totals->num_lost += record->num_lost;
		// Lost samples were generated, too.
		totals->num_generated += record->num_lost;
		break;
	case RECORD_THROTTLE:
		totals->num_throttled += record->is_throttled;
		break;
	default:
		break;
	}
}

static void join_walk(struct perf_sampling *sampling, struct perf_core_ring *ring,
		      struct record *record)
{
	sampling->totals.num_walks_late += ring->walk->is_waiting && ring->walk->is_late;
	if (record->kind == RECORD_SAMPLE)
		walk_record_join(ring->walk, record, &sampling->totals.num_walks_unpaired);
	if (record->kind != RECORD_LOST)
		return;
	// It may name the event of the walks, which nobody else knows.
	record->raw = NULL;
	walk_record_drop(ring->walk, &sampling->totals.num_walks_unpaired);
}

/**
 * A thread leaves its core, and the kernel does not show the sample of it: there is one in front of
 * the record all the same, which says who and when.
 */
static bool make_sample(struct perf_sampling *sampling, const struct perf_core_ring *ring,
			struct record *record)
{
	if (!sampling->makes_switch_samples || record->kind != RECORD_SWITCH ||
	    !record->change.is_out || sampling->sampled_switch == ring->bytes)
		return false;
	sampling->sampled_switch = ring->bytes;
	*record = (struct record){
		.kind = RECORD_SAMPLE,
		.mode = RECORD_MODE_USER,
		.pid = record->pid,
		.tid = record->tid,
		.time_ns = record->time_ns,
		.cpu = record->cpu,
		.event = sampling->off_cpu_event,
		.sample = {.period = 1},
	};
	return true;
}

/** Behind the records of the rings; the introduction before. */
static bool next_of_spe(struct perf_sampling *sampling, struct record *ret)
{
	if (!sampling->spe)
		return false;
	if (perf_spe_sampling_introduce(sampling->spe, ret))
		return true;
	if (!sampling->are_rings_empty || !perf_spe_sampling_next(sampling->spe, ret))
		return false;
	add_to_totals(&sampling->totals, ret);
	return true;
}

/** The kernel reports losses in front of the ring's next record, which may never come. */
static bool tell_losses(struct perf_sampling *sampling, struct record *ret)
{
	if (!sampling->has_stopped || sampling->has_told_losses)
		return false;
	sampling->has_told_losses = true;
	uint64_t num_lost = perf_sampling_num_lost(sampling);
	if (num_lost <= sampling->totals.num_lost)
		return false;
	*ret = (struct record){
		.kind = RECORD_LOST,
		.time_ns = clock_ns(CLOCK_MONOTONIC),
		.num_lost = num_lost - sampling->totals.num_lost,
	};
	add_to_totals(&sampling->totals, ret);
	return true;
}

struct error *perf_round_next(struct perf_sampling *sampling, struct record *ret, bool *ret_more)
{
	*ret_more = next_of_spe(sampling, ret);
	if (*ret_more)
		return NULL;
	struct perf_core_ring *ring = sampling->current;
	// The last record is done with, unless only the sample in front of it was given.
	if (ring && ring->bytes && !sampling->sampled_switch) {
		perf_ring_drop(&ring->ring, ring->size);
		perf_round_peek(sampling, ring);
	}
	if (!ring || !ring->bytes || ring->time_ns > sampling->runner_up_ns) {
		choose_ring(sampling);
		ring = sampling->current;
	}
	if (!ring) {
		sampling->are_rings_empty = true;
		*ret_more = next_of_spe(sampling, ret) || tell_losses(sampling, ret);
		return NULL;
	}
	*ret_more = true;
	struct error *err = perf_format_decode(&sampling->decoding, ring->bytes, ring->size, ret);
	if (err)
		return err;
	if (!make_sample(sampling, ring, ret))
		sampling->sampled_switch = NULL;
	if (ring->walk)
		join_walk(sampling, ring, ret);
	add_to_totals(&sampling->totals, ret);
	return sampling->spe
		       ? perf_spe_sampling_note(sampling->spe, ring->is_spe ? ring->core : -1, ret)
		       : NULL;
}
