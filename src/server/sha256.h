/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SERVER_SHA256_H
#define WPERF_SERVER_SHA256_H

/** The SHA-256 of bytes (FIPS 180-4). */

#include <stddef.h>
#include <stdint.h>

enum { SHA256_SIZE = 32, SHA256_TEXT_SIZE = 2 * SHA256_SIZE + 1 };

void sha256(const void *bytes, size_t size, uint8_t ret[SHA256_SIZE]);

/** Lower-case hexadecimal digits, as sha256sum prints them. */
void sha256_text(const void *bytes, size_t size, char ret[SHA256_TEXT_SIZE]);

#endif
