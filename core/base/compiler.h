/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compiler.h - OUTLINE: a function for what seldom happens, which is not put into its
 * caller: else the usual case pays for the stack frame that only this needs.
 */
#ifndef LIMEN_CORE_BASE_COMPILER_H
#define LIMEN_CORE_BASE_COMPILER_H

#define OUTLINE __attribute__((noinline))
#define ALWAYS_INLINE inline __attribute__((always_inline))

#endif
