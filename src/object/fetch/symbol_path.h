/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_FETCH_SYMBOL_PATH_H
#define WPERF_OBJECT_FETCH_SYMBOL_PATH_H

/**
 * Where PDBs are looked for when they are not where their images say, in this order: elements with
 * ';' between them,
 *
 *	FOLDER                  or the path of a PDB
 *	srv*FOLDER*...*URL      folders, and a server that is asked for what they do not have; it is
 *	                        kept in the first folder; also symsrv*symsrv.dll*...
 *	srv*URL                 the same; the folder is that of cache*, else one in the user's cache
 *	cache*FOLDER            the folder for servers that come behind it and have none
 *
 * Nobody is asked over the network unless an element with a URL is there. One symbol path serves
 * a whole run, as it knows what was asked for already.
 */

#include "base/container/arena.h"
#include "base/error.h"
#include "object/fetch/symbol_server.h"

/** One of the two. */
struct symbol_place {
	const char *folder;
	struct symbol_server *server;
};

struct symbol_path {
	struct arena arena;
	struct http_limits limits;
	const char *cache; /* of servers that come now; NULL: the user's */
	struct symbol_place *places;
	size_t num_places, cap_places;
	struct string_builder notes;
};

/**
 * The places of @words (may be NULL) and then those of _NT_SYMBOL_PATH. How long a server may take
 * for one PDB is said by WPERF_SYMBOL_TIMEOUT, in seconds.
 */
struct error *symbol_path_create(const char *words, struct symbol_path **ret);

/** Accepts NULL. */
void symbol_path_destroy(struct symbol_path *path);
static inline void symbol_path_destroyp(struct symbol_path **path)
{
	symbol_path_destroy(*path);
}

/** Is a URL among the places? @path: NULL has none. */
bool symbol_path_has_servers(const struct symbol_path *path);

/** Lines on what the user should know of servers, since the last time: what came, what failed. */
struct error *symbol_path_take_notes(struct symbol_path *path, char **ret);

#endif
