// SPDX-License-Identifier: Apache-2.0
// A file is opened in these steps: SQLite is told to trust nothing in it (no triggers, no views, no
// functions in the schema), its header must be that of a store, and older tables are migrated, in
// one transaction, if it was opened for writing.
//
// The journal is a write-ahead log with synchronous = FULL: a commit is on the disk when it
// returns, and readers do not wait for the writer.

#include "fleet/store/sqlite/sqlite_file.h"

#include "base/file/file_path.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	SQLITE_FILE_WAIT_MS = 30000, // for another writer
	SQLITE_FILE_MAX_NUMBERS = 9, // of a statement that finds
	// Operations of SQLite between two looks at the clock: at most some ten milliseconds.
	SQLITE_FILE_OPERATIONS = 1000,
};

struct error *sqlite_file_damaged(const struct sqlite_file *file, const char *what)
{
	return error_with_hint(error_create(ERROR_FAILED, "the store '%s' is damaged: %s",
					    file->path, what),
			       "restore it from a backup; what can be saved, 'sqlite3 FILE "
			       ".recover' prints");
}

/** By the low byte of SQLite's codes; NULL: none. */
static const char *sqlite_file_hint(int code)
{
	switch (code & 0xff) {
	case SQLITE_NOTADB:
		return "a store is made by 'wperf store put FILE RECORDING'";
	case SQLITE_CORRUPT:
		return "restore it from a backup; what can be saved, 'sqlite3 FILE .recover' "
		       "prints";
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return "another program writes to it: try again";
	case SQLITE_FULL:
		return "the disk is full";
	case SQLITE_CANTOPEN:
		return "a store is a file in a folder that you may write to: its log is beside it";
	case SQLITE_READONLY:
	case SQLITE_PERM:
		return "you need the right to write the file and its folder";
	default:
		return NULL;
	}
}

static struct error *sqlite_file_error_of(const struct sqlite_file *file, int code,
					  const char *message)
{
	if ((code & 0xff) == SQLITE_NOMEM)
		return &error_no_memory;
	if ((code & 0xff) == SQLITE_INTERRUPT)
		return store_patience_error(&file->patience);
	struct error *err =
		error_create(ERROR_FAILED, "cannot use the store '%s': %s", file->path, message);
	const char *hint = sqlite_file_hint(code);
	return hint ? error_with_hint(err, "%s", hint) : err;
}

static struct error *sqlite_file_error_code(const struct sqlite_file *file, int code)
{
	return sqlite_file_error_of(file, code, file->library.sqlite3_errmsg(file->db));
}

static struct error *sqlite_file_check(const struct sqlite_file *file, int code)
{
	return code == SQLITE_OK ? NULL : sqlite_file_error_code(file, code);
}

struct error *sqlite_file_execute(struct sqlite_file *file, const char *sql)
{
	return sqlite_file_check(file, file->library.sqlite3_exec(file->db, sql, NULL, NULL, NULL));
}

static int sqlite_file_take_number(void *data, int num_columns, char **values, char **names)
{
	if (num_columns && values[0])
		*(int64_t *)data = strtoll(values[0], NULL, 10);
	return 0;
}

static struct error *sqlite_file_pragma(struct sqlite_file *file, const char *sql, int64_t *ret)
{
	*ret = 0;
	return sqlite_file_check(file, file->library.sqlite3_exec(
					       file->db, sql, sqlite_file_take_number, ret, NULL));
}

/** Of an open file that is not ours by its header. */
static struct error *sqlite_file_check_application(struct sqlite_file *file, int64_t version)
{
	int64_t application, num_tables;
	struct error *err = sqlite_file_pragma(file, "PRAGMA application_id", &application);
	if (!err)
		err = sqlite_file_pragma(file, "SELECT count(*) FROM sqlite_schema", &num_tables);
	if (err)
		return err;
	bool is_new = !application && !version && !num_tables;
	if (!is_new && application != SQLITE_SCHEMA_APPLICATION)
		return error_with_hint(error_create(ERROR_FAILED,
						    "'%s' is a database of another program",
						    file->path),
				       "a store is made by 'wperf store put FILE RECORDING'");
	if (version < 0 || version > SQLITE_SCHEMA_VERSION)
		return error_with_hint(error_create(ERROR_FAILED,
						    "the store '%s' has version %" PRId64
						    " of the tables; this wperf knows up to %d",
						    file->path, version, SQLITE_SCHEMA_VERSION),
				       "use the newer wperf that made it");
	return NULL;
}

/** In a transaction: another program may do the same. */
static struct error *sqlite_file_migrate_now(struct sqlite_file *file)
{
	int64_t version;
	struct error *err = sqlite_file_pragma(file, "PRAGMA user_version", &version);
	file->versions.before = (uint64_t)version;
	if (!err)
		err = sqlite_file_check_application(file, version);
	for (int64_t i = version; !err && i < SQLITE_SCHEMA_VERSION; i++)
		err = sqlite_file_execute(file, sqlite_schema_migrations[i]);
	char sql[100];
	snprintf(sql, sizeof(sql), "PRAGMA application_id = %d; PRAGMA user_version = %d",
		 SQLITE_SCHEMA_APPLICATION, SQLITE_SCHEMA_VERSION);
	return err || version == SQLITE_SCHEMA_VERSION ? err : sqlite_file_execute(file, sql);
}

static struct error *sqlite_file_migrate(struct sqlite_file *file, enum store_access access)
{
	int64_t version;
	struct error *err = sqlite_file_pragma(file, "PRAGMA user_version", &version);
	if (!err)
		err = sqlite_file_check_application(file, version);
	file->versions = (struct store_versions){SQLITE_SCHEMA_VERSION, SQLITE_SCHEMA_VERSION};
	if (err || version == SQLITE_SCHEMA_VERSION)
		return err;
	if (access == STORE_READ)
		return error_with_hint(error_create(ERROR_FAILED,
						    "the store '%s' has no tables, or older ones",
						    file->path),
				       "'wperf store put FILE RECORDING' makes and renews them");
	err = sqlite_file_begin(file, true);
	return err ? err : sqlite_file_finish(file, sqlite_file_migrate_now(file));
}

/** Nothing in the file may run on its own. */
static struct error *sqlite_file_distrust(struct sqlite_file *file)
{
	static const struct {
		int option, value;
	} settings[] = {
		{SQLITE_DBCONFIG_DEFENSIVE, 1},
		{SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
		{SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
		{SQLITE_DBCONFIG_ENABLE_VIEW, 0},
		{SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
	};
	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
		int code = file->library.sqlite3_db_config(file->db, settings[i].option,
							   settings[i].value, NULL);
		if (code != SQLITE_OK)
			return sqlite_file_error_code(file, code);
	}
	return sqlite_file_execute(file, "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0");
}

static struct error *sqlite_file_set_up(struct sqlite_file *file, enum store_access access)
{
	file->library.sqlite3_extended_result_codes(file->db, 1);
	file->library.sqlite3_busy_timeout(file->db, SQLITE_FILE_WAIT_MS);
	struct error *err = sqlite_file_distrust(file);
	// auto_vacuum works only on a file without tables; there, 8 KiB pages fit most windows.
	if (!err && access != STORE_READ)
		err = sqlite_file_execute(file, "PRAGMA page_size = 8192;"
						"PRAGMA auto_vacuum = INCREMENTAL;"
						"PRAGMA journal_mode = WAL;"
						"PRAGMA synchronous = FULL;"
						"PRAGMA cache_size = -65536");
	return err ? err : sqlite_file_migrate(file, access);
}

static struct error *sqlite_file_connect(struct sqlite_file *file, enum store_access mode)
{
	// SQLite would make a file that everybody may read; who may read one does not change.
	FILE *created = mode >= STORE_CREATE ? file_path_create(file->path) : NULL;
	if (created)
		fclose(created);
	int flags = mode == STORE_READ ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
	int code = file->library.sqlite3_open_v2(file->path, &file->db,
						 flags | SQLITE_OPEN_FULLMUTEX, NULL);
	if (code == SQLITE_OK)
		return sqlite_file_set_up(file, mode);
	if (!file->db)
		return &error_no_memory;
	// SQLite has one error for all reasons; the most frequent one is a word that is mistyped.
	if ((code & 0xff) == SQLITE_CANTOPEN && access(file->path, F_OK) != 0 && errno == ENOENT)
		return error_with_hint(error_create(ERROR_FAILED, "no store '%s'", file->path),
				       "'wperf store put FILE RECORDING' makes one");
	return sqlite_file_error_code(file, code);
}

struct error *sqlite_file_open(const char *path, enum store_access access, struct sqlite_file **ret)
{
	struct sqlite_file *file = calloc(1, sizeof(*file));
	if (!file)
		return &error_no_memory;
	file->path = strdup(path);
	struct error *err = file->path ? sqlite_library_load(&file->library) : &error_no_memory;
	if (!err)
		err = sqlite_file_connect(file, access);
	if (err) {
		sqlite_file_close(file);
		return err;
	}
	*ret = file;
	return NULL;
}

void sqlite_file_close(struct sqlite_file *file)
{
	if (!file)
		return;
	for (size_t i = 0; i < SQLITE_NUM_STATEMENTS; i++)
		if (file->statements[i])
			file->library.sqlite3_finalize(file->statements[i]);
	if (file->db)
		file->library.sqlite3_close_v2(file->db);
	sqlite_library_unload(&file->library);
	sqlite_cache_clear(&file->cache);
	string_builder_deinit(&file->key);
	free(file->path);
	free(file);
}

static int sqlite_file_is_over(void *data)
{
	const struct sqlite_file *file = data;
	return store_patience_is_over(&file->patience);
}

void sqlite_file_limit(struct sqlite_file *file, const struct store_patience *patience)
{
	file->patience = *patience;
	bool is_limited = patience->limit_ns || patience->is_gone;
	file->library.sqlite3_progress_handler(file->db, SQLITE_FILE_OPERATIONS,
					       is_limited ? sqlite_file_is_over : NULL, file);
}

struct error *sqlite_file_begin(struct sqlite_file *file, bool writes)
{
	return sqlite_file_execute(file, writes ? "BEGIN IMMEDIATE" : "BEGIN");
}

struct error *sqlite_file_finish(struct sqlite_file *file, struct error *err)
{
	if (!err)
		err = sqlite_file_execute(file, "COMMIT");
	// An error may have ended it already: then there is nothing to roll back.
	if (err) {
		error_destroy(sqlite_file_execute(file, "ROLLBACK"));
		sqlite_cache_clear(&file->cache);
	}
	return err;
}

static int sqlite_file_bind(struct sqlite_file *file, sqlite3_stmt *prepared, int place,
			    const struct sqlite_value *value)
{
	switch (value->kind) {
	case SQLITE_VALUE_TEXT:
		return file->library.sqlite3_bind_text64(prepared, place, value->bytes, value->size,
							 SQLITE_STATIC, SQLITE_UTF8);
	case SQLITE_VALUE_BLOB:
		return file->library.sqlite3_bind_blob64(prepared, place, value->bytes, value->size,
							 SQLITE_STATIC);
	default:
		return file->library.sqlite3_bind_int64(prepared, place, value->number);
	}
}

static struct error *sqlite_file_prepare(struct sqlite_file *file, enum sqlite_statement statement)
{
	if (file->statements[statement]) {
		file->library.sqlite3_reset(file->statements[statement]);
		return NULL;
	}
	return sqlite_file_check(
		file, file->library.sqlite3_prepare_v3(file->db, sqlite_statements[statement], -1,
						       SQLITE_PREPARE_PERSISTENT,
						       &file->statements[statement], NULL));
}

struct error *sqlite_file_start(struct sqlite_file *file, enum sqlite_statement statement,
				const struct sqlite_value *values, size_t num_values)
{
	struct error *err = sqlite_file_prepare(file, statement);
	for (size_t i = 0; !err && i < num_values; i++)
		err = sqlite_file_check(file, sqlite_file_bind(file, file->statements[statement],
							       (int)i + 1, &values[i]));
	return err;
}

struct error *sqlite_file_start_numbers(struct sqlite_file *file, enum sqlite_statement statement,
					const int64_t *numbers, size_t num_numbers)
{
	struct error *err = sqlite_file_prepare(file, statement);
	for (size_t i = 0; !err && i < num_numbers; i++)
		err = sqlite_file_check(
			file, file->library.sqlite3_bind_int64(file->statements[statement],
							       (int)i + 1, numbers[i]));
	return err;
}

struct error *sqlite_file_step(struct sqlite_file *file, enum sqlite_statement statement,
			       bool *ret_has_row)
{
	int code = file->library.sqlite3_step(file->statements[statement]);
	*ret_has_row = code == SQLITE_ROW;
	return code == SQLITE_ROW || code == SQLITE_DONE ? NULL
							 : sqlite_file_error_code(file, code);
}

void sqlite_file_end(struct sqlite_file *file, enum sqlite_statement statement)
{
	if (file->statements[statement])
		file->library.sqlite3_reset(file->statements[statement]);
}

struct error *sqlite_file_run(struct sqlite_file *file, enum sqlite_statement statement)
{
	bool has_row;
	struct error *err = sqlite_file_step(file, statement, &has_row);
	sqlite_file_end(file, statement);
	return err;
}

struct error *sqlite_file_number_of(struct sqlite_file *file, enum sqlite_statement statement,
				    bool *ret_has_row, int64_t *ret)
{
	struct error *err = sqlite_file_step(file, statement, ret_has_row);
	if (!err && *ret_has_row)
		*ret = sqlite_file_number(file, statement, 0);
	sqlite_file_end(file, statement);
	return err;
}

struct error *sqlite_file_cached(struct sqlite_file *file, enum sqlite_statement find,
				 const struct sqlite_value *values, size_t num_values,
				 int64_t **ret)
{
	string_builder_clear(&file->key);
	string_builder_append_char(&file->key, (char)find);
	for (size_t i = 0; i < num_values; i++) {
		// Of one statement all have the same kinds, and only the last may be bytes.
		if (values[i].kind == SQLITE_VALUE_NUMBER)
			string_builder_append_n(&file->key, (const char *)&values[i].number,
						sizeof(values[i].number));
		else
			string_builder_append_n(&file->key, values[i].bytes, values[i].size);
	}
	if (file->key.failed)
		return &error_no_memory;
	return sqlite_cache_place(&file->cache, file->key.text, file->key.length, ret);
}

static struct error *sqlite_file_find_or_add(struct sqlite_file *file, enum sqlite_statement find,
					     const struct sqlite_value *values, size_t num_values,
					     int64_t *ret)
{
	bool is_there = false;
	struct error *err = sqlite_file_start(file, find, values, num_values);
	if (!err)
		err = sqlite_file_number_of(file, find, &is_there, ret);
	if (err || is_there)
		return err;
	err = sqlite_file_start(file, find + 1, values, num_values);
	if (!err)
		err = sqlite_file_run(file, find + 1);
	if (!err)
		*ret = file->library.sqlite3_last_insert_rowid(file->db);
	return err;
}

struct error *sqlite_file_intern(struct sqlite_file *file, enum sqlite_statement find,
				 const struct sqlite_value *values, size_t num_values, int64_t *ret)
{
	int64_t *known;
	struct error *err = sqlite_file_cached(file, find, values, num_values, &known);
	if (!err && !*known)
		err = sqlite_file_find_or_add(file, find, values, num_values, known);
	if (!err)
		*ret = *known;
	return err;
}

struct error *sqlite_file_intern_numbers(struct sqlite_file *file, enum sqlite_statement find,
					 const int64_t *numbers, size_t num_numbers, int64_t *ret)
{
	struct sqlite_value values[SQLITE_FILE_MAX_NUMBERS];
	for (size_t i = 0; i < num_numbers; i++)
		values[i] = sqlite_value_number(numbers[i]);
	return sqlite_file_intern(file, find, values, num_numbers, ret);
}

int64_t sqlite_file_number(struct sqlite_file *file, enum sqlite_statement statement, int column)
{
	return file->library.sqlite3_column_int64(file->statements[statement], column);
}

uint64_t sqlite_file_amount(struct sqlite_file *file, enum sqlite_statement statement, int column)
{
	int64_t number = sqlite_file_number(file, statement, column);
	return number > 0 ? (uint64_t)number : 0;
}

struct sqlite_column sqlite_file_bytes(struct sqlite_file *file, enum sqlite_statement statement,
				       int column)
{
	sqlite3_stmt *prepared = file->statements[statement];
	const void *bytes = file->library.sqlite3_column_blob(prepared, column);
	int size = file->library.sqlite3_column_bytes(prepared, column);
	return (struct sqlite_column){bytes, bytes && size > 0 ? (size_t)size : 0};
}

const char *sqlite_file_text(struct sqlite_file *file, enum sqlite_statement statement, int column)
{
	const unsigned char *text =
		file->library.sqlite3_column_text(file->statements[statement], column);
	return text ? (const char *)text : "";
}
