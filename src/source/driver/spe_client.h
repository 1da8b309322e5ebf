/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_DRIVER_SPE_CLIENT_H
#define WPERF_SOURCE_DRIVER_SPE_CLIENT_H

/**
 * SPE on one core through the driver contract: the driver's data is polled and decoded. The driver
 * does not report processes: the caller gives a pid. Samples without a timestamp get the time of
 * the poll. The raw bytes precede their samples in a record of PERF_ABI_AUXTRACE, and the first of
 * these is preceded by the records about the machine that perf.data needs.
 */

#include "driver/include/wperf_driver.h"
#include "record/aux_piece_record.h"
#include "record/perf_data/perf_data.h"
#include "record/spe/spe_file_head.h"
#include "record/spe/spe_stream.h"
#include "record/time_conversion.h"
#include "source/driver/driver_client.h"
#include "source/sample_plan.h"
#include "source/spe_tally.h"

/** What the caller knows about the machine. */
struct spe_client_machine {
	unsigned num_cores;
	const uint64_t *core_midr;
	uint32_t pid;                      /* of all records */
	struct time_conversion conversion; /* of the timer */
};

/** The bytes of one poll. */
struct spe_taking {
	uint64_t end; /* position in the stream after the last of them */
	uint64_t time_ns;
};

struct spe_client {
	const struct driver_transport *transport; /* outlives this */
	struct spe_client_machine machine;
	struct wperf_spe_control control;
	struct spe_tally tally; /* of the same core */
	uint32_t event;
	uint64_t period;
	bool is_running;
	uint8_t *bytes; /* not decoded yet */
	size_t num_bytes, cap_bytes;
	struct spe_taking *takings; /* that are not records yet */
	size_t next_taking, num_takings, cap_takings;
	uint64_t num_taken; /* bytes in total */
	struct spe_stream stream;
	bool is_fed;
	struct spe_file_head head;
	struct aux_piece_record piece; /* the current one */
	struct perf_data_event described;
	uint64_t id; /* of it */
	struct sample_totals totals;
};

#define SPE_CLIENT_INIT \
	{               \
	}

/** @plan: with spe, one core and no events. */
struct error *spe_client_open(struct spe_client *client, const struct driver_transport *transport,
			      const struct spe_client_machine *machine,
			      const struct sample_plan *plan);
void spe_client_close(struct spe_client *client);

struct error *spe_client_start(struct spe_client *client);

/** Stop, and read the rest. */
struct error *spe_client_stop(struct spe_client *client, uint64_t time_ns);

/** Read the driver's data. Not before spe_client_next() has returned all records of the last poll.
 */
struct error *spe_client_poll(struct spe_client *client, uint64_t time_ns, size_t *ret_bytes);

/** The next record, valid until the next call; false: there is none before the next poll. */
bool spe_client_next(struct spe_client *client, struct record *ret);

#endif
