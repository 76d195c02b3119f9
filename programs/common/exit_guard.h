/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exit_guard.h - a module that calls exit() must not choose the exit status of the program.
 */
#ifndef LIMEN_PROGRAM_EXIT_GUARD_H
#define LIMEN_PROGRAM_EXIT_GUARD_H

/*
 * From now on exit() ends this process, but not its children, with 'status', after
 * 'report' was told which module called it.  Once a process, and before threads.
 */
void exit_guard_start(int status, void (*report)(const char *text));

/* The program ends by itself: exit() works as usual. */
void exit_guard_end(void);

#endif
