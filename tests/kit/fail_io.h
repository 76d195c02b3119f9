/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fail_io.h - makes a disk fail on purpose.
 *
 * Counts what the objects of a program ask the system to do with files and lets one
 * call, or all from one on, fail with an error of choice.  Libraries keep
 * their own: only what is linked with FAIL_IO_LDFLAGS is counted, for stdio the
 * functions themselves.  Calls of all threads count.
 */
#ifndef LIMEN_TESTS_KIT_FAIL_IO_H
#define LIMEN_TESTS_KIT_FAIL_IO_H

#include <stdbool.h>

typedef enum fail_io_way {
	FAIL_IO_ONCE, /* that call fails, and no other */
	FAIL_IO_FROM, /* that call fails, and all after it */
	/* As FAIL_IO_FROM, but if that call writes, half of it is written: a disk gets full. */
	FAIL_IO_HALF
} fail_io_way;

/* From now on the 'nth' call fails with 'error', the first being 1. */
void fail_io_start(unsigned long nth, fail_io_way way, int error);

/* From now on none fails.  Did one since the last call of the above? */
bool fail_io_stop(void);

/* Starts to fail as it is told, does what is tested, and returns what fail_io_stop() did. */
typedef bool (*fail_io_try)(unsigned long nth, fail_io_way way, int error);

/*
 * Tries each way, with EIO and ENOSPC, at each call from the first to the last that 'attempt'
 * makes.  Returns how many failed.
 */
unsigned long fail_io_everywhere(fail_io_try attempt);

#endif
