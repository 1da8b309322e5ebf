// SPDX-License-Identifier: Apache-2.0

#include "fleet/store/clickhouse/clickhouse_server.h"

#include "base/container/array.h"
#include "base/http/http_request.h"
#include "base/os/clock.h"
#include "base/os/interrupt.h"
#include "base/os/random_bytes.h"
#include "base/text/ascii.h"
#include "base/text/url_text.h"
#include "fleet/store/clickhouse/clickhouse_cluster.h"
#include "fleet/store/clickhouse/clickhouse_rows.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
	CLICKHOUSE_FIRST_MS = 10000,  // until the first answer: is anybody there?
	CLICKHOUSE_GRACE_MS = 20,     // libcurl may end a request a little early
	CLICKHOUSE_TOTAL_MS = 600000, // without a limit, of a query that reads all that there is
	CLICKHOUSE_ERROR_BYTES = 400, // of what is repeated of the server's words
	CLICKHOUSE_BUFFER = 16 << 20, // the server keeps so much in memory, more in files
	CLICKHOUSE_OLDEST = 18016,    // Debian 12's
	CLICKHOUSE_HAS_ASYNC = 21011,
	CLICKHOUSE_NAME_SIZE = 40, // of a name of 32 digits
	CLICKHOUSE_GZIP = 16,      // see deflateInit2() in zlib.h
	CLICKHOUSE_GZIP_LEVEL = 1, // rows are mostly hashes: more would only take longer
};

#define CLICKHOUSE_MAX_BYTES (UINT64_C(4) << 30)

// Of a cluster that is busy: INSERTs of others take some 50 ms each.
#define CLICKHOUSE_RETRY_NS      (UINT64_C(10) * 1000000000)
#define CLICKHOUSE_RETRY_STEP_NS (UINT64_C(5) * 1000000)
enum { CLICKHOUSE_MAX_STEPS = 16 };

/** Codes of src/Common/ErrorCodes.cpp. */
static const struct {
	int code;
	const char *hint;
} hints[] = {
	{60, "'wperf serve --init --store PLACE' makes its tables"},
	{75, "the server cannot write to its disk; if it is full, 'wperf store trim' drops old "
	     "windows"},
	{81, "'wperf serve --init --store PLACE' makes it, if the user may"},
	{139, "a cluster needs <zookeeper>, <distributed_ddl> and <macros> with shard and replica "
	      "in the configuration of each server: see docs/fleet.md"},
	{159, "it took too long: ask for a shorter range of time; in a cluster, check that all its "
	      "servers run"},
	{164, "the user may only read: use one that may write"},
	{192, "give user and password: clickhouse://USER:PASSWORD@HOST:PORT/DATABASE"},
	{193, "give user and password: clickhouse://USER:PASSWORD@HOST:PORT/DATABASE"},
	{194, "give user and password: clickhouse://USER:PASSWORD@HOST:PORT/DATABASE"},
	{209, "the network or the server is too slow: try again"},
	{225, "a cluster needs <zookeeper> in the configuration of each server: see docs/fleet.md"},
	{241, "the server's max_memory_usage ended it: ask for a shorter range of time"},
	{242, "the replica has no connection to ZooKeeper: see the server's log"},
	{243, "the server's disk is full: drop old windows with 'wperf store trim'"},
	{252, "too many small writes: put more batches at once"},
	{253, "ZooKeeper knows tables of this name, of a database that was not dropped on all "
	      "servers: name another database"},
	{279, "no replica of a shard answers: check the other servers of the cluster"},
	{285, "a replica is away: to write, all of a shard must be there; check the other servers "
	      "of the cluster"},
	{286, "a replica has not taken what was written before: check the other servers of the "
	      "cluster"},
	{291, "the user may not use the database"},
	{319, "a replica did not take it in time: check the other servers of the cluster; what is "
	      "sent again counts once"},
	{497, "the user may not do this: see its grants"},
	{516, "give user and password: clickhouse://USER:PASSWORD@HOST:PORT/DATABASE"},
	{999, "the server cannot reach ZooKeeper: check it, and the server's log"},
};

struct error *clickhouse_server_damaged(const struct clickhouse_server *server, const char *what)
{
	return error_create(ERROR_FAILED, "the store '%s' is damaged: %s", server->place.name,
			    what);
}

/** The server's words, on one line and without what a terminal would obey. */
static void clickhouse_server_quote(struct string_builder *into, const char *text, size_t size)
{
	for (size_t i = 0; i < size && i < CLICKHOUSE_ERROR_BYTES; i++)
		string_builder_append_char(into, text[i] >= ' ' && text[i] <= '~' ? text[i] : ' ');
	while (into->length && into->text[into->length - 1] == ' ')
		into->text[--into->length] = '\0';
}

static int clickhouse_server_code(const char *text, size_t size)
{
	static const char prefix[] = "Code: ";
	int code = 0;
	if (size < strlen(prefix) || memcmp(text, prefix, strlen(prefix)) != 0)
		return 0;
	for (size_t i = strlen(prefix); i < size && ascii_is_digit(text[i]) && code < 100000; i++)
		code = 10 * code + (text[i] - '0');
	return code;
}

struct error *clickhouse_server_error(const struct clickhouse_server *server, int status,
				      const char *text, size_t size)
{
	_cleanup_(string_builder_deinit) struct string_builder words = STRING_BUILDER_INIT;
	clickhouse_server_quote(&words, text, size);
	struct error *err =
		error_create(ERROR_FAILED, "cannot use the store '%s': %s (HTTP status %d)",
			     server->place.name, string_builder_peek(&words), status);
	int code = clickhouse_server_code(text, size);
	for (size_t i = 0; i < ARRAY_SIZE(hints); i++)
		if (hints[i].code == code)
			return error_with_hint(err, "%s", hints[i].hint);
	return err;
}

void clickhouse_answer_deinit(struct clickhouse_answer *answer)
{
	memory_stream_deinit(&answer->bytes);
	*answer = (struct clickhouse_answer){.bytes = MEMORY_STREAM_INIT};
}

struct error *clickhouse_answer_check(const struct clickhouse_server *server,
				      const struct clickhouse_answer *answer)
{
	if (!answer->rows.failed && !reader_left(&answer->rows))
		return NULL;
	return error_with_hint(error_create(ERROR_FAILED,
					    "the answer of '%s' has other columns than were asked "
					    "for",
					    server->place.name),
			       "is it a server of ClickHouse, and are the tables those of wperf?");
}

struct clickhouse_request {
	enum clickhouse_request_kind kind;
	bool is_outside; /* of the database */
	const char *sql; /* in the address, or NULL */
	const char *arguments;
	const char *header; /* of the body, or NULL */
	const void *body;
	size_t body_size;
	const char *name; /* of the query in the server, for the one who ends it; or NULL */
	uint32_t most_ms; /* 0: the usual limit */
};

static struct error *clickhouse_server_url(const struct clickhouse_server *server,
					   const struct clickhouse_request *request, char **ret)
{
	_cleanup_(string_builder_deinit) struct string_builder url = STRING_BUILDER_INIT;
	string_builder_appendf(&url, "%s?wait_end_of_query=1&buffer_size=%d", server->place.url,
			       CLICKHOUSE_BUFFER);
	if (!request->is_outside)
		string_builder_appendf(&url, "&database=%s", server->place.database);
	clickhouse_cluster_append_settings(server, request->kind, &url);
	// Whole seconds: the answer itself is given up in time.
	if (request->most_ms)
		string_builder_appendf(&url, "&max_execution_time=%u", request->most_ms / 1000 + 1);
	if (request->name)
		string_builder_appendf(&url, "&query_id=%s", request->name);
	string_builder_append(&url, request->arguments ? request->arguments : "");
	if (request->sql) {
		string_builder_append(&url, "&query=");
		url_text_append(&url, request->sql);
	}
	return string_builder_finish(&url, ret);
}

static struct error *clickhouse_server_unreachable(const struct clickhouse_server *server,
						   struct error *cause)
{
	if (cause == &error_no_memory)
		return cause;
	struct error *err = error_create(ERROR_FAILED, "cannot reach the store '%s': %s",
					 server->place.name, cause->message);
	err = error_with_hint(err, "%s",
			      cause->hint
				      ? cause->hint
				      : "check that clickhouse-server runs, and host and port: "
					"of its HTTP interface, 8123 by default (of HTTPS 8443, "
					"with a certificate that the system trusts)");
	error_destroy(cause);
	return err;
}

static struct error *clickhouse_server_send_to(const struct clickhouse_server *server,
					       const struct clickhouse_request *request,
					       const char *url, struct clickhouse_answer *answer,
					       int *ret_code)
{
	const char *headers[4] = {0};
	size_t num = 0;
	const char *const all[] = {server->user_header, server->password_header, request->header};
	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		if (all[i])
			headers[num++] = all[i];
	const struct http_request http = {
		.url = url,
		.headers = headers,
		.body = request->body,
		.body_size = request->body_size,
		.is_unwanted = server->patience.is_gone,
		.data = server->patience.data,
	};
	uint32_t most_ms = request->most_ms  ? request->most_ms
			   : server->version ? CLICKHOUSE_TOTAL_MS
					     : CLICKHOUSE_FIRST_MS;
	const struct http_limits limits = {
		.max_bytes = CLICKHOUSE_MAX_BYTES,
		.total_ms = most_ms,
		.silence_ms = most_ms,
	};
	struct http_answer said = {0};
	struct error *err = http_request_send(&http, &limits, answer->bytes.stream, &said);
	if (err)
		return clickhouse_server_unreachable(server, err);
	err = memory_stream_close(&answer->bytes);
	if (err)
		return err;
	if (said.is_too_large)
		return error_with_hint(error_create(ERROR_FAILED, "the answer of '%s' is too large",
						    server->place.name),
				       "ask for a shorter range of time, or for one service");
	if (said.status != 200) {
		*ret_code = clickhouse_server_code(answer->bytes.text, answer->bytes.size);
		return clickhouse_server_error(server, said.status, answer->bytes.text,
					       answer->bytes.size);
	}
	answer->rows = reader_create(answer->bytes.text, answer->bytes.size);
	return NULL;
}

/** @ret_code: of the server's error, if it says one. */
static struct error *clickhouse_server_try(const struct clickhouse_server *server,
					   const struct clickhouse_request *request,
					   const char *url, struct clickhouse_answer *ret,
					   int *ret_code)
{
	_cleanup_(clickhouse_answer_deinit) struct clickhouse_answer answer = {
		.bytes = MEMORY_STREAM_INIT};
	struct error *err = memory_stream_open(&answer.bytes);
	if (!err)
		err = clickhouse_server_send_to(server, request, url, &answer, ret_code);
	if (err)
		return err;
	*ret = answer;
	answer = (struct clickhouse_answer){.bytes = MEMORY_STREAM_INIT};
	return NULL;
}

/** Several servers of wperf do not wait the same times. @return: may it be tried again? */
static bool clickhouse_server_wait(uint64_t deadline_ns, unsigned num_tries)
{
	uint8_t random;
	enum interrupt_wake wake;
	unsigned steps = num_tries < CLICKHOUSE_MAX_STEPS ? num_tries : CLICKHOUSE_MAX_STEPS;
	struct error *err = random_bytes_fill(&random, sizeof(random));
	if (!err)
		err = interrupt_wait(-1, (1 + random % (2 * steps)) * CLICKHOUSE_RETRY_STEP_NS,
				     &wake);
	bool may_go_on =
		!err && wake == INTERRUPT_WAKE_TIMEOUT && clock_ns(CLOCK_MONOTONIC) < deadline_ns;
	error_destroy(err);
	return may_go_on;
}

static struct error *clickhouse_server_send_once(const struct clickhouse_server *server,
						 const struct clickhouse_request *request,
						 struct clickhouse_answer *ret)
{
	_cleanup_free_ char *url = NULL;
	struct error *err = clickhouse_server_url(server, request, &url);
	uint64_t deadline = clock_ns(CLOCK_MONOTONIC) + CLICKHOUSE_RETRY_NS;
	for (unsigned i = 1; !err; i++) {
		int code = 0;
		err = clickhouse_server_try(server, request, url, ret, &code);
		if (!err || !clickhouse_cluster_is_busy(server, code) ||
		    !clickhouse_server_wait(deadline, i))
			break;
		error_destroy(err);
		err = NULL;
	}
	return err;
}

/** ClickHouse 18.16 goes on with a query whose client is gone. If it cannot be told, it ends at its
 *  max_execution_time. */
static void clickhouse_server_end_query(const struct clickhouse_server *server, const char *name)
{
	_cleanup_(clickhouse_answer_deinit) struct clickhouse_answer answer = {
		.bytes = MEMORY_STREAM_INIT};
	struct clickhouse_server patient = *server;
	char sql[100];
	patient.patience = (struct store_patience){0};
	snprintf(sql, sizeof(sql), "KILL QUERY WHERE query_id = '%s' ASYNC", name);
	error_destroy(clickhouse_server_send_once(&patient,
						  &(struct clickhouse_request){
							  .body = sql,
							  .body_size = strlen(sql),
							  .most_ms = CLICKHOUSE_FIRST_MS,
						  },
						  &answer));
}

/** At least 1. */
static uint32_t clickhouse_server_left_ms(const struct store_patience *patience, uint64_t now_ns)
{
	if (now_ns >= patience->until_ns)
		return 1;
	uint64_t left_ms = (patience->until_ns - now_ns) / 1000000 + CLICKHOUSE_GRACE_MS;
	return left_ms < INT32_MAX ? (uint32_t)left_ms : INT32_MAX;
}

/** One that nobody else has. @ret: of CLICKHOUSE_NAME_SIZE. */
static struct error *clickhouse_server_make_name(char *ret)
{
	uint64_t words[2];
	struct error *err = random_bytes_fill(words, sizeof(words));
	if (!err)
		snprintf(ret, CLICKHOUSE_NAME_SIZE, "wperf%016" PRIx64 "%016" PRIx64, words[0],
			 words[1]);
	return err;
}

static struct error *clickhouse_server_send(const struct clickhouse_server *server,
					    const struct clickhouse_request *request,
					    struct clickhouse_answer *ret)
{
	const struct store_patience *patience = &server->patience;
	struct clickhouse_request limited = *request;
	char name[CLICKHOUSE_NAME_SIZE];
	if (!patience->limit_ns && !patience->is_gone)
		return clickhouse_server_send_once(server, request, ret);
	uint64_t now_ns = clock_ns(CLOCK_MONOTONIC);
	if (store_patience_is_over(patience))
		return store_patience_error(patience);
	if (patience->limit_ns)
		limited.most_ms = clickhouse_server_left_ms(patience, now_ns);
	struct error *err = clickhouse_server_make_name(name);
	if (err)
		return err;
	limited.name = name;
	err = clickhouse_server_send_once(server, &limited, ret);
	if (!err || !store_patience_is_over(patience))
		return err;
	error_destroy(err);
	clickhouse_server_end_query(server, name);
	return store_patience_error(patience);
}

static struct error *clickhouse_server_send_sql(const struct clickhouse_server *server,
						struct clickhouse_request request,
						const struct string_builder *sql,
						struct clickhouse_answer *ret)
{
	if (sql->failed)
		return &error_no_memory;
	request.arguments = "&default_format=RowBinary";
	request.header = "Content-Type: text/plain";
	request.body = string_builder_peek(sql);
	request.body_size = sql->length;
	return clickhouse_server_send(server, &request, ret);
}

struct error *clickhouse_server_ask(const struct clickhouse_server *server,
				    const struct string_builder *sql, struct clickhouse_answer *ret)
{
	return clickhouse_server_send_sql(
		server, (struct clickhouse_request){.kind = CLICKHOUSE_READS}, sql, ret);
}

struct error *clickhouse_server_ask_outside(const struct clickhouse_server *server,
					    const struct string_builder *sql,
					    struct clickhouse_answer *ret)
{
	return clickhouse_server_send_sql(
		server, (struct clickhouse_request){.kind = CLICKHOUSE_READS, .is_outside = true},
		sql, ret);
}

struct error *clickhouse_server_run(const struct clickhouse_server *server,
				    const struct string_builder *sql)
{
	_cleanup_(clickhouse_answer_deinit) struct clickhouse_answer answer = {
		.bytes = MEMORY_STREAM_INIT};
	return clickhouse_server_send_sql(
		server, (struct clickhouse_request){.kind = CLICKHOUSE_CHANGES_TABLES}, sql,
		&answer);
}

struct error *clickhouse_server_run_outside(const struct clickhouse_server *server,
					    const struct string_builder *sql)
{
	_cleanup_(clickhouse_answer_deinit) struct clickhouse_answer answer = {
		.bytes = MEMORY_STREAM_INIT};
	return clickhouse_server_send_sql(
		server,
		(struct clickhouse_request){.kind = CLICKHOUSE_CHANGES_TABLES, .is_outside = true},
		sql, &answer);
}

/** The rows as a file of a form: RFC 7578. */
static void clickhouse_server_make_form(struct string_builder *body, const char *boundary,
					const struct string_builder *rows)
{
	string_builder_appendf(
		body,
		"--%s\r\n"
		"Content-Disposition: form-data; name=\"wanted\"; filename=\"rows\"\r\n"
		"Content-Type: application/octet-stream\r\n\r\n",
		boundary);
	string_builder_append_n(body, string_builder_peek(rows), rows->length);
	string_builder_appendf(body, "\r\n--%s--\r\n", boundary);
}

struct error *clickhouse_server_ask_about(const struct clickhouse_server *server, const char *sql,
					  const struct clickhouse_wanted *wanted,
					  struct clickhouse_answer *ret)
{
	_cleanup_(string_builder_deinit) struct string_builder body = STRING_BUILDER_INIT;
	_cleanup_(string_builder_deinit) struct string_builder arguments = STRING_BUILDER_INIT;
	char boundary[CLICKHOUSE_NAME_SIZE], header[100];
	// Nobody who chose the bytes of the rows knows where they end.
	struct error *err = clickhouse_server_make_name(boundary);
	if (err)
		return err;
	snprintf(header, sizeof(header), "Content-Type: multipart/form-data; boundary=%s",
		 boundary);
	clickhouse_server_make_form(&body, boundary, wanted->rows);
	string_builder_append(&arguments, "&default_format=RowBinary&wanted_format=RowBinary"
					  "&wanted_structure=");
	url_text_append(&arguments, wanted->columns);
	if (body.failed || arguments.failed || wanted->rows->failed)
		return &error_no_memory;
	return clickhouse_server_send(server,
				      &(struct clickhouse_request){
					      .sql = sql,
					      .arguments = arguments.text,
					      .header = header,
					      .body = body.text,
					      .body_size = body.length,
				      },
				      ret);
}

static struct error *clickhouse_server_pack(const struct string_builder *rows, void **ret,
					    size_t *ret_size)
{
	z_stream stream = {.next_in = (Bytef *)rows->text, .avail_in = (uInt)rows->length};
	if (rows->length > UINT_MAX)
		return error_create(ERROR_FAILED, "too many rows for one request");
	if (deflateInit2(&stream, CLICKHOUSE_GZIP_LEVEL, Z_DEFLATED, MAX_WBITS + CLICKHOUSE_GZIP,
			 MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
		return &error_no_memory;
	size_t bound = deflateBound(&stream, rows->length);
	_cleanup_free_ void *packed = malloc(bound);
	int status = Z_MEM_ERROR;
	if (packed && bound <= UINT_MAX) {
		stream.next_out = packed;
		stream.avail_out = (uInt)bound;
		status = deflate(&stream, Z_FINISH);
	}
	*ret_size = bound - stream.avail_out;
	deflateEnd(&stream);
	if (status != Z_STREAM_END)
		return &error_no_memory;
	*ret = take_ptr(packed);
	return NULL;
}

struct error *clickhouse_server_insert(const struct clickhouse_server *server, const char *into,
				       enum clickhouse_spread spread,
				       const struct string_builder *rows)
{
	_cleanup_(clickhouse_answer_deinit) struct clickhouse_answer answer = {
		.bytes = MEMORY_STREAM_INIT};
	_cleanup_free_ void *packed = NULL;
	char sql[500];
	size_t size;
	if (rows->failed)
		return &error_no_memory;
	if (!rows->length)
		return NULL;
	snprintf(sql, sizeof(sql), "INSERT INTO %s FORMAT RowBinary", into);
	// Later servers may collect rows of several requests before they write them.
	const char *arguments = server->version >= CLICKHOUSE_HAS_ASYNC ? "&async_insert=0" : NULL;
	struct error *err = clickhouse_server_pack(rows, &packed, &size);
	return err ? err
		   : clickhouse_server_send(server,
					    &(struct clickhouse_request){
						    .kind = spread == CLICKHOUSE_EVERYWHERE
								    ? CLICKHOUSE_INSERTS_EVERYWHERE
								    : CLICKHOUSE_INSERTS_SHARDED,
						    .sql = sql,
						    .arguments = arguments,
						    .header = "Content-Encoding: gzip",
						    .body = packed,
						    .body_size = size,
					    },
					    &answer);
}

static struct error *clickhouse_server_header(const char *name, const char *value, char **ret)
{
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	if (!value)
		return NULL;
	string_builder_appendf(&text, "%s: %s", name, value);
	return string_builder_finish(&text, ret);
}

/** "18.16.1" is 18016. */
static uint32_t clickhouse_server_read_version(struct clickhouse_text text)
{
	uint32_t parts[2] = {0, 0};
	size_t part = 0;
	for (size_t i = 0; i < text.size && part < 2; i++)
		if (text.bytes[i] == '.')
			part++;
		else if (ascii_is_digit(text.bytes[i]) && parts[part] < 10000)
			parts[part] = 10 * parts[part] + (uint32_t)(text.bytes[i] - '0');
	return 1000 * parts[0] + parts[1] % 1000;
}

static struct error *clickhouse_server_greet(struct clickhouse_server *server)
{
	_cleanup_(clickhouse_answer_deinit) struct clickhouse_answer answer = {
		.bytes = MEMORY_STREAM_INIT};
	_cleanup_(string_builder_deinit) struct string_builder sql = STRING_BUILDER_INIT;
	string_builder_append(&sql, "SELECT version()");
	struct error *err = clickhouse_server_ask_outside(server, &sql, &answer);
	if (err)
		return err;
	uint32_t version = clickhouse_server_read_version(clickhouse_rows_text(&answer.rows));
	err = clickhouse_answer_check(server, &answer);
	if (!err && version < CLICKHOUSE_OLDEST)
		err = error_with_hint(
			error_create(ERROR_FAILED, "the server of '%s' is ClickHouse %u.%u",
				     server->place.name, version / 1000, version % 1000),
			"stores need 18.16 or later");
	server->version = version;
	return err;
}

struct error *clickhouse_server_open(struct clickhouse_server *server,
				     struct clickhouse_place *place)
{
	*server = (struct clickhouse_server){.place = *place};
	*place = (struct clickhouse_place){0};
	struct error *err = clickhouse_server_header("X-ClickHouse-User", server->place.user,
						     &server->user_header);
	if (!err)
		err = clickhouse_server_header("X-ClickHouse-Key", server->place.password,
					       &server->password_header);
	return err ? err : clickhouse_server_greet(server);
}

void clickhouse_server_deinit(struct clickhouse_server *server)
{
	clickhouse_place_deinit(&server->place);
	free(server->user_header);
	free(server->password_header);
	*server = (struct clickhouse_server){0};
}
