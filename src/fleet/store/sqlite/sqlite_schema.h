/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_FLEET_STORE_SQLITE_SQLITE_SCHEMA_H
#define WPERF_FLEET_STORE_SQLITE_SQLITE_SCHEMA_H

/**
 * The tables of a store in SQLite, and all statements on them.
 *
 * To change the tables: append a migration; never edit one that was released. It is run on files of
 * the version before when they are opened for writing.
 */

#include <stddef.h>

enum {
	SQLITE_SCHEMA_VERSION = 3,
	SQLITE_SCHEMA_APPLICATION = 0x77706673, /* "wpfs", in the header of the file */
};

/** The label set of a series that has the sums of all series that differ in their labels alone. Its
 *  number is negative, and it has hours, but no windows. */
enum { SQLITE_ALL_LABELS = 0 };

/** From version n to n + 1. */
extern const char *const sqlite_schema_migrations[SQLITE_SCHEMA_VERSION];

enum sqlite_statement {
	/* Of each pair the first finds what the second adds, with the same values. */
	SQLITE_FIND_STRING,
	SQLITE_ADD_STRING,
	SQLITE_FIND_MODULE,
	SQLITE_ADD_MODULE,
	SQLITE_FIND_FUNCTION,
	SQLITE_ADD_FUNCTION,
	SQLITE_FIND_FRAME,
	SQLITE_ADD_FRAME,
	SQLITE_FIND_LABEL_SET,
	SQLITE_ADD_LABEL_SET,
	SQLITE_FIND_SERIES,
	SQLITE_ADD_SERIES,

	SQLITE_FIND_STACKS, /* by hash */
	SQLITE_LAST_STACK,
	SQLITE_ADD_STACK,
	SQLITE_ADD_LABEL,
	SQLITE_FIND_BATCH,
	SQLITE_ADD_BATCH,
	SQLITE_ADD_WINDOW,
	SQLITE_ADD_OPEN_HOUR,

	SQLITE_GET_STRING,
	SQLITE_GET_MODULE,
	SQLITE_GET_FUNCTION,
	SQLITE_GET_FRAME,
	SQLITE_GET_STACK,
	SQLITE_GET_FACT,
	SQLITE_SET_FACT,
	SQLITE_HAS_LABEL,
	SQLITE_EACH_VALUE, /* of a label, by label sets */
	SQLITE_EACH_SERIES,
	SQLITE_EACH_WINDOW,
	SQLITE_EACH_HOUR,
	SQLITE_EACH_HOUR_BEFORE,
	SQLITE_EACH_WINDOW_SUM, /* without pairs, which would be read from the disk */
	SQLITE_NEXT_OPEN_HOUR,
	SQLITE_EACH_BATCH,
	SQLITE_EACH_SERVICE,
	SQLITE_EACH_LABEL,
	SQLITE_FIRST_WINDOW,
	SQLITE_LAST_WINDOW,
	SQLITE_FIRST_HOUR,
	SQLITE_LAST_HOUR,

	SQLITE_EACH_OPEN_HOUR,
	SQLITE_EACH_OPEN_WHOLE_HOUR,
	SQLITE_EACH_PART_OF_HOUR,
	SQLITE_FIND_WHOLE_SERIES,
	SQLITE_ADD_WHOLE_SERIES,
	SQLITE_SET_HOUR,
	SQLITE_DROP_OPEN_HOUR,
	SQLITE_DROP_WINDOWS,
	SQLITE_DROP_BATCHES,
	SQLITE_DROP_HOURS,
	SQLITE_NUM_STATEMENTS,
};

extern const char *const sqlite_statements[SQLITE_NUM_STATEMENTS];

#endif
