// SPDX-License-Identifier: Apache-2.0

// Compiled for Windows without its headers and libraries: functions of all sorts, and calls that
// are inlined into calls that are inlined.

typedef unsigned long long u64;

// What the compiler calls without being told to.
extern "C" {
int _fltused = 0;
void *memset(void *to, int value, u64 size)
{
	for (volatile char *at = (char *)to; size; size--)
		*at++ = (char)value;
	return to;
}
int _purecall(void)
{
	return 0;
}
void __cxa_pure_virtual(void)
{
}
}

namespace shapes
{

template <typename T> struct vec {
	T x, y;
	inline __attribute__((always_inline)) T dot(const vec &other) const
	{
		return x * other.x + y * other.y;
	}
};

inline __attribute__((always_inline)) u64 mix(u64 hash, u64 value)
{
	hash ^= value;
	hash *= 0x9E3779B97F4A7C15ull;
	return hash ^ (hash >> 29);
}

inline __attribute__((always_inline)) u64 mix_twice(u64 hash, u64 value)
{
	hash = mix(hash, value);
	if (hash & 1)
		hash = mix(hash, value + 1);
	return hash;
}

struct shape {
	virtual ~shape()
	{
	}
	virtual u64 area() const = 0;
	static void operator delete(void *)
	{
	}
};

struct square : shape {
	u64 side;
	explicit square(u64 of) : side(of)
	{
	}
	u64 area() const override
	{
		return side * side;
	}
};

enum class color { red, green };

__attribute__((noinline)) u64 sum(const vec<u64> *items, u64 count)
{
	u64 total = 0;
	for (u64 i = 0; i < count; i++)
		total += items[i].dot(items[0]);
	return total;
}

__attribute__((noinline)) static u64 pick(color which, u64 (*call)(u64))
{
	switch (which) {
	case color::red:
		return call(1);
	case color::green:
		return call(2) + mix_twice(call(3), 7);
	}
	return 0;
}

template <typename T, int N> __attribute__((noinline)) T times(T value)
{
	T result = value;
	for (int i = 0; i < N; i++)
		result = mix_twice(result, value);
	return result;
}

} // namespace shapes

namespace
{
__attribute__((noinline)) u64 hidden(u64 x)
{
	return shapes::times<u64, 3>(x) + shapes::times<unsigned, 5>((unsigned)x);
}
} // namespace

#ifndef EXPORT
#define EXPORT __declspec(dllexport)
#endif

extern "C" EXPORT u64 whole(u64 x)
{
	shapes::vec<u64> items[4] = {{x, 1}, {2, x}, {x, x}, {3, 4}};
	shapes::square square(x);
	volatile shapes::shape *any = &square;
	u64 result = shapes::sum(items, 4);
	result += ((shapes::shape *)any)->area();
	result += shapes::pick(x & 1 ? shapes::color::red : shapes::color::green, hidden);
	result += shapes::pick(shapes::color::green, [](u64 y) { return y * 3 + 1; });
	return shapes::mix_twice(result, x);
}

EXPORT u64 never_called(u64 x, const char *text, double d)
{
	return x + (u64)text[0] + (u64)d;
}

extern "C" int entry(void *, unsigned, void *)
{
	return (int)whole(1);
}
