/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_FETCH_SYMBOL_SERVER_H
#define WPERF_OBJECT_FETCH_SYMBOL_SERVER_H

/**
 * A symbol server, which is asked for PDBs by HTTP, and the folder in which they are kept, both
 * laid out as NAME.pdb/GUID AGE/NAME.pdb. Each PDB is asked for once, and who does not answer is
 * not asked again. What comes is only kept if it is the PDB that was asked for.
 */

#include "base/container/string_table.h"
#include "base/error.h"
#include "base/http/http_request.h"
#include "base/text/string_builder.h"
#include "object/pe/pe_image.h"

struct symbol_server {
	const char *url;    /* without a slash at its end */
	const char *folder; /* in which PDBs are kept; it need not be there */
	struct http_limits limits;
	bool is_silent;                /* it did not answer */
	struct string_table asked;     /* what it was asked for */
	uint64_t num_files, num_bytes; /* that came */
	struct string_builder notes;   /* lines on what the user should know */
};

/** @url, @folder: as in the struct; they must outlive the server. */
void symbol_server_init(struct symbol_server *server, const char *url, const char *folder,
			const struct http_limits *limits);
void symbol_server_deinit(struct symbol_server *server);

/** The place of a PDB below a folder or an address: "NAME/GUID AGE/NAME". */
void symbol_server_append_place(struct string_builder *text, const char *name,
				const struct pe_pdb_id *id);

/**
 * Ask for the PDB, which is not in the folder.
 * @name: of the file, as the image has it: whoever made that is not trusted.
 * @ret:  its path, to be freed; NULL if the server does not have it. What the server and the
 *        folder cannot do becomes a note and is no error.
 */
struct error *symbol_server_fetch(struct symbol_server *server, const char *name,
				  const struct pe_pdb_id *id, char **ret);

#endif
