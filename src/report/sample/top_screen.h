/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_SAMPLE_TOP_SCREEN_H
#define WPERF_REPORT_SAMPLE_TOP_SCREEN_H

/** `top` on a terminal: a picture of its tables, and keys. */

#include "base/terminal/terminal_screen.h"
#include "report/sample/top_tables.h"

#include <stdint.h>

struct top_screen {
	struct terminal_screen *terminal;
	bool is_since_start; /* all counts alike; else what is older counts less */
	bool wants_to_quit;
	size_t num_rows; /* of each table in the last picture; 0: none was drawn */
};

/** What is said above the tables. */
struct top_status {
	uint64_t elapsed_ns, num_samples, num_lost;
};

/** Take the keys that were pressed. @ret_changed: is the picture another one now? */
void top_screen_take_keys(struct top_screen *screen, struct top_tables *tables, bool *ret_changed);

/** @max_rows: of each event, at most; 0: as many as there is room for. */
struct error *top_screen_draw(struct top_screen *screen, struct top_tables *tables,
			      const struct named_profile *profile, const struct top_status *status,
			      size_t max_rows);

/** The last picture once more, as text that stays when the screen is closed. */
struct error *top_screen_print(const struct top_screen *screen, struct top_tables *tables,
			       const struct named_profile *profile, const struct top_status *status,
			       FILE *stream);

#endif
