/* SPDX-License-Identifier: Apache-2.0 */
/* late_epoll.c - preloaded: the main thread is late whenever it takes a file out of an epoll set. */
#include <dlfcn.h>
#include <sys/epoll.h>
#include <unistd.h>

__attribute__((visibility("default"))) int
epoll_ctl(int set, int operation, int fd, struct epoll_event *event)
{
	int (*next)(int, int, int, struct epoll_event *) =
		(int (*)(int, int, int, struct epoll_event *))dlsym(RTLD_NEXT, "epoll_ctl");

	if (operation == EPOLL_CTL_DEL && gettid() == getpid())
		usleep(200000);
	return next(set, operation, fd, event);
}
