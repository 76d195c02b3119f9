/* SPDX-License-Identifier: Apache-2.0 */
/* serve.h - the template: compiles scripts and forks the workers that run them. */
#ifndef LIMEN_SUPPORT_JQ_SERVE_H
#define LIMEN_SUPPORT_JQ_SERVE_H

/* Serves limen on the socket 'fd', descriptor 0, until limen is gone; the exit status. */
int serve(int fd);

#endif
