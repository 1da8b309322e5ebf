// SPDX-License-Identifier: Apache-2.0
// Names and places of the members are those of linux/perf_event.h; their order is perf 6.1's.

#include "report/attr_view.h"

#include "base/container/array.h"
#include "base/reader.h"

#include <inttypes.h>

enum attr_kind {
	ATTR_UNSIGNED,
	ATTR_SIGNED,
	ATTR_HEX,
	ATTR_BITS,  /* names of single bits, joined by '|' */
	ATTR_FLAGS, /* members of one bit each */
};

// PERF_SAMPLE_* of perf_event_open(2): bit 0 first.
static const char *const sample_bits[] = {
	"IP",
	"TID",
	"TIME",
	"ADDR",
	"READ",
	"CALLCHAIN",
	"ID",
	"CPU",
	"PERIOD",
	"STREAM_ID",
	"RAW",
	"BRANCH_STACK",
	"REGS_USER",
	"STACK_USER",
	"WEIGHT",
	"DATA_SRC",
	"IDENTIFIER",
	"TRANSACTION",
	"REGS_INTR",
	"PHYS_ADDR",
	"AUX",
	"CGROUP",
	"DATA_PAGE_SIZE",
	"CODE_PAGE_SIZE",
	"WEIGHT_STRUCT",
	NULL,
};
// PERF_FORMAT_*.
static const char *const read_bits[] = {
	"TOTAL_TIME_ENABLED", "TOTAL_TIME_RUNNING", "ID", "GROUP", "LOST", NULL,
};
// PERF_SAMPLE_BRANCH_*.
static const char *const branch_bits[] = {
	"USER",     "KERNEL",    "HV",        "ANY",      "ANY_CALL",   "ANY_RETURN", "IND_CALL",
	"ABORT_TX", "IN_TX",     "NO_TX",     "COND",     "CALL_STACK", "IND_JUMP",   "CALL",
	"NO_FLAGS", "NO_CYCLES", "TYPE_SAVE", "HW_INDEX", "PRIV_SAVE",  NULL,
};

/** An empty name is the second bit of the member before it. */
static const char *const flags[] = {
	"disabled",
	"inherit",
	"pinned",
	"exclusive",
	"exclude_user",
	"exclude_kernel",
	"exclude_hv",
	"exclude_idle",
	"mmap",
	"comm",
	"freq",
	"inherit_stat",
	"enable_on_exec",
	"task",
	"watermark",
	"precise_ip",
	"",
	"mmap_data",
	"sample_id_all",
	"exclude_host",
	"exclude_guest",
	"exclude_callchain_kernel",
	"exclude_callchain_user",
	"mmap2",
	"comm_exec",
	"use_clockid",
	"context_switch",
	"write_backward",
	"namespaces",
	"ksymbol",
	"bpf_event",
	"aux_output",
	"cgroup",
	"text_poke",
	"build_id",
	"inherit_thread",
	"remove_on_exec",
	"sigtrap",
	NULL,
};

static const struct attr_member {
	const char *name;
	size_t offset, size;
	enum attr_kind kind;
	const char *const *bits;
} members[] = {
	// The bytes between members are reserved. config3, which Linux 6.3 added behind them, is
	// unknown to perf 6.1.
	{"type", 0, 4, .kind = ATTR_UNSIGNED},
	{"size", 4, 4, .kind = ATTR_UNSIGNED},
	{"config", 8, 8, .kind = ATTR_HEX},
	{"{ sample_period, sample_freq }", 16, 8, .kind = ATTR_UNSIGNED},
	{"sample_type", 24, 8, .kind = ATTR_BITS, .bits = sample_bits},
	{"read_format", 32, 8, .kind = ATTR_BITS, .bits = read_bits},
	{"", 40, 8, .kind = ATTR_FLAGS, .bits = flags},
	{"{ wakeup_events, wakeup_watermark }", 48, 4, .kind = ATTR_UNSIGNED},
	{"bp_type", 52, 4, .kind = ATTR_UNSIGNED},
	{"{ bp_addr, config1 }", 56, 8, .kind = ATTR_HEX},
	{"{ bp_len, config2 }", 64, 8, .kind = ATTR_HEX},
	{"branch_sample_type", 72, 8, .kind = ATTR_BITS, .bits = branch_bits},
	{"sample_regs_user", 80, 8, .kind = ATTR_HEX},
	{"sample_stack_user", 88, 4, .kind = ATTR_UNSIGNED},
	{"clockid", 92, 4, .kind = ATTR_SIGNED},
	{"sample_regs_intr", 96, 8, .kind = ATTR_HEX},
	{"aux_watermark", 104, 4, .kind = ATTR_UNSIGNED},
	{"sample_max_stack", 108, 2, .kind = ATTR_UNSIGNED},
	{"aux_sample_size", 112, 4, .kind = ATTR_UNSIGNED},
	{"sig_data", 120, 8, .kind = ATTR_UNSIGNED},
};

/** 0 where an older attribute ends before it. */
static uint64_t read_member(const struct perf_data_event *event, const struct attr_member *member)
{
	struct reader reader;
	reader_init(&reader, event->attr, event->attr_size);
	// The reader gives zeros behind its end.
	reader_skip(&reader, member->offset);
	switch (member->size) {
	case 2:
		return reader_u16(&reader);
	case 4:
		return reader_u32(&reader);
	default:
		return reader_u64(&reader);
	}
}

static void print_bits(const char *const *names, uint64_t value, FILE *stream)
{
	const char *between = "";
	for (size_t i = 0; names[i]; i++)
		if (value >> i & 1) {
			fprintf(stream, "%s%s", between, names[i]);
			between = "|";
		}
}

static void print_flags(const char *const *names, uint64_t value, FILE *stream)
{
	for (size_t i = 0; names[i]; i++) {
		// precise_ip has two bits: 0 to 3.
		bool is_wide = names[i + 1] && !*names[i + 1];
		uint64_t flag = value >> i & (is_wide ? 3 : 1);
		if (*names[i] && flag)
			fprintf(stream, ", %s: %" PRIu64, names[i], flag);
	}
}

static void print_member(const struct attr_member *member, uint64_t value, FILE *stream)
{
	switch (member->kind) {
	case ATTR_UNSIGNED:
		fprintf(stream, "%" PRIu64, value);
		return;
	case ATTR_SIGNED:
		fprintf(stream, "%" PRId32, (int32_t)value);
		return;
	case ATTR_HEX:
		fprintf(stream, "0x%" PRIx64, value);
		return;
	case ATTR_BITS:
		print_bits(member->bits, value, stream);
		return;
	case ATTR_FLAGS:
		return;
	}
}

void attr_view_print(const struct perf_data_event *event, FILE *stream)
{
	const char *between = "";
	for (size_t i = 0; i < ARRAY_SIZE(members); i++) {
		const struct attr_member *member = &members[i];
		uint64_t value = read_member(event, member);
		// Members of 0 are left out, as in `perf evlist -v`:
		//   cycles: size: 128, sample_type: IP|TID|TIME, disabled: 1, freq: 1
		if (member->kind == ATTR_FLAGS) {
			print_flags(member->bits, value, stream);
		} else if (value) {
			fprintf(stream, "%s%s: ", between, member->name);
			print_member(member, value, stream);
			between = ", ";
		}
	}
}
