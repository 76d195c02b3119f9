/* SPDX-License-Identifier: Apache-2.0 */
/* option.h - the face of this room: option tables and selectors. */
#ifndef LIMEN_CORE_OPTION_OPTION_H
#define LIMEN_CORE_OPTION_OPTION_H

#include "options.h"
#include "selector.h"

#endif
