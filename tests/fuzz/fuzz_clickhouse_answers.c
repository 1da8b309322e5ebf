// SPDX-License-Identifier: Apache-2.0
// Input: which question is asked, then what a server of ClickHouse answers, request by request:
// each answer has its length in front, as two bytes, little-endian. This file stands in for
// clickhouse_server.c.

#include "fleet/store/clickhouse/clickhouse_query.h"
#include "fleet/store/clickhouse/clickhouse_server.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct reader answers;

struct error *clickhouse_server_ask(const struct clickhouse_server *server,
				    const struct string_builder *sql, struct clickhouse_answer *ret)
{
	size_t size = reader_u16(&answers);
	*ret = (struct clickhouse_answer){.bytes = MEMORY_STREAM_INIT};
	ret->rows =
		reader_sub(&answers, size < reader_left(&answers) ? size : reader_left(&answers));
	return NULL;
}

struct error *clickhouse_server_ask_about(const struct clickhouse_server *server, const char *sql,
					  const struct clickhouse_wanted *wanted,
					  struct clickhouse_answer *ret)
{
	return clickhouse_server_ask(server, NULL, ret);
}

struct error *clickhouse_server_ask_outside(const struct clickhouse_server *server,
					    const struct string_builder *sql,
					    struct clickhouse_answer *ret)
{
	return clickhouse_server_ask(server, sql, ret);
}

struct error *clickhouse_server_run(const struct clickhouse_server *server,
				    const struct string_builder *sql)
{
	return NULL;
}

struct error *clickhouse_server_run_outside(const struct clickhouse_server *server,
					    const struct string_builder *sql)
{
	return NULL;
}

struct error *clickhouse_server_insert(const struct clickhouse_server *server, const char *into,
				       enum clickhouse_spread spread,
				       const struct string_builder *rows)
{
	return NULL;
}

struct error *clickhouse_answer_check(const struct clickhouse_server *server,
				      const struct clickhouse_answer *answer)
{
	return answer->rows.failed || reader_left(&answer->rows)
		       ? error_create(ERROR_FAILED, "other columns")
		       : NULL;
}

struct error *clickhouse_server_damaged(const struct clickhouse_server *server, const char *what)
{
	return error_create(ERROR_FAILED, "%s", what);
}

void clickhouse_answer_deinit(struct clickhouse_answer *answer)
{
	memory_stream_deinit(&answer->bytes);
}

struct error *clickhouse_server_error(const struct clickhouse_server *server, int status,
				      const char *text, size_t size)
{
	return error_create(ERROR_FAILED, "%d", status);
}

struct error *clickhouse_server_open(struct clickhouse_server *server,
				     struct clickhouse_place *place)
{
	return NULL;
}

void clickhouse_server_deinit(struct clickhouse_server *server)
{
}

/** What is in an answer refers to what is there. */
static void check_profile(const struct named_profile *profile)
{
	for (size_t i = 0; i < profile->num_samples; i++) {
		const struct named_sample *sample = &profile->samples[i];
		if (sample->event >= profile->num_events ||
		    sample->thread >= profile->num_threads || sample->gil >= GIL_NUM_STATES ||
		    (sample->stack != STACK_NONE && sample->stack >= profile->stacks.num_nodes))
			abort();
	}
	for (size_t i = 0; i < profile->num_functions; i++)
		if (profile->functions[i].kind > FRAME_MARKER)
			abort();
}

static void ask(uint8_t question)
{
	const struct clickhouse_server server = {.version = 18016};
	const struct store_query query = {.step_ns = question & 4 ? STORE_HOUR_NS : 0};
	const struct store_query steps = {.step_ns = STORE_HOUR_NS};
	struct named_profile profile;
	struct store_listing listing;
	struct store_heat heat;
	struct error *err;
	if ((question & 3) == 1) {
		err = clickhouse_query_list(&server, &listing);
		if (!err)
			store_listing_deinit(&listing);
	} else if ((question & 3) == 2) {
		err = clickhouse_query_heat(&server, &steps, &heat);
		if (!err)
			store_heat_deinit(&heat);
	} else {
		err = clickhouse_query(&server, &query, &profile);
		if (!err) {
			check_profile(&profile);
			named_profile_deinit(&profile);
		}
	}
	error_destroy(err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	answers = reader_create(data + 1, size - 1);
	ask(data[0]);
	return 0;
}
