/* SPDX-License-Identifier: Apache-2.0 */
/*
 * unseen.h - objects that a policy admits because nothing of it looks at their kind:
 * a custom resource may carry pods that LimitRanges are never asked about, and a kind
 * may be misspelt.
 */
#ifndef LIMEN_PROGRAM_UNSEEN_H
#define LIMEN_PROGRAM_UNSEEN_H

#include "ask.h"
#include "subjects.h"

/*
 * 'about' was admitted: is it of no kind that Kubernetes has, and had nothing of the
 * policy an opinion?  It is decided about once more, without a charge.
 */
bool unseen_is(const ask_settings *settings, limen_engine *engine, const subject *about);

#endif
