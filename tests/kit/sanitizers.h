/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sanitizers.h - which sanitizer a test is compiled for: GCC tells by macros, clang by features.
 */
#ifndef LIMEN_TESTS_KIT_SANITIZERS_H
#define LIMEN_TESTS_KIT_SANITIZERS_H

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define WITH_ASAN 1
#endif
#if __has_feature(thread_sanitizer)
#define WITH_TSAN 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define WITH_ASAN 1
#endif
#ifdef __SANITIZE_THREAD__
#define WITH_TSAN 1
#endif

/* Their malloc() is not the system's, and what is freed stays for a while. */
#if defined(WITH_ASAN) || defined(WITH_TSAN)
#define OWN_MALLOC 1
#endif

#endif
