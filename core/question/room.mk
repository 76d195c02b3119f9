# SPDX-License-Identifier: Apache-2.0
# core/question: questions and AdmissionReviews, read and answered.
core_sources += core/question/answer.c
core_sources += core/question/claim.c
core_sources += core/question/http_read.c
core_sources += core/question/question.h
core_sources += core/question/question_read.c
core_sources += core/question/review_answer.c
core_sources += core/question/review_read.c
