/* SPDX-License-Identifier: Apache-2.0 */
/* conf.h - the face of this room: the files of a policy as sections. */
#ifndef LIMEN_CORE_CONF_CONF_H
#define LIMEN_CORE_CONF_CONF_H

#include "conf_files.h"
#include "conf_manifests.h"

#endif
