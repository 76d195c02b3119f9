/* SPDX-License-Identifier: Apache-2.0 */
/*
 * copy.h - the outputs of a script as the caller may have them: checked, and
 * without a part that is still the script's, whose constants other threads use.
 */
#ifndef LIMEN_SUPPORT_JQ_COPY_H
#define LIMEN_SUPPORT_JQ_COPY_H

#include <jv.h>

/* Values nested deeper than documents can be are not let out. */
#define COPY_DEPTH_MAX 2000

/*
 * Returns a copy of 'value' that shares nothing with it but what is part of
 * 'known' at the same place.  'value' is consumed, 'known' is not.  Returns an
 * invalid value with a message if there is an infinity in it, or if it is too
 * deep or too large.
 */
jv copy_output(jv value, jv known);

#endif
