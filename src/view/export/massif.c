// SPDX-License-Identifier: Apache-2.0

#include "view/export/massif.h"

#include "profile/memory/memory_event.h"
#include "profile/time_span.h"
#include "profile/tree/call_tree.h"
#include "view/layout/safe_text.h"
#include "view/output_stream.h"

#include <inttypes.h>

// As ms_print of valgrind 3.19 reads it. Three lines of header, then snapshots by time:
//
//	snapshot=1
//	#-----------
//	time=638
//	mem_heap_B=7000
//	mem_heap_extra_B=0
//	mem_stacks_B=0
//	heap_tree=peak
//	n1: 7000 (heap allocation functions) malloc/new/new[], --alloc-fns, etc.
//	 n0: 7000 rises (a)
//	#-----------
//
// A node has the number of those below it, which follow, one blank further to the right. What a
// tree leaves out is a node of its own, before the others. Readers want each snapshot to have the
// sum of its tree.

enum { NS_PER_MS = 1000000, MAX_BLANKS = 200 };

struct massif {
	const struct named_profile *profile;
	FILE *stream;
	struct time_span span;
	size_t num_snapshots;
};

static void massif_write_name(const struct massif *view, uint32_t function)
{
	const struct named_profile *profile = view->profile;
	const struct named_function *named = &profile->functions[function];
	safe_text_print_field(named_profile_text(profile, named->name), "", view->stream);
	if (named->module == NAMED_NONE)
		return;
	fputs(" (", view->stream);
	safe_text_print_field(named_profile_text(profile, profile->modules[named->module].name), "",
			      view->stream);
	putc(')', view->stream);
}

static void massif_begin_node(const struct massif *view, uint32_t depth, size_t num_below,
			      uint64_t bytes)
{
	fprintf(view->stream, "%*sn%zu: %" PRIu64 " ", depth < MAX_BLANKS ? (int)depth : MAX_BLANKS,
		"", num_below, bytes);
}

static size_t massif_num_below(const struct call_tree *tree, size_t index)
{
	const struct call_tree_node *node = &tree->nodes[index];
	size_t num = node->left_out.count > 0;
	for (size_t i = index + 1; i < tree->num_nodes && tree->nodes[i].depth > node->depth; i++)
		num += tree->nodes[i].depth == node->depth + 1;
	return num;
}

static void massif_write_left_out(const struct massif *view, const struct call_tree_node *node)
{
	massif_begin_node(view, node->depth + 1, 0, node->left_out.weight);
	fputs("in several places, all below 1 % of the whole\n", view->stream);
}

static void massif_write_nodes(const struct massif *view, const struct call_tree *tree)
{
	for (size_t i = 0; i < tree->num_nodes; i++) {
		const struct call_tree_node *node = &tree->nodes[i];
		massif_begin_node(view, node->depth, massif_num_below(tree, i), node->total.weight);
		if (node->function == NAMED_NONE)
			fputs("(heap allocation functions) malloc/new/new[], --alloc-fns, etc.",
			      view->stream);
		else
			massif_write_name(view, node->function);
		putc('\n', view->stream);
		if (node->left_out.count)
			massif_write_left_out(view, node);
	}
}

/** @event: its samples are those of the snapshot; NAMED_NONE: it has no tree. */
static struct error *massif_write_snapshot(struct massif *view, uint64_t time_ns, uint64_t bytes,
					   uint32_t event)
{
	fprintf(view->stream,
		"#-----------\nsnapshot=%zu\n#-----------\ntime=%" PRIu64 "\nmem_heap_B=%" PRIu64
		"\nmem_heap_extra_B=0\nmem_stacks_B=0\n",
		view->num_snapshots++, time_span_since_ns(view->span, time_ns) / NS_PER_MS, bytes);
	if (event == NAMED_NONE) {
		fputs("heap_tree=empty\n", view->stream);
		return NULL;
	}
	_cleanup_(profile_filter_destroyp) struct profile_filter *filter = NULL;
	_cleanup_(call_tree_deinit) struct call_tree tree = CALL_TREE_INIT;
	struct profile_criteria criteria = PROFILE_CRITERIA_ALL;
	criteria.event = event;
	struct error *err = profile_filter_create(view->profile, &criteria, &filter);
	const struct call_tree_request request = {
		.shape = CALL_TREE_BOTTOM_UP,
		.min_percent = 1,
		.filter = filter,
	};
	if (!err)
		err = call_tree_create(view->profile, &request, &tree);
	if (err)
		return err;
	bool is_peak = memory_event_of(view->profile, event) == MEMORY_EVENT_AT_PEAK;
	fputs(is_peak ? "heap_tree=peak\n" : "heap_tree=detailed\n", view->stream);
	massif_write_nodes(view, &tree);
	return NULL;
}

static struct error *massif_write_point(struct massif *view, size_t index, uint32_t peak_event)
{
	const struct memory_curve *curve = &view->profile->memory;
	const struct memory_point *point = &curve->points[index];
	bool is_peak = point == memory_curve_peak(curve);
	struct error *err = massif_write_snapshot(view, point->time_ns, point->most,
						  is_peak ? peak_event : NAMED_NONE);
	// What was freed right after the most would seem to be in use until the next point.
	bool is_last = index + 1 == curve->num_points;
	uint64_t after_ns = point->time_ns + NS_PER_MS;
	if (err || is_last || point->last == point->most || point[1].time_ns <= after_ns)
		return err;
	return massif_write_snapshot(view, after_ns, point->last, NAMED_NONE);
}

/** The event of the kind, if it is to be written. */
static uint32_t massif_event(const struct massif *view, uint32_t wanted, enum memory_event kind)
{
	uint32_t found = memory_event_find(view->profile, kind);
	return wanted == NAMED_NONE || wanted == found ? found : NAMED_NONE;
}

struct error *massif_write(const struct named_profile *profile, uint32_t event, FILE *stream,
			   const char *name)
{
	const struct memory_curve *curve = &profile->memory;
	struct time_span span = time_span_of(profile);
	struct massif view = {.profile = profile, .stream = stream, .span = span};
	if (!curve->num_points)
		return error_with_hint(error_create(ERROR_USAGE, "the recording has no memory in "
								 "use, which massif shows"),
				       "record it with -e heap or -e heap-peak");
	fputs("desc: wperf\ncmd: ", stream);
	safe_text_print_field(named_profile_text(profile, profile->command_line), "", stream);
	fputs("\ntime_unit: ms\n", stream);
	uint32_t peak_event = massif_event(&view, event, MEMORY_EVENT_AT_PEAK);
	struct error *err = NULL;
	for (size_t i = 0; !err && i < curve->num_points; i++)
		err = massif_write_point(&view, i, peak_event);
	if (!err)
		err = massif_write_snapshot(&view, span.end_ns,
					    curve->points[curve->num_points - 1].last,
					    massif_event(&view, event, MEMORY_EVENT_IN_USE));
	return err ? err : output_stream_flush(stream, name);
}
