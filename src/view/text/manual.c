// SPDX-License-Identifier: Apache-2.0
#include "view/text/manual.h"

#include "view/json/json_writer.h"
#include "view/layout/paragraph.h"

// The layout of WindowsPerf's man: a heading in capitals, the text below it indented and wrapped.
//
//	NAME
//	    ld_spec - Load operations, speculative
//	DESCRIPTION
//	    Loads the core executed, scalar and vector, including those later dropped.

enum { MANUAL_INDENT = 4, MANUAL_WIDTH = 81 };

void manual_print_field(const char *heading, const char *text, FILE *stream)
{
	fprintf(stream, "%s\n", heading);
	paragraph_print(text, MANUAL_INDENT, MANUAL_WIDTH, stream);
}

void manual_write_json_field(const char *heading, const char *text, struct json_writer *json)
{
	json_begin_object(json);
	json_key_text(json, "Field_Type", heading);
	json_key_text(json, "Result", text);
	json_end_object(json);
}
