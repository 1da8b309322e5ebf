/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_MINI_NT_BOOT_PAGE_TABLES_H
#define WPERF_TESTS_MINI_NT_BOOT_PAGE_TABLES_H

/** Virtual memory: who may do what with a page. */

#include <stdint.h>

enum page_rights {
	PAGE_NONE, /* there is no memory */
	PAGE_DATA,
	PAGE_CONSTANTS,
	PAGE_CODE,
	PAGE_USER_DATA,
	PAGE_USER_CODE,
};

/** Before the MMU is on, on one CPU; boot.S. */
void page_tables_fill(void);

/** This CPU runs in the upper half now: in the lower one it sees nothing but user pages. */
void page_tables_end_boot(void);

/**
 * @physical: in one of the areas that have pages of 4 KiB (layout.h). In effect on all CPUs when it
 *            returns.
 */
void page_tables_set(uint64_t physical, enum page_rights rights);

#endif
