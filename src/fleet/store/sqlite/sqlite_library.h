/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_FLEET_STORE_SQLITE_SQLITE_LIBRARY_H
#define WPERF_FLEET_STORE_SQLITE_SQLITE_LIBRARY_H

/** The functions of SQLite 3, which is loaded when a store is opened. */

#include "base/error.h"

#include <sqlite3.h>

/** Each member has the name and the type of its function. */
#define SQLITE_LIBRARY_FUNCTIONS(X)      \
	X(sqlite3_bind_blob64)           \
	X(sqlite3_bind_int64)            \
	X(sqlite3_bind_text64)           \
	X(sqlite3_busy_timeout)          \
	X(sqlite3_changes)               \
	X(sqlite3_close_v2)              \
	X(sqlite3_column_blob)           \
	X(sqlite3_column_bytes)          \
	X(sqlite3_column_int64)          \
	X(sqlite3_column_text)           \
	X(sqlite3_db_config)             \
	X(sqlite3_errmsg)                \
	X(sqlite3_errstr)                \
	X(sqlite3_exec)                  \
	X(sqlite3_extended_result_codes) \
	X(sqlite3_finalize)              \
	X(sqlite3_last_insert_rowid)     \
	X(sqlite3_libversion)            \
	X(sqlite3_libversion_number)     \
	X(sqlite3_open_v2)               \
	X(sqlite3_prepare_v3)            \
	X(sqlite3_progress_handler)      \
	X(sqlite3_reset)                 \
	X(sqlite3_step)

struct sqlite_library {
	void *handle; /* NULL: not loaded */
#define SQLITE_LIBRARY_MEMBER(function) __typeof__(&(function)) function;
	SQLITE_LIBRARY_FUNCTIONS(SQLITE_LIBRARY_MEMBER)
#undef SQLITE_LIBRARY_MEMBER
};

#define SQLITE_LIBRARY_INIT \
	{                   \
	}

/** The error says which package to install. */
struct error *sqlite_library_load(struct sqlite_library *library);

/** Accepts SQLITE_LIBRARY_INIT. */
void sqlite_library_unload(struct sqlite_library *library);

#endif
