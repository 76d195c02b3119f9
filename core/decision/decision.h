/* SPDX-License-Identifier: Apache-2.0 */
/* decision.h - the face of this room: how the engine runs a decision. */
#ifndef LIMEN_CORE_DECISION_DECISION_H
#define LIMEN_CORE_DECISION_DECISION_H

#include "pipeline.h"
#include "templates.h"

#endif
