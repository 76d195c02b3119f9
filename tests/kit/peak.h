/* SPDX-License-Identifier: Apache-2.0 */
/*
 * peak.h - the most memory that the process ever had, for bounds that are far above what
 * is needed and far below what a list that is copied for each of its items takes.
 */
#ifndef LIMEN_TESTS_KIT_PEAK_H
#define LIMEN_TESTS_KIT_PEAK_H

#include <sys/resource.h>

#include "sanitizers.h"

#ifdef WITH_TSAN

/* The thread sanitizer keeps several times what it watches: no bound means anything. */
static inline long
get_peak(void)
{
	return 0;
}

#else

/* In KiB. */
static inline long
get_peak(void)
{
	struct rusage used;

	getrusage(RUSAGE_SELF, &used);
	return used.ru_maxrss;
}

#endif

#endif
