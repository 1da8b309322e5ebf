/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_SPE_SPE_PACKET_LINE_H
#define WPERF_RECORD_SPE_SPE_PACKET_LINE_H

/**
 * A packet as a line of text in the layout of `perf report -D`, so that the two can be compared:
 *
 *	.  0000000c:  98 08 00                                        LAT 8 TOT
 *
 * The words are those of perf since it knows SPE 1.4; older ones have none for newer packets.
 */

#include "base/text/string_builder.h"
#include "record/spe/spe_packet.h"

/**
 * Append the line of a packet, with its newline.
 * @offset: of the packet in the buffer; 32 bits of it are shown.
 * @bytes:  of the packet, packet->size of them.
 * @midr:   of the core that it is of, as some bits of events are its own; 0 if not known.
 */
void spe_packet_line_append(struct string_builder *text, const struct spe_packet *packet,
			    uint64_t offset, const uint8_t *bytes, uint32_t midr);

/**
 * Append the lines of a whole buffer. A packet that its end cuts is shown as bad bytes.
 * @position: of the first byte, as spe_packet_decode() wants it; the offsets shown start at 0.
 */
void spe_packet_line_append_all(struct string_builder *text, const uint8_t *bytes, size_t size,
				uint64_t position, uint32_t midr);

/** The same from offset @at on, until the text has @max_length bytes or a little more. Returns the
 *  offset to go on from; @size at the end. */
size_t spe_packet_line_append_some(struct string_builder *text, const uint8_t *bytes, size_t size,
				   uint64_t position, uint32_t midr, size_t at, size_t max_length);

#endif
