/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SERVER_SENDER_SERVICE_H
#define WPERF_SERVER_SENDER_SERVICE_H

/** The service of a batch of an agent that names none. */

#include "base/error.h"
#include "fleet/fleet_batch.h"

/**
 * Without a label "service.name" it becomes that of the container, else the name of the program
 * that all samples are of, else "unknown".
 */
struct error *sender_service_set(struct fleet_batch *batch);

#endif
