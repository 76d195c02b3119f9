/* SPDX-License-Identifier: Apache-2.0 */
/* host.h - the face of this room: the background thread, jobs, workers, status. */
#ifndef LIMEN_CORE_HOST_HOST_H
#define LIMEN_CORE_HOST_HOST_H

#include "pool.h"
#include "services.h"

#endif
