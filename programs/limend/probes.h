/* SPDX-License-Identifier: Apache-2.0 */
/*
 * probes.h - whether the daemon may be sent requests, for programs that ask it in
 * another way than GET /readyz.
 */
#ifndef LIMEND_PROBES_H
#define LIMEND_PROBES_H

#include <stdbool.h>

#include "service.h"

/* Is there a policy, do its modules have what they decide by, and will we stay? */
bool probes_ready(service *shared);

#endif
