/* SPDX-License-Identifier: Apache-2.0 */
/* module.h - the face of this room: modules, their instances, and the stores they share. */
#ifndef LIMEN_CORE_MODULE_MODULE_H
#define LIMEN_CORE_MODULE_MODULE_H

#include "descriptor.h"
#include "instance.h"
#include "loader.h"
#include "store.h"
#include "tried.h"

#endif
