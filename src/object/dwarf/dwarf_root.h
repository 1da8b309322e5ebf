/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_DWARF_DWARF_ROOT_H
#define WPERF_OBJECT_DWARF_DWARF_ROOT_H

/** The first die of a unit, its root: what its attributes add to the unit's header. */

#include "object/dwarf/dwarf_header.h"

/**
 * Read the root if that was not done. A damaged one leaves what it cannot say.
 * @skeleton: of a unit in a .dwo file, else NULL.
 */
struct error *dwarf_root_need(struct dwarf_header *header, const struct dwarf_header *skeleton);

#endif
