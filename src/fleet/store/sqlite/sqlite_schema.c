// SPDX-License-Identifier: Apache-2.0
// Everything refers to everything by number, and each text is there once:
//
//	batches -> label_sets -> labels -> strings
//	windows, hours -> series -> label_sets, strings
//	their packed pairs (store_window.c) -> stacks of the series' service
//	stacks, packed (sqlite_stack.c) -> frames -> functions -> modules -> strings
//
// Stacks are numbered for each service, in the order of their first appearance: those of a window
// are close to each other, and the differences of their numbers small. Times are nanoseconds since
// 1970; `start` is that of a window, `hour` the begin of an hour.

#include "fleet/store/sqlite/sqlite_schema.h"

const char *const sqlite_schema_migrations[SQLITE_SCHEMA_VERSION] = {
	"CREATE TABLE strings(string INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;"
	"CREATE TABLE modules(module INTEGER PRIMARY KEY, name INTEGER NOT NULL,"
	" path INTEGER NOT NULL, build_id INTEGER NOT NULL, UNIQUE(path, build_id, name)) STRICT;"
	// A module of 0 is none.
	"CREATE TABLE functions(function INTEGER PRIMARY KEY, name INTEGER NOT NULL,"
	" linkage_name INTEGER NOT NULL, module INTEGER NOT NULL, file INTEGER NOT NULL,"
	" line INTEGER NOT NULL, kind INTEGER NOT NULL,"
	" UNIQUE(name, module, linkage_name, file, line, kind)) STRICT;"
	"CREATE TABLE frames(frame INTEGER PRIMARY KEY, function INTEGER NOT NULL,"
	" file INTEGER NOT NULL, line INTEGER NOT NULL, flags INTEGER NOT NULL,"
	" address INTEGER NOT NULL, UNIQUE(function, address, line, file, flags)) STRICT;"
	"CREATE TABLE stacks(service INTEGER NOT NULL, stack INTEGER NOT NULL,"
	" hash INTEGER NOT NULL, frames BLOB NOT NULL, PRIMARY KEY(service, stack))"
	" STRICT, WITHOUT ROWID;"
	// Not unique: two stacks may have one hash.
	"CREATE INDEX stacks_by_hash ON stacks(service, hash);"
	"CREATE TABLE label_sets(label_set INTEGER PRIMARY KEY, packed BLOB NOT NULL UNIQUE)"
	" STRICT;"
	"CREATE TABLE labels(key INTEGER NOT NULL, value INTEGER NOT NULL,"
	" label_set INTEGER NOT NULL, PRIMARY KEY(key, value, label_set)) STRICT, WITHOUT ROWID;"
	"CREATE TABLE series(series INTEGER PRIMARY KEY, service INTEGER NOT NULL,"
	" label_set INTEGER NOT NULL, event INTEGER NOT NULL, unit INTEGER NOT NULL,"
	" model INTEGER NOT NULL, language INTEGER NOT NULL, flags INTEGER NOT NULL,"
	" period INTEGER NOT NULL, frequency INTEGER NOT NULL,"
	" UNIQUE(service, label_set, event, unit, model, language, flags, period, frequency))"
	" STRICT;"
	"CREATE TABLE windows(window INTEGER PRIMARY KEY, series INTEGER NOT NULL,"
	" start INTEGER NOT NULL, length INTEGER NOT NULL, count INTEGER NOT NULL,"
	" weight INTEGER NOT NULL, pairs BLOB NOT NULL) STRICT;"
	"CREATE INDEX windows_by_series ON windows(series, start);"
	"CREATE TABLE hours(series INTEGER NOT NULL, hour INTEGER NOT NULL,"
	" count INTEGER NOT NULL, weight INTEGER NOT NULL, pairs BLOB NOT NULL) STRICT;"
	"CREATE UNIQUE INDEX hours_by_series ON hours(series, hour);"
	// Those with windows that are not in the sums of `hours`.
	"CREATE TABLE open_hours(hour INTEGER NOT NULL, series INTEGER NOT NULL,"
	" PRIMARY KEY(hour, series)) STRICT, WITHOUT ROWID;"
	"CREATE TABLE batches(batch INTEGER PRIMARY KEY, id TEXT NOT NULL,"
	" service INTEGER NOT NULL, label_set INTEGER NOT NULL, start INTEGER NOT NULL,"
	" num_dropped INTEGER NOT NULL, num_lost INTEGER NOT NULL) STRICT;"
	"CREATE UNIQUE INDEX batches_by_id ON batches(id) WHERE id <> '';"
	"CREATE INDEX batches_by_start ON batches(start);"
	// "first_window": retain() has dropped all windows before.
	"CREATE TABLE facts(name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;",
	// `first` is the start of the first window, `last` the end of the last: sums change no
	// times of answers.
	"ALTER TABLE hours ADD COLUMN first INTEGER NOT NULL DEFAULT 0;"
	"ALTER TABLE hours ADD COLUMN last INTEGER NOT NULL DEFAULT 0;"
	"UPDATE hours SET first = hour, last = hour + 3600000000000;"
	// Heat maps and listings need not read the rows themselves. Before "first_whole_hour",
	// hours have no sums of all labels.
	"DROP INDEX windows_by_series;"
	"CREATE INDEX windows_by_series ON windows(series, start, length, count, weight);"
	"CREATE INDEX batches_by_service ON batches(service, num_dropped, num_lost);"
	"INSERT INTO facts(name, value) SELECT 'first_whole_hour',"
	" coalesce(max(hour) + 3600000000000, 0) FROM hours;",
	// Hashes of 32 bits take half of the bytes; what is equal by hash is compared anyway. Pairs
	// of new windows are packed closer (store_window.c).
	"DROP INDEX stacks_by_hash;"
	"UPDATE stacks SET hash = (hash & 4294967295) - 2147483648;"
	"CREATE INDEX stacks_by_hash ON stacks(service, hash);",
};

const char *const sqlite_statements[SQLITE_NUM_STATEMENTS] = {
	[SQLITE_FIND_STRING] = "SELECT string FROM strings WHERE text = ?1",
	[SQLITE_ADD_STRING] = "INSERT INTO strings(text) VALUES(?1)",
	[SQLITE_FIND_MODULE] =
		"SELECT module FROM modules WHERE name = ?1 AND path = ?2 AND build_id = ?3",
	[SQLITE_ADD_MODULE] = "INSERT INTO modules(name, path, build_id) VALUES(?1, ?2, ?3)",
	[SQLITE_FIND_FUNCTION] =
		"SELECT function FROM functions WHERE name = ?1 AND linkage_name = ?2"
		" AND module = ?3 AND file = ?4 AND line = ?5 AND kind = ?6",
	[SQLITE_ADD_FUNCTION] =
		"INSERT INTO functions(name, linkage_name, module, file, line, kind)"
		" VALUES(?1, ?2, ?3, ?4, ?5, ?6)",
	[SQLITE_FIND_FRAME] = "SELECT frame FROM frames WHERE function = ?1 AND file = ?2"
			      " AND line = ?3 AND flags = ?4 AND address = ?5",
	[SQLITE_ADD_FRAME] = "INSERT INTO frames(function, file, line, flags, address)"
			     " VALUES(?1, ?2, ?3, ?4, ?5)",
	[SQLITE_FIND_LABEL_SET] = "SELECT label_set FROM label_sets WHERE packed = ?1",
	[SQLITE_ADD_LABEL_SET] = "INSERT INTO label_sets(packed) VALUES(?1)",
	[SQLITE_FIND_SERIES] =
		"SELECT series FROM series WHERE service = ?1 AND label_set = ?2 AND event = ?3"
		" AND unit = ?4 AND model = ?5 AND language = ?6 AND flags = ?7 AND period = ?8"
		" AND frequency = ?9",
	[SQLITE_ADD_SERIES] = "INSERT INTO series(service, label_set, event, unit, model, language,"
			      " flags, period, frequency)"
			      " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",

	// Without statistics SQLite would rather read all stacks of the service.
	[SQLITE_FIND_STACKS] = "SELECT stack, frames FROM stacks INDEXED BY stacks_by_hash"
			       " WHERE service = ?1 AND hash = ?2",
	[SQLITE_LAST_STACK] =
		"SELECT stack FROM stacks WHERE service = ?1 ORDER BY stack DESC LIMIT 1",
	[SQLITE_ADD_STACK] =
		"INSERT INTO stacks(service, stack, hash, frames) VALUES(?1, ?2, ?3, ?4)",
	[SQLITE_ADD_LABEL] = "INSERT INTO labels(key, value, label_set) VALUES(?1, ?2, ?3)",
	[SQLITE_FIND_BATCH] = "SELECT batch FROM batches WHERE id = ?1 AND id <> ''",
	[SQLITE_ADD_BATCH] = "INSERT INTO batches(id, service, label_set, start, num_dropped,"
			     " num_lost) VALUES(?1, ?2, ?3, ?4, ?5, ?6)",
	[SQLITE_ADD_WINDOW] = "INSERT INTO windows(series, start, length, count, weight, pairs)"
			      " VALUES(?1, ?2, ?3, ?4, ?5, ?6)",
	[SQLITE_ADD_OPEN_HOUR] = "INSERT OR IGNORE INTO open_hours(hour, series) VALUES(?1, ?2)",

	[SQLITE_GET_STRING] = "SELECT text FROM strings WHERE string = ?1",
	[SQLITE_GET_MODULE] = "SELECT name, path, build_id FROM modules WHERE module = ?1",
	[SQLITE_GET_FUNCTION] = "SELECT name, linkage_name, module, file, line, kind"
				" FROM functions WHERE function = ?1",
	[SQLITE_GET_FRAME] =
		"SELECT function, file, line, flags, address FROM frames WHERE frame = ?1",
	[SQLITE_GET_STACK] = "SELECT frames FROM stacks WHERE service = ?1 AND stack = ?2",
	[SQLITE_GET_FACT] = "SELECT value FROM facts WHERE name = ?1",
	[SQLITE_SET_FACT] = "INSERT OR REPLACE INTO facts(name, value) VALUES(?1, ?2)",
	[SQLITE_HAS_LABEL] = "SELECT 1 FROM labels WHERE key = ?1 AND value = ?2"
			     " AND label_set = ?3",
	[SQLITE_EACH_VALUE] = "SELECT label_set, value FROM labels WHERE key ="
			      " (SELECT string FROM strings WHERE text = ?1) ORDER BY label_set",
	// That of all labels beside the first of its parts: events stay in the order of the first
	// window, whichever of the two has it.
	[SQLITE_EACH_SERIES] = "SELECT series, service, label_set, event, unit, model, language,"
			       " flags, period, frequency FROM series ORDER BY abs(series)",
	[SQLITE_EACH_WINDOW] = "SELECT start, length, count, weight, pairs FROM windows"
			       " WHERE series = ?1 AND start >= ?2 AND start < ?3 ORDER BY start",
	// Whose sums are not those of all windows.
	[SQLITE_EACH_HOUR] =
		"SELECT hour, first, last, count, weight, pairs FROM hours WHERE series = ?1"
		" AND hour >= ?2 AND hour < ?3 AND NOT EXISTS(SELECT 1 FROM"
		" open_hours WHERE open_hours.hour = hours.hour AND"
		" open_hours.series = hours.series) ORDER BY hour",
	[SQLITE_EACH_HOUR_BEFORE] =
		"SELECT hour, first, last, count, weight, pairs FROM hours WHERE"
		" series = ?1 AND hour >= ?2 AND hour < ?3 ORDER BY hour",
	[SQLITE_EACH_WINDOW_SUM] = "SELECT start, length, count, weight FROM windows"
				   " WHERE series = ?1 AND start >= ?2 AND start < ?3"
				   " ORDER BY start",
	[SQLITE_NEXT_OPEN_HOUR] = "SELECT hour FROM open_hours WHERE hour >= ?1"
				  " ORDER BY hour LIMIT 1",
	[SQLITE_EACH_BATCH] = "SELECT service, label_set, num_lost FROM batches WHERE start >= ?1"
			      " AND start < ?2 AND num_lost > 0",
	[SQLITE_EACH_SERVICE] = "SELECT service, count(*), sum(num_dropped), sum(num_lost)"
				" FROM batches GROUP BY service",
	[SQLITE_EACH_LABEL] = "SELECT DISTINCT series.service, labels.key, labels.value FROM labels"
			      " JOIN series ON series.label_set = labels.label_set",
	[SQLITE_FIRST_WINDOW] =
		"SELECT start FROM windows WHERE series = ?1 ORDER BY start LIMIT 1",
	[SQLITE_LAST_WINDOW] = "SELECT start + length FROM windows WHERE series = ?1"
			       " ORDER BY start DESC, length DESC LIMIT 1",
	[SQLITE_FIRST_HOUR] =
		"SELECT first FROM hours WHERE series = ?1 AND hour < ?2 ORDER BY hour LIMIT 1",
	[SQLITE_LAST_HOUR] =
		"SELECT last FROM hours WHERE series = ?1 AND hour < ?2 ORDER BY hour DESC LIMIT 1",

	[SQLITE_EACH_OPEN_HOUR] =
		"SELECT hour, series FROM open_hours WHERE hour < ?1 AND series > 0"
		" ORDER BY hour LIMIT 1",
	[SQLITE_EACH_OPEN_WHOLE_HOUR] =
		"SELECT hour, series FROM open_hours WHERE hour < ?1 AND series < 0"
		" ORDER BY hour LIMIT 1",
	[SQLITE_EACH_PART_OF_HOUR] =
		"SELECT hours.first, hours.last - hours.first, hours.count, hours.weight, "
		"hours.pairs"
		" FROM series AS whole JOIN series USING(service, event, unit, model, language,"
		" flags, period, frequency) JOIN hours ON hours.series = series.series"
		" WHERE whole.series = ?1 AND series.series > 0 AND hours.hour = ?2",
	[SQLITE_FIND_WHOLE_SERIES] =
		"SELECT whole.series FROM series JOIN series AS whole USING(service, event, unit,"
		" model, language, flags, period, frequency)"
		" WHERE series.series = ?1 AND whole.label_set = 0",
	[SQLITE_ADD_WHOLE_SERIES] =
		"INSERT INTO series(series, service, label_set, event, unit, model, language,"
		" flags, period, frequency) SELECT -series, service, 0, event, unit, model,"
		" language, flags, period, frequency FROM series WHERE series = ?1",
	[SQLITE_SET_HOUR] = "INSERT OR REPLACE INTO hours(series, hour, first, last, count, weight,"
			    " pairs) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)",
	[SQLITE_DROP_OPEN_HOUR] = "DELETE FROM open_hours WHERE hour = ?1 AND series = ?2",
	[SQLITE_DROP_WINDOWS] = "DELETE FROM windows WHERE series = ?1 AND start < ?2",
	[SQLITE_DROP_BATCHES] = "DELETE FROM batches WHERE start < ?1",
	[SQLITE_DROP_HOURS] = "DELETE FROM hours WHERE series = ?1 AND hour < ?2",
};
