/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_BAREMETAL_CONSOLE_H
#define WPERF_TESTS_BAREMETAL_CONSOLE_H

#include <stdint.h>

void console_text(const char *text);
void console_number(uint64_t number);

/** As 0x1f. */
void console_hex(uint64_t number);

#endif
