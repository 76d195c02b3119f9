/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sanitized.h - is this built with a sanitizer?  Such a program reserves
 * terabytes of addresses, has threads of its own and opens files when it finds
 * something: the limits of the sandbox would end it at once.
 */
#ifndef LIMEN_SUPPORT_JQ_SANITIZED_H
#define LIMEN_SUPPORT_JQ_SANITIZED_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

#ifndef SANITIZED
#define SANITIZED 0
#endif

#endif
