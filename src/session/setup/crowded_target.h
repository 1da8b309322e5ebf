/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_SETUP_CROWDED_TARGET_H
#define WPERF_SESSION_SETUP_CROWDED_TARGET_H

/**
 * To be called first: if @pids (of -p; or NULL) names processes with hundreds of threads, wperf
 * takes precedence over them, as far as its user may. It would wait for a core at each step
 * otherwise: where 2,000 threads are busy on two cores, a second of samples took 15 s. Errors in
 * @pids are reported later.
 */
void crowded_target_precede(const char *pids);

#endif
