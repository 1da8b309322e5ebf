/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_CODE_SAMPLE_ANNOTATION_H
#define WPERF_REPORT_CODE_SAMPLE_ANNOTATION_H

/** --annotate and --disassemble of `sample` and `record`: the lines of the hot functions. */

#include "base/container/arena.h"
#include "base/text/string_builder.h"
#include "profile/profile_filter.h"
#include "report/code/code_files.h"
#include "view/sample_report.h"

struct sample_annotation {
	const struct named_profile *profile;
	const struct profile_filter *filter;
	struct code_files *codes;     /* NULL: no instructions */
	struct arena *arena;          /* for what is made */
	struct string_builder *notes; /* gets a line for each function without code, and why */
};

/** @names: of the functions, as tables show them. @ret: those with lines, in their order. */
struct error *sample_annotation_create(const struct sample_annotation *annotation,
				       const uint32_t *functions, const char *const *names,
				       size_t num_functions, const struct sample_function **ret,
				       size_t *ret_num);

#endif
