/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_MINI_NT_BOOT_LAYOUT_H
#define WPERF_TESTS_MINI_NT_BOOT_LAYOUT_H

/**
 * Where things are in the memory of QEMU's machine "virt", which begins at 0x40000000. All of it is
 * in the upper half of virtual memory as well, as in Windows; run.py loads the two files.
 */

#define LAYOUT_HIGH         0xffff000000000000 /* virtual = this + physical */
#define LAYOUT_KERNEL       0x40200000
#define LAYOUT_DRIVER_IMAGE 0x44000000 /* 2 MiB in pages of 4 KiB: sections have rights */
#define LAYOUT_STACKS       0x44200000 /* 2 MiB in pages of 4 KiB: each stack ends in no page */
#define LAYOUT_USER         0x44400000 /* 2 MiB in pages of 4 KiB, for EL0 at LAYOUT_USER_VIRTUAL */
#define LAYOUT_DRIVER_FILE  0x45000000
#define LAYOUT_POOL         0x46000000
#define LAYOUT_POOL_SIZE    0x08000000
#define LAYOUT_USER_VIRTUAL 0x400000

#define LAYOUT_STACK_BYTES 0x8000 /* of one, its missing page included */
#define LAYOUT_NUM_STACKS  64
#define LAYOUT_NUM_CPUS    8

#endif
