/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limen/module.hpp - the one header a module in C++17 includes.
 *
 * Rows of options and descriptors are written as in C; their fields must stand in the order
 * of the struct.  A method is a member function of the instance, or a function:
 *
 *	struct cap {
 *		int64_t max;
 *		limen_verdict check(const limen_request *req, limen_reply *reply) const;
 *	};
 *	LIMEN_LIMIT("cap", .instance_size = sizeof(cap), .options = cap_options,
 *	            .check = limen::method<&cap::check>);
 *
 * The core makes an instance as zeroed memory: it has no constructor and no destructor, and
 * what has one is behind a pointer, made by 'open' and deleted by 'close'.
 */
#ifndef LIMEN_MODULE_HPP
#define LIMEN_MODULE_HPP

#include <exception>
#include <type_traits>

#include <limen/module.h>

namespace limen {

/* Private: complete only if the field of an option has the C type of its row. */
template <typename Wanted, typename Field> struct option_field;
template <typename Same> struct option_field<Same, Same> { };

namespace detail {

inline void tell(limen_reply *reply, const char *text) { limen_reply_reason(reply, "%s", text); }
inline void
tell(limen_diag *diag, const char *text)
{
	limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, limen_value_none(), "%s", text);
}
template <typename Other> void tell(const Other &, const char *) { }

/* What a method returns that threw: LIMEN_ERROR, false, LIMEN_EINVAL. */
template <typename Result, typename... Args>
Result
failed([[maybe_unused]] const char *text, Args... args)
{
	(tell(args, text), ...);
	if constexpr (std::is_same_v<Result, int>)
		return LIMEN_EINVAL;
	else
		return Result();
}

template <typename Result, typename Call, typename... Args>
Result
guarded(Call call, Args... args) noexcept
{
	try {
		return call(args...);
	} catch (const std::exception &e) {
		return failed<Result>(e.what(), args...);
	} catch (...) {
		return failed<Result>("unknown exception", args...);
	}
}

template <typename Self, auto Method, typename Result, typename... Args>
Result
call_member(Self *self, Args... args) noexcept
{
	static_assert(std::is_standard_layout_v<Self> && std::is_trivial_v<std::remove_const_t<Self>>,
	              "an instance is zeroed memory: what has a constructor is behind a pointer");
	return guarded<Result>([self](Args... a) { return (self->*Method)(a...); }, args...);
}

template <typename Type, Type Method> struct bound;

template <class Self, typename Result, typename... Args, Result (Self::*Method)(Args...) const>
struct bound<Result (Self::*)(Args...) const, Method> {
	static Result
	call(const void *self, Args... args) noexcept
	{
		return call_member<const Self, Method, Result>(static_cast<const Self *>(self), args...);
	}
};

template <class Self, typename Result, typename... Args, Result (Self::*Method)(Args...)>
struct bound<Result (Self::*)(Args...), Method> {
	static Result
	call(void *self, Args... args) noexcept
	{
		return call_member<Self, Method, Result>(static_cast<Self *>(self), args...);
	}
};

template <typename Result, typename... Args, Result (*Function)(Args...)>
struct bound<Result (*)(Args...), Function> {
	static Result
	call(Args... args) noexcept
	{
		return guarded<Result>(Function, args...);
	}
};

/* With noexcept, as without. */
template <class Self, typename Result, typename... Args, Result (Self::*Method)(Args...) const noexcept>
struct bound<Result (Self::*)(Args...) const noexcept, Method>
	: bound<Result (Self::*)(Args...) const, Method> { };
template <class Self, typename Result, typename... Args, Result (Self::*Method)(Args...) noexcept>
struct bound<Result (Self::*)(Args...) noexcept, Method> : bound<Result (Self::*)(Args...), Method> { };
template <typename Result, typename... Args, Result (*Function)(Args...) noexcept>
struct bound<Result (*)(Args...) noexcept, Function> : bound<Result (*)(Args...), Function> { };

} // namespace detail

/*
 * A member function or a function as a method of a descriptor.  An exception becomes
 * LIMEN_ERROR with what() as its reason, or a problem of the load with that text.
 */
template <auto Method> inline constexpr auto method = &detail::bound<decltype(Method), Method>::call;

} // namespace limen

#endif
