// SPDX-License-Identifier: Apache-2.0

#include "profile/memory/memory_curve.h"

#include "base/container/array.h"
#include "base/reader.h"

#include <stdlib.h>

// A slot is as long as its number of points can cover the time so far. A point has the most of its
// slot, so that no peak is lost, and what was left at the slot's end, which holds until the next
// point: slots in which nothing happened have none.

enum { FIRST_SLOT_NS = 1000000 };

void memory_curve_deinit(struct memory_curve *curve)
{
	free(curve->points);
	*curve = (struct memory_curve)MEMORY_CURVE_INIT;
}

static uint64_t memory_curve_slot(const struct memory_curve *curve, uint64_t time_ns)
{
	return (time_ns - curve->begin_ns) / curve->slot_ns;
}

/** @later: of the same slot. */
static void memory_curve_join(struct memory_point *point, const struct memory_point *later)
{
	if (later->most > point->most) {
		point->most = later->most;
		point->time_ns = later->time_ns;
	}
	point->last = later->last;
}

static void memory_curve_halve(struct memory_curve *curve)
{
	size_t num = 0;
	curve->slot_ns *= 2;
	for (size_t i = 0; i < curve->num_points; i++) {
		const struct memory_point point = curve->points[i];
		if (num && memory_curve_slot(curve, curve->points[num - 1].time_ns) ==
				   memory_curve_slot(curve, point.time_ns))
			memory_curve_join(&curve->points[num - 1], &point);
		else
			curve->points[num++] = point;
	}
	curve->num_points = num;
}

static struct error *memory_curve_append(struct memory_curve *curve,
					 const struct memory_point *point)
{
	struct error *err =
		array_reserve(&curve->points, &curve->cap_points, curve->num_points + 1);
	if (!err)
		curve->points[curve->num_points++] = *point;
	return err;
}

struct error *memory_curve_add(struct memory_curve *curve, uint64_t time_ns, uint64_t bytes)
{
	const struct memory_point point = {time_ns, bytes, bytes};
	if (!curve->num_points) {
		curve->begin_ns = time_ns;
		curve->slot_ns = FIRST_SLOT_NS;
		return memory_curve_append(curve, &point);
	}
	struct memory_point *last = &curve->points[curve->num_points - 1];
	bool is_same = time_ns <= last->time_ns ||
		       memory_curve_slot(curve, time_ns) == memory_curve_slot(curve, last->time_ns);
	if (is_same) {
		memory_curve_join(last, &point);
		return NULL;
	}
	while (curve->num_points >= MEMORY_CURVE_MAX_POINTS)
		memory_curve_halve(curve);
	return memory_curve_append(curve, &point);
}

void memory_curve_encode(const struct memory_curve *curve, struct string_builder *ret)
{
	for (size_t i = 0; i < curve->num_points; i++) {
		const struct memory_point *point = &curve->points[i];
		const uint64_t words[] = {point->time_ns, point->most, point->last};
		string_builder_append_n(ret, (const char *)words, sizeof(words));
	}
}

struct error *memory_curve_decode(const uint8_t *bytes, size_t size, struct memory_curve *ret)
{
	struct reader reader = reader_create(bytes, size);
	struct error *err = NULL;
	uint64_t earliest_ns = 0;
	while (!err && ret->num_points < MEMORY_CURVE_MAX_POINTS) {
		struct memory_point point = {.time_ns = reader_u64(&reader)};
		point.most = reader_u64(&reader);
		point.last = reader_u64(&reader);
		if (reader.failed)
			break;
		if (point.time_ns < earliest_ns || point.last > point.most)
			continue;
		earliest_ns = point.time_ns;
		err = memory_curve_append(ret, &point);
	}
	return err;
}

const struct memory_point *memory_curve_peak(const struct memory_curve *curve)
{
	const struct memory_point *peak = curve->points;
	for (size_t i = 1; i < curve->num_points; i++)
		if (curve->points[i].most > peak->most)
			peak = &curve->points[i];
	return peak;
}

void memory_curve_slots(const struct memory_curve *curve, uint64_t begin_ns, uint64_t slot_ns,
			size_t num, uint64_t *ret)
{
	size_t next = 0;
	uint64_t level = 0;
	for (size_t slot = 0; slot < num; slot++) {
		ret[slot] = level;
		for (; next < curve->num_points; next++) {
			const struct memory_point *point = &curve->points[next];
			bool is_later = point->time_ns > begin_ns &&
					(point->time_ns - begin_ns) / slot_ns > slot;
			if (is_later && slot + 1 < num)
				break;
			ret[slot] = point->most > ret[slot] ? point->most : ret[slot];
			level = point->last;
		}
	}
}
