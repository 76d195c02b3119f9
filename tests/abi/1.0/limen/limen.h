/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limen/limen.h - everything a program needs that decides requests with limen.
 * Modules include limen/module.h instead.
 *
 * What threads may do is said in each header, and for all of them in limen/types.h and
 * docs/threading.md.
 */
#ifndef LIMEN_LIMEN_H
#define LIMEN_LIMEN_H

#include <limen/builder.h>
#include <limen/cidr.h>
#include <limen/decision.h>
#include <limen/diag.h>
#include <limen/documents.h>
#include <limen/duration.h>
#include <limen/engine.h>
#include <limen/option.h>
#include <limen/quantity.h>
#include <limen/question.h>
#include <limen/request.h>
#include <limen/selector.h>
#include <limen/si.h>
#include <limen/string_match.h>
#include <limen/template.h>
#include <limen/types.h>
#include <limen/value.h>
#include <limen/version.h>

#endif
