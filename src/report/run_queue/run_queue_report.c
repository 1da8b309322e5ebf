// SPDX-License-Identifier: Apache-2.0
// Rows are sorted: the longest sum comes first. Percentiles are those of a histogram, so they have
// three digits at most; sums, means and the longest wait are exact.

#include "report/run_queue/run_queue_report.h"

#include "base/container/array.h"
#include "view/layout/decimal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { HISTOGRAM_COLUMNS = 40, TASK_TEXT = 48 };

static double run_queue_seconds(uint64_t ns)
{
	return (double)ns / 1e9;
}

static double run_queue_microseconds(uint64_t ns)
{
	return (double)ns / 1e3;
}

static uint64_t run_queue_mean_ns(const struct run_queue_thread *thread)
{
	return thread->num ? thread->total_ns / thread->num : 0;
}

/** "worker 4711", "idle CPU". */
static void run_queue_name_task(const struct run_queue_task *task, char ret[static TASK_TEXT])
{
	if (task->tid)
		snprintf(ret, TASK_TEXT, "%s %" PRIu32, task->name, task->tid);
	else
		snprintf(ret, TASK_TEXT, "idle CPU");
}

static size_t run_queue_num_rows(size_t num, uint32_t max_rows)
{
	return max_rows && num > max_rows ? max_rows : num;
}

static void run_queue_print_more(size_t num, uint32_t max_rows, FILE *stream)
{
	if (num > run_queue_num_rows(num, max_rows))
		fprintf(stream, "      ... and %zu more\n", num - max_rows);
}

static void run_queue_add_thread_row(const struct run_queue *queue,
				     const struct run_queue_thread *thread, struct table *table)
{
	char runner[TASK_TEXT], name[TASK_TEXT];
	uint64_t at_ns =
		thread->max_at_ns > queue->began_ns ? thread->max_at_ns - queue->began_ns : 0;
	run_queue_name_task(&thread->runner, runner);
	table_add_u64(table, thread->num);
	table_add_double(table, run_queue_seconds(thread->total_ns), 3);
	table_add_double(table, run_queue_microseconds(run_queue_mean_ns(thread)), 1);
	table_add_double(table, run_queue_microseconds(run_queue_percentile(thread, 95)), 1);
	table_add_double(table, run_queue_microseconds(run_queue_percentile(thread, 99)), 1);
	table_add_double(table, run_queue_microseconds(thread->max_ns), 1);
	table_add_double(table, run_queue_seconds(at_ns), 3);
	table_add_u32(table, thread->max_core);
	table_add_string(table, runner);
	if (thread->task.tid)
		table_add_u32(table, thread->task.tid);
	else
		table_add_string(table, "");
	snprintf(name, sizeof(name), "%s", thread->task.name);
	if (thread->num_threads > 1)
		snprintf(name, sizeof(name), "%s (%" PRIu32 " threads)", thread->task.name,
			 thread->num_threads);
	table_add_string(table, name);
}

static struct error *run_queue_print_threads(const struct run_queue *queue, uint32_t max_rows,
					     struct table_layout layout, FILE *stream)
{
	static const struct table_column columns[] = {
		{"waits", TABLE_RIGHT},   {"seconds", TABLE_RIGHT}, {"mean us", TABLE_RIGHT},
		{"95 % us", TABLE_RIGHT}, {"99 % us", TABLE_RIGHT}, {"longest us", TABLE_RIGHT},
		{"at s", TABLE_RIGHT},    {"CPU", TABLE_RIGHT},     {"ran meanwhile", TABLE_LEFT},
		{"tid", TABLE_RIGHT},     {"thread", TABLE_LEFT},
	};
	_cleanup_(table_destroyp) struct table *table = NULL;
	struct error *err = table_create(columns, ARRAY_SIZE(columns), &table);
	if (err)
		return err;
	size_t num = run_queue_num_rows(queue->num_threads, max_rows);
	for (size_t i = 0; i < num; i++)
		run_queue_add_thread_row(queue, &queue->threads[i], table);
	err = table_check(table);
	if (err)
		return err;
	table_print(table, layout, stream);
	run_queue_print_more(queue->num_threads, max_rows, stream);
	return NULL;
}

/** The range of a row of the histogram: "4-8 us", "< 1 us". */
static void run_queue_print_range(uint32_t bit, FILE *stream)
{
	char text[32];
	// 2^10 ns are called 1 us, and so on, as in other histograms of powers of two.
	uint64_t low = UINT64_C(1) << (bit < RUN_QUEUE_FIRST_BIT ? 0 : bit - RUN_QUEUE_FIRST_BIT);
	if (bit < RUN_QUEUE_FIRST_BIT)
		snprintf(text, sizeof(text), "< 1");
	else if (bit == RUN_QUEUE_LAST_BIT)
		snprintf(text, sizeof(text), ">= %" PRIu64, low);
	else
		snprintf(text, sizeof(text), "%" PRIu64 "-%" PRIu64, low, 2 * low);
	fprintf(stream, "      %23s", text);
}

static void run_queue_print_histogram(const struct run_queue_thread *all, FILE *stream)
{
	uint64_t most = 0;
	uint32_t first = RUN_QUEUE_LAST_BIT, last = 0;
	for (uint32_t bit = RUN_QUEUE_FIRST_BIT - 1; bit <= RUN_QUEUE_LAST_BIT; bit++) {
		uint64_t num = run_queue_doubling(all, bit);
		most = num > most ? num : most;
		if (!num)
			continue;
		first = bit < first ? bit : first;
		last = bit;
	}
	fprintf(stream, "\n      %23s  %12s\n      %23s  %12s\n", "wait, us (x 1.024)", "waits",
		"==================", "=====");
	for (uint32_t bit = first; bit <= last; bit++) {
		uint64_t num = run_queue_doubling(all, bit);
		run_queue_print_range(bit, stream);
		fprintf(stream, "  %12s ", decimal_grouped(num).text);
		double columns = most ? (double)num / (double)most * HISTOGRAM_COLUMNS : 0;
		for (int i = 0; i < (int)(columns + 0.5); i++)
			fputc('#', stream);
		fputc('\n', stream);
	}
}

static struct error *run_queue_print_cores(const struct run_queue *queue,
					   struct table_layout layout, FILE *stream)
{
	static const struct table_column columns[] = {
		{"CPU", TABLE_RIGHT},
		{"waits", TABLE_RIGHT},
		{"seconds", TABLE_RIGHT},
		{"longest us", TABLE_RIGHT},
	};
	if (queue->num_cores < 2)
		return NULL;
	_cleanup_(table_destroyp) struct table *table = NULL;
	struct error *err = table_create(columns, ARRAY_SIZE(columns), &table);
	for (size_t i = 0; !err && i < queue->num_cores; i++) {
		table_add_u32(table, queue->cores[i].core);
		table_add_u64(table, queue->cores[i].num);
		table_add_double(table, run_queue_seconds(queue->cores[i].total_ns), 3);
		table_add_double(table, run_queue_microseconds(queue->cores[i].max_ns), 1);
	}
	if (!err)
		err = table_check(table);
	if (err)
		return err;
	fputc('\n', stream);
	table_print(table, layout, stream);
	return NULL;
}

static void run_queue_add_task(const struct run_queue_task *task, struct table *table)
{
	bool is_known = task->tid && task->tid != UINT32_MAX;
	if (is_known) {
		table_add_u32(table, task->pid);
		table_add_u32(table, task->tid);
		table_add_string(table, task->name);
		return;
	}
	table_add_string(table, "");
	table_add_string(table, "");
	table_add_string(table, task->tid ? "(not known)" : "(idle CPU)");
}

static struct error *run_queue_print_runners(const struct run_queue *queue, uint32_t max_rows,
					     struct table_layout layout, FILE *stream)
{
	static const struct table_column columns[] = {
		{"seconds", TABLE_RIGHT}, {"samples", TABLE_RIGHT}, {"pid", TABLE_RIGHT},
		{"tid", TABLE_RIGHT},     {"thread", TABLE_LEFT},
	};
	if (!queue->num_runners)
		return NULL;
	_cleanup_(table_destroyp) struct table *table = NULL;
	struct error *err = table_create(columns, ARRAY_SIZE(columns), &table);
	size_t num = run_queue_num_rows(queue->num_runners, max_rows);
	for (size_t i = 0; !err && i < num; i++) {
		const struct run_queue_runner *runner = &queue->runners[i];
		table_add_double(table, run_queue_seconds(runner->ns), 3);
		table_add_u64(table, runner->num);
		run_queue_add_task(&runner->task, table);
	}
	if (!err)
		err = table_check(table);
	if (err)
		return err;
	fputs("\nwho ran meanwhile, by samples of waits:\n\n", stream);
	table_print(table, layout, stream);
	run_queue_print_more(queue->num_runners, max_rows, stream);
	return NULL;
}

struct error *run_queue_report_print(const struct run_queue *queue, uint32_t max_rows,
				     struct table_layout layout, FILE *stream)
{
	if (!queue->is_known)
		return NULL;
	_cleanup_free_ struct run_queue_thread *all = calloc(1, sizeof(*all));
	if (!all)
		return &error_no_memory;
	run_queue_sum(queue, all);
	fprintf(stream, "ready, but not running: %s waits, %s s in all\n\n",
		decimal_grouped(all->num).text,
		decimal_fixed(run_queue_seconds(all->total_ns), 3).text);
	if (!all->num)
		return NULL;
	struct error *err = run_queue_print_threads(queue, max_rows, layout, stream);
	if (err)
		return err;
	run_queue_print_histogram(all, stream);
	err = run_queue_print_cores(queue, layout, stream);
	if (!err)
		err = run_queue_print_runners(queue, max_rows, layout, stream);
	fputc('\n', stream);
	return err;
}

/** Without numbers where they are not known. */
static void run_queue_write_task(const struct run_queue_task *task, struct json_writer *json)
{
	if (task->tid != UINT32_MAX) {
		json_key_u64(json, "pid", task->pid);
		json_key_u64(json, "tid", task->tid);
	}
	json_key_text(json, "thread", task->name);
}

static void run_queue_write_histogram(const struct run_queue_thread *thread,
				      struct json_writer *json)
{
	json_key(json, "histogram");
	json_begin_array(json);
	for (uint32_t i = 0; i < RUN_QUEUE_BUCKETS; i++) {
		if (!thread->histogram[i])
			continue;
		json_begin_object(json);
		json_key_u64(json, "from_ns", run_queue_bucket_low(i));
		json_key_u64(json, "waits", thread->histogram[i]);
		json_end_object(json);
	}
	json_end_array(json);
}

static void run_queue_write_sums(const struct run_queue_thread *thread, struct json_writer *json)
{
	json_key_u64(json, "waits", thread->num);
	json_key_u64(json, "total_ns", thread->total_ns);
	json_key_u64(json, "mean_ns", run_queue_mean_ns(thread));
	json_key_u64(json, "p95_ns", run_queue_percentile(thread, 95));
	json_key_u64(json, "p99_ns", run_queue_percentile(thread, 99));
	json_key_u64(json, "max_ns", thread->max_ns);
	run_queue_write_histogram(thread, json);
}

static void run_queue_write_thread(const struct run_queue_thread *thread, struct json_writer *json)
{
	json_begin_object(json);
	run_queue_write_task(&thread->task, json);
	json_key_u64(json, "threads", thread->num_threads);
	run_queue_write_sums(thread, json);
	json_key_u64(json, "max_at_ns", thread->max_at_ns);
	json_key_u64(json, "max_cpu", thread->max_core);
	json_key(json, "ran_meanwhile");
	json_begin_object(json);
	run_queue_write_task(&thread->runner, json);
	json_key_u64(json, "ns", thread->runner_ns);
	json_end_object(json);
	json_end_object(json);
}

static void run_queue_write_rows(const struct run_queue *queue, struct json_writer *json)
{
	json_key(json, "threads");
	json_begin_array(json);
	for (size_t i = 0; i < queue->num_threads; i++)
		run_queue_write_thread(&queue->threads[i], json);
	json_end_array(json);
	json_key(json, "cpus");
	json_begin_array(json);
	for (size_t i = 0; i < queue->num_cores; i++) {
		json_begin_object(json);
		json_key_u64(json, "cpu", queue->cores[i].core);
		json_key_u64(json, "waits", queue->cores[i].num);
		json_key_u64(json, "total_ns", queue->cores[i].total_ns);
		json_key_u64(json, "max_ns", queue->cores[i].max_ns);
		json_end_object(json);
	}
	json_end_array(json);
	json_key(json, "ran_meanwhile");
	json_begin_array(json);
	for (size_t i = 0; i < queue->num_runners; i++) {
		json_begin_object(json);
		run_queue_write_task(&queue->runners[i].task, json);
		json_key_u64(json, "samples", queue->runners[i].num);
		json_key_u64(json, "ns", queue->runners[i].ns);
		json_end_object(json);
	}
	json_end_array(json);
}

void run_queue_report_write_json(const struct run_queue *queue, struct json_writer *json)
{
	_cleanup_free_ struct run_queue_thread *all = calloc(1, sizeof(*all));
	if (!queue->is_known || !all)
		return;
	run_queue_sum(queue, all);
	json_key(json, "run_queue");
	json_begin_object(json);
	json_key_u64(json, "began_ns", queue->began_ns);
	json_key_u64(json, "ended_ns", queue->ended_ns);
	run_queue_write_sums(all, json);
	run_queue_write_rows(queue, json);
	json_key_u64(json, "late_samples", queue->num_late);
	json_key_u64(json, "lost_waits", queue->losses.waits);
	json_key_u64(json, "lost_runners", queue->losses.runners);
	json_key_u64(json, "lost_threads", queue->losses.threads);
	json_end_object(json);
}

void run_queue_report_print_notes(const struct run_queue *queue, FILE *stream)
{
	const struct run_queue_losses *losses = &queue->losses;
	if (!queue->is_known)
		return;
	if (queue->num_late)
		fprintf(stream,
			"note: samples that show where the thread left its CPU again, not where it "
			"went on: %s\n",
			decimal_grouped(queue->num_late).text);
	if (losses->waits || losses->threads)
		fprintf(stream,
			"warning: there were too many threads at once: waits that are not in the "
			"tables: %s or more, threads: %s or more; with -p they are fewer\n",
			decimal_grouped(losses->waits).text, decimal_grouped(losses->threads).text);
	if (losses->runners)
		fprintf(stream,
			"note: too many threads ran meanwhile: samples that are not in the table "
			"of "
			"them: %s\n",
			decimal_grouped(losses->runners).text);
}
