// SPDX-License-Identifier: Apache-2.0
// Functions of all shapes for pe_arm64.py; nobody runs them.

typedef __builtin_va_list list;

int _fltused;
volatile int sink;
int other(int a);
double mixed(double a, double b);
void consume(void *memory);

#define KEPT(n)   a = other(a + n)
#define NO_INLINE __attribute__((noinline))

NO_INLINE int leaf(int a)
{
	return a * 3 + sink;
}
NO_INLINE int leaf_with_stack(int a)
{
	volatile char room[48];
	room[a & 31] = (char)a;
	return room[a & 15];
}
NO_INLINE int calls_one(int a)
{
	return other(a) + 1;
}
NO_INLINE int tail(int a)
{
	return other(a + sink);
}
NO_INLINE int early(int a)
{
	if (a < 3)
		return a;
	int b = other(a);
	if (b < 7)
		return b + other(b);
	return other(a + b) + other(b);
}
NO_INLINE int many(int a, int b, int c, int d, int e, int f, int g, int h)
{
	int x = other(a), y = other(b), z = other(c);
	return x + y * other(d) + z * other(e) + a * other(f) + b * other(g) +
	       c * d * e * f * g * h + other(h) * x * y * z;
}
NO_INLINE int page(int a)
{
	volatile char room[3000];
	room[a] = (char)a;
	return other(room[a + 1]) + a;
}
NO_INLINE int page_and_more(int a)
{
	volatile char room[6000];
	room[a] = (char)a;
	return other(room[a + 1]) + a;
}
NO_INLINE int big(int a)
{
	volatile char room[100000];
	room[a] = (char)a;
	return other(room[a + 1]) + a;
}
NO_INLINE int varargs(int a, ...)
{
	list rest;
	__builtin_va_start(rest, a);
	int sum = 0;
	for (int i = 0; i < a; i++)
		sum += other(__builtin_va_arg(rest, int));
	__builtin_va_end(rest);
	return sum;
}
NO_INLINE int dynamic(int a)
{
	char *memory = __builtin_alloca((unsigned int)a);
	consume(memory);
	int b = other(a);
	char *more = __builtin_alloca((unsigned int)b);
	consume(more);
	return other(b) + a;
}
NO_INLINE double floats(double a, double b, double c, double d)
{
	double x = mixed(a, b), y = mixed(b, c), z = mixed(c, d), w = mixed(d, a);
	return x * y + z * w + a * b + c * d + mixed(x, y) * z * w + mixed(z, w);
}
NO_INLINE double both(double a, double b, int c)
{
	double x = mixed(a, b);
	int y = other(c);
	return x * y + mixed(b, a) * other(y) + a * b * c;
}
NO_INLINE int aligned(int a)
{
	volatile char room[64] __attribute__((aligned(64)));
	room[a] = (char)a;
	consume((void *)room);
	return room[a] + other(a);
}
NO_INLINE int aligned_and_dynamic(int a)
{
	volatile char room[64] __attribute__((aligned(64)));
	char *memory = __builtin_alloca((unsigned int)a);
	consume(memory);
	consume((void *)room);
	return room[a] + other(a);
}
NO_INLINE int switched(int a)
{
	switch (a) {
	case 1:
		return other(a) + 4;
	case 2:
		return other(a + 1) * 5;
	case 3:
		return other(a * 3) - 6;
	case 4:
		return other(a - 3) * other(7);
	case 5:
		return other(a - 9) * other(8);
	default:
		return a;
	}
}
NO_INLINE void ends_nowhere(int a)
{
	other(a);
	__builtin_trap();
}
NO_INLINE int guarded(int a)
{
	int result = 0;
#ifdef WITHOUT_HANDLERS // clang 19 cannot do them for Arm64EC
	result = other(a);
#else
	__try {
		result = other(a);
	} __finally {
		result += leaf(result);
	}
#endif
	return result + other(result);
}
int __C_specific_handler(void)
{
	return 0;
}

NO_INLINE int other(int a)
{
	return a + sink;
}
NO_INLINE double mixed(double a, double b)
{
	return a * b + sink;
}
NO_INLINE void consume(void *memory)
{
	*(volatile char *)memory = 1;
}

int entry(void)
{
	return calls_one(1) + tail(2) + early(3) + many(1, 2, 3, 4, 5, 6, 7, 8) + page(1) +
	       page_and_more(2) + big(3) + varargs(3, 1, 2, 3) + dynamic(4) +
	       (int)floats(1, 2, 3, 4) + (int)both(1, 2, 3) + aligned(1) + aligned_and_dynamic(3) +
	       switched(3) + guarded(1) + leaf_with_stack(3) + (ends_nowhere(1), 0);
}
