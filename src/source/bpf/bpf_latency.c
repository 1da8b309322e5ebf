// SPDX-License-Identifier: Apache-2.0

#include "source/bpf/bpf_latency.h"

#include "base/cleanup.h"
#include "base/container/array.h"
#include "base/os/privileges.h"
#include "source/bpf/bpf_library.h"
#include "source/bpf/bpf_namespace.h"
#include "source/perf/perf_file.h"
#include "source/perf/perf_probe.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

// A function of a process has two probes, at its beginning and where it returns to, each with a
// link to its program; the link's cookie is the number of the place.

// An object file of BPF, made by bpf_program.cmake.
static const uint8_t latency_bytes[] __attribute__((aligned(8))) = {
#include "latency.bpf.o.inc"
};

struct bpf_latency {
	struct bpf_library library;
	struct bpf_object *object;
	int begin, end;           // programs
	int limits, hits, losses; // maps
	int *files;               // probes and links
	size_t num_files, cap_files;
	uint32_t num_cores;
};

static struct error *bpf_latency_refuse(int errnum)
{
	if (errnum == EPERM || errnum == EACCES)
		return error_with_command(
			error_with_hint(error_create(ERROR_FAILED,
						     "latency> needs a BPF program, and you may "
						     "not load it"),
					"run wperf as root, or give it CAP_BPF and CAP_PERFMON "
					"(" PRIVILEGES_HINT ")"),
			PRIVILEGES_COMMAND);
	return error_with_hint(error_create_errno(errnum, "the kernel rejects the BPF program"),
			       "this needs Linux 5.17 or later");
}

static int bpf_latency_find_map(const struct bpf_latency *latency, const char *name)
{
	const struct bpf_library *library = &latency->library;
	return library->bpf_map__fd(library->bpf_object__find_map_by_name(latency->object, name));
}

static int bpf_latency_find_program(const struct bpf_latency *latency, const char *name)
{
	const struct bpf_library *library = &latency->library;
	return library->bpf_program__fd(
		library->bpf_object__find_program_by_name(latency->object, name));
}

/** What a core has in advance must not push out calls of others. */
static int bpf_latency_make_room(const struct bpf_latency *latency, uint32_t num_cores)
{
	const struct bpf_library *library = &latency->library;
	return library->bpf_map__set_max_entries(
		library->bpf_object__find_map_by_name(latency->object, "latency_calls"),
		LATENCY_MAX_CALLS + num_cores * LATENCY_CORE_CALLS);
}

static struct error *bpf_latency_load(struct bpf_latency *latency)
{
	const struct bpf_library *library = &latency->library;
	errno = 0;
	latency->object = library->bpf_object__open_mem(latency_bytes, sizeof(latency_bytes), NULL);
	if (!latency->object)
		return bpf_latency_refuse(errno);
	int num_cores = library->libbpf_num_possible_cpus();
	int status =
		num_cores < 0 ? num_cores : bpf_latency_make_room(latency, (uint32_t)num_cores);
	if (!status)
		status = library->bpf_object__load(latency->object);
	if (status)
		return bpf_latency_refuse(-status);
	latency->num_cores = (uint32_t)num_cores;
	latency->begin = bpf_latency_find_program(latency, "latency_begin");
	latency->end = bpf_latency_find_program(latency, "latency_end");
	latency->limits = bpf_latency_find_map(latency, "latency_limits");
	latency->hits = bpf_latency_find_map(latency, "latency_hits");
	latency->losses = bpf_latency_find_map(latency, "latency_losses");
	return NULL;
}

struct error *bpf_latency_create(struct bpf_latency **ret)
{
	struct error *err = bpf_namespace_check();
	if (err)
		return err;
	struct bpf_latency *latency = calloc(1, sizeof(*latency));
	if (!latency)
		return &error_no_memory;
	err = bpf_library_load(&latency->library);
	if (!err)
		err = bpf_latency_load(latency);
	if (err) {
		bpf_latency_destroy(latency);
		return err;
	}
	*ret = latency;
	return NULL;
}

void bpf_latency_destroy(struct bpf_latency *latency)
{
	if (!latency)
		return;
	perf_file_close_all(latency->files, latency->num_files);
	free(latency->files);
	if (latency->object)
		latency->library.bpf_object__close(latency->object);
	bpf_library_unload(&latency->library);
	free(latency);
}

static struct error *bpf_latency_attach(struct bpf_latency *latency,
					const struct bpf_latency_place *place, bool is_return)
{
	const struct perf_probe probe = {
		.event = place->event,
		.pid = place->pid,
		.path = place->path,
		.offset = place->offset,
		.is_return = is_return,
	};
	const struct bpf_link_create_opts options = {
		.sz = sizeof(options),
		.perf_event.bpf_cookie = place->number,
	};
	int fd = -1;
	struct error *err =
		array_reserve(&latency->files, &latency->cap_files, latency->num_files + 2);
	if (!err)
		err = perf_probe_open(&probe, &fd);
	if (err)
		return err;
	latency->files[latency->num_files++] = fd;
	int link = latency->library.bpf_link_create(is_return ? latency->end : latency->begin, fd,
						    BPF_PERF_EVENT, &options);
	if (link < 0)
		return error_create_errno(errno, "cannot attach the BPF program to '%s'",
					  place->event);
	latency->files[latency->num_files++] = link;
	return NULL;
}

struct error *bpf_latency_add(struct bpf_latency *latency, const struct bpf_latency_place *place)
{
	if (place->number >= LATENCY_MAX_PLACES)
		return error_create(ERROR_USAGE, "more than %d functions are timed",
				    LATENCY_MAX_PLACES);
	uint32_t number = place->number;
	if (latency->library.bpf_map_update_elem(latency->limits, &number, &place->limit_ns,
						 BPF_ANY))
		return error_create_errno(errno, "cannot set the limit of '%s'", place->event);
	// Else a call could return that did not begin, and would count as lost.
	struct error *err = bpf_latency_attach(latency, place, false);
	return err ? err : bpf_latency_attach(latency, place, true);
}

bool bpf_latency_take(struct bpf_latency *latency, struct latency_hit *ret)
{
	return !latency->library.bpf_map_lookup_and_delete_elem(latency->hits, NULL, ret);
}

uint64_t bpf_latency_num_lost(const struct bpf_latency *latency)
{
	_cleanup_free_ uint64_t *cores = calloc(latency->num_cores, sizeof(*cores));
	uint64_t sum = 0;
	for (uint32_t which = 0; cores && which < LATENCY_NUM_LOSSES; which++) {
		if (latency->library.bpf_map_lookup_elem(latency->losses, &which, cores))
			continue;
		for (uint32_t core = 0; core < latency->num_cores; core++)
			sum += cores[core];
	}
	return sum;
}
