/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_EMULATOR_GUEST_MAPS_H
#define WPERF_EMULATOR_GUEST_MAPS_H

/**
 * Which files the code of the emulated program comes from. Code is looked up when it is translated,
 * so that what a loader, dlopen() or mmap() brought is told before its first sample, and nothing
 * that never runs.
 */

#include "driver/emulator/plugin/guest_map_list.h"

struct plugin;

void guest_maps_init(struct guest_maps *maps);

/** Code at @address is going to run. */
void guest_maps_note_code(struct plugin *plugin, uint64_t address);

/** The program unmaps this, or maps something over it. */
void guest_maps_forget(struct guest_maps *maps, uint64_t start, uint64_t size);

/** Around a fork. */
void guest_maps_lock(struct guest_maps *maps);
void guest_maps_unlock(struct guest_maps *maps);

#endif
