/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_OS_TRACE_PROVIDER_H
#define WPERF_BASE_OS_TRACE_PROVIDER_H

/**
 * Writes events into recordings of Event Tracing for Windows (ETW). The events describe themselves
 * ("TraceLogging"): the recording contains the name of the provider, and names and types of the
 * fields. No manifest needs to be registered, neither where they are recorded nor where they are
 * read.
 *
 * A lost event is not an error. On other systems nobody ever listens.
 */

#include <stdbool.h>
#include <stdint.h>

/** Types of fields in the metadata of an event (InType of TraceLoggingProvider.h). */
#define TRACE_TYPE_UTF16  "\x01" /* ends with 0, which belongs to the field */
#define TRACE_TYPE_UINT32 "\x08"
#define TRACE_TYPE_UINT64 "\x0a"

/** Constant data; it must outlive the provider. */
struct trace_identity {
	uint8_t guid[16];   /* in the order of memory: the first three parts are little-endian */
	const char *traits; /* u16 size of it all, name, 0 */
	uint16_t traits_size;
};

struct trace_event {
	uint16_t id;
	uint8_t level; /* 0: whatever level is asked for */
	uint64_t keyword;
	const char
		*metadata; /* u16 size of it all, a 0, name, 0, and of each field: name, 0, type */
	uint16_t metadata_size;
};

struct trace_field {
	const void *data;
	uint32_t size;
};

enum { TRACE_MAX_FIELDS = 8 };

struct trace_provider {
	const struct trace_identity *identity;
	uint64_t handle; /* 0: not registered */
};

/** Where it cannot be registered, nobody listens. */
void trace_provider_init(const struct trace_identity *identity, struct trace_provider *ret);
void trace_provider_deinit(struct trace_provider *provider);

/** Does anybody record this event? Ask before you collect its fields. */
bool trace_provider_is_heard(const struct trace_provider *provider,
			     const struct trace_event *event);

/** @fields: as the metadata describes them, TRACE_MAX_FIELDS at most. */
void trace_provider_write(const struct trace_provider *provider, const struct trace_event *event,
			  const struct trace_field *fields, unsigned num_fields);

#endif
