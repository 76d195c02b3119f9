// SPDX-License-Identifier: Apache-2.0

// cap - docs/examples/cap/cap.c in Go.  module.c beside it has the descriptor and the options.
//
//	go build -buildmode=c-shared -o limit/cap.so .
package main

/*
#cgo pkg-config: limen
#include <stdlib.h>
#include "cap.h"
*/
import "C"

import (
	"fmt"
	"unsafe"
)

// The core fills a struct cap before it calls, on any thread.  A panic must not leave the function.
//
//export capCheck
func capCheck(self unsafe.Pointer, req *C.limen_request, reply *C.limen_reply) (verdict C.limen_verdict) {
	limit := (*C.struct_cap)(self)
	defer func() {
		if problem := recover(); problem != nil {
			verdict = C.LIMEN_ERROR
			reason(reply, fmt.Sprint(problem))
		}
	}()
	found := C.limen_request_find(req, limit.path)
	if !C.limen_value_exists(found) {
		return C.LIMEN_SKIP
	}
	var value C.int64_t
	if !C.limen_value_int(found, &value) {
		return C.LIMEN_ERROR
	}
	if value <= limit.max {
		return C.LIMEN_PASS
	}
	reason(reply, fmt.Sprintf("%d exceeds the cap of %d", value, limit.max))
	return C.LIMEN_FAIL
}

// Go cannot call limen_reply_reason(), whose arguments vary.
func reason(reply *C.limen_reply, text string) {
	copied := C.CString(text)
	C.cap_reason(reply, copied)
	C.free(unsafe.Pointer(copied))
}

func main() {}
