// The kernels of internal/simd in C, for comparison; run builds and times them.
// They print lines as Go's benchmarks do.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef int16_t i16;
#define KERNEL __attribute__((noinline, noclone)) static

KERNEL void add_sub(i16 *restrict dst, const i16 *restrict src, const i16 *restrict add, const i16 *restrict sub, int n) {
	for (int i = 0; i < n; i++)
		dst[i] = src[i] + add[i] - sub[i];
}

KERNEL void add_sub_pair(i16 *restrict dst, const i16 *restrict src, const i16 *restrict addA, const i16 *restrict subA,
                         const i16 *restrict addB, const i16 *restrict subB, int n) {
	for (int i = 0; i < n; i++)
		dst[i] = src[i] + addA[i] - subA[i];
	for (int i = 0; i < n; i++)
		dst[n + i] = src[n + i] + addB[i] - subB[i];
}

KERNEL void add_sub_sub_pair(i16 *restrict dst, const i16 *restrict src, const i16 *restrict addA, const i16 *restrict sub1A, const i16 *restrict sub2A,
                             const i16 *restrict addB, const i16 *restrict sub1B, const i16 *restrict sub2B, int n) {
	for (int i = 0; i < n; i++)
		dst[i] = src[i] + addA[i] - sub1A[i] - sub2A[i];
	for (int i = 0; i < n; i++)
		dst[n + i] = src[n + i] + addB[i] - sub1B[i] - sub2B[i];
}

KERNEL void add_rows(i16 *restrict dst, int n, const i16 *restrict table, const int32_t *restrict add, int rows) {
	for (int r = 0; r < rows; r++) {
		const i16 *row = table + add[r];
		for (int i = 0; i < n; i++)
			dst[i] += row[i];
		__asm__ volatile("" ::: "memory"); // or gcc exchanges the loops, and gathers
	}
}

static inline int32_t half(const i16 *restrict v, const i16 *restrict w, int n, i16 limit) {
	int32_t sum = 0;
	for (int i = 0; i < n; i++) {
		i16 x = v[i] < 0 ? 0 : v[i];
		x = x > limit ? limit : x;
		i16 y = x * w[i];
		sum += (int32_t)y * x;
	}
	return sum;
}

KERNEL int32_t screlu_dot(const i16 *restrict a, const i16 *restrict b, const i16 *restrict w, int n, i16 limit) {
	return half(a, w, n, limit) + half(b, w + n, n, limit);
}

static double now(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

// A fifth of a second of each; the barrier keeps calls with equal arguments.
#define TIME(name, call)                                                              \
	do {                                                                              \
		long calls = 1 << 14;                                                         \
		for (;; calls *= 2) {                                                         \
			double start = now();                                                     \
			for (long k = 0; k < calls; k++) {                                        \
				call;                                                                 \
				__asm__ volatile("" ::: "memory");                                    \
			}                                                                         \
			double time = now() - start;                                              \
			if (time > 2e8) {                                                         \
				printf("Benchmark%s/%d/gcc %ld %.2f ns/op\n", name, n, calls, time / calls); \
				break;                                                                \
			}                                                                         \
		}                                                                             \
	} while (0)

// Times all widths, or the one given.
int main(int argc, char **argv) {
	static const int widths[] = {16, 64, 128, 256, 512, 768, 1024};
	for (unsigned k = 0; k < sizeof widths / sizeof *widths; k++) {
		int n = widths[k];
		if (argc > 1 && atoi(argv[1]) != n)
			continue;
		i16 *m = aligned_alloc(64, 128 * (size_t)n * sizeof *m);
		for (int i = 0; i < 128 * n; i++)
			m[i] = rand() % 520 - 130;
		i16 *w = m + 8 * n, *table = m + 16 * n;
		for (int i = 0; i < 2 * n; i++)
			w[i] = rand() % 255 - 127;
		int32_t add[24];
		for (int i = 0; i < 24; i++)
			add[i] = rand() % 64 * n;
		volatile int32_t result;
		TIME("SCReLUDot", result = screlu_dot(m, m + n, w, n, 255));
		TIME("AddSub", add_sub(m, m + 2 * n, m + 4 * n, m + 5 * n, n));
		TIME("AddSubPair", add_sub_pair(m, m + 2 * n, m + 4 * n, m + 5 * n, m + 6 * n, m + 7 * n, n));
		TIME("AddSubSubPair", add_sub_sub_pair(m, m + 2 * n, m + 4 * n, m + 5 * n, m + 6 * n, m + 7 * n, m + 10 * n, m + 11 * n, n));
		TIME("AddSubRows", add_rows(m, n, table, add, 24));
		(void)result;
		free(m);
	}
}
