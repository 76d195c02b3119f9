/* SPDX-License-Identifier: Apache-2.0 */
/* processors.h - how many processors this process may use. */
#ifndef LIMEN_SUPPORT_JQ_PROCESSORS_H
#define LIMEN_SUPPORT_JQ_PROCESSORS_H

/* Counts the processors of the affinity mask and of the cgroup's quota; at least 1. */
unsigned processors_count(void);

#endif
