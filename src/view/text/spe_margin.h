/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_TEXT_SPE_MARGIN_H
#define WPERF_VIEW_TEXT_SPE_MARGIN_H

/** What SPE knows of a line or an instruction, in columns of fixed width in front of it. */

#include "profile/spe/spe_stats.h"

#include <stdio.h>

enum { SPE_MARGIN_COLUMNS = 64 };

/** The heads: mean latency in cycles, where data came from, what happened. */
void spe_margin_print_head(FILE *stream);

/** @stats: NULL: blanks. */
void spe_margin_print(const struct spe_stats *stats, FILE *stream);

#endif
