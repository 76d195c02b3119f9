/* SPDX-License-Identifier: Apache-2.0 */
/*
 * json_cases.h - texts, and what json.loads() of Python 3.11 says about each:
 * nothing, or the text of its JSONDecodeError.  Made once by that program;
 * texts about which limen decides differently are in test_json_read.c.
 */
#ifndef LIMEN_TESTS_CORE_JSON_CASES_H
#define LIMEN_TESTS_CORE_JSON_CASES_H

#include <stddef.h>

struct json_case {
	const char *text;
	size_t length;
	const char *error; /* NULL: accepted */
};

#define TEXT(literal) literal, sizeof(literal) - 1

static const struct json_case json_cases[] = {
	{ TEXT(""), "Expecting value: line 1 column 1 (char 0)" },
	{ TEXT(" "), "Expecting value: line 1 column 2 (char 1)" },
	{ TEXT("\011"), "Expecting value: line 1 column 2 (char 1)" },
	{ TEXT("{"),
	  "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)" },
	{ TEXT("["), "Expecting value: line 1 column 2 (char 1)" },
	{ TEXT("}"), "Expecting value: line 1 column 1 (char 0)" },
	{ TEXT("]"), "Expecting value: line 1 column 1 (char 0)" },
	{ TEXT("[1"), "Expecting ',' delimiter: line 1 column 3 (char 2)" },
	{ TEXT("[1,"), "Expecting value: line 1 column 4 (char 3)" },
	{ TEXT("[1,]"), "Expecting value: line 1 column 4 (char 3)" },
	{ TEXT("[1 2]"), "Expecting ',' delimiter: line 1 column 4 (char 3)" },
	{ TEXT("[1:2]"), "Expecting ',' delimiter: line 1 column 3 (char 2)" },
	{ TEXT("[,1]"), "Expecting value: line 1 column 2 (char 1)" },
	{ TEXT("[,]"), "Expecting value: line 1 column 2 (char 1)" },
	{ TEXT("[]]"), "Extra data: line 1 column 3 (char 2)" },
	{ TEXT("[[]"), "Expecting ',' delimiter: line 1 column 4 (char 3)" },
	{ TEXT("[[1]"), "Expecting ',' delimiter: line 1 column 5 (char 4)" },
	{ TEXT("{\"a\""), "Expecting ':' delimiter: line 1 column 5 (char 4)" },
	{ TEXT("{\"a\":"), "Expecting value: line 1 column 6 (char 5)" },
	{ TEXT("{\"a\":1"), "Expecting ',' delimiter: line 1 column 7 (char 6)" },
	{ TEXT("{\"a\":1,"),
	  "Expecting property name enclosed in double quotes: line 1 column 8 (char 7)" },
	{ TEXT("{\"a\":1,}"),
	  "Expecting property name enclosed in double quotes: line 1 column 8 (char 7)" },
	{ TEXT("{\"a\":1 \"b\":2}"), "Expecting ',' delimiter: line 1 column 8 (char 7)" },
	{ TEXT("{\"a\" 1}"), "Expecting ':' delimiter: line 1 column 6 (char 5)" },
	{ TEXT("{\"a\",1}"), "Expecting ':' delimiter: line 1 column 5 (char 4)" },
	{ TEXT("{,}"),
	  "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)" },
	{ TEXT("{1:2}"),
	  "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)" },
	{ TEXT("{a:1}"),
	  "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)" },
	{ TEXT("{'a':1}"),
	  "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)" },
	{ TEXT("{null:1}"),
	  "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)" },
	{ TEXT("{\"a\":1}}"), "Extra data: line 1 column 8 (char 7)" },
	{ TEXT("{\"a\":1}{"), "Extra data: line 1 column 8 (char 7)" },
	{ TEXT("{\"a\":}"), "Expecting value: line 1 column 6 (char 5)" },
	{ TEXT("{\"a\":,}"), "Expecting value: line 1 column 6 (char 5)" },
	{ TEXT("{\"a\"::1}"), "Expecting value: line 1 column 6 (char 5)" },
	{ TEXT("{\"a\":1,,\"b\":2}"),
	  "Expecting property name enclosed in double quotes: line 1 column 8 (char 7)" },
	{ TEXT("{\"a\":1;\"b\":2}"), "Expecting ',' delimiter: line 1 column 7 (char 6)" },
	{ TEXT("{[]:1}"),
	  "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)" },
	{ TEXT("{\"a\":[1,{\"b\":]}"), "Expecting value: line 1 column 14 (char 13)" },
	{ TEXT("[{\"a\":1},{\"b\"}]"), "Expecting ':' delimiter: line 1 column 14 (char 13)" },
	{ TEXT("\""), "Unterminated string starting at: line 1 column 1 (char 0)" },
	{ TEXT("\"abc"), "Unterminated string starting at: line 1 column 1 (char 0)" },
	{ TEXT("\"abc\\"), "Unterminated string starting at: line 1 column 1 (char 0)" },
	{ TEXT("\"abc\\\""), "Unterminated string starting at: line 1 column 1 (char 0)" },
	{ TEXT("\"\\"), "Unterminated string starting at: line 1 column 1 (char 0)" },
	{ TEXT("\"\\\""), "Unterminated string starting at: line 1 column 1 (char 0)" },
	{ TEXT("\"\\a\""), "Invalid \\escape: line 1 column 2 (char 1)" },
	{ TEXT("\"\\0\""), "Invalid \\escape: line 1 column 2 (char 1)" },
	{ TEXT("\"\\'\""), "Invalid \\escape: line 1 column 2 (char 1)" },
	{ TEXT("\"\\x41\""), "Invalid \\escape: line 1 column 2 (char 1)" },
	{ TEXT("\"\\U0041\""), "Invalid \\escape: line 1 column 2 (char 1)" },
	{ TEXT("\"\\u\""), "Invalid \\uXXXX escape: line 1 column 3 (char 2)" },
	{ TEXT("\"\\u1\""), "Invalid \\uXXXX escape: line 1 column 3 (char 2)" },
	{ TEXT("\"\\u12\""), "Invalid \\uXXXX escape: line 1 column 3 (char 2)" },
	{ TEXT("\"\\u123\""), "Invalid \\uXXXX escape: line 1 column 3 (char 2)" },
	{ TEXT("\"\\u123\"}"), "Invalid \\uXXXX escape: line 1 column 3 (char 2)" },
	{ TEXT("\"\\u123g\""), "Invalid \\uXXXX escape: line 1 column 3 (char 2)" },
	{ TEXT("\"\\u 123\""), "Invalid \\uXXXX escape: line 1 column 3 (char 2)" },
	{ TEXT("\"\\u+123\""), "Invalid \\uXXXX escape: line 1 column 3 (char 2)" },
	{ TEXT("\"\\u-123\""), "Invalid \\uXXXX escape: line 1 column 3 (char 2)" },
	{ TEXT("\"\\u12 4\""), "Invalid \\uXXXX escape: line 1 column 3 (char 2)" },
	{ TEXT("\"\\u1234"), "Invalid \\uXXXX escape: line 1 column 3 (char 2)" },
	{ TEXT("\"\\u12345"), "Unterminated string starting at: line 1 column 1 (char 0)" },
	{ TEXT("\"\\ud83d\\ude0\""), "Invalid \\uXXXX escape: line 1 column 9 (char 8)" },
	{ TEXT("\"\\ud83d\\ude0g\""), "Invalid \\uXXXX escape: line 1 column 9 (char 8)" },
	{ TEXT("\"ab\\qcd\""), "Invalid \\escape: line 1 column 4 (char 3)" },
	{ TEXT("[\"a\",\"b\\q\"]"), "Invalid \\escape: line 1 column 8 (char 7)" },
	{ TEXT("{\"k\\z\":1}"), "Invalid \\escape: line 1 column 4 (char 3)" },
	{ TEXT("{\"k"), "Unterminated string starting at: line 1 column 2 (char 1)" },
	{ TEXT("{\"k\":\"v"), "Unterminated string starting at: line 1 column 6 (char 5)" },
	{ TEXT("01"), "Extra data: line 1 column 2 (char 1)" },
	{ TEXT("-01"), "Extra data: line 1 column 3 (char 2)" },
	{ TEXT("00"), "Extra data: line 1 column 2 (char 1)" },
	{ TEXT("-"), "Expecting value: line 1 column 1 (char 0)" },
	{ TEXT("--1"), "Expecting value: line 1 column 1 (char 0)" },
	{ TEXT("+1"), "Expecting value: line 1 column 1 (char 0)" },
	{ TEXT("-a"), "Expecting value: line 1 column 1 (char 0)" },
	{ TEXT(".5"), "Expecting value: line 1 column 1 (char 0)" },
	{ TEXT("5."), "Extra data: line 1 column 2 (char 1)" },
	{ TEXT("-.5"), "Expecting value: line 1 column 1 (char 0)" },
	{ TEXT("1.e3"), "Extra data: line 1 column 2 (char 1)" },
	{ TEXT("1e"), "Extra data: line 1 column 2 (char 1)" },
	{ TEXT("1e+"), "Extra data: line 1 column 2 (char 1)" },
	{ TEXT("1e-"), "Extra data: line 1 column 2 (char 1)" },
	{ TEXT("1E"), "Extra data: line 1 column 2 (char 1)" },
	{ TEXT("1.5e"), "Extra data: line 1 column 4 (char 3)" },
	{ TEXT("1.5.5"), "Extra data: line 1 column 4 (char 3)" },
	{ TEXT("1..2"), "Extra data: line 1 column 2 (char 1)" },
	{ TEXT("1e5.5"), "Extra data: line 1 column 4 (char 3)" },
	{ TEXT("1e5e5"), "Extra data: line 1 column 4 (char 3)" },
	{ TEXT("0x10"), "Extra data: line 1 column 2 (char 1)" },
	{ TEXT("0b1"), "Extra data: line 1 column 2 (char 1)" },
	{ TEXT("1_000"), "Extra data: line 1 column 2 (char 1)" },
	{ TEXT("1,000"), "Extra data: line 1 column 2 (char 1)" },
	{ TEXT("1a"), "Extra data: line 1 column 2 (char 1)" },
	{ TEXT("1 2"), "Extra data: line 1 column 3 (char 2)" },
	{ TEXT("Inf"), "Expecting value: line 1 column 1 (char 0)" },
	{ TEXT("inf"), "Expecting value: line 1 column 1 (char 0)" },
	{ TEXT("nan"), "Expecting value: line 1 column 1 (char 0)" },
	{ TEXT("NAN"), "Expecting value: line 1 column 1 (char 0)" },
	{ TEXT("-inf"), "Expecting value: line 1 column 1 (char 0)" },
	{ TEXT("-NaN"), "Expecting value: line 1 column 1 (char 0)" },
	{ TEXT("+Infinity"), "Expecting value: line 1 column 1 (char 0)" },
	{ TEXT("Infinit"), "Expecting value: line 1 column 1 (char 0)" },
	{ TEXT("-Infinit"), "Expecting value: line 1 column 1 (char 0)" },
	{ TEXT("Na"), "Expecting value: line 1 column 1 (char 0)" },
	{ TEXT("NaNN"), "Extra data: line 1 column 4 (char 3)" },
	{ TEXT("Infinity0"), "Extra data: line 1 column 9 (char 8)" },
	{ TEXT("nul"), "Expecting value: line 1 column 1 (char 0)" },
	{ TEXT("nulll"), "Extra data: line 1 column 5 (char 4)" },
	{ TEXT("Null"), "Expecting value: line 1 column 1 (char 0)" },
	{ TEXT("NULL"), "Expecting value: line 1 column 1 (char 0)" },
	{ TEXT("True"), "Expecting value: line 1 column 1 (char 0)" },
	{ TEXT("TRUE"), "Expecting value: line 1 column 1 (char 0)" },
	{ TEXT("tru"), "Expecting value: line 1 column 1 (char 0)" },
	{ TEXT("truee"), "Extra data: line 1 column 5 (char 4)" },
	{ TEXT("fals"), "Expecting value: line 1 column 1 (char 0)" },
	{ TEXT("falsee"), "Extra data: line 1 column 6 (char 5)" },
	{ TEXT("False"), "Expecting value: line 1 column 1 (char 0)" },
	{ TEXT("None"), "Expecting value: line 1 column 1 (char 0)" },
	{ TEXT("undefined"), "Expecting value: line 1 column 1 (char 0)" },
	{ TEXT("abc"), "Expecting value: line 1 column 1 (char 0)" },
	{ TEXT("'abc'"), "Expecting value: line 1 column 1 (char 0)" },
	{ TEXT("`"), "Expecting value: line 1 column 1 (char 0)" },
	{ TEXT("//"), "Expecting value: line 1 column 1 (char 0)" },
	{ TEXT("/* c */ 1"), "Expecting value: line 1 column 1 (char 0)" },
	{ TEXT("# c"), "Expecting value: line 1 column 1 (char 0)" },
	{ TEXT("1 // c"), "Extra data: line 1 column 3 (char 2)" },
	{ TEXT("[1] # c"), "Extra data: line 1 column 5 (char 4)" },
	{ TEXT(";"), "Expecting value: line 1 column 1 (char 0)" },
	{ TEXT("&"), "Expecting value: line 1 column 1 (char 0)" },
	{ TEXT("[1,2,3"), "Expecting ',' delimiter: line 1 column 7 (char 6)" },
	{ TEXT("{\"a\":{\"b\":{\"c\":"), "Expecting value: line 1 column 16 (char 15)" },
	{ TEXT("[[[[[[[["), "Expecting value: line 1 column 9 (char 8)" },
	{ TEXT("{\"a\":[{\"b\":["), "Expecting value: line 1 column 13 (char 12)" },
	{ TEXT("[true"), "Expecting ',' delimiter: line 1 column 6 (char 5)" },
	{ TEXT("[null,"), "Expecting value: line 1 column 7 (char 6)" },
	{ TEXT("[false]]"), "Extra data: line 1 column 8 (char 7)" },
	{ TEXT("[\"a\" \"b\"]"), "Expecting ',' delimiter: line 1 column 6 (char 5)" },
	{ TEXT("[\"a\":\"b\"]"), "Expecting ',' delimiter: line 1 column 5 (char 4)" },
	{ TEXT("{\"a\":true false}"), "Expecting ',' delimiter: line 1 column 11 (char 10)" },
	{ TEXT("[NaN,Infinity,-Infinity,]"), "Expecting value: line 1 column 25 (char 24)" },
	{ TEXT("{\"a\":1}x"), "Extra data: line 1 column 8 (char 7)" },
	{ TEXT("[] []"), "Extra data: line 1 column 4 (char 3)" },
	{ TEXT("\"a\" \"b\""), "Extra data: line 1 column 5 (char 4)" },
	{ TEXT("\"a\"\"b\""), "Extra data: line 1 column 4 (char 3)" },
	{ TEXT("null null"), "Extra data: line 1 column 6 (char 5)" },
	{ TEXT("1true"), "Extra data: line 1 column 2 (char 1)" },
	{ TEXT("true1"), "Extra data: line 1 column 5 (char 4)" },
	{ TEXT("[1]2"), "Extra data: line 1 column 4 (char 3)" },
	{ TEXT("{}{}"), "Extra data: line 1 column 3 (char 2)" },
	{ TEXT("{} ,"), "Extra data: line 1 column 4 (char 3)" },
	{ TEXT(","), "Expecting value: line 1 column 1 (char 0)" },
	{ TEXT(":"), "Expecting value: line 1 column 1 (char 0)" },
	{ TEXT("[1 ,]"), "Expecting value: line 1 column 5 (char 4)" },
	{ TEXT("[ 1, 2 ,, 3]"), "Expecting value: line 1 column 9 (char 8)" },
	{ TEXT("{\"a\": 1, 2}"),
	  "Expecting property name enclosed in double quotes: line 1 column 10 (char 9)" },
	{ TEXT("{\"a\": 1, \"b\"}"), "Expecting ':' delimiter: line 1 column 13 (char 12)" },
	{ TEXT("{\"a\": 1, \"b\" \"c\"}"),
	  "Expecting ':' delimiter: line 1 column 14 (char 13)" },
	{ TEXT("{\"\303\251\": 1, \"\303\274\": }"),
	  "Expecting value: line 1 column 15 (char 14)" },
	{ TEXT("[\"\303\251\",\"\346\227\245\346\234\254\",]"),
	  "Expecting value: line 1 column 11 (char 10)" },
	{ TEXT("\"\346\227\245\346\234\254\\q\""), "Invalid \\escape: line 1 column 4 (char 3)" },
	{ TEXT("\"\360\237\230\200\360\237\230\200\" x"),
	  "Extra data: line 1 column 6 (char 5)" },
	{ TEXT("[\"\360\237\230\200\", x]"), "Expecting value: line 1 column 7 (char 6)" },
	{ TEXT("\303\251"), "Expecting value: line 1 column 1 (char 0)" },
	{ TEXT("[1, \303\251]"), "Expecting value: line 1 column 5 (char 4)" },
	{ TEXT("\346\227\245\346\234\254"), "Expecting value: line 1 column 1 (char 0)" },
	{ TEXT("\342\202\254"), "Expecting value: line 1 column 1 (char 0)" },
	{ TEXT("<html>"), "Expecting value: line 1 column 1 (char 0)" },
	{ TEXT("<\?xml version=\"1.0\"\?>"), "Expecting value: line 1 column 1 (char 0)" },
	{ TEXT("--- a: 1"), "Expecting value: line 1 column 1 (char 0)" },
	{ TEXT("a: 1"), "Expecting value: line 1 column 1 (char 0)" },
	{ TEXT("key = value"), "Expecting value: line 1 column 1 (char 0)" },
	{ TEXT("0"), NULL },
	{ TEXT("-0"), NULL },
	{ TEXT("1"), NULL },
	{ TEXT("-1"), NULL },
	{ TEXT("10"), NULL },
	{ TEXT("123456789012345678901234567890"), NULL },
	{ TEXT("0.0"), NULL },
	{ TEXT("-0.0"), NULL },
	{ TEXT("0.5"), NULL },
	{ TEXT("1.5e3"), NULL },
	{ TEXT("1E5"), NULL },
	{ TEXT("1e+5"), NULL },
	{ TEXT("1e-5"), NULL },
	{ TEXT("0e0"), NULL },
	{ TEXT("0E+0"), NULL },
	{ TEXT("-1.25E-7"), NULL },
	{ TEXT("1e400"), NULL },
	{ TEXT("-1e400"), NULL },
	{ TEXT("1e-400"), NULL },
	{ TEXT("\"\""), NULL },
	{ TEXT("\"a\""), NULL },
	{ TEXT("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\""), NULL },
	{ TEXT("\"\\u0041\\u00e9\\u65e5\""), NULL },
	{ TEXT("\"\\ud83d\\ude00\""), NULL },
	{ TEXT("\"\\uD83D\\uDE00x\""), NULL },
	{ TEXT("\"\\u0000\""), NULL },
	{ TEXT("\"\303\251\346\227\245\346\234\254\360\237\230\200\""), NULL },
	{ TEXT("\"a/b\""), NULL },
	{ TEXT("null"), NULL },
	{ TEXT("true"), NULL },
	{ TEXT("false"), NULL },
	{ TEXT("NaN"), NULL },
	{ TEXT("Infinity"), NULL },
	{ TEXT("-Infinity"), NULL },
	{ TEXT("[]"), NULL },
	{ TEXT("[ ]"), NULL },
	{ TEXT("{}"), NULL },
	{ TEXT("{ }"), NULL },
	{ TEXT("[[]]"), NULL },
	{ TEXT("[{}]"), NULL },
	{ TEXT("{\"\":1}"), NULL },
	{ TEXT("{\"\":{\"\":[]}}"), NULL },
	{ TEXT("{\"a\":1,\"a\":2}"), NULL },
	{ TEXT("{\"a\":{\"x\":1},\"b\":2,\"a\":3}"), NULL },
	{ TEXT("{\"#\":\"c\",\"#\":\"d\",\"x\":1}"), NULL },
	{ TEXT("[1,2,3]"), NULL },
	{ TEXT("[ 1 , 2 , 3 ]"), NULL },
	{ TEXT("{\"a\" : 1 , \"b\" : [ true , null ] }"), NULL },
	{ TEXT("[NaN,Infinity,-Infinity]"), NULL },
	{ TEXT(" 1 "), NULL },
	{ TEXT(" {} "), NULL },
	{ TEXT("[1,\"a\",null,true,false,1.5,[],{}]"), NULL },
	{ TEXT("{\"a\":{\"b\":{\"c\":{\"d\":[1,[2,[3]]]}}}}"), NULL },
	{ TEXT("[\"\\u007f\",\"\\u0080\",\"\\uffff\"]"), NULL },
	{ TEXT("[0,-0,0.0,-0.0,1E400]"), NULL },
	{ TEXT("\012"), "Expecting value: line 2 column 1 (char 1)" },
	{ TEXT("  \012\011 \015\012 "), "Expecting value: line 3 column 2 (char 8)" },
	{ TEXT("\012\012  x"), "Expecting value: line 3 column 3 (char 4)" },
	{ TEXT("[1,\0122,\0123,\012]"), "Expecting value: line 4 column 1 (char 10)" },
	{ TEXT("{\012  \"a\": 1\012  \"b\": 2\012}"),
	  "Expecting ',' delimiter: line 3 column 3 (char 13)" },
	{ TEXT("{\015\012\"a\":1,\015\012}"),
	  "Expecting property name enclosed in double quotes: line 3 column 1 (char 11)" },
	{ TEXT("{\012\011\"a\": [\012\011\0111,\012\011\0112\012\011],\012\011\"b\": tru\012}"),
	  "Expecting value: line 6 column 7 (char 29)" },
	{ TEXT("\"a\012b\""), "Invalid control character at: line 1 column 3 (char 2)" },
	{ TEXT("\"a\011b\""), "Invalid control character at: line 1 column 3 (char 2)" },
	{ TEXT("\"\000\""), "Invalid control character at: line 1 column 2 (char 1)" },
	{ TEXT("\"a\037b\""), "Invalid control character at: line 1 column 3 (char 2)" },
	{ TEXT("{\"a\012b\":1}"), "Invalid control character at: line 1 column 4 (char 3)" },
	{ TEXT("[\"x\",\"\015\"]"), "Invalid control character at: line 1 column 7 (char 6)" },
	{ TEXT("\000"), "Expecting value: line 1 column 1 (char 0)" },
	{ TEXT("1\000"), "Extra data: line 1 column 2 (char 1)" },
	{ TEXT("[1\000]"), "Expecting ',' delimiter: line 1 column 3 (char 2)" },
	{ TEXT("\0131"), "Expecting value: line 1 column 1 (char 0)" },
	{ TEXT("\0141"), "Expecting value: line 1 column 1 (char 0)" },
	{ TEXT("1\013"), "Extra data: line 1 column 2 (char 1)" },
	{ TEXT("\302\2401"), "Expecting value: line 1 column 1 (char 0)" },
	{ TEXT("[1]\000"), "Extra data: line 1 column 4 (char 3)" },
	{ TEXT("{\"a\":1}\012\012\012x"), "Extra data: line 4 column 1 (char 10)" },
	{ TEXT("\012\012[\"\012\"]"), "Invalid control character at: line 3 column 3 (char 4)" },
	{ TEXT("\357\273\2771"),
	  "Unexpected UTF-8 BOM (decode using utf-8-sig): line 1 column 1 (char 0)" },
	{ TEXT("\357\273\277{\"a\":1}"),
	  "Unexpected UTF-8 BOM (decode using utf-8-sig): line 1 column 1 (char 0)" },
	{ TEXT("\357\273\277"),
	  "Unexpected UTF-8 BOM (decode using utf-8-sig): line 1 column 1 (char 0)" },
	{ TEXT(" \357\273\2771"), "Expecting value: line 1 column 2 (char 1)" },
	{ TEXT("1\357\273\277"), "Extra data: line 1 column 2 (char 1)" },
	{ TEXT("[\"\357\273\277\"]"), NULL },
	{ TEXT("\342\200\250"), "Expecting value: line 1 column 1 (char 0)" },
	{ TEXT("[\"\342\200\250\"]"), NULL },
	{ TEXT("\"\177\""), NULL },
	{ TEXT("[\012\"\303\251\",\012\"\346\227\245\346\234\254\" x]"),
	  "Expecting ',' delimiter: line 3 column 6 (char 12)" },
	{ TEXT("\"\303\251\012\""), "Invalid control character at: line 1 column 3 (char 2)" },
	{ TEXT("{\"\346\227\245\346\234\254\":1,\012\"\303\251\" 2}"),
	  "Expecting ':' delimiter: line 2 column 5 (char 13)" },
	{ TEXT("\177"), "Expecting value: line 1 column 1 (char 0)" },
	{ TEXT("[1,\177]"), "Expecting value: line 1 column 4 (char 3)" },
	{ TEXT("\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	        "aaaaaaaaaaaaaaaaaaaaaaaa"
	        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	        "aaaaaaaaaaaaaaaaaaaaaaaa"
	        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	        "aaaaaaaaaaaaaaaaaaaaaaaa"
	        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
	  "Unterminated string starting at: line 1 column 1 (char 0)" },
	{ TEXT("\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	        "aaaaaaaaaaaaaaaaaaaaaaaa"
	        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	        "aaaaaaaaaaaaaaaaaaaaaaaa"
	        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	        "aaaaaaaaaaaaaaaaaaaaaaaa"
	        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\\"),
	  "Unterminated string starting at: line 1 column 1 (char 0)" },
	{ TEXT("[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["),
	  "Expecting value: line 1 column 61 (char 60)" },
	{ TEXT("[1][1][1]"), "Extra data: line 1 column 4 (char 3)" },
	{ TEXT("{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a"
	        "\":{\"a\":{\"a\":{\"a\":"
	        "{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a"
	        "\":{\"a\":{\"a\":{\"a\":"
	        "{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a"
	        "\":{\"a\":{\"a\":{\"a\":"
	        "{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a"
	        "\":{\"a\":{\"a\":{\"a\":"
	        "{\"a\":{\"a\":1}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}"),
	  "Expecting ',' delimiter: line 1 column 301 (char 300)" },
	{ TEXT("[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["
	        "[[[[[[[[[[[[[[[[[[[[[[[["
	        "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["
	        "[[[[[[[[[[[[[[[[[[[[[[[["
	        "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]"
	        "]]]]]]]]]]]]]]]]]]]]]]]]"
	        "]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]"
	        "]]]]]]]]]]]]]]]]]]]]]]]]"
	        "]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]"),
	  NULL },
	{ TEXT("[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["
	        "[[[[[[[[[[[[[[[[[[[[[[[["
	        "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["
	        "[[[[[[[[[[[[[[[[[[[[[[[["
	        "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]"
	        "]]]]]]]]]]]]]]]]]]]]]]]]"
	        "]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]"
	        "]]]]]]]]]]]]]]]]]]]]]]]]"
	        "]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]"),
	  "Expecting ',' delimiter: line 1 column 400 (char 399)" },
	{ TEXT("{\"k\":{\"k\":{\"k\":{\"k\":{\"k\":{\"k\":{\"k\":{\"k\":{\"k"
	        "\":{\"k\":{\"k\":{\"k\":"
	        "{\"k\":{\"k\":{\"k\":{\"k\":{\"k\":{\"k\":{\"k\":{\"k\":{\"k"
	        "\":{\"k\":{\"k\":{\"k\":"
	        "{\"k\":{\"k\":{\"k\":{\"k\":{\"k\":{\"k\":{\"k\":{\"k\":{\"k"
	        "\":{\"k\":{\"k\":{\"k\":"
	        "{\"k\":{\"k\":{\"k\":{\"k\":{\"k\":{\"k\":{\"k\":{\"k\":{\"k"
	        "\":{\"k\":{\"k\":{\"k\":"
	        "{\"k\":{\"k\":{\"k\":{\"k\":{\"k\":{\"k\":{\"k\":{\"k\":{\"k"
	        "\":{\"k\":{\"k\":{\"k\":"
	        "{\"k\":{\"k\":{\"k\":{\"k\":{\"k\":{\"k\":{\"k\":{\"k\":{\"k"
	        "\":{\"k\":{\"k\":{\"k\":"
	        "{\"k\":{\"k\":{\"k\":{\"k\":{\"k\":{\"k\":{\"k\":{\"k\":{\"k"
	        "\":{\"k\":{\"k\":{\"k\":"
	        "{\"k\":{\"k\":{\"k\":{\"k\":{\"k\":{\"k\":{\"k\":{\"k\":{\"k"
	        "\":{\"k\":{\"k\":{\"k\":"
	        "{\"k\":{\"k\":{\"k\":{\"k\":0}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}"
	        "}}}}}}}}}}}}}}}}}}}}}}}}"
	        "}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}"),
	  "Extra data: line 1 column 602 (char 601)" },
	{ TEXT("111111111111111111111111111111111111111111111111111111111111"
	        "111111111111111111111111"
	        "111111111111111111111111111111111111111111111111111111111111"
	        "111111111111111111111111"
	        "111111111111111111111111111111111111111111111111111111111111"
	        "111111111111111111111111"
	        "111111111111111111111111111111111111111111111111111111111111"
	        "111111111111111111111111"
	        "1111111111111111111111111111111111111111111111111111111111111111"),
	  NULL },
	{ TEXT("111111111111111111111111111111111111111111111111111111111111"
	        "111111111111111111111111"
	        "111111111111111111111111111111111111111111111111111111111111"
	        "111111111111111111111111"
	        "111111111111111111111111111111111111111111111111111111111111"
	        "111111111111111111111111"
	        "111111111111111111111111111111111111111111111111111111111111"
	        "111111111111111111111111"
	        "1111111111111111111111111111111111111111111111111111111111111111."),
	  "Extra data: line 1 column 401 (char 400)" },
	{ TEXT("-000"), "Extra data: line 1 column 3 (char 2)" },
	{ TEXT("1\012\012"), NULL },
	{ TEXT("\011[\011]\011"), NULL },
	{ TEXT("[1]\015\015\012"), NULL },
	{ TEXT("\\"), "Expecting value: line 1 column 1 (char 0)" },
	{ TEXT("\"\\u00e9\" \""), "Extra data: line 1 column 10 (char 9)" },
	{ TEXT("[\"\\ud83d\\ude00\""), "Expecting ',' delimiter: line 1 column 16 (char 15)" },
	{ TEXT("[\012\012\012"), "Expecting value: line 4 column 1 (char 4)" },
	{ TEXT("{\"a\":\012\012"), "Expecting value: line 3 column 1 (char 7)" },
	{ TEXT("1                                                                      2"),
	  "Extra data: line 1 column 72 (char 71)" },
};

#undef TEXT

#endif
