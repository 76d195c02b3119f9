// SPDX-License-Identifier: Apache-2.0
// cap - docs/examples/cap/cap.c in Rust, with rustc 1.63 and no crate.  On Debian:
//
//	rustc -O --edition 2021 --crate-type cdylib $(pkg-config --libs-only-L limen) -o cap.so cap.rs
//
// The structs are those of limen/module.h and limen/option.h, as far as this module uses them:
// the core reads 'size' and 'option_size' bytes of them.
use std::mem::size_of;
use std::os::raw::{c_char, c_int, c_void};
use std::panic::catch_unwind;
use std::ptr::null;

const LIMEN_ERROR: c_int = 0;
const LIMEN_PASS: c_int = 1;
const LIMEN_FAIL: c_int = 2;
const LIMEN_SKIP: c_int = 3;
const LIMEN_KIND_LIMIT: u32 = 3;
const LIMEN_OPTION_INT: u32 = 3;
const LIMEN_OPTION_PATH: u32 = 13;

#[repr(C)]
#[derive(Clone, Copy)]
struct Value {
    document: *const c_void,
    node: *const c_void,
}

#[link(name = "limen")]
extern "C" {
    fn limen_request_find(req: *const c_void, path: *const c_void) -> Value;
    fn limen_value_exists(value: Value) -> bool;
    fn limen_value_int(value: Value, out: *mut i64) -> bool;
    fn limen_reply_reason(reply: *mut c_void, format: *const c_char, ...);
}

#[repr(C)]
struct LimenOption {
    kind: u32, // limen_option_type
    offset: u32,
    rows: *const LimenOption,
    row_size: u32,
    key: *const c_char,
    required: bool,
    minimum_count: u32,
    minimum: i64,
    maximum: i64,
    pattern: *const c_char,
    fallback: *const c_char,
    choices: *const *const c_char,
    help: *const c_char,
    note: *const c_char,
    secret: bool,
    reserved: [u8; 7],
}

type Method = extern "C" fn(*const c_void, *const c_void, *mut c_void) -> c_int;

#[repr(C)]
pub struct LimitModule {
    abi_major: u32,
    abi_minor: u32,
    kind: u32,
    size: u32,
    name: *const c_char,
    option_size: u32,
    instance_size: u32,
    flags: u64,
    version: *const c_char,
    summary: *const c_char,
    options: *const LimenOption,
    init_open_close_status: [*const c_void; 4],
    reserved: [*const c_void; 4],
    check: Method,
}

// Nothing that they point to ever changes.
unsafe impl Sync for LimenOption {}
unsafe impl Sync for LimitModule {}

#[repr(C)]
struct Cap {
    path: *const c_void, // limen_path
    max: i64,
}

// Where the field "max" is; offset_of!() does it from rustc 1.77 on.
const MAX_OFFSET: u32 = size_of::<*const c_void>() as u32;

// A text of the program, which C reads to its NUL.
macro_rules! text {
    ($text:literal) => {
        concat!($text, "\0").as_ptr() as *const c_char
    };
}

const NO_OPTION: LimenOption = LimenOption {
    kind: 0,
    offset: 0,
    rows: null(),
    row_size: 0,
    key: null(),
    required: false,
    minimum_count: 0,
    minimum: 0,
    maximum: 0,
    pattern: null(),
    fallback: null(),
    choices: null(),
    help: null(),
    note: null(),
    secret: false,
    reserved: [0; 7],
};

static OPTIONS: [LimenOption; 3] = [
    LimenOption {
        kind: LIMEN_OPTION_PATH,
        offset: 0,
        key: text!("path"),
        required: true,
        help: text!("The attribute to compare, such as /test/spec/count"),
        ..NO_OPTION
    },
    LimenOption {
        kind: LIMEN_OPTION_INT,
        offset: MAX_OFFSET,
        key: text!("max"),
        required: true,
        help: text!("The largest value admitted"),
        ..NO_OPTION
    },
    NO_OPTION,
];

// The core fills a Cap before it calls.  A panic must not leave the function.
extern "C" fn check(cap: *const c_void, req: *const c_void, reply: *mut c_void) -> c_int {
    catch_unwind(|| {
        let cap = unsafe { &*(cap as *const Cap) };
        let found = unsafe { limen_request_find(req, cap.path) };
        let mut value: i64 = 0;
        if !unsafe { limen_value_exists(found) } {
            return LIMEN_SKIP;
        }
        if !unsafe { limen_value_int(found, &mut value) } {
            return LIMEN_ERROR;
        }
        if value <= cap.max {
            return LIMEN_PASS;
        }
        unsafe { limen_reply_reason(reply, text!("%lld exceeds the cap of %lld"), value, cap.max) };
        LIMEN_FAIL
    })
    .unwrap_or(LIMEN_ERROR)
}

#[no_mangle]
#[allow(non_upper_case_globals)]
pub static limen_module: LimitModule = LimitModule {
    abi_major: 1,
    abi_minor: 0,
    kind: LIMEN_KIND_LIMIT,
    size: size_of::<LimitModule>() as u32,
    name: text!("cap"),
    option_size: size_of::<LimenOption>() as u32,
    instance_size: size_of::<Cap>() as u32,
    flags: 0,
    version: text!("1.0"),
    summary: text!("Cap one integer attribute of the request, in Rust"),
    options: &OPTIONS[0],
    init_open_close_status: [null(); 4],
    reserved: [null(); 4],
    check,
};
