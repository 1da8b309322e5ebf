/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_DISASSEMBLY_DISASSEMBLER_HINT_H
#define WPERF_OBJECT_DISASSEMBLY_DISASSEMBLER_HINT_H

/** What to install on this system where LLVM's library is not there. */
const char *disassembler_hint(void);

#endif
