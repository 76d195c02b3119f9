/* SPDX-License-Identifier: Apache-2.0 */
/* loop - decide for a GLib main loop: loop POLICY, tasks on standard input, one a line */
#include <errno.h>
#include <glib-unix.h>
#include <limen/limen.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct service {
	GMainLoop *loop;
	limen_engine *engine;
	GThreadPool *pool;
	GString *text; /* what was read and is no whole line yet */
	unsigned number;
	unsigned asked; /* and not yet answered */
	bool ended;
};

/* One task on its way through a thread of the pool and back to the loop. */
struct question {
	struct service *service;
	char *task;
	unsigned number;
	limen_decision *decision;
};

static void
end_if_idle(struct service *service)
{
	if (service->ended && service->asked == 0)
		g_main_loop_quit(service->loop);
}

/* On the loop again, which alone touches the service. */
static gboolean
answer(gpointer data)
{
	struct question *question = data;

	printf("%u: %s\n", question->number,
	       question->decision == NULL ? "no decision" :
	                                    limen_decision_reason(question->decision));
	limen_decision_free(question->decision);
	question->service->asked--;
	end_if_idle(question->service);
	g_free(question->task);
	g_free(question);
	return G_SOURCE_REMOVE;
}

/* On a thread of the pool: a decision may wait for the network, and the loop may not. */
static void
decide(gpointer data, gpointer user_data)
{
	struct question *question = data;
	struct service *service = user_data;
	limen_request *req = limen_request_new(LIMEN_SUBJECT_TASK);

	if (req != NULL &&
	    limen_request_parse(req, question->task, strlen(question->task), NULL) == LIMEN_OK)
		limen_engine_decide(service->engine, req, NULL, &question->decision);
	limen_request_free(req);
	g_idle_add(answer, question);
}

static void
ask(struct service *service, const char *task, size_t length)
{
	struct question *question = g_new0(struct question, 1);

	question->service = service;
	question->task = g_strndup(task, length);
	question->number = ++service->number;
	service->asked++;
	g_thread_pool_push(service->pool, question, NULL);
}

static gboolean
read_input(gint fd, GIOCondition condition, gpointer data)
{
	struct service *service = data;
	char block[4096];
	ssize_t got = read(fd, block, sizeof block);
	const char *end;

	(void)condition;
	if (got < 0 && (errno == EINTR || errno == EAGAIN))
		return G_SOURCE_CONTINUE;
	g_string_append_len(service->text, block, got > 0 ? got : 0);
	while ((end = memchr(service->text->str, '\n', service->text->len)) != NULL) {
		size_t length = (size_t)(end - service->text->str);

		ask(service, service->text->str, length);
		g_string_erase(service->text, 0, (gssize)length + 1);
	}
	service->ended = got <= 0;
	end_if_idle(service);
	return service->ended ? G_SOURCE_REMOVE : G_SOURCE_CONTINUE;
}

/* The engine's callbacks come on its own threads; g_message() is safe on any. */
static void
write_log(void *data, limen_log_level level, const char *source, const char *text)
{
	(void)data;
	(void)level;
	g_message("%s: %s", source, text);
}

static gboolean
stop(gpointer data)
{
	g_main_loop_quit(data);
	return G_SOURCE_CONTINUE;
}

static void
serve(struct service *service)
{
	service->loop = g_main_loop_new(NULL, FALSE);
	service->pool = g_thread_pool_new(decide, service, 4, FALSE, NULL);
	g_unix_fd_add(STDIN_FILENO, G_IO_IN | G_IO_HUP, read_input, service);
	g_unix_signal_add(SIGTERM, stop, service->loop);
	g_main_loop_run(service->loop);
	/* First no more decisions, then no more engine. */
	g_thread_pool_free(service->pool, FALSE, TRUE);
	g_main_loop_unref(service->loop);
}

int
main(int argc, char **argv)
{
	limen_engine_options options = {
		.size = sizeof options, .flags = LIMEN_ENGINE_WATCH, .log = write_log,
	};
	struct service service = { .text = g_string_new(NULL) };
	limen_diag *diag = limen_diag_new();
	bool loaded;

	service.engine = limen_engine_new(&options);
	loaded = argc == 2 && limen_engine_load(service.engine, argv[1], diag) == LIMEN_OK;
	if (loaded)
		serve(&service);
	else
		limen_diag_write(diag, stderr);
	limen_engine_free(service.engine);
	g_string_free(service.text, TRUE);
	limen_diag_free(diag);
	return loaded ? 0 : 2;
}
