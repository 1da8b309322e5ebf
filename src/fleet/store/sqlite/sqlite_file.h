/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_FLEET_STORE_SQLITE_SQLITE_FILE_H
#define WPERF_FLEET_STORE_SQLITE_SQLITE_FILE_H

/**
 * A store's file, open, with its statements. Statements are named by numbers; each is run by one at
 * a time:
 *
 *	err = sqlite_file_start(file, SQLITE_GET_STRING, &(struct sqlite_value){.number = 7}, 1);
 *	while (!err && !(err = sqlite_file_step(file, SQLITE_GET_STRING, &has_row)) && has_row)
 *		... sqlite_file_text(file, SQLITE_GET_STRING, 0) ...
 *	sqlite_file_end(file, SQLITE_GET_STRING);
 *
 * The file may be damaged or made by an attacker: columns are of any value.
 */

#include "base/text/string_builder.h"
#include "fleet/store/sqlite/sqlite_cache.h"
#include "fleet/store/sqlite/sqlite_library.h"
#include "fleet/store/sqlite/sqlite_schema.h"
#include "fleet/store/store_ops.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sqlite_file {
	struct sqlite_library library;
	sqlite3 *db;
	char *path;
	struct store_versions versions;
	sqlite3_stmt *statements[SQLITE_NUM_STATEMENTS]; /* NULL: not used so far */
	struct sqlite_cache cache;                       /* of what sqlite_file_intern() found */
	struct string_builder key;
	struct store_patience patience;
};

enum sqlite_value_kind { SQLITE_VALUE_NUMBER, SQLITE_VALUE_TEXT, SQLITE_VALUE_BLOB };

/** Of a parameter. Bytes stay the caller's, until the statement ends. */
struct sqlite_value {
	enum sqlite_value_kind kind;
	int64_t number;
	const void *bytes;
	size_t size;
};

struct sqlite_column {
	const void *bytes; /* valid until the next step */
	size_t size;
};

/** @ret: set only on success. */
struct error *sqlite_file_open(const char *path, enum store_access access,
			       struct sqlite_file **ret);
void sqlite_file_close(struct sqlite_file *file);

/** The last error of SQLite, with the name of the file and a hint. */
struct error *sqlite_file_error(const struct sqlite_file *file);

/** What is wrong with the file, in a few words. */
struct error *sqlite_file_damaged(const struct sqlite_file *file, const char *what);

/** Statements end with an error once it is over. */
void sqlite_file_limit(struct sqlite_file *file, const struct store_patience *patience);

struct error *sqlite_file_begin(struct sqlite_file *file, bool writes);
/** End it: keep what was written if @err is NULL, else nothing. @return: @err, or a new error. */
struct error *sqlite_file_finish(struct sqlite_file *file, struct error *err);
/** Text of SQL, several statements: constant. */
struct error *sqlite_file_execute(struct sqlite_file *file, const char *sql);

struct error *sqlite_file_start(struct sqlite_file *file, enum sqlite_statement statement,
				const struct sqlite_value *values, size_t num_values);
struct error *sqlite_file_start_numbers(struct sqlite_file *file, enum sqlite_statement statement,
					const int64_t *numbers, size_t num_numbers);
struct error *sqlite_file_step(struct sqlite_file *file, enum sqlite_statement statement,
			       bool *ret_has_row);
/** Without rows, or ones that do not matter: step, and end. */
struct error *sqlite_file_run(struct sqlite_file *file, enum sqlite_statement statement);
/** Of one row with a number: that, and end. @ret: unchanged without a row. */
struct error *sqlite_file_number_of(struct sqlite_file *file, enum sqlite_statement statement,
				    bool *ret_has_row, int64_t *ret);
void sqlite_file_end(struct sqlite_file *file, enum sqlite_statement statement);

/** In the cache: its place as sqlite_cache_place() says. */
struct error *sqlite_file_cached(struct sqlite_file *file, enum sqlite_statement find,
				 const struct sqlite_value *values, size_t num_values,
				 int64_t **ret);

/** Find with one statement or else add with the next one. @ret: its number. */
struct error *sqlite_file_intern(struct sqlite_file *file, enum sqlite_statement find,
				 const struct sqlite_value *values, size_t num_values,
				 int64_t *ret);
struct error *sqlite_file_intern_numbers(struct sqlite_file *file, enum sqlite_statement find,
					 const int64_t *numbers, size_t num_numbers, int64_t *ret);

int64_t sqlite_file_number(struct sqlite_file *file, enum sqlite_statement statement, int column);
/** Below 0 it is 0. */
uint64_t sqlite_file_amount(struct sqlite_file *file, enum sqlite_statement statement, int column);
struct sqlite_column sqlite_file_bytes(struct sqlite_file *file, enum sqlite_statement statement,
				       int column);
/** Never NULL. */
const char *sqlite_file_text(struct sqlite_file *file, enum sqlite_statement statement, int column);

static inline struct sqlite_value sqlite_value_number(int64_t number)
{
	return (struct sqlite_value){.number = number};
}

static inline struct sqlite_value sqlite_value_text(const char *text, size_t length)
{
	return (struct sqlite_value){SQLITE_VALUE_TEXT, .bytes = text, .size = length};
}

static inline struct sqlite_value sqlite_value_blob(const void *bytes, size_t size)
{
	// A NULL would be NULL in SQL.
	return (struct sqlite_value){SQLITE_VALUE_BLOB, .bytes = bytes ? bytes : "", .size = size};
}

#endif
