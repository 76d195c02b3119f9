/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exit_guard.h - keeps a module that calls exit() from choosing the exit status of the program.
 */
#ifndef LIMEN_PROGRAM_EXIT_GUARD_H
#define LIMEN_PROGRAM_EXIT_GUARD_H

/*
 * From now on exit() ends this process, but not its children, with 'status', after 'report'
 * received the name of the module that called it.  Call it once a process, before threads
 * start.
 */
void exit_guard_start(int status, void (*report)(const char *text));

/* Ends the guard before the program exits by itself: exit() works as usual. */
void exit_guard_end(void);

#endif
