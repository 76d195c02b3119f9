/* SPDX-License-Identifier: Apache-2.0 */
/*
 * options_values.h - converts option texts of limend to values and checks which options go
 * together.
 */
#ifndef LIMEND_OPTIONS_VALUES_H
#define LIMEND_OPTIONS_VALUES_H

#include "options.h"

/* Converts the texts of 'options' to its values.  Returns an error text to g_free(), or NULL. */
char *options_values_read(limend_options *options);

#endif
