/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_CODE_POSITION_H
#define WPERF_INTERPRETER_CODE_POSITION_H

/** Where an instruction of interpreted code stands in its file. */

#include <stdint.h>

/** Lines and columns begin with 1; 0: none, or not known. Columns are bytes of UTF-8. */
struct code_position {
	uint32_t line, end_line;
	uint32_t column, end_column; /* of the first byte; end_column: after the last one */
};

#endif
