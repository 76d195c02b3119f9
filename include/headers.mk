# SPDX-License-Identifier: Apache-2.0
# The public headers; these are all that is installed.
public_headers =
public_headers += include/limen/builder.h
public_headers += include/limen/cidr.h
public_headers += include/limen/decision.h
public_headers += include/limen/diag.h
public_headers += include/limen/documents.h
public_headers += include/limen/duration.h
public_headers += include/limen/engine.h
public_headers += include/limen/host.h
public_headers += include/limen/json.h
public_headers += include/limen/limen.h
public_headers += include/limen/module.h
public_headers += include/limen/module.hpp
public_headers += include/limen/nearest.h
public_headers += include/limen/option.h
public_headers += include/limen/quantity.h
public_headers += include/limen/question.h
public_headers += include/limen/reply.h
public_headers += include/limen/request.h
public_headers += include/limen/selector.h
public_headers += include/limen/si.h
public_headers += include/limen/store.h
public_headers += include/limen/string_match.h
public_headers += include/limen/template.h
public_headers += include/limen/testkit.h
public_headers += include/limen/types.h
public_headers += include/limen/value.h
# The arithmetic of stores, outside of the ABI.
sdk_headers = include/limen-sdk/bucket.h include/limen-sdk/meter.h include/limen-sdk/window.h
# What programs copy or include and need no library for.
client_headers = include/limen-client/event_client.h
