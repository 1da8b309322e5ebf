// SPDX-License-Identifier: Apache-2.0

/**
 * Writes an ETW recording to the file that it is given, for round_trip.py: two CPUs, a program with
 * two threads and its own, named one, the kernel and a driver; samples on the timer and on a
 * counter, with stacks of either mode; context switches, wakeups, DPCs and interrupts; a method of
 * .NET; names of a computer and a user, which --anonymous has to leave out.
 */

#include "../unit/etl_bytes.h"

#include <stdio.h>

enum {
	PROCESS = 3,
	THREAD = 5,
	CONFIG = 11,
	PERFINFO = 15,
	STACK = 24,
	BEGIN = 1,
	THERE_AT_START = 3,
	PID = 1000,
	TID = 1004,
	WORKER = 1008,
	SYSTEM = 4,
	NUM_SAMPLES = 100,
	TICKS_PER_MS = 10000,
};

#define KERNEL  UINT64_C(0xfffff80000000000)
#define DRIVER  UINT64_C(0xfffff80010000000)
#define PROGRAM UINT64_C(0x7ff600000000)
#define METHOD  UINT64_C(0x7ff500001000)

static const uint64_t start = 10000000;

static uint64_t ms(uint64_t milliseconds)
{
	return start + milliseconds * TICKS_PER_MS;
}

static void add_process(struct etl_bytes *file, uint32_t pid, uint32_t parent, const char *image)
{
	etl_bytes_begin_system(file, PROCESS, THERE_AT_START, 4, pid, 0, start);
	etl_bytes_pointer(file, 0);
	etl_bytes_u32(file, pid);
	etl_bytes_u32(file, parent);
	etl_bytes_zeros(file, 8); // session, exit status
	etl_bytes_pointer(file, 0);
	etl_bytes_u32(file, 0);
	etl_bytes_sid(file);
	etl_bytes_text(file, image);
	etl_bytes_utf16(file, image);
	etl_bytes_utf16(file, "");
	etl_bytes_utf16(file, "");
	etl_bytes_end_event(file);
}

static void add_thread(struct etl_bytes *file, uint8_t life, uint64_t ticks, uint32_t tid,
		       const char *name)
{
	etl_bytes_begin_system(file, THREAD, life, 4, PID, tid, ticks);
	etl_bytes_u32(file, tid == SYSTEM + 4 ? SYSTEM : PID);
	etl_bytes_u32(file, tid);
	for (int i = 0; i < 7; i++)
		etl_bytes_pointer(file, 0);
	etl_bytes_zeros(file, 8);
	etl_bytes_utf16(file, name);
	etl_bytes_end_event(file);
}

static void add_image(struct etl_bytes *file, uint32_t pid, uint64_t base, const char *path)
{
	static const char image_id[] = "b3e675d7-2554-4f18-830b-2762732560de";
	etl_bytes_begin_full(file, image_id, 36, 0, pid, 0, start);
	etl_bytes_pointer(file, base);
	etl_bytes_u32(file, pid);
	etl_bytes_guid(file, "00112233-4455-6677-8899-aabbccddeeff");
	etl_bytes_u32(file, 1);
	etl_bytes_text(file, "C:\\Users\\gwendolyn\\made.pdb");
	etl_bytes_end_event(file);
	etl_bytes_begin_system(file, 20, THERE_AT_START, 3, pid, 0, start);
	etl_bytes_pointer(file, base);
	etl_bytes_pointer(file, 0x100000);
	etl_bytes_u32(file, pid);
	etl_bytes_zeros(file, 12);
	etl_bytes_pointer(file, base);
	etl_bytes_zeros(file, 16);
	etl_bytes_utf16(file, path);
	etl_bytes_end_event(file);
}

static void add_text_of(struct etl_bytes *file, const char *text, size_t units)
{
	etl_bytes_utf16(file, text);
	etl_bytes_zeros(file, 2 * (units - strlen(text) - 1));
}

static void add_machine(struct etl_bytes *file)
{
	static const char volumes[] = "9b79ee91-b5fd-41c0-a243-4248e266e9d0";
	etl_bytes_begin_system(file, CONFIG, 10, 3, 0, 0, start);
	etl_bytes_u32(file, 3000);
	etl_bytes_u32(file, 2);
	etl_bytes_u32(file, 8192);
	etl_bytes_zeros(file, 8);
	add_text_of(file, "GWENS-LAPTOP", 256);
	add_text_of(file, "GWENS-DOMAIN", 134);
	etl_bytes_pointer(file, 0);
	etl_bytes_pointer(file, UINT64_C(0x7ffffffeffff));
	etl_bytes_u16(file, 12); // Arm64
	etl_bytes_zeros(file, 16);
	etl_bytes_end_event(file);
	etl_bytes_begin_system(file, CONFIG, 35, 2, 0, 0, start);
	etl_bytes_zeros(file, 12);
	add_text_of(file, "Made CPU @ 3 GHz", 64);
	add_text_of(file, "ARMv8 (64-bit) Family 8 Model D4B Revision 0", 64);
	etl_bytes_zeros(file, 128);
	add_text_of(file, "Made", 64);
	etl_bytes_end_event(file);
	etl_bytes_begin_full(file, volumes, 35, 0, 0, 0, start);
	etl_bytes_utf16(file, "\\Device\\HarddiskVolume2\\");
	etl_bytes_utf16(file, "C:\\");
	etl_bytes_end_event(file);
}

static void add_interval(struct etl_bytes *file, uint32_t source, uint32_t interval,
			 const char *name)
{
	etl_bytes_begin_perfinfo(file, PERFINFO, 73, 3, start, NULL, 0);
	etl_bytes_u32(file, source);
	etl_bytes_u32(file, interval);
	etl_bytes_u32(file, interval);
	etl_bytes_utf16(file, name);
	etl_bytes_end_event(file);
}

/** What was there when the recording began. */
static void add_start(struct etl_bytes *file)
{
	add_machine(file);
	add_interval(file, 0, TICKS_PER_MS, "Timer");
	add_interval(file, 2, 65536, "TotalIssues");
	add_process(file, 0, 0, "Idle");
	add_process(file, SYSTEM, 0, "System");
	add_process(file, PID, SYSTEM, "made.exe");
	add_thread(file, THERE_AT_START, start, SYSTEM + 4, "");
	add_thread(file, THERE_AT_START, start, TID, "");
	add_image(file, 0, KERNEL, "\\SystemRoot\\system32\\ntoskrnl.exe");
	add_image(file, 0, DRIVER, "\\SystemRoot\\system32\\drivers\\made.sys");
	add_image(file, PID, PROGRAM, "\\Device\\HarddiskVolume2\\Users\\gwendolyn\\bin\\made.exe");
}

static void add_sample(struct etl_bytes *file, uint64_t ticks, uint32_t tid, uint64_t address)
{
	etl_bytes_begin_perfinfo(file, PERFINFO, 46, 2, ticks, NULL, 0);
	etl_bytes_pointer(file, address);
	etl_bytes_u32(file, tid);
	etl_bytes_u32(file, 1);
	etl_bytes_end_event(file);
}

static void add_counter_sample(struct etl_bytes *file, uint64_t ticks, uint32_t tid,
			       uint64_t address)
{
	etl_bytes_begin_perfinfo(file, PERFINFO, 47, 2, ticks, NULL, 0);
	etl_bytes_pointer(file, address);
	etl_bytes_u32(file, tid);
	etl_bytes_u32(file, 2);
	etl_bytes_end_event(file);
}

static void add_stack(struct etl_bytes *file, uint64_t ticks, uint32_t tid, const uint64_t *chain,
		      size_t length)
{
	etl_bytes_begin_perfinfo(file, STACK, 32, 2, ticks + 1, NULL, 0);
	etl_bytes_u64(file, ticks);
	etl_bytes_u32(file, PID);
	etl_bytes_u32(file, tid);
	for (size_t i = 0; i < length; i++)
		etl_bytes_pointer(file, chain[i]);
	etl_bytes_end_event(file);
}

/** CPU 0: the first thread, in three functions, in the kernel, and in a method of .NET. */
static void add_samples(struct etl_bytes *file)
{
	for (unsigned i = 1; i < NUM_SAMPLES; i++) {
		uint64_t user[] = {PROGRAM + 0x1000 * (1 + i % 3), PROGRAM + 0x9000};
		uint64_t kernel[] = {KERNEL + 0x2000, KERNEL + 0x3000};
		if (i % 10 == 0)
			user[0] = METHOD + 8;
		bool is_kernel = i % 4 == 0;
		add_sample(file, ms(i), i % 25 ? TID : 0, is_kernel ? kernel[0] : user[0]);
		if (i % 25 == 0) // idle
			continue;
		if (is_kernel)
			add_stack(file, ms(i), TID, kernel, 2);
		add_stack(file, ms(i), TID, user, 2);
		if (i % 20 == 7) {
			add_counter_sample(file, ms(i) + 5, TID, user[0]);
			add_stack(file, ms(i) + 5, TID, user, 2);
		}
	}
}

static void add_switch(struct etl_bytes *file, uint64_t ticks, uint32_t new_tid, uint32_t old_tid)
{
	etl_bytes_begin_compact(file, THREAD, 36, 4, UINT32_MAX, UINT32_MAX, ticks);
	etl_bytes_u32(file, new_tid);
	etl_bytes_u32(file, old_tid);
	etl_bytes_zeros(file, 4);
	etl_bytes_u8(file, 6);
	etl_bytes_u8(file, 0);
	etl_bytes_u8(file, 5); // it waits
	etl_bytes_u8(file, 0);
	etl_bytes_zeros(file, 8);
	etl_bytes_end_event(file);
}

static void add_interrupt(struct etl_bytes *file, uint8_t opcode, uint64_t began, uint64_t ended)
{
	etl_bytes_begin_perfinfo(file, PERFINFO, opcode, 2, ended, NULL, 0);
	etl_bytes_u64(file, began);
	etl_bytes_pointer(file, DRIVER + 0x100 * opcode);
	etl_bytes_zeros(file, 8);
	etl_bytes_end_event(file);
}

/** CPU 1: a thread that works for 3 ms and waits for 7, whom a DPC wakes. */
static void add_waits(struct etl_bytes *file)
{
	const uint64_t chain[] = {KERNEL + 0x4000, PROGRAM + 0x5000, PROGRAM + 0x9000};
	add_thread(file, BEGIN, ms(1), WORKER, "worker");
	for (uint64_t i = 2; i < NUM_SAMPLES - 10; i += 10) {
		add_switch(file, ms(i), WORKER, 0);
		add_stack(file, ms(i), WORKER, chain, 1);
		add_stack(file, ms(i), WORKER, chain + 1, 2);
		add_sample(file, ms(i) + 5000, WORKER, PROGRAM + 0x6000);
		add_switch(file, ms(i + 3), 0, WORKER);
		add_interrupt(file, 67, ms(i + 6), ms(i + 6) + 100);
		add_interrupt(file, 68, ms(i + 6) + 100, ms(i + 6) + 400);
		etl_bytes_begin_compact(file, THREAD, 50, 2, 0, 0, ms(i + 9));
		etl_bytes_u32(file, WORKER);
		etl_bytes_zeros(file, 4);
		etl_bytes_end_event(file);
	}
}

static void add_method(struct etl_bytes *file)
{
	const struct etl_bytes_event event = {
		.guid = "a669021c-c450-4609-a035-5af59af4df18",
		.id = 144,
		.version = 2,
		.opcode = 40,
		.pid = PID,
		.tid = TID,
		.ticks = ms(NUM_SAMPLES),
	};
	etl_bytes_begin_event(file, &event);
	etl_bytes_u64(file, 1);
	etl_bytes_u64(file, 2);
	etl_bytes_u64(file, METHOD);
	etl_bytes_u32(file, 0x100);
	etl_bytes_zeros(file, 8);
	etl_bytes_utf16(file, "Made.Program");
	etl_bytes_utf16(file, "Compute");
	etl_bytes_utf16(file, "void  (int32)");
	etl_bytes_u16(file, 1);
	etl_bytes_u64(file, 0);
	etl_bytes_end_event(file);
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	struct etl_bytes file = {.buffer_size = 65536};
	const struct etl_bytes_log log = {
		.start_ticks = start,
		.end_ticks = ms(NUM_SAMPLES + 1),
		.num_cpus = 2,
	};
	etl_bytes_first_buffer(&file, &log);
	etl_bytes_begin_buffer(&file, 0, 1);
	add_start(&file);
	add_samples(&file);
	add_method(&file);
	etl_bytes_end_buffer(&file);
	etl_bytes_begin_buffer(&file, 1, 2);
	add_waits(&file);
	etl_bytes_end_buffer(&file);
	FILE *out = fopen(argv[1], "wb");
	bool is_written = out && fwrite(file.data, 1, file.size, out) == file.size;
	if (out && fclose(out))
		is_written = false;
	etl_bytes_deinit(&file);
	return !is_written;
}
