/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_COMPILER_CALLS_ARM64_WIN_H
#define WPERF_BASE_COMPILER_CALLS_ARM64_WIN_H

/**
 * Windows on Arm64 only: what clang calls, and Debian has no library with. Nobody else does.
 */

/** Before a function takes a large part of the stack. */
void __chkstk(void);

/** To divide 128 bits. */
unsigned __int128 __udivti3(unsigned __int128 dividend, unsigned __int128 divisor);

#endif
