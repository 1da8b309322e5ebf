// SPDX-License-Identifier: Apache-2.0
// What Windows records of a process of one thread, and of another one that nobody asked for:
//
//	make_etw_trace PID FILE [BUFFERS [SOURCE]]
//
// 20 samples of the timer and 5 of TotalIssues in the process, 7 of the timer in the other one. The
// thread is switched in and out twice: 5,000 and 2,000 of the first counter, 50 and 20 of the
// second, and 3 ms between them. Each buffer more is another 250 ms, with 100 samples of the timer
// in the process: in the even ones of another function than in the odd ones. SOURCE is there
// instead of TotalIssues.

#include "tests/unit/etl_bytes.h"

#include <stdio.h>

enum {
	START = 1000000,
	MS = 10000,
	OTHER = 4999999,
	TOTAL_ISSUES = 2,
	PROCESS = 3,
	THREAD = 5,
	PERFINFO = 15,
	IMAGE = 20,
	STACKWALK = 24,
	AT_START = 3,
	BASE = 0x400000,
	CODE = BASE + 0x1000,
	CALLER = BASE + 0x2000,
	EVEN = BASE + 0x3000,
	ODD = BASE + 0x4000,
};

static void trace_process(struct etl_bytes *file, uint32_t pid)
{
	etl_bytes_begin_system(file, PROCESS, AT_START, 4, 4, 8, START + 1);
	etl_bytes_pointer(file, 0xffff800000001000 + pid);
	etl_bytes_u32(file, pid);
	etl_bytes_u32(file, 4);
	etl_bytes_zeros(file, 8); // session, exit status
	etl_bytes_pointer(file, 0);
	etl_bytes_u32(file, 0);
	etl_bytes_u32(file, 0); // no SID
	etl_bytes_text(file, "made.exe");
	etl_bytes_utf16(file, "made.exe");
	etl_bytes_utf16(file, "");
	etl_bytes_utf16(file, "");
	etl_bytes_end_event(file);
	etl_bytes_begin_system(file, THREAD, AT_START, 3, 4, 8, START + 1);
	etl_bytes_u32(file, pid);
	etl_bytes_u32(file, pid); // the thread has the number of the process
	etl_bytes_zeros(file, 8 * 8 + 8);
	etl_bytes_end_event(file);
	etl_bytes_begin_system(file, IMAGE, AT_START, 2, 4, 8, START + 1);
	etl_bytes_pointer(file, BASE);
	etl_bytes_pointer(file, 0x10000);
	etl_bytes_u32(file, pid);
	etl_bytes_zeros(file, 3 * 4);
	etl_bytes_pointer(file, BASE);
	etl_bytes_zeros(file, 4 * 4);
	etl_bytes_utf16(file, "\\Device\\HarddiskVolume1\\made.exe");
	etl_bytes_end_event(file);
}

static void trace_interval(struct etl_bytes *file, uint32_t source, uint32_t interval,
			   const char *name)
{
	enum { INTERVAL_BEGIN = 73 };
	etl_bytes_begin_perfinfo(file, PERFINFO, INTERVAL_BEGIN, 3, START + 1, NULL, 0);
	etl_bytes_u32(file, source);
	etl_bytes_u32(file, interval);
	etl_bytes_u32(file, interval);
	etl_bytes_utf16(file, name);
	etl_bytes_end_event(file);
}

static void trace_stack(struct etl_bytes *file, uint32_t pid, uint64_t code, uint64_t ticks)
{
	enum { STACK = 32 };
	etl_bytes_begin_perfinfo(file, STACKWALK, STACK, 2, ticks + 1, NULL, 0);
	etl_bytes_u64(file, ticks);
	etl_bytes_u32(file, pid);
	etl_bytes_u32(file, pid);
	etl_bytes_pointer(file, code);
	etl_bytes_pointer(file, CALLER);
	etl_bytes_end_event(file);
}

/** @source: 0: the timer. */
static void trace_sample(struct etl_bytes *file, uint32_t pid, uint16_t source, uint64_t code,
			 uint64_t ticks)
{
	enum { SAMPLE = 46, COUNTER_SAMPLE = 47 };
	etl_bytes_begin_perfinfo(file, PERFINFO, source ? COUNTER_SAMPLE : SAMPLE, 2, ticks, NULL,
				 0);
	etl_bytes_pointer(file, code);
	etl_bytes_u32(file, pid);
	etl_bytes_u16(file, source ? source : 1);
	etl_bytes_u16(file, 0);
	etl_bytes_end_event(file);
	trace_stack(file, pid, code, ticks);
}

static void trace_switch(struct etl_bytes *file, uint32_t from, uint32_t to, uint64_t ticks,
			 uint64_t count)
{
	enum { SWITCH = 36, WAITING = 5 };
	const uint64_t counters[] = {count, count / 100};
	etl_bytes_begin_perfinfo(file, THREAD, SWITCH, 4, ticks, counters, 2);
	etl_bytes_u32(file, to);
	etl_bytes_u32(file, from);
	etl_bytes_zeros(file, 6);
	etl_bytes_u8(file, WAITING);
	etl_bytes_zeros(file, 9);
	etl_bytes_end_event(file);
	if (to)
		trace_stack(file, to, CODE, ticks);
}

static void trace_more(struct etl_bytes *file, uint32_t pid, uint64_t now, unsigned num_buffers)
{
	enum { SAMPLES = 100, STEP = 250 * MS / SAMPLES };
	for (unsigned i = 1; i <= num_buffers; i++) {
		etl_bytes_begin_buffer(file, 0, 1 + i);
		for (int k = 0; k < SAMPLES; k++)
			trace_sample(file, pid, 0, i % 2 ? ODD : EVEN, now += STEP);
		etl_bytes_end_buffer(file);
	}
}

static void trace_write(struct etl_bytes *file, uint32_t pid, unsigned num_more, uint16_t source)
{
	file->buffer_size = 16384;
	etl_bytes_first_buffer(file, &(struct etl_bytes_log){.start_ticks = START});
	etl_bytes_begin_buffer(file, 0, 1);
	trace_interval(file, 0, MS, "Timer");
	trace_interval(file, source, 65536, source == TOTAL_ISSUES ? "TotalIssues" : "own");
	trace_process(file, pid);
	trace_process(file, OTHER);
	uint64_t now = START + MS;
	trace_switch(file, 0, pid, now, 100000);
	for (int i = 0; i < 20; i++)
		trace_sample(file, pid, 0, CODE, now += MS);
	for (int i = 0; i < 5; i++)
		trace_sample(file, pid, source, CODE, now += MS);
	trace_switch(file, pid, 0, now += MS, 105000);
	trace_switch(file, 0, pid, now += 3 * MS, 200000);
	trace_switch(file, pid, 0, now += MS, 202000);
	for (int i = 0; i < 7; i++)
		trace_sample(file, OTHER, 0, CODE, now += MS);
	etl_bytes_end_buffer(file);
	trace_more(file, pid, now, num_more);
}

int main(int argc, char **argv)
{
	struct etl_bytes file = {};
	if (argc < 3 || argc > 5)
		return 2;
	trace_write(&file, (uint32_t)strtoul(argv[1], NULL, 10),
		    argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 0,
		    argc > 4 ? (uint16_t)strtoul(argv[4], NULL, 10) : TOTAL_ISSUES);
	FILE *out = fopen(argv[2], "wb");
	int failed = !out || fwrite(file.data, 1, file.size, out) != file.size;
	if (out)
		failed |= fclose(out);
	etl_bytes_deinit(&file);
	return failed;
}
