/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_TEXT_SAMPLE_TABLE_H
#define WPERF_VIEW_TEXT_SAMPLE_TABLE_H

/** The tables of a sample report, the same for texts and JSON. */

#include "view/layout/table.h"
#include "view/sample_report.h"

/** overhead, count, symbol. @event: NULL for a table without rows. */
struct error *sample_table_rows(const struct sample_event_report *event, struct table **ret);

/** Is it known which line of which file it is? Code has hits without, too. */
bool sample_line_is_known(const struct sample_line *line);

enum sample_line_choice { SAMPLE_LINES_ALL, SAMPLE_LINES_KNOWN };

/** line_number, hits, filename; with disassembly also instruction_address, disassembled_line. */
struct error *sample_table_lines(const struct sample_function *function, bool has_disassembly,
				 enum sample_line_choice choice, struct table **ret);

struct sample_hex {
	char text[20];
};

/** Without 0x. */
struct sample_hex sample_hex(uint64_t value);

#endif
