/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
#ifndef WPERF_SOURCE_BPF_CALL_MAPS_H
#define WPERF_SOURCE_BPF_CALL_MAPS_H

/** What the programs at system calls in the kernel (call_probe.bpf.h) and their loader share. */

#include <stdint.h>

enum {
	CALL_HISTOGRAM_BUCKETS =
		40, /* bucket n: calls of 2^n to 2^(n+1) ns; the last has all longer */
	CALL_MAX_THREADS = 16384, /* of the target, that run at one time */
	CALL_MAX_COUNTS = 16384,  /* pairs of a thread and a call */
	CALL_WAKE_RATE = 1023,    /* of `call_rates`: no call has this number */
	CALL_NUMBERS = 1024,      /* only calls below this are sampled; no architecture has more */
	CALL_SAMPLES = 64, /* so many calls are all sampled, on each core; later ones more rarely */
};

/** Of `call_processes`, by the process. */
struct call_process {
	uint32_t awaits_exec; /* calls before its exec do not count */
};

/** Of `call_threads`, by the thread. */
struct call_thread {
	uint32_t pid;
	uint32_t number;
	uint32_t is_foreign; /* the call is one of another ABI, as of 32-bit programs */
	uint32_t is_inside;
	uint64_t start_ns;
	uint64_t waited_ns; /* off the CPU in this call, until the thread ran last */
	uint64_t left_ns;   /* when it left the CPU to wait; 0: it did not */
	uint32_t owner; /* thread that holds the lock, as a mutex of the C library says; 0: none */
	uint32_t padding;
};

/** Of `calls`. */
struct call_key {
	uint32_t pid, tid, number, is_foreign;
};

struct call_count {
	uint64_t num_calls; /* that have returned */
	uint64_t num_errors;
	uint64_t num_unreturned; /* the thread ended in them */
	uint64_t total_ns, waited_ns, max_ns;
	uint64_t histogram[CALL_HISTOGRAM_BUCKETS];
};

/** Of `call_settings`. */
struct call_setting {
	uint32_t is_on;
	uint32_t inherits; /* children count, too */
	uint32_t futex;    /* the number of this call */
};

/** Of `call_rates`, for each core and call number: what has been seen of it there. */
struct call_rate {
	uint64_t num_calls, total_ns;
};

/** Of `call_losses`, for each core. */
enum {
	CALL_LOST_COUNTS,  /* calls that are in no count, as a map was full */
	CALL_LOST_SAMPLES, /* a ring was full */
	CALL_NUM_LOSSES,
};

/** What the file of a call's first argument is. */
enum call_file {
	CALL_FILE_UNKNOWN,
	CALL_FILE_PIPE,
	CALL_FILE_SOCKET,
	CALL_FILE_REGULAR,
	CALL_FILE_TERMINAL, /* or another character device */
	CALL_FILE_OTHER,
};

/** The payload of a sample. */
struct call_output {
	uint32_t number;
	uint32_t file;   /* enum call_file */
	uint64_t period; /* calls that it stands for */
	uint64_t duration_ns, waited_ns;
	uint64_t argument; /* the first one */
	uint32_t owner;    /* as in struct call_thread; with is_wake: the thread that is woken */
	uint32_t is_wake;  /* taken when the call ended another thread's wait; the times are those
			      of that wait, and the argument is the number of its call;
			      UINT32_MAX: that is of another ABI */
};

#endif
