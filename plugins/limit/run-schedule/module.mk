limit_LTLIBRARIES += plugins/limit/run-schedule.la
plugins_limit_run_schedule_la_SOURCES = plugins/limit/run-schedule/run-schedule.c \
	plugins/limit/run-schedule/coverage.c plugins/limit/run-schedule/coverage.h
plugins_limit_run_schedule_la_LIBADD = liblimen.la
plugins_limit_run_schedule_la_LDFLAGS = $(MODULE_LDFLAGS)
