/* SPDX-License-Identifier: Apache-2.0 */
/* policy.h - the face of this room: a compiled policy, and what compiles it. */
#ifndef LIMEN_CORE_POLICY_POLICY_H
#define LIMEN_CORE_POLICY_POLICY_H

#include "compile.h"
#include "compiled.h"
#include "match.h"
#include "policy_describe.h"
#include "report_lines.h"
#include "report_text.h"
#include "verdict.h"

#endif
