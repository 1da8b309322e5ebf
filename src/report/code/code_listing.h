/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_CODE_CODE_LISTING_H
#define WPERF_REPORT_CODE_CODE_LISTING_H

/**
 * The machine code of a function with its samples, instruction by instruction. Code of an inlined
 * function is in others: each function of the file that has samples of it is a piece. In stripped
 * files it is what the tables for exceptions say.
 */

#include "profile/annotation.h"
#include "report/code/code_files.h"

struct code_row {
	uint64_t address;
	const char *text;
	struct named_total total;
	struct named_total self; /* without what is inlined there */
	const char *file;        /* of the innermost call inlined there; NULL: not known */
	uint32_t line;
	const char *own_file; /* and of the function of the file itself */
	uint32_t own_line;
	bool is_target; /* of a jump in the same function */
};

struct code_piece {
	struct object_symbol symbol;
	struct code_row *rows; /* by address */
	size_t num_rows;
	/* private */
	const struct object *object;
	struct instruction_list instructions;
};

struct code_listing {
	struct code_piece *pieces;
	size_t num_pieces, cap_pieces;
	struct named_total left; /* of samples elsewhere: in no function, or in too many */
};

#define CODE_LISTING_INIT \
	{                 \
	}

/**
 * @part: of a function. @files must outlive the listing.
 * @ret: set only on success. The error says why there is no code.
 */
struct error *code_listing_create(struct code_files *files, const struct annotation_part *part,
				  struct code_listing *ret);
/** The instruction of the object whose bytes hold the address; NULL: none that is shown. */
const struct code_row *code_listing_find(const struct code_listing *listing,
					 const struct object *object, uint64_t address);
void code_listing_deinit(struct code_listing *listing);

#endif
