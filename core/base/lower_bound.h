/* SPDX-License-Identifier: Apache-2.0 */
/* lower_bound.h - searches in sorted arrays. */
#ifndef LIMEN_CORE_BASE_LOWER_BOUND_H
#define LIMEN_CORE_BASE_LOWER_BOUND_H

#include <stddef.h>

/*
 * The first index from 'first' on whose item is not below what is searched for, or 'last'.
 * 'is_below' tells that of the item at 'middle'.
 */
#define LOWER_BOUND(first, last, is_below) \
	({ \
		size_t low_ = (first), high_ = (last); \
		while (low_ < high_) { \
			size_t middle = low_ + (high_ - low_) / 2; \
			if (is_below) \
				low_ = middle + 1; \
			else \
				high_ = middle; \
		} \
		low_; \
	})

#endif
