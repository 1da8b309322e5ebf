/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_H
#define WPERF_DRIVER_H

/**
 * The driver contract: the requests of WindowsPerf 3.8.0, as numbers and fixed-width structs, and
 * behind them those of the ring, which only our driver has. Both sides include this file and
 * nothing else of each other.
 *
 * A request is a code, an input and an output buffer (DeviceIoControl, METHOD_BUFFERED: in the
 * driver both are the same memory). All numbers are little endian, alignment is natural, padding
 * is named and zero, text is UTF-16 and ends with a zero.
 *
 * Every request needs an input: one without data takes any WPERF_ANY_INPUT_SIZE bytes, by habit
 * the number of the request. An output larger than WPERF_MAX_OUTPUT is refused.
 *
 * "Owner" says who may call: the handle that holds the lock. Any other gets "invalid device state",
 * which Windows turns into ERROR_BAD_COMMAND (22): that is how a client learns that another one
 * forced the lock.
 */

#include <stddef.h>
#include <stdint.h>

/* --- How to find the device ----------------------------------------------------------------- */

/** Device interface {F8047FDD-7083-4C2E-90EF-C0C73F1045FD}, as the four members of a GUID. */
#define WPERF_INTERFACE_GUID                                           \
	{                                                              \
		0xF8047FDD, 0x7083, 0x4C2E,                            \
		{                                                      \
			0x90, 0xEF, 0xC0, 0xC7, 0x3F, 0x10, 0x45, 0xFD \
		}                                                      \
	}

#define WPERF_HARDWARE_ID "Root\\WPERFDRIVER"

/* --- Limits --------------------------------------------------------------------------------- */

enum {
	WPERF_MAX_CORES = 128,
	WPERF_MAX_CORE_EVENTS = 128, /* the cycle counter, which is always first, included */
	WPERF_MAX_DSU_EVENTS = 32,   /* the cycle counter included */
	WPERF_MAX_DMC_CLK_EVENTS = 4,
	WPERF_MAX_DMC_CLKDIV2_EVENTS = 8,
	WPERF_MAX_SAMPLES = 128,      /* of one WPERF_PMU_CTL_SAMPLE_GET */
	WPERF_MAX_OUTPUT = 40 * 1024, /* bytes */
	WPERF_ANY_INPUT_SIZE = 4,
	WPERF_COUNTER_MAP_SIZE = 32,
	WPERF_DEVICE_ID_SIZE = 128, /* UTF-16 units, the final zero included; as below */
	WPERF_GIT_VERSION_SIZE = 32,
	WPERF_FEATURE_STRING_SIZE = 128,
	WPERF_RING_MAX_CALLERS = 128, /* of one sample */
};

enum {
	WPERF_CYCLE_COUNTER = 31, /* index of the cycle counter among the counters of a core */
	WPERF_ALL_DMCS = 255,     /* wperf_control.dmc_idx */
	WPERF_MIN_PERIOD_MS = 10, /* wperf_control.period; what is outside means the default */
	WPERF_MAX_PERIOD_MS = 100,
	WPERF_DEFAULT_PERIOD_MS = 100,
	/* With less, the end of an interrupt, which is kernel code too, could make the next one. */
	WPERF_MIN_KERNEL_INTERVAL = 20000,
};

#define WPERF_ALL_CORES   UINT32_C(0xFFFFFFFF) /* wperf_event_assign.core_idx */
#define WPERF_CYCLE_EVENT UINT32_C(0xFFFFFFFF) /* event_idx of the cycle counter */

/** Filter bits of an event, as in PMEVTYPER: do not count at EL1; at EL0. Not both. */
#define WPERF_FILTER_EXCLUDE_EL1 UINT32_C(0x80000000)
#define WPERF_FILTER_EXCLUDE_EL0 UINT32_C(0x40000000)

/* --- Requests ------------------------------------------------------------------------------- */

/** Device type 40004, METHOD_BUFFERED, FILE_READ_DATA | FILE_WRITE_DATA. */
#define WPERF_REQUEST(function) (UINT32_C(0x9C44C000) | (uint32_t)(function) << 2)

/**
 * Start, stop or zero the counters of some cores, of their clusters, of memory controllers: what
 * `flags` say. A stop keeps what the last period has counted; what counts at a reset goes on.
 * In: struct wperf_control with one core at least. Out: nothing. Owner.
 */
#define WPERF_PMU_CTL_START WPERF_REQUEST(0x900)
#define WPERF_PMU_CTL_STOP  WPERF_REQUEST(0x901)
#define WPERF_PMU_CTL_RESET WPERF_REQUEST(0x902)

/** What is this machine? In: anything. Out: struct wperf_hw_cfg. Owner. */
#define WPERF_PMU_CTL_QUERY_HW_CFG WPERF_REQUEST(0x903)

/**
 * What can be counted? In: anything. Owner.
 * Out: for each class that the machine has, in the order of enum wperf_event_class, a struct
 * wperf_event_header and right behind it `num` event numbers of 16 bits. A header is therefore
 * aligned to two bytes only. Clients offer 4 KiB.
 */
#define WPERF_PMU_CTL_QUERY_SUPP_EVENTS WPERF_REQUEST(0x904)

/**
 * In: struct wperf_version of the client; not compared, that is the client's business.
 * Out: struct wperf_version of the driver. Owner.
 */
#define WPERF_PMU_CTL_QUERY_VERSION WPERF_REQUEST(0x905)

/**
 * Put events on counters; more than there are counters take turns.
 * In: struct wperf_event_assign, then per class a struct wperf_event_header and `num` event
 * numbers of 16 bits. Out: nothing. Owner.
 * A class may come once; one that does not come keeps its events. The numbers of a class that
 * comes are zero afterwards. Memory controllers take no more events than they have counters.
 */
#define WPERF_PMU_CTL_ASSIGN_EVENTS WPERF_REQUEST(0x906)

/** In: struct wperf_control with one core. Out: struct wperf_core_counts. Owner. */
#define WPERF_PMU_CTL_READ_COUNTING WPERF_REQUEST(0x907)

/**
 * Get the DSU ready. In: struct wperf_dsu_topology. Out: struct wperf_dsu_cfg. Owner.
 * Fails with "not supported" if there is none, with "invalid parameter" if the client sees other
 * clusters than the driver does.
 */
#define WPERF_DSU_CTL_INIT WPERF_REQUEST(0x908)

/** In: struct wperf_control with one core of the cluster. Out: struct wperf_dsu_counts. Owner. */
#define WPERF_DSU_CTL_READ_COUNTING WPERF_REQUEST(0x909)

/**
 * Get the memory controllers ready. In: struct wperf_dmc_channels, then `num` struct
 * wperf_dmc_range. Out: struct wperf_dmc_cfg. Owner. The ranges are for the peer's driver, which
 * maps them; ours never touches memory because a client says so.
 */
#define WPERF_DMC_CTL_INIT WPERF_REQUEST(0x90A)

/** In: struct wperf_control with dmc_idx. Out: one struct wperf_dmc_counts per channel. Owner. */
#define WPERF_DMC_CTL_READ_COUNTING WPERF_REQUEST(0x90B)

/**
 * What a core will sample. In: struct wperf_sample_source, then struct wperf_sample_event each.
 * Out: nothing. Owner.
 * The cycle counter may come once, anywhere; the n-th of the others is on the n-th free counter.
 * One event at least, no more than there are counters, no interval of 0, and none below
 * WPERF_MIN_KERNEL_INTERVAL that counts at EL1. "Device busy" while the core samples.
 */
#define WPERF_PMU_CTL_SAMPLE_SET_SRC WPERF_REQUEST(0x90C)

/**
 * From now on each `interval` events are a sample. In: struct wperf_control with one core, which
 * has something to sample. Out: nothing. Owner.
 * A core counts or samples: "device busy" if it does either, as for a WPERF_PMU_CTL_START of a core
 * that samples. Samples and numbers of the last time are gone.
 */
#define WPERF_PMU_CTL_SAMPLE_START WPERF_REQUEST(0x90D)

/**
 * What was not yet taken away still can be. In: struct wperf_control with one core. Out: struct
 * wperf_sample_summary since the start. Owner.
 */
#define WPERF_PMU_CTL_SAMPLE_STOP WPERF_REQUEST(0x90E)

/**
 * Take the samples of a core away, oldest first. In: uint32_t core. Out: struct wperf_samples, the
 * entries behind `size` are zero. Owner. Without room for more, samples are dropped.
 */
#define WPERF_PMU_CTL_SAMPLE_GET WPERF_REQUEST(0x90F)

/**
 * In: struct wperf_lock_request, GET or GET_FORCE. Out: struct wperf_lock_reply: LOCK_ACQUIRED,
 * or BUSY if somebody else holds the lock and it was not forced. Anybody.
 */
#define WPERF_PMU_CTL_LOCK_ACQUIRE WPERF_REQUEST(0x910)

/**
 * In: struct wperf_lock_request, RELEASE. Out: struct wperf_lock_reply: IDLE, or BUSY if the lock
 * was not the caller's. Anybody.
 */
#define WPERF_PMU_CTL_LOCK_RELEASE WPERF_REQUEST(0x911)

/**
 * Statistical profiling: whatever was there of these cores is gone. In: struct wperf_control, also
 * without cores. Out: nothing. Owner, like the four below; the peer's driver checks neither that
 * nor the sizes of any of the five. "Not supported" where there is no SPE, again all five.
 */
#define WPERF_PMU_CTL_SPE_INIT WPERF_REQUEST(0x912)

/** In: struct wperf_control with one core. Out: uint64_t, bytes that can be taken. Owner. */
#define WPERF_PMU_CTL_SPE_GET_SIZE WPERF_REQUEST(0x913)

/**
 * Take packets away, oldest first. In: struct wperf_spe_control with one core and buffer_size.
 * Out: so many bytes of packets, or as many as there are. Owner. A packet may go on in the next
 * answer. Without room for more, nothing is profiled until some were taken.
 */
#define WPERF_PMU_CTL_SPE_GET_BUFFER WPERF_REQUEST(0x914)

/**
 * Begin, with an empty buffer. In: struct wperf_spe_control with one core. Out: nothing. Owner.
 * "Device busy" if it profiles already. An interval below what the hardware's maker recommends
 * becomes that (in the peer's driver, no interval has any effect). Both EL0 and EL1 are profiled.
 */
#define WPERF_PMU_CTL_SPE_START WPERF_REQUEST(0x915)

/** What was not taken away still can be. In: struct wperf_control with one core. Out: nothing.
 *  Owner. */
#define WPERF_PMU_CTL_SPE_STOP WPERF_REQUEST(0x916)

/* --- Requests of the ring ------------------------------------------------------------------- */

/*
 * Samples in any number, with thread, time and callers, and no need to ask again and again: each
 * core has a ring in the driver's memory, into which its interrupt writes and from which the client
 * reads. What is sampled is said by WPERF_PMU_CTL_SAMPLE_SET_SRC. WindowsPerf has nothing of this:
 * its driver answers WPERF_RING_CTL_QUERY with "invalid parameter", as it does any code that it
 * does not know.
 */

/**
 * Is there a ring, and what does it tell? In: anything. Out: struct wperf_ring_info. Owner, like
 * all of them. "Not supported" if there is no memory for it, again all of them.
 */
#define WPERF_RING_CTL_QUERY WPERF_REQUEST(0xA00)

/**
 * From now on each `interval` events are a sample in the ring of their core. In: struct
 * wperf_ring_start. Out: nothing. Fails as WPERF_PMU_CTL_SAMPLE_START does, and then no core has
 * started. What was in the rings of these cores is gone.
 */
#define WPERF_RING_CTL_START WPERF_REQUEST(0xA01)

/**
 * What was not yet read still can be. In: struct wperf_control. Out: struct wperf_sample_summary
 * since the start, of all its cores together.
 */
#define WPERF_RING_CTL_STOP WPERF_REQUEST(0xA02)

/**
 * Take the samples of a core away, oldest first, as many as the output has room for. In: struct
 * wperf_ring_read. Out: struct wperf_ring_answer, and behind it `size` bytes of samples: struct
 * wperf_ring_sample, its callers, and so on. "Insufficient resources" if not even the first one has
 * room.
 */
#define WPERF_RING_CTL_READ WPERF_REQUEST(0xA03)

/**
 * Which cores have samples? In: struct wperf_ring_wait. Out: struct wperf_ring_ready.
 * It stays pending until the ring of one core is full to a quarter, or none samples any more, or
 * the lock is lost; WPERF_RING_AT_ONCE answers without waiting. A client waits once at a time, and
 * meanwhile may ask for other things, or cancel.
 */
#define WPERF_RING_CTL_WAIT WPERF_REQUEST(0xA04)

/* --- What was lost -------------------------------------------------------------------------- */

/**
 * What is missing from the counts and samples of all cores: since the last assignment or reset of
 * counting, since the last start of sampling. In: anything. Out: struct wperf_losses. Owner.
 * WindowsPerf has nothing of this either.
 */
#define WPERF_LOSSES_CTL_QUERY WPERF_REQUEST(0xB00)

/* --- Numbers inside of the structs ---------------------------------------------------------- */

/** wperf_control.flags: which units the request is for. */
enum wperf_control_flag {
	WPERF_CONTROL_CORE = 1 << 0,
	WPERF_CONTROL_DSU = 1 << 1,
	WPERF_CONTROL_DMC = 1 << 2,
	WPERF_CONTROL_SPE = 1 << 3,
};

enum wperf_event_class {
	WPERF_CLASS_CORE,
	WPERF_CLASS_DSU,
	WPERF_CLASS_DMC_CLK,
	WPERF_CLASS_DMC_CLKDIV2,
};

enum wperf_lock_flag {
	WPERF_LOCK_GET,
	WPERF_LOCK_GET_FORCE, /* take it from whoever holds it */
	WPERF_LOCK_RELEASE,
};

enum wperf_lock_status {
	WPERF_LOCK_IDLE,
	WPERF_LOCK_BUSY,
	WPERF_LOCK_ACQUIRED,
	WPERF_LOCK_INSUFFICIENT_RESOURCES,
	WPERF_LOCK_UNKNOWN_ERROR,
};

/** wperf_spe_control.operation_filter */
enum wperf_spe_operation {
	WPERF_SPE_BRANCH = 1 << 0,
	WPERF_SPE_LOAD = 1 << 1,
	WPERF_SPE_STORE = 1 << 2,
};

/** wperf_spe_control.config_flags; the minimum latency itself is in bits 63:48. */
enum wperf_spe_flag {
	WPERF_SPE_JITTER = 1 << 0,
	WPERF_SPE_TIMESTAMP = 1 << 1,
	WPERF_SPE_MIN_LATENCY = 1 << 2,
};

enum { WPERF_SPE_MIN_LATENCY_SHIFT = 48 };

/** wperf_ring_info.version: of the structs of the ring. Another number, other structs. */
enum { WPERF_RING_VERSION = 1 };

/** wperf_ring_info.features: what samples tell; else the fields are 0. */
enum wperf_ring_feature {
	WPERF_RING_TASKS = 1 << 0,   /* pid and tid */
	WPERF_RING_CALLERS = 1 << 1, /* found by frame pointers */
};

/** wperf_ring_sample.flags */
enum wperf_ring_sample_flag {
	WPERF_RING_KERNEL = 1 << 0, /* it was at EL1 */
	WPERF_RING_CUT = 1 << 1,    /* there are more callers than were asked for */
};

/** wperf_ring_wait.flags */
enum wperf_ring_wait_flag {
	WPERF_RING_AT_ONCE = 1 << 0,
};

/* --- Structs -------------------------------------------------------------------------------- */

/** What most requests start from: which cores, which units, how often. */
struct wperf_control {
	uint64_t cores_count; /* used entries of cores_no */
	uint8_t cores_no[WPERF_MAX_CORES];
	int32_t period;  /* milliseconds between two turns of multiplexed events */
	uint8_t dmc_idx; /* one channel, or WPERF_ALL_DMCS */
	uint8_t padding1[3];
	uint32_t flags; /* enum wperf_control_flag */
	uint8_t padding2[4];
};

struct wperf_hw_cfg {
	uint8_t pmu_ver;       /* ID_AA64DFR0_EL1.PMUVer */
	uint8_t fpc_num;       /* 1: cycles have a counter of their own (ours borrows one) */
	uint8_t gpc_num;       /* counters that are free for events */
	uint8_t total_gpc_num; /* counters for events that every core has */
	uint8_t vendor_id;     /* the next five are the fields of midr_value */
	uint8_t variant_id;
	uint8_t arch_id;
	uint8_t rev_id;
	uint16_t part_id;
	uint16_t core_num;
	uint8_t padding[4];
	uint64_t midr_value;
	uint64_t id_aa64dfr0_value;
	/* [i]: number of the i-th free counter; [31]: 31, the cycle counter; else 0 */
	uint8_t counter_idx_map[WPERF_COUNTER_MAP_SIZE];
	/* what can be done with which class: "core.stat=core;core.sample=core;dsu.stat=dsu" */
	uint16_t device_id_str[WPERF_DEVICE_ID_SIZE];
	uint64_t pmbidr_el1_value; /* 0 without SPE; so is the next */
	uint64_t pmsidr_el1_value;
};

struct wperf_version {
	uint8_t major;
	uint8_t minor;
	uint8_t patch;
	uint8_t padding;
	uint16_t gitver[WPERF_GIT_VERSION_SIZE];
	uint16_t featurestring[WPERF_FEATURE_STRING_SIZE]; /* "+spe+etw-drv" */
};

/** Announces `num` event numbers, which follow at once. */
struct wperf_event_header {
	uint32_t event_class; /* enum wperf_event_class */
	uint16_t num;
	uint8_t padding[2];
};

struct wperf_event_assign {
	uint32_t core_idx; /* or WPERF_ALL_CORES */
	uint8_t dmc_idx;
	uint8_t padding[3];
	uint64_t filter_bits; /* WPERF_FILTER_*, for all events of the request */
};

struct wperf_event_count {
	uint32_t event_idx; /* event number, or WPERF_CYCLE_EVENT */
	uint8_t padding[4];
	uint64_t filter_bits;
	uint64_t value;
	uint64_t scheduled; /* rounds in which the event was on a counter */
};

struct wperf_core_counts {
	uint32_t evt_num; /* used entries of evts */
	uint8_t padding[4];
	uint64_t round;                                       /* rounds so far */
	struct wperf_event_count evts[WPERF_MAX_CORE_EVENTS]; /* [0]: cycles */
};

struct wperf_dsu_counts {
	uint32_t evt_num;
	uint8_t padding[4];
	uint64_t round;
	struct wperf_event_count evts[WPERF_MAX_DSU_EVENTS]; /* [0]: cycles */
};

struct wperf_dmc_counts {
	struct wperf_event_count clk_events[WPERF_MAX_DMC_CLK_EVENTS];
	struct wperf_event_count clkdiv2_events[WPERF_MAX_DMC_CLKDIV2_EVENTS];
	uint8_t clk_events_num;
	uint8_t clkdiv2_events_num;
	uint8_t padding[6];
};

/** Core c belongs to cluster c / cluster_size. */
struct wperf_dsu_topology {
	uint16_t cluster_num;
	uint16_t cluster_size;
};

struct wperf_dsu_cfg {
	uint8_t fpc_num;
	uint8_t gpc_num;
};

/** In front of `num` ranges. */
struct wperf_dmc_channels {
	uint8_t num;
	uint8_t padding[7];
};

struct wperf_dmc_range {
	uint64_t start;
	uint64_t end; /* inclusive */
};

struct wperf_dmc_cfg {
	uint8_t clk_fpc_num;
	uint8_t clk_gpc_num;
	uint8_t clkdiv2_fpc_num;
	uint8_t clkdiv2_gpc_num;
};

/** In front of the events to sample. */
struct wperf_sample_source {
	uint32_t core_idx;
};

struct wperf_sample_event {
	uint32_t event_src; /* event number, or WPERF_CYCLE_EVENT */
	uint32_t interval;
	uint32_t filter_bits;
};

struct wperf_sample {
	uint64_t lr;
	uint64_t pc;
	uint64_t ov_flags;      /* bit n: counter n overflowed; bit 31: cycles */
	uint32_t spe_event_idx; /* not the driver's: clients keep a number of theirs here */
	uint8_t padding[4];
};

struct wperf_samples {
	uint32_t size; /* used entries */
	uint8_t padding[4];
	struct wperf_sample samples[WPERF_MAX_SAMPLES];
};

struct wperf_sample_summary {
	uint64_t sample_generated; /* those dropped among them */
	uint64_t sample_dropped;   /* no room, or the next overflow came before the interrupt */
};

struct wperf_spe_control {
	uint64_t cores_count;
	uint8_t cores_no[WPERF_MAX_CORES];
	uint64_t buffer_size;     /* WPERF_PMU_CTL_SPE_GET_BUFFER: bytes wanted */
	uint8_t operation_filter; /* enum wperf_spe_operation */
	uint8_t padding1[7];
	uint64_t event_filter;
	uint64_t config_flags; /* enum wperf_spe_flag */
	uint32_t interval;
	uint8_t padding2[4];
};

struct wperf_lock_request {
	uint32_t flag; /* enum wperf_lock_flag */
};

struct wperf_lock_reply {
	uint32_t status; /* enum wperf_lock_status */
};

struct wperf_ring_info {
	uint32_t version;   /* WPERF_RING_VERSION */
	uint32_t features;  /* enum wperf_ring_feature */
	uint32_t ring_size; /* bytes, of each core */
	uint32_t max_callers;
	uint64_t timer_frequency; /* CNTFRQ_EL0: ticks of wperf_ring_sample.time in a second */
	uint64_t timer_now;       /* CNTVCT_EL0 */
};

struct wperf_ring_start {
	struct wperf_control control; /* one core at least */
	uint32_t max_callers;         /* up to WPERF_RING_MAX_CALLERS; 0: none are looked for */
	uint8_t padding[4];
};

struct wperf_ring_read {
	uint32_t core_idx;
};

/** In front of the samples of a core. */
struct wperf_ring_answer {
	uint32_t size; /* bytes of samples behind it */
	uint32_t left; /* bytes that had no room, and are still there */
};

/** In front of `num_callers` return addresses of 64 bits, innermost first. */
struct wperf_ring_sample {
	uint16_t size; /* bytes, those of the callers included */
	uint16_t num_callers;
	uint16_t core;
	uint16_t flags; /* enum wperf_ring_sample_flag */
	uint32_t pid;
	uint32_t tid;
	uint64_t time; /* CNTVCT_EL0 */
	uint64_t pc;
	uint64_t lr;        /* what the link register held, whether or not it is of a caller */
	uint32_t overflows; /* bit n: counter n overflowed; bit 31: cycles */
	uint32_t num_lost;  /* samples of this core that were dropped since the one before */
};

struct wperf_ring_wait {
	uint32_t flags; /* enum wperf_ring_wait_flag */
};

/** Bit c % 64 of word c / 64: core c has samples. */
struct wperf_ring_ready {
	uint64_t cores[WPERF_MAX_CORES / 64];
};

struct wperf_losses {
	/* Periods of counting in which a core or cluster lost the state of its counters, by being
	   switched off or asleep. They are in no count and in no round. */
	uint64_t lost_rounds;
	/* How often the counters of a core that samples lost their state. What they would have
	   sampled until that was noticed, 10 ms later at most, nobody knows. */
	uint64_t lost_samplings;
	/* How often a core had to rest because it was interrupted all the time. The samples are
	   among the dropped ones. */
	uint64_t num_throttled;
};

/* --- The layout, as the compiler sees it ---------------------------------------------------- */

#define WPERF_SIZE(type, bytes) \
	_Static_assert(sizeof(struct type) == (bytes), "size of struct " #type)
#define WPERF_OFFSET(type, field, bytes) \
	_Static_assert(offsetof(struct type, field) == (bytes), "offset of " #type "." #field)

WPERF_SIZE(wperf_control, 152);
WPERF_OFFSET(wperf_control, cores_count, 0);
WPERF_OFFSET(wperf_control, cores_no, 8);
WPERF_OFFSET(wperf_control, period, 136);
WPERF_OFFSET(wperf_control, dmc_idx, 140);
WPERF_OFFSET(wperf_control, flags, 144);

WPERF_SIZE(wperf_hw_cfg, 336);
WPERF_OFFSET(wperf_hw_cfg, pmu_ver, 0);
WPERF_OFFSET(wperf_hw_cfg, fpc_num, 1);
WPERF_OFFSET(wperf_hw_cfg, gpc_num, 2);
WPERF_OFFSET(wperf_hw_cfg, total_gpc_num, 3);
WPERF_OFFSET(wperf_hw_cfg, vendor_id, 4);
WPERF_OFFSET(wperf_hw_cfg, variant_id, 5);
WPERF_OFFSET(wperf_hw_cfg, arch_id, 6);
WPERF_OFFSET(wperf_hw_cfg, rev_id, 7);
WPERF_OFFSET(wperf_hw_cfg, part_id, 8);
WPERF_OFFSET(wperf_hw_cfg, core_num, 10);
WPERF_OFFSET(wperf_hw_cfg, midr_value, 16);
WPERF_OFFSET(wperf_hw_cfg, id_aa64dfr0_value, 24);
WPERF_OFFSET(wperf_hw_cfg, counter_idx_map, 32);
WPERF_OFFSET(wperf_hw_cfg, device_id_str, 64);
WPERF_OFFSET(wperf_hw_cfg, pmbidr_el1_value, 320);
WPERF_OFFSET(wperf_hw_cfg, pmsidr_el1_value, 328);

WPERF_SIZE(wperf_losses, 24);
WPERF_OFFSET(wperf_losses, lost_rounds, 0);
WPERF_OFFSET(wperf_losses, lost_samplings, 8);
WPERF_OFFSET(wperf_losses, num_throttled, 16);

WPERF_SIZE(wperf_version, 324);
WPERF_OFFSET(wperf_version, major, 0);
WPERF_OFFSET(wperf_version, minor, 1);
WPERF_OFFSET(wperf_version, patch, 2);
WPERF_OFFSET(wperf_version, gitver, 4);
WPERF_OFFSET(wperf_version, featurestring, 68);

WPERF_SIZE(wperf_event_header, 8);
WPERF_OFFSET(wperf_event_header, event_class, 0);
WPERF_OFFSET(wperf_event_header, num, 4);

WPERF_SIZE(wperf_event_assign, 16);
WPERF_OFFSET(wperf_event_assign, core_idx, 0);
WPERF_OFFSET(wperf_event_assign, dmc_idx, 4);
WPERF_OFFSET(wperf_event_assign, filter_bits, 8);

WPERF_SIZE(wperf_event_count, 32);
WPERF_OFFSET(wperf_event_count, event_idx, 0);
WPERF_OFFSET(wperf_event_count, filter_bits, 8);
WPERF_OFFSET(wperf_event_count, value, 16);
WPERF_OFFSET(wperf_event_count, scheduled, 24);

WPERF_SIZE(wperf_core_counts, 4112);
WPERF_OFFSET(wperf_core_counts, evt_num, 0);
WPERF_OFFSET(wperf_core_counts, round, 8);
WPERF_OFFSET(wperf_core_counts, evts, 16);

WPERF_SIZE(wperf_dsu_counts, 1040);
WPERF_OFFSET(wperf_dsu_counts, evt_num, 0);
WPERF_OFFSET(wperf_dsu_counts, round, 8);
WPERF_OFFSET(wperf_dsu_counts, evts, 16);

WPERF_SIZE(wperf_dmc_counts, 392);
WPERF_OFFSET(wperf_dmc_counts, clk_events, 0);
WPERF_OFFSET(wperf_dmc_counts, clkdiv2_events, 128);
WPERF_OFFSET(wperf_dmc_counts, clk_events_num, 384);
WPERF_OFFSET(wperf_dmc_counts, clkdiv2_events_num, 385);

WPERF_SIZE(wperf_dsu_topology, 4);
WPERF_OFFSET(wperf_dsu_topology, cluster_num, 0);
WPERF_OFFSET(wperf_dsu_topology, cluster_size, 2);

WPERF_SIZE(wperf_dsu_cfg, 2);
WPERF_OFFSET(wperf_dsu_cfg, fpc_num, 0);
WPERF_OFFSET(wperf_dsu_cfg, gpc_num, 1);

WPERF_SIZE(wperf_dmc_channels, 8);
WPERF_OFFSET(wperf_dmc_channels, num, 0);
WPERF_SIZE(wperf_dmc_range, 16);
WPERF_OFFSET(wperf_dmc_range, start, 0);
WPERF_OFFSET(wperf_dmc_range, end, 8);

WPERF_SIZE(wperf_dmc_cfg, 4);
WPERF_OFFSET(wperf_dmc_cfg, clk_fpc_num, 0);
WPERF_OFFSET(wperf_dmc_cfg, clk_gpc_num, 1);
WPERF_OFFSET(wperf_dmc_cfg, clkdiv2_fpc_num, 2);
WPERF_OFFSET(wperf_dmc_cfg, clkdiv2_gpc_num, 3);

WPERF_SIZE(wperf_sample_source, 4);
WPERF_OFFSET(wperf_sample_source, core_idx, 0);
WPERF_SIZE(wperf_sample_event, 12);
WPERF_OFFSET(wperf_sample_event, event_src, 0);
WPERF_OFFSET(wperf_sample_event, interval, 4);
WPERF_OFFSET(wperf_sample_event, filter_bits, 8);

WPERF_SIZE(wperf_sample, 32);
WPERF_OFFSET(wperf_sample, lr, 0);
WPERF_OFFSET(wperf_sample, pc, 8);
WPERF_OFFSET(wperf_sample, ov_flags, 16);
WPERF_OFFSET(wperf_sample, spe_event_idx, 24);

WPERF_SIZE(wperf_samples, 4104);
WPERF_OFFSET(wperf_samples, size, 0);
WPERF_OFFSET(wperf_samples, samples, 8);

WPERF_SIZE(wperf_sample_summary, 16);
WPERF_OFFSET(wperf_sample_summary, sample_generated, 0);
WPERF_OFFSET(wperf_sample_summary, sample_dropped, 8);

WPERF_SIZE(wperf_spe_control, 176);
WPERF_OFFSET(wperf_spe_control, cores_count, 0);
WPERF_OFFSET(wperf_spe_control, cores_no, 8);
WPERF_OFFSET(wperf_spe_control, buffer_size, 136);
WPERF_OFFSET(wperf_spe_control, operation_filter, 144);
WPERF_OFFSET(wperf_spe_control, event_filter, 152);
WPERF_OFFSET(wperf_spe_control, config_flags, 160);
WPERF_OFFSET(wperf_spe_control, interval, 168);

WPERF_SIZE(wperf_lock_request, 4);
WPERF_OFFSET(wperf_lock_request, flag, 0);
WPERF_SIZE(wperf_lock_reply, 4);
WPERF_OFFSET(wperf_lock_reply, status, 0);

WPERF_SIZE(wperf_ring_info, 32);
WPERF_OFFSET(wperf_ring_info, version, 0);
WPERF_OFFSET(wperf_ring_info, features, 4);
WPERF_OFFSET(wperf_ring_info, ring_size, 8);
WPERF_OFFSET(wperf_ring_info, max_callers, 12);
WPERF_OFFSET(wperf_ring_info, timer_frequency, 16);
WPERF_OFFSET(wperf_ring_info, timer_now, 24);

WPERF_SIZE(wperf_ring_start, 160);
WPERF_OFFSET(wperf_ring_start, control, 0);
WPERF_OFFSET(wperf_ring_start, max_callers, 152);
WPERF_SIZE(wperf_ring_read, 4);
WPERF_OFFSET(wperf_ring_read, core_idx, 0);

WPERF_SIZE(wperf_ring_answer, 8);
WPERF_OFFSET(wperf_ring_answer, size, 0);
WPERF_OFFSET(wperf_ring_answer, left, 4);

WPERF_SIZE(wperf_ring_sample, 48);
WPERF_OFFSET(wperf_ring_sample, size, 0);
WPERF_OFFSET(wperf_ring_sample, num_callers, 2);
WPERF_OFFSET(wperf_ring_sample, core, 4);
WPERF_OFFSET(wperf_ring_sample, flags, 6);
WPERF_OFFSET(wperf_ring_sample, pid, 8);
WPERF_OFFSET(wperf_ring_sample, tid, 12);
WPERF_OFFSET(wperf_ring_sample, time, 16);
WPERF_OFFSET(wperf_ring_sample, pc, 24);
WPERF_OFFSET(wperf_ring_sample, lr, 32);
WPERF_OFFSET(wperf_ring_sample, overflows, 40);
WPERF_OFFSET(wperf_ring_sample, num_lost, 44);

WPERF_SIZE(wperf_ring_wait, 4);
WPERF_OFFSET(wperf_ring_wait, flags, 0);
WPERF_SIZE(wperf_ring_ready, 16);
WPERF_OFFSET(wperf_ring_ready, cores, 0);

#undef WPERF_SIZE
#undef WPERF_OFFSET

#endif
