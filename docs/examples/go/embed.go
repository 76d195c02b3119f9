// SPDX-License-Identifier: Apache-2.0

// embed - tests/embed/embed.c in Go, decide about one task: embed POLICY TASK
//
//	go build -o embed embed.go
package main

/*
#cgo pkg-config: limen
#include <stdlib.h>
#include <limen/limen.h>
*/
import "C"

import (
	"fmt"
	"os"
	"unsafe"
)

func decide(engine *C.limen_engine, policy, task string, diag *C.limen_diag) (admitted bool, reason string, result C.int) {
	path, text := C.CString(policy), C.CString(task)
	defer C.free(unsafe.Pointer(path))
	defer C.free(unsafe.Pointer(text))
	req := C.limen_request_new(C.LIMEN_SUBJECT_TASK)
	defer C.limen_request_free(req)

	if result = C.limen_engine_load(engine, path, diag); result != C.LIMEN_OK {
		return
	}
	if result = C.limen_request_parse(req, text, C.size_t(len(task)), diag); result != C.LIMEN_OK {
		return
	}
	var decision *C.limen_decision
	if result = C.limen_engine_decide(engine, req, nil, &decision); result != C.LIMEN_OK {
		return
	}
	defer C.limen_decision_free(decision)
	return bool(C.limen_decision_admitted(decision)), C.GoString(C.limen_decision_reason(decision)), result
}

func main() {
	if len(os.Args) != 3 {
		os.Exit(2)
	}
	diag := C.limen_diag_new()
	engine := C.limen_engine_new(nil)
	admitted, reason, result := decide(engine, os.Args[1], os.Args[2], diag)
	C.limen_diag_write(diag, C.stderr)
	C.limen_engine_free(engine)
	C.limen_diag_free(diag)
	switch {
	case result != C.LIMEN_OK:
		os.Exit(2)
	case admitted:
		fmt.Println("admitted:", reason)
	default:
		fmt.Println("refused:", reason)
		os.Exit(1)
	}
}
