/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_TEXT_SPE_TEXT_H
#define WPERF_VIEW_TEXT_SPE_TEXT_H

/** Parts of SPE's report as text; spe_report_print() puts them together. */

#include "view/layout/table.h"
#include "view/spe_report.h"

/** Cells: mean, 50%, 90%, 99%, max; empty of nothing. */
void spe_text_add_latency(struct table *table, const struct spe_latency *latency);

/** A cell; empty of nothing. */
void spe_text_add_percent(struct table *table, uint64_t part, uint64_t whole);

struct error *spe_text_print_table(const struct table *table, FILE *stream);
void spe_text_print_rest(size_t num_rows, size_t max_rows, FILE *stream);

/** Rows of functions or lines, with the columns of the topic. */
struct error *spe_text_print_places(const struct spe_report *report, size_t max_rows, FILE *stream);
struct error *spe_text_print_targets(const struct spe_report *report, size_t max_rows,
				     FILE *stream);

/** With its title. */
struct error *spe_text_print_sharing(const struct spe_report *report, size_t max_lines,
				     FILE *stream);

#endif
