/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_CODE_ANNOTATE_VIEW_H
#define WPERF_REPORT_CODE_ANNOTATE_VIEW_H

/** What `annotate` shows of one event: annotated parts with their source lines and code. */

#include "profile/annotation.h"
#include "profile/hot/event_ratio.h"
#include "profile/spe/spe_places.h"
#include "report/code/code_listing.h"
#include "report/code/source_files.h"
#include "view/json/json_writer.h"

#include <stdbool.h>
#include <stdio.h>

struct annotate_view {
	const struct named_profile *profile;
	struct source_files *sources;
	struct code_files *codes;
	enum annotation_kind kind;
	const struct annotation *annotation;
	const struct event_ratio *ratio;       /* NULL: the event has none */
	const struct annotation *instructions; /* of the ratio: the same items, in their order */
	const struct spe_places *spe;          /* NULL: the event is none of SPE's */
	bool with_code;                        /* instructions, too; of functions only */
	bool with_code_of_lineless;            /* instructions of functions without source lines */
	bool is_unfolded;                      /* all lines, not only those around samples */
};

/** Does this part show its instructions? */
bool annotate_view_has_code(const struct annotate_view *view, const struct annotation_part *part);

/** Of a line of the part; not known without view->ratio. */
struct ratio annotate_view_ratio(const struct annotate_view *view,
				 const struct annotation_part *part,
				 const struct annotation_line *line);

/** As text, with an empty line before it. */
struct error *annotate_view_print(const struct annotate_view *view,
				  const struct annotation_part *part, FILE *stream);

/** As an object. */
struct error *annotate_view_write_json(const struct annotate_view *view,
				       const struct annotation_part *part,
				       struct json_writer *json);

#endif
