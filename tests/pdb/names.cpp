// SPDX-License-Identifier: Apache-2.0

// Names of all sorts, for what compilers make of them.

typedef decltype(sizeof(0)) size;
typedef decltype(nullptr) null_type;

void *operator new(size);
void operator delete(void *, size) noexcept;

namespace outer
{
namespace inner
{

enum class color : short { red };
enum plain { one, two };
union both {
	int i;
	float f;
};

template <typename T, typename U = T> struct pair {
	T first;
	U second;
	pair(T a, U b) : first(a), second(b)
	{
	}
	~pair()
	{
	}
	template <typename V> pair(V value) : first(), second()
	{
	}
	template <typename V> V as() const
	{
		return V();
	}
	operator T() const
	{
		return first;
	}
	operator const U *() const
	{
		return &second;
	}
	pair &operator=(const pair &other)
	{
		first = other.first;
		return *this;
	}
};

template <typename... T> struct list {
	static int count(T...)
	{
		return sizeof...(T);
	}
};

template <int N, bool B = (N > 0)> struct number {
	static int value;
	int at(int (&items)[3])
	{
		return items[N % 3];
	}
};
template <int N, bool B> int number<N, B>::value = N;

struct base {
	virtual ~base();
	virtual int run(int) const;
	virtual void stop() volatile
	{
	}
	int data;
	static int shared;
	int method(int x)
	{
		return x;
	}
	void on_lvalue() &
	{
	}
	void on_rvalue() &&
	{
	}
	void none() noexcept
	{
	}

      protected:
	static void quiet(base *)
	{
	}
	virtual int guarded()
	{
		return 1;
	}

      private:
	int secret(const char *) const volatile
	{
		return 0;
	}
	static int own;

      public:
	int call()
	{
		quiet(this);
		guarded();
		own++;
		return secret("");
	}
};
base::~base()
{
}
int base::run(int x) const
{
	return x;
}
int base::shared = 1;
int base::own = 2;

struct second {
	virtual ~second()
	{
	}
	virtual long go()
	{
		return 1;
	}
};
struct derived : base, second {
	derived()
	{
	}
	int run(int x) const override
	{
		return x + 1;
	}
	long go() override
	{
		return 2;
	}
	~derived() override
	{
	}
};
struct left : virtual base {
	int l;
	virtual void lefts()
	{
	}
};
struct right : virtual base {
	int r;
	virtual void rights()
	{
	}
	int run(int x) const override
	{
		return x;
	}
};
struct diamond : left, right {
	int run(int x) const override
	{
		return x;
	}
	~diamond() override
	{
	}
};

struct vec {
	int v;
#define BINARY(op)                          \
	vec operator op(const vec &o) const \
	{                                   \
		return o;                   \
	}
	BINARY(+) BINARY(-) BINARY(*) BINARY(/) BINARY(%) BINARY(&) BINARY(|) BINARY(^)
	BINARY(<<) BINARY(>>) BINARY(<) BINARY(>) BINARY(<=) BINARY(>=) BINARY(==) BINARY(!=)
	BINARY(&&) BINARY(||) BINARY(->*)
#define ASSIGN(op)                    \
	vec &operator op(const vec &) \
	{                             \
		return *this;         \
	}
	ASSIGN(+=) ASSIGN(-=) ASSIGN(*=) ASSIGN(/=) ASSIGN(%=) ASSIGN(&=) ASSIGN(|=) ASSIGN(^=)
	ASSIGN(<<=) ASSIGN(>>=)
	vec operator,(int)
	{
		return *this;
	}
	vec operator!()
	{
		return *this;
	}
	vec operator~()
	{
		return *this;
	}
	vec &operator++()
	{
		return *this;
	}
	vec operator++(int)
	{
		return *this;
	}
	vec &operator--()
	{
		return *this;
	}
	vec operator--(int)
	{
		return *this;
	}
	vec *operator->()
	{
		return this;
	}
	vec &operator*()
	{
		return *this;
	}
	vec *operator&()
	{
		return this;
	}
	int operator[](int i)
	{
		return i;
	}
	int operator()(int a, char b)
	{
		return a + b;
	}
	explicit operator bool() const
	{
		return v;
	}
	static void *operator new(size n)
	{
		return ::operator new(n);
	}
	static void *operator new[](size n)
	{
		return ::operator new(n);
	}
	static void operator delete(void *)
	{
	}
	static void operator delete[](void *)
	{
	}
};
long double operator""_m(long double x)
{
	return x;
}

} // namespace inner
} // namespace outer

using namespace outer::inner;

namespace
{
struct hidden {
	hidden()
	{
	}
	~hidden()
	{
	}
	int get(hidden *, hidden &)
	{
		return 7;
	}
};
int in_file(hidden *a, hidden *b)
{
	return a == b;
}
hidden global_hidden;
} // namespace

int plain_int = 1;
const int *const pointer_to_const = &plain_int;
int *volatile pointer_volatile;
int matrix[3][4];
int (*function_pointer)(int, const char *, ...);
int base::*member_pointer = &base::data;
int (base::*method_pointer)(int) const = &base::run;
const volatile int both_qualified = 3;
char16_t utf16;
char32_t utf32;
wchar_t wide;
bool boolean;
null_type null_value;
__int64 sixty_four;
unsigned __int64 unsigned_sixty_four;
extern "C" int plain_c(int x)
{
	return x;
}
pair<int, pair<char, outer::inner::color>> nested_pair(1, {'a', color::red});
derived global_derived;

void all_types(char, signed char, unsigned char, short, unsigned short, int, unsigned, long,
	       unsigned long, __int64, unsigned __int64, float, double, long double, bool, wchar_t,
	       char16_t, char32_t)
{
}
void pointers(int *, const int *, volatile int *, const volatile int *, int *const *, int **,
	      const char *const *const)
{
}
void references(int &, const int &, int &&, base &, const base &, volatile base &&)
{
}
void tags(base, base *, color, plain, both, both &, base *, color *, plain)
{
}
void arrays(int (&)[3], int (*)[4][5], const char (&)[6], int[7])
{
}
void callbacks(int (*)(int), void (*)(base *, void (*)(int)), int (&)(char), int (*(*)(int))(char))
{
}
void members(int base::*, int (base::*)(int), int (base::*)(int) const, void (base::*)() &,
	     pair<int> pair<char>::*)
{
}
void packs(list<>, list<int>, list<int, char, base>, pair<list<int>, list<pair<int>>>)
{
}
void numbers(number<0>, number<5>, number<-3>, number<1000, false>, number<2147483647>)
{
}
void repeated(base *, base *, pair<int> *, pair<int> *, const base *, const base *, pair<base *>,
	      pair<base *>)
{
}
void many(const char *, const wchar_t *, base &, derived &, left *, right *, diamond *, second *,
	  both *, vec *, vec *, both *, const char *, hidden *)
{
}
void variadic(const char *, ...)
{
}
void __stdcall with_stdcall(int)
{
}
void __fastcall with_fastcall(int)
{
}
void __vectorcall with_vectorcall(int, int)
{
}
int *returns_pointer()
{
	return nullptr;
}
const base &returns_reference()
{
	return global_derived;
}
int (*returns_function())(char)
{
	return nullptr;
}
int (*returns_array())[5]
{
	return nullptr;
}
const base returns_const()
{
	return global_derived;
}
color returns_enum()
{
	return color::red;
}
auto returns_auto()
{
	return 1;
}
decltype(auto) returns_decltype()
{
	return 1;
}
void is_noexcept(void (*)() noexcept) noexcept
{
}
void restricts(int *__restrict, char *__restrict *)
{
}
void takes_null(null_type, const null_type *)
{
}

template <typename T> T identity(T x)
{
	return x;
}
template <typename T, T V> T constant()
{
	return V;
}
template <int (*F)(int)> int through(int x)
{
	return F(x);
}
template <int *P> int pointed()
{
	return *P;
}
template <int &R> int referred()
{
	return R;
}
template <int base::*M> int of_member(base &b)
{
	return b.*M;
}
template <int (base::*M)(int)> int of_method(base &b)
{
	return (b.*M)(1);
}
template <template <typename...> class C> int of_template(C<int>)
{
	return 1;
}
template <typename... T> int count(T &&...)
{
	return sizeof...(T);
}
template <typename T> struct static_inside {
	static int &get()
	{
		static int value = plain_int;
		return value;
	}
};
template <typename T> T variable_template = T();

inline int &function_static(int x)
{
	static int value = x;
	static hidden object;
	{
		static int value = x + 1;
		if (x)
			return value;
	}
	return value;
}

inline auto make_lambda(int x)
{
	struct local {
		int y;
		int get()
		{
			return y;
		}
	};
	local one = {x};
	return [one](int z) mutable { return one.get() + z; };
}

int main(int argc, char **argv)
{
	auto lambda = [argc](auto x) { return x + argc; };
	auto plain_lambda = [](int x) -> int { return x; };
	int (*converted)(int) = plain_lambda;
	vec v, w;
	v = v + w - w * v / w % v & w | v ^ w;
	v = v << w >> w;
	v = (v < w), (v > w), (v <= w), (v >= w), (v == w), (v != w), (v && w), (v || w);
	v = v->*w;
	v += w, v -= w, v *= w, v /= w, v %= w, v &= w, v |= w, v ^= w, v <<= w, v >>= w;
	v = (v.operator,(1)), !v, ~v, ++v, v++, --v, v--;
	v->v = (*v).v + v[1] + v(1, 'a') + (bool)v;
	vec *made = new vec, *some = new vec[3];
	delete made;
	delete[] some;
	vec *address = &v;
	base b;
	diamond d;
	int array[3] = {1, 2, 3};
	pair<int> p(1, 2), q(1.5);
	p = q;
	p.as<double>();
	int sum = (int)p + *(const int *)p + number<5>().at(array) + number<5>::value +
		  number<-3>::value;
	sum += identity(1) + identity(base()).data + identity<const char *>("x")[0] +
	       constant<int, 5>() + constant<int, -5>() + constant<bool, true>() +
	       (int)constant<color, color::red>() + through<plain_c>(1) + pointed<&plain_int>() +
	       referred<plain_int>() + of_member<&base::data>(b) + of_method<&base::method>(b) +
	       of_template(list<int>()) + count(1, 'a', b) + count() + count(p, lambda) +
	       static_inside<int>::get() + static_inside<pair<int>>::get() +
	       variable_template<int> + (int)sizeof(variable_template<list<int>>) +
	       function_static(1) + make_lambda(1)(2) + lambda(1) + lambda('a') + converted(1);
	b.on_lvalue(), base().on_rvalue(), b.none(), b.call(), d.stop();
	sum += in_file(&global_hidden, nullptr) + global_hidden.get(nullptr, global_hidden);
	sum += list<int, char>::count(1, 'a') + list<>::count();
	sum += (int)1.0_m;
	return sum + "text"[argc] + L"wide \"text\""[argc] +
	       "tab\tand\\more, of a long text that is cut off"[argc];
}
