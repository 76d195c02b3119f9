# The daemon limend.  All of it but main.c is a convenience library, so that tests
# call endpoints without a server.
noinst_LTLIBRARIES += liblimend.la
liblimend_la_CPPFLAGS = $(program_cppflags)
liblimend_la_LDFLAGS =
liblimend_la_LIBADD = libprogram.la $(program_libs)
liblimend_la_SOURCES = programs/limend/service.h
liblimend_la_SOURCES += programs/limend/endpoint.c programs/limend/endpoint.h
liblimend_la_SOURCES += programs/limend/http.c programs/limend/http.h
liblimend_la_SOURCES += programs/limend/record.h
liblimend_la_SOURCES += programs/limend/remaining.c programs/limend/remaining.h
