/* SPDX-License-Identifier: Apache-2.0 */
/* wide.h - the product of two 64-bit numbers, which has 128 bits; sums of them wrap around. */
#ifndef LIMEN_PLUGINS_SUPPORT_WIDE_H
#define LIMEN_PLUGINS_SUPPORT_WIDE_H

__extension__ typedef unsigned __int128 wide;

#endif
