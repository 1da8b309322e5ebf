/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_PROMPT_THREAD_H
#define WPERF_SOURCE_PROMPT_THREAD_H

/**
 * Have the thread that calls this get a core soon after it wakes, also where others want all of
 * them: it says that it never takes one for long. No right is needed. What a kernel before 6.12
 * makes of it is nothing, and nothing is lost then.
 */
void prompt_thread_ask(void);

#endif
