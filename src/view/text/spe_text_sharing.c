// SPDX-License-Identifier: Apache-2.0

#include "view/text/spe_text.h"

#include "base/container/array.h"
#include "view/layout/decimal.h"
#include "view/layout/safe_text.h"
#include "view/text/spe_place.h"

#include <inttypes.h>
#include <string.h>

// Each shared cache line is a heading and a table of its accesses, by byte and thread. Below them,
// the limits of the counting are stated in numbers: lines were replaced when the table was full
// (profile/spe/cache_lines.c), and accesses are left out when a line has too many.
//
//	line 0x7f3c00001040 of app (4711): false sharing, 2 threads (1 write), 1,234 samples, ...
//
//	        byte  access  samples  mean  other core %   tid  thread  symbol  place
//	        ====  ======  =======  ====  ============   ===  ======  ======  =====
//	           0  write       800  62.1         91.00  4711  app     count   a.c:10
//	           8  read        434  60.4         88.71  4712  app     sum     a.c:20

static const struct table_column access_columns[] = {
	{"byte", TABLE_RIGHT},  {"access", TABLE_LEFT},        {"samples", TABLE_RIGHT},
	{"mean", TABLE_RIGHT},  {"other core %", TABLE_RIGHT}, {"tid", TABLE_RIGHT},
	{"thread", TABLE_LEFT}, {"symbol", TABLE_LEFT},        {"place", TABLE_LEFT},
};

static struct error *spe_text_sharing_add_access(const struct named_profile *profile,
						 const struct cache_access *access,
						 struct table *table)
{
	const struct named_thread *thread = &profile->threads[access->thread];
	_cleanup_(string_builder_deinit) struct string_builder place = STRING_BUILDER_INIT;
	spe_place_append(profile, access->stack, &place);
	if (place.failed)
		return &error_no_memory;
	table_add_u32(table, access->offset);
	table_add_string(table, access->is_write ? "write" : "read");
	table_add_u64(table, access->count);
	if (access->num_timed)
		table_add_double(table, (double)access->latency / (double)access->num_timed, 1);
	else
		table_add_string(table, "");
	spe_text_add_percent(table, access->num_shared, access->count);
	table_add_u32(table, thread->tid);
	table_add_string(table, named_profile_text(profile, thread->name));
	table_add_string(table, spe_place_of_stack(profile, access->stack).symbol);
	table_add_string(table, string_builder_peek(&place));
	return NULL;
}

static void spe_text_sharing_print_heading(const struct named_profile *profile,
					   const struct shared_line *line, FILE *stream)
{
	fprintf(stream, "line 0x%" PRIx64 " of ", line->line->number * CACHE_LINE_BYTES);
	const struct named_thread *thread = &profile->threads[line->accesses[0].thread];
	const char *process = named_profile_text(profile, thread->process_name);
	if (line->line->pid) {
		safe_text_print(process, strlen(process), stream);
		fprintf(stream, " (%" PRIu32 ")", line->line->pid);
	} else {
		fputs("the kernel", stream);
	}
	fprintf(stream, ": %s, %" PRIu32 " threads (%" PRIu32 " write), ",
		line_sharing_kind_name(line->kind), line->num_threads, line->num_writers);
	fprintf(stream, "%s samples", decimal_grouped(line->num_reads + line->num_writes).text);
	if (line->num_timed)
		fprintf(stream, ", %s cycles in all", decimal_grouped(line->latency).text);
	fputs("\n\n", stream);
}

static struct error *spe_text_sharing_print_line(const struct named_profile *profile,
						 const struct shared_line *line, FILE *stream)
{
	_cleanup_(table_destroyp) struct table *table = NULL;
	spe_text_sharing_print_heading(profile, line, stream);
	struct error *err = table_create(access_columns, ARRAY_SIZE(access_columns), &table);
	for (size_t i = 0; !err && i < line->num_accesses; i++)
		err = spe_text_sharing_add_access(profile, &line->accesses[i], table);
	if (!err)
		err = spe_text_print_table(table, stream);
	if (err)
		return err;
	if (line->line->num_unlisted)
		fprintf(stream,
			"      %s more samples belong to accesses that are not listed here\n",
			decimal_grouped(line->line->num_unlisted).text);
	if (line->line->inherited)
		fprintf(stream, "      up to %s earlier samples of this line may be missing\n",
			decimal_grouped(line->line->inherited).text);
	return NULL;
}

static void print_totals(const struct spe_report *report, FILE *stream)
{
	const struct cache_lines *lines = &report->profile->spe->lines;
	fprintf(stream, "\nCache lines shared by threads: %s of ",
		decimal_grouped(report->sharing.num_lines).text);
	fprintf(stream, lines->num_replaced ? "%s that wperf kept" : "%s touched by samples",
		decimal_grouped(report->sharing.num_touched_lines).text);
	fprintf(stream, " (%s samples with an address)\n",
		decimal_grouped(lines->num_samples).text);
	if (lines->num_replaced)
		fprintf(stream,
			"      more lines were touched than wperf keeps: a line with up to %s "
			"samples may "
			"be "
			"missing\n",
			decimal_grouped(cache_lines_max_missing(lines)).text);
}

struct error *spe_text_print_sharing(const struct spe_report *report, size_t max_lines,
				     FILE *stream)
{
	const struct line_sharing *sharing = &report->sharing;
	print_totals(report, stream);
	struct error *err = NULL;
	for (size_t i = 0; !err && i < sharing->num_lines && (!max_lines || i < max_lines); i++) {
		fputc('\n', stream);
		err = spe_text_sharing_print_line(report->profile, &sharing->lines[i], stream);
	}
	if (!err)
		spe_text_print_rest(sharing->num_lines, max_lines, stream);
	return err;
}
