/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_FILE_FILE_SIZE_LIMIT_H
#define WPERF_BASE_FILE_FILE_SIZE_LIMIT_H

/**
 * The limit of `ulimit -f`. A file that would exceed it is an error of writing (EFBIG) from now on,
 * and no longer ends the process by SIGXFSZ. Programs that it starts are ended as without wperf.
 * Windows has no such limit: there it does nothing.
 */
void file_size_limit_make_error(void);

#endif
