// SPDX-License-Identifier: Apache-2.0

#include "view/export/collapsed.h"

#include "profile/sample_groups.h"
#include "view/layout/safe_text.h"
#include "view/output_stream.h"

#include <inttypes.h>

// The format of Brendan Gregg's FlameGraph scripts (stackcollapse-*.pl): frames from the outermost
// to the innermost with ";" between them, then a blank and a number. Readers know no other fields,
// so that samples are joined by thread name and by the names of their functions (sample_groups.c),
// and the number is the weight: a flame graph of cycles has cycles as its widths.
//
//	thread;_start;main;add;asm_sysvec_apic_timer_interrupt 2002002
//	thread;_start;main;add 138138138

static void collapsed_write_name(const struct named_profile *profile, uint32_t string, FILE *stream)
{
	safe_text_print_field(named_profile_text(profile, string), ";", stream);
}

struct error *collapsed_write(const struct named_profile *profile, uint32_t event, FILE *stream,
			      const char *name)
{
	_cleanup_(sample_groups_deinit) struct sample_groups groups = SAMPLE_GROUPS_INIT;
	struct error *err = sample_groups_create(profile, event, SAMPLE_GROUPS_BY_NAME, &groups);
	if (err)
		return err;
	const struct stack_node *nodes = profile->stacks.nodes;
	_cleanup_free_ uint32_t *path =
		calloc(stack_table_max_depth(&profile->stacks) + 1, sizeof(*path));
	if (!path)
		return &error_no_memory;
	for (size_t i = 0; i < groups.num_groups; i++) {
		const struct sample_group *group = &groups.groups[i];
		collapsed_write_name(profile, profile->threads[group->thread].name, stream);
		// Nodes lead from the leaf to its callers, but the line begins with the outermost.
		size_t length = 0;
		for (uint32_t node = group->stack; node != STACK_NONE; node = nodes[node].parent)
			path[length++] = profile->frames[nodes[node].frame].function;
		if (!length)
			// Else the thread's name would be the function that had the samples.
			fputs(";[no stack]", stream);
		while (length > 0) {
			putc(';', stream);
			collapsed_write_name(profile, profile->functions[path[--length]].name,
					     stream);
		}
		fprintf(stream, " %" PRIu64 "\n", group->total.weight);
	}
	return output_stream_flush(stream, name);
}
