/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_FLEET_OTLP_OTLP_FRAME_TYPE_H
#define WPERF_FLEET_OTLP_OTLP_FRAME_TYPE_H

/** Values of the attribute `profile.frame.type`: what kind of code a frame is. */

#include "profile/interpreted/language.h"
#include "profile/named_profile.h"

/** @language: of interpreted frames. */
const char *otlp_frame_type_name(enum frame_kind kind, const struct language *language);

/** Words that are not known are names of interpreters. */
enum frame_kind otlp_frame_type_kind(const char *name);

/** The word of a frame whose interpreter has no name in OpenTelemetry. */
extern const char otlp_frame_type_interpreted[];

#endif
