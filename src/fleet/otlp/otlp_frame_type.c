// SPDX-License-Identifier: Apache-2.0

#include "fleet/otlp/otlp_frame_type.h"

#include "base/container/array.h"

#include <string.h>

// OpenTelemetry's conventions have "kernel", "native", and compilers and interpreters by name: each
// agent adds its own. Compiled languages are native code here.

const char otlp_frame_type_interpreted[] = "interpreted";

static const struct {
	const char *name;
	enum frame_kind kind;
} frame_types[] = {
	// The first of a kind is the one that is written.
	{"native", FRAME_NATIVE},
	{"kernel", FRAME_KERNEL},
	{"jit", FRAME_JIT},
	{"marker", FRAME_MARKER},
	{"go", FRAME_NATIVE},
	{"rust", FRAME_NATIVE},
	// OpenTelemetry's eBPF profiler, where it could not go on, and what it does not know.
	{"abort-marker", FRAME_MARKER},
	{"unknown", FRAME_MARKER},
};

const char *otlp_frame_type_name(enum frame_kind kind, const struct language *language)
{
	for (size_t i = 0; i < ARRAY_SIZE(frame_types); i++)
		if (frame_types[i].kind == kind)
			return frame_types[i].name;
	return language->frame_type ? language->frame_type : otlp_frame_type_interpreted;
}

enum frame_kind otlp_frame_type_kind(const char *name)
{
	// Its older releases: "cpython-error".
	static const char failed[] = "-error";
	size_t length = strlen(name);
	for (size_t i = 0; i < ARRAY_SIZE(frame_types); i++)
		if (strcmp(frame_types[i].name, name) == 0)
			return frame_types[i].kind;
	if (length >= strlen(failed) && strcmp(name + length - strlen(failed), failed) == 0)
		return FRAME_MARKER;
	return FRAME_INTERPRETED;
}
