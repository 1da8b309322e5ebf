// SPDX-License-Identifier: Apache-2.0

#include "source/perf/perf_aux.h"

#include <errno.h>
#include <sys/mman.h>

// Follows struct perf_event_mmap_page of linux/perf_event.h: aux_offset and aux_size request the
// area, aux_head and aux_tail are positions like those of the ring. Unlike the ring, bytes have no
// records: a piece ends at the end of the mapped area, and the next one begins at its start.

int perf_aux_map(struct perf_aux *aux, int fd, struct perf_event_mmap_page *page, size_t ring_bytes,
		 size_t bytes)
{
	// The kernel learns from the page where the area is wanted and how large.
	page->aux_offset = ring_bytes;
	page->aux_size = bytes;
	void *data = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)ring_bytes);
	if (data == MAP_FAILED)
		return errno;
	*aux = (struct perf_aux){.page = page, .data = data, .size = bytes};
	return 0;
}

void perf_aux_unmap(struct perf_aux *aux)
{
	if (aux->data)
		munmap((void *)aux->data, aux->size);
	*aux = (struct perf_aux)PERF_AUX_INIT;
}

void perf_aux_look(struct perf_aux *aux)
{
	aux->head = __atomic_load_n(&aux->page->aux_head, __ATOMIC_ACQUIRE);
}

bool perf_aux_peek(const struct perf_aux *aux, const uint8_t **ret, size_t *ret_size)
{
	uint64_t available = aux->head - aux->tail;
	size_t place = aux->tail & (aux->size - 1);
	size_t before_end = aux->size - place;
	*ret = aux->data + place;
	// More than there is room for would be a fault of the kernel's: nothing is read twice.
	*ret_size = available < before_end ? (size_t)available : before_end;
	return available > 0 && available <= aux->size;
}

void perf_aux_drop(struct perf_aux *aux, size_t size)
{
	// From now on the kernel may write there.
	aux->tail += size;
	__atomic_store_n(&aux->page->aux_tail, aux->tail, __ATOMIC_RELEASE);
}
