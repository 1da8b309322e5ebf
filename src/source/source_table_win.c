// SPDX-License-Identifier: Apache-2.0

#include "source/source.h"

#include "source/source_sim.h"

const struct source_ops *const all_sources[] = {&source_sim_ops, NULL};
