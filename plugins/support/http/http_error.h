/* SPDX-License-Identifier: Apache-2.0 */
/*
 * http_error.h - what a failed transfer of libcurl is called.
 */
#ifndef LIMEN_HTTP_ERROR_H
#define LIMEN_HTTP_ERROR_H

#include <curl/curl.h>
#include <stddef.h>

/* Writes why the transfer of 'handle' failed with 'code', in words that no version changes. */
void http_error_text(CURL *handle, CURLcode code, char *out, size_t size);

#endif
