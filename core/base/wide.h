/* SPDX-License-Identifier: Apache-2.0 */
/* wide.h - a number of 128 bits, which ISO C has no name for. */
#ifndef LIMEN_CORE_BASE_WIDE_H
#define LIMEN_CORE_BASE_WIDE_H

__extension__ typedef unsigned __int128 wide;

#endif
