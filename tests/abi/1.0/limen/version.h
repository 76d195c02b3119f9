/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limen/version.h - the version of the headers a program was compiled with.
 *
 * It has numbers alone: threads do not matter.
 */
#ifndef LIMEN_VERSION_H
#define LIMEN_VERSION_H

/* limen_version() has that of the library in use. */
#define LIMEN_VERSION "1.0.0"
#define LIMEN_VERSION_MAJOR 1
#define LIMEN_VERSION_MINOR 0
#define LIMEN_VERSION_PATCH 0

#endif
