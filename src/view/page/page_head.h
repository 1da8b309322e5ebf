/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_PAGE_PAGE_HEAD_H
#define WPERF_VIEW_PAGE_PAGE_HEAD_H

/** How every page begins: up to its title, with the policy that has browsers refuse whatever would
 *  go out to a network. */

#include <stdio.h>

/** @title: HTML. What follows belongs into the head. */
void page_head_write(const char *title, FILE *stream);

#endif
