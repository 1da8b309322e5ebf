/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_FLEET_OTLP_OTLP_ENCODER_H
#define WPERF_FLEET_OTLP_OTLP_ENCODER_H

/**
 * A batch as the bytes of one ExportProfilesServiceRequest of OTLP profiles, release 1.10 and
 * later: what receivers of OpenTelemetry take at /v1development/profiles, and what
 * otlp_decoder.h makes the same batch of.
 *
 * Each event is a profile with one value for each different sample, its weight. Receivers refuse a
 * profile without a period: that of an event that is sampled by frequency is the mean weight of its
 * samples. Weights above INT64_MAX become INT64_MAX. Texts that are not UTF-8 are changed to be so.
 *
 * Of a batch with times (fleet_batch.h), a profile has a value and a time for each sample, and an
 * attribute that says so. Frames, stacks and threads keep their order, so that reports of what is
 * decoded are the same; for this, an inlined frame is a location of its own.
 *
 * What is not sent: times of samples of other batches, discriminators, what SPE told, rights of
 * files, and names that no sample uses. The id and the dropped batches are attributes of the
 * profiles: they are lost of a batch without events.
 */

#include "base/error.h"
#include "base/text/string_builder.h"
#include "fleet/fleet_batch.h"

#include <stdbool.h>
#include <stdio.h>

/** @ret: the bytes go behind what it has. */
struct error *otlp_encoder_encode(const struct fleet_batch *batch, struct string_builder *ret);

/** The same into a stream. @name: of the file, for errors. */
struct error *otlp_encoder_write(const struct fleet_batch *batch, bool is_compressed, FILE *stream,
				 const char *name);

#endif
