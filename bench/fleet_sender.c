// SPDX-License-Identifier: Apache-2.0
// fleet_sender URL SECONDS HOSTS WINDOW_SECONDS: sends what HOSTS agents would send, each one
// request per window, at even times. WINDOW_SECONDS 0: as fast as the server takes them.
//
// 200 requests are encoded at the start; each time one is sent, its batch id, host and time are
// replaced and it is compressed, so that the sender costs little beside the server. Prints one line
// of JSON: requests by status, latencies, rows (different stacks in windows), own CPU time.

#include "base/http/http_request.h"
#include "base/os/clock.h"
#include "base/thread/thread.h"
#include "bench/synthetic_fleet.h"
#include "fleet/otlp/otlp_encoder.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <zlib.h>

#define SECOND_NS       UINT64_C(1000000000)
#define TIME_TO_REPLACE UINT64_C(0x1231231231231231)

enum {
	NUM_SERVICES = 10,
	VARIANTS = 20,
	NUM_BODIES = NUM_SERVICES * VARIANTS,
	NUM_THREADS = 8,
	NUM_SAMPLES = 2000
};

static const char id_to_replace[] = "batch-0123456789abcdef", host_to_replace[] = "host-98765";

/** A request, and where it is to be changed. */
struct body {
	struct string_builder bytes;
	size_t id, host, time;
	size_t num_rows;
};

struct sender {
	struct body bodies[NUM_BODIES];
	const char *url;
	uint64_t start_ns, end_ns, interval_ns; /* monotonic */
	uint64_t run;                           /* tells this run's batch ids from others */
	uint64_t num_hosts;
	atomic_uint_fast64_t next, num_ok, num_refused, num_failed, num_rows, num_bytes, latest_ns;
	atomic_uint_fast64_t latencies[64]; /* by the power of two of microseconds */
};

static size_t find_in(const struct string_builder *request, const void *bytes, size_t size)
{
	const char *found = memmem(request->text, request->length, bytes, size);
	if (!found)
		bench_check(error_create(ERROR_FAILED, "what is to be replaced is not there"));
	return (size_t)(found - request->text);
}

static void body_encode(struct body *body, struct fleet_batch *batch)
{
	const uint64_t start_ns = TIME_TO_REPLACE;
	body->num_rows = synthetic_window_stacks(batch);
	bench_check(otlp_encoder_encode(batch, &body->bytes));
	body->id = find_in(&body->bytes, id_to_replace, strlen(id_to_replace));
	body->host = find_in(&body->bytes, host_to_replace, strlen(host_to_replace));
	body->time = find_in(&body->bytes, &start_ns, sizeof(start_ns));
}

static void make_bodies(struct sender *sender)
{
	static uint32_t stacks[SYNTHETIC_STACKS];
	uint64_t state = 7;
	for (uint32_t service = 0; service < NUM_SERVICES; service++) {
		struct fleet_batch batch;
		char name[32];
		synthetic_service_make(&batch, service, stacks);
		snprintf(name, sizeof(name), "service-%u", service);
		bench_check(fleet_batch_set_id(&batch, id_to_replace));
		bench_check(fleet_batch_set_label(&batch, "service.name", name));
		bench_check(fleet_batch_set_label(&batch, "host.name", host_to_replace));
		batch.start_ns = TIME_TO_REPLACE;
		batch.length_ns = 60 * SECOND_NS;
		for (uint32_t i = 0; i < VARIANTS; i++) {
			synthetic_window_fill(&batch, stacks, NUM_SAMPLES, &state);
			body_encode(&sender->bodies[i * NUM_SERVICES + service], &batch);
		}
		fleet_batch_deinit(&batch);
	}
}

/** The packed request number @number, at the beginning of @packed. */
static size_t pack_body(const struct sender *sender, uint64_t number, char *plain, Bytef *packed,
			size_t cap_packed)
{
	const struct body *body = &sender->bodies[number % NUM_BODIES];
	char id[sizeof(id_to_replace)], host[sizeof(host_to_replace)];
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	uint64_t now_ns = (uint64_t)now.tv_sec * SECOND_NS;
	snprintf(id, sizeof(id), "batch-%08" PRIx32 "%08" PRIx32, (uint32_t)sender->run,
		 (uint32_t)number);
	snprintf(host, sizeof(host), "host-%05u", (unsigned)(number % sender->num_hosts) % 100000);
	memcpy(plain, body->bytes.text, body->bytes.length);
	memcpy(plain + body->id, id, strlen(id));
	memcpy(plain + body->host, host, strlen(host));
	memcpy(plain + body->time, &now_ns, sizeof(now_ns));
	z_stream stream = {.next_in = (Bytef *)plain,
			   .avail_in = (uInt)body->bytes.length,
			   .next_out = packed,
			   .avail_out = (uInt)cap_packed};
	if (deflateInit2(&stream, 1, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY) != Z_OK ||
	    deflate(&stream, Z_FINISH) != Z_STREAM_END)
		bench_check(error_create(ERROR_FAILED, "cannot compress a request"));
	deflateEnd(&stream);
	return stream.total_out;
}

static void count_answer(struct sender *sender, struct error *err, int status, uint64_t number,
			 uint64_t took_ns)
{
	unsigned power = 0;
	for (uint64_t us = took_ns / 1000; us > 1; us >>= 1)
		power++;
	sender->latencies[power]++;
	if (err) {
		fprintf(stderr, "%s\n", err->message);
		error_destroy(err);
		sender->num_failed++;
	} else if (status == 200) {
		sender->num_ok++;
		sender->num_rows += sender->bodies[number % NUM_BODIES].num_rows;
	} else {
		sender->num_refused++;
	}
}

/** Until the time of this request. False: the run is over. */
static bool wait_for_turn(struct sender *sender, uint64_t number)
{
	uint64_t due_ns = sender->start_ns + number * sender->interval_ns;
	uint64_t now_ns = clock_ns(CLOCK_MONOTONIC);
	if (due_ns > sender->end_ns || now_ns > sender->end_ns + 30 * SECOND_NS ||
	    (!sender->interval_ns && now_ns > sender->end_ns))
		return false;
	if (due_ns > now_ns) {
		uint64_t left_ns = due_ns - now_ns;
		nanosleep(&(struct timespec){.tv_sec = (time_t)(left_ns / SECOND_NS),
					     .tv_nsec = (long)(left_ns % SECOND_NS)},
			  NULL);
	} else if (sender->interval_ns && now_ns - due_ns > sender->latest_ns) {
		sender->latest_ns = now_ns - due_ns; // about: threads may overwrite each other's
	}
	return true;
}

static void send_all(void *data)
{
	static const char *const headers[] = {"Content-Type: application/x-protobuf",
					      "Content-Encoding: gzip", NULL};
	const struct http_limits limits = {
		.max_bytes = 1 << 20, .total_ms = 60000, .silence_ms = 60000};
	struct sender *sender = data;
	size_t largest = 0;
	for (size_t i = 0; i < NUM_BODIES; i++)
		if (sender->bodies[i].bytes.length > largest)
			largest = sender->bodies[i].bytes.length;
	char *plain = malloc(largest);
	size_t cap_packed = compressBound((uLong)largest) + 64;
	Bytef *packed = malloc(cap_packed);
	for (;;) {
		uint64_t number = sender->next++;
		if (!plain || !packed || !wait_for_turn(sender, number))
			break;
		struct http_answer answer = {0};
		struct http_request request = {
			.url = sender->url, .headers = headers, .body = packed};
		request.body_size = pack_body(sender, number, plain, packed, cap_packed);
		sender->num_bytes += request.body_size;
		uint64_t begin_ns = clock_ns(CLOCK_MONOTONIC);
		struct error *err = http_request_send(&request, &limits, NULL, &answer);
		count_answer(sender, err, answer.status, number,
			     clock_ns(CLOCK_MONOTONIC) - begin_ns);
	}
	free(plain);
	free(packed);
}

/** Below this many milliseconds are @percent of all answers; a power of two of microseconds. */
static double latency_ms(struct sender *sender, double percent)
{
	uint64_t all = 0, so_far = 0;
	for (int i = 0; i < 64; i++)
		all += sender->latencies[i];
	for (int i = 0; i < 64; i++) {
		so_far += sender->latencies[i];
		if (so_far && (double)so_far >= percent / 100 * (double)all)
			return (double)(UINT64_C(2) << i) / 1000;
	}
	return 0;
}

static void print_result(struct sender *sender)
{
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	double seconds = (double)(clock_ns(CLOCK_MONOTONIC) - sender->start_ns) / SECOND_NS;
	double cpu = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
		     (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
	printf("{\"seconds\": %.1f, \"ok\": %" PRIu64 ", \"refused\": %" PRIu64
	       ", \"failed\": %" PRIu64 ", \"rows\": %" PRIu64 ", \"bytes\": %" PRIu64
	       ", \"half_below_ms\": %.2f, \"p99_below_ms\": %.2f, \"latest_s\": %.3f, "
	       "\"sender_cpu_s\": %.1f}\n",
	       seconds, sender->num_ok, sender->num_refused, sender->num_failed, sender->num_rows,
	       sender->num_bytes, latency_ms(sender, 50), latency_ms(sender, 99),
	       (double)sender->latest_ns / SECOND_NS, cpu);
}

int main(int argc, char **argv)
{
	static struct sender sender;
	struct thread *threads[NUM_THREADS];
	if (argc != 5)
		return 2;
	make_bodies(&sender);
	sender.url = argv[1];
	sender.num_hosts = strtoull(argv[3], NULL, 10);
	sender.interval_ns = strtoull(argv[4], NULL, 10) * SECOND_NS / sender.num_hosts;
	sender.run = (uint64_t)time(NULL);
	sender.start_ns = clock_ns(CLOCK_MONOTONIC);
	sender.end_ns = sender.start_ns + strtoull(argv[2], NULL, 10) * SECOND_NS;
	for (int i = 0; i < NUM_THREADS; i++)
		bench_check(thread_start("sender", send_all, &sender, &threads[i]));
	for (int i = 0; i < NUM_THREADS; i++)
		thread_join(threads[i]);
	print_result(&sender);
	return 0;
}
