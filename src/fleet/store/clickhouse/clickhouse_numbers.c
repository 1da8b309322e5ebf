// SPDX-License-Identifier: Apache-2.0

#include "fleet/store/clickhouse/clickhouse_numbers.h"

#include "base/container/array.h"

#include <stdlib.h>

struct error *clickhouse_numbers_ask(const struct clickhouse_server *server,
				     const struct string_builder *sql,
				     struct clickhouse_numbers *ret)
{
	_cleanup_(clickhouse_answer_deinit) struct clickhouse_answer answer = {
		.bytes = MEMORY_STREAM_INIT};
	struct clickhouse_numbers numbers = {0};
	struct error *err = clickhouse_server_ask(server, sql, &answer);
	while (!err && reader_left(&answer.rows)) {
		err = array_reserve(&numbers.numbers, &numbers.cap_numbers,
				    numbers.num_numbers + 1);
		if (!err)
			numbers.numbers[numbers.num_numbers++] = reader_u64(&answer.rows);
	}
	if (!err)
		err = clickhouse_answer_check(server, &answer);
	if (err)
		clickhouse_numbers_deinit(&numbers);
	else
		*ret = numbers;
	return err;
}

void clickhouse_numbers_deinit(struct clickhouse_numbers *numbers)
{
	free(numbers->numbers);
	*numbers = (struct clickhouse_numbers){0};
}
