/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_BAREMETAL_SEMIHOSTING_H
#define WPERF_TESTS_BAREMETAL_SEMIHOSTING_H

/** What QEMU does for the program that it runs. */

/** Comes out of QEMU's standard error. */
void semihosting_write(const char *text);

/** Ends QEMU with this exit code. */
_Noreturn void semihosting_exit(unsigned code);

#endif
