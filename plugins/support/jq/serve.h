/* SPDX-License-Identifier: Apache-2.0 */
/* serve.h - what the process of a script does. */
#ifndef LIMEN_SUPPORT_JQ_SERVE_H
#define LIMEN_SUPPORT_JQ_SERVE_H

/*
 * Takes one script from the socket 'fd', which must be 0, then runs it whenever it
 * is asked to, until the other side is gone.  Returns the status of the program.
 */
int serve(int fd);

#endif
