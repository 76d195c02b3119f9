/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exit_guard.h - keeps a module that calls exit() from choosing the exit status of the program,
 * and names a module that crashes.
 */
#ifndef LIMEN_PROGRAM_EXIT_GUARD_H
#define LIMEN_PROGRAM_EXIT_GUARD_H

/*
 * From now on exit() and quick_exit() end this process, but not its children, with 'status',
 * after 'report' received the name of the module that called them.  A signal such as SIGSEGV ends
 * the process as before, after a line on standard error with the module on the stack, if there is
 * one.  _exit() is not caught.  Call it once a process, before threads start.
 */
void exit_guard_start(int status, void (*report)(const char *text));

/* Ends the guard before the program exits by itself: exit() works as usual.  Crashes are still
 * reported. */
void exit_guard_end(void);

#endif
