// The kernels of internal/simd in C, for comparison; run builds and times them.
// They print lines as Go's benchmarks do.
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

// Products and first layer of a head. By intrinsics where gcc finds no vectors
// by itself: the sums of four products of uint8 and int8.
static inline void first_layer(int32_t *restrict sums, const i16 *restrict us, const i16 *restrict them, int n,
                               uint8_t *restrict products, const int8_t *restrict w, const int32_t *restrict bias) {
	const i16 *side[2] = {us, them};
	for (int s = 0; s < 2; s++)
		for (int i = 0; i < n / 2; i++) {
			i16 a = side[s][i], b = side[s][n / 2 + i];
			a = a < 0 ? 0 : a > 255 ? 255 : a;
			b = b < 0 ? 0 : b > 255 ? 255 : b;
			products[s * (n / 2) + i] = (uint16_t)(a * b) >> 9;
		}
	__m256i lo = _mm256_loadu_si256((const __m256i *)bias), hi = _mm256_loadu_si256((const __m256i *)(bias + 8));
	const __m256i one = _mm256_set1_epi16(1), zero = _mm256_setzero_si256();
	for (int i = 0; i < n;) {
		uint64_t blocks = 0;
		int count = 0;
		for (; count < 64 && i + 4 * count < n; count += 8) {
			__m256i p = _mm256_loadu_si256((const __m256i *)(products + i + 4 * count));
			uint64_t some = 255 & ~_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(p, zero)));
			blocks |= some << count;
		}
		for (; blocks; blocks &= blocks - 1) {
			int b = __builtin_ctzll(blocks), four;
			memcpy(&four, products + i + 4 * b, 4);
			const __m256i *row = (const __m256i *)(w + 16 * (i + 4 * b)), p = _mm256_set1_epi32(four);
			lo = _mm256_add_epi32(lo, _mm256_madd_epi16(_mm256_maddubs_epi16(p, _mm256_loadu_si256(row)), one));
			hi = _mm256_add_epi32(hi, _mm256_madd_epi16(_mm256_maddubs_epi16(p, _mm256_loadu_si256(row + 1)), one));
		}
		i += 4 * count;
	}
	_mm256_storeu_si256((__m256i *)sums, lo);
	_mm256_storeu_si256((__m256i *)(sums + 8), hi);
}

// Activations, second layer and output of a head, by intrinsics where two inputs
// at a time are multiplied with their weights.
static inline int64_t second_layer(const int32_t *restrict sums, const i16 *restrict w, const int32_t *restrict bias,
                                   const i16 *restrict output) {
	i16 c[32];
	for (int j = 0; j < 16; j++) {
		int32_t s = sums[j] < -8128 ? -8128 : sums[j] > 8128 ? 8128 : sums[j];
		c[j] = s < 0 ? 0 : s;
		c[16 + j] = s * s >> 13;
	}
	__m256i second[4];
	for (int k = 0; k < 4; k++)
		second[k] = _mm256_loadu_si256((const __m256i *)(bias + 8 * k));
	for (int j = 0; j < 16; j++) {
		int two;
		memcpy(&two, c + 2 * j, 4);
		__m256i p = _mm256_set1_epi32(two);
		for (int k = 0; k < 4; k++) {
			__m256i row = _mm256_loadu_si256((const __m256i *)(w + 64 * j + 16 * k));
			second[k] = _mm256_add_epi32(second[k], _mm256_madd_epi16(p, row));
		}
	}
	int32_t t[32];
	memcpy(t, second, sizeof t);
	int64_t sum = 0;
	for (int k = 0; k < 32; k++) {
		int32_t x = t[k] < 0 ? 0 : t[k] > 8128 * 512 ? 8128 * 512 : t[k];
		sum += (int64_t)(x >> 9) * output[k];
	}
	return sum;
}

KERNEL int64_t head(const i16 *us, const i16 *them, int n, uint8_t *products, const int8_t *first,
                    const int32_t *first_bias, const i16 *second, const int32_t *second_bias, const i16 *output) {
	int32_t sums[16];
	first_layer(sums, us, them, n, products, first, first_bias);
	return second_layer(sums, second, second_bias, output);
}

// Attacks of both sides, four directions in a vector.
typedef uint64_t u64;
typedef u64 v4 __attribute__((vector_size(32)));

typedef struct {
	u64 knights, queens, bishops, rooks, king_diagonals, king_lines, forks;
} attack_sets;

static const u64 no_a = 0xfefefefefefefefe, no_h = 0x7f7f7f7f7f7f7f7f, no_ab = 0xfcfcfcfcfcfcfcfc, no_gh = 0x3f3f3f3f3f3f3f3f;

static inline v4 slide(v4 from, v4 left, v4 right, v4 empty) {
	const v4 step = {7, 9, 1, 8};
	v4 l = from, r = from, pl = empty & left, pr = empty & right;
	for (int i = 0; i < 3; i++) {
		l |= pl & (l << (step << i)), pl &= pl << (step << i);
		r |= pr & (r >> (step << i)), pr &= pr >> (step << i);
	}
	return (l << step & left) | (r >> step & right);
}

KERNEL void attacks(attack_sets dst[2], const u64 types[6], const u64 colors[2]) {
	const v4 left = {no_h, no_a, no_a, -1}, right = {no_a, no_h, no_h, -1};
	const v4 jump = {6, 10, 15, 17}, jump_left = {no_gh, no_ab, no_h, no_a}, jump_right = {no_ab, no_gh, no_a, no_h};
	u64 e = ~(colors[0] | colors[1]);
	v4 empty = {e, e, e, e};
	for (int c = 0; c < 2; c++) {
		u64 n = types[1] & colors[c], b = types[2] & colors[c], r = types[3] & colors[c], q = types[4] & colors[c],
		    k = types[5] & colors[c], t = r | q | k;
		v4 br = slide((v4){b, b, r, r}, left, right, empty), qs = slide((v4){q, q, q, q}, left, right, empty),
		   ks = slide((v4){k, k, k, k}, left, right, empty), ns = {n, n, n, n}, ts = {t, t, t, t};
		ns = (ns << jump & jump_left) | (ns >> jump & jump_right);
		v4 tl = ts << jump & jump_left, tr = ts >> jump & jump_right, once = tl | tr, twice = tl & tr;
		u64 seen = 0, forks = 0;
		for (int i = 0; i < 4; i++)
			forks |= twice[i] | (seen & once[i]), seen |= once[i];
		dst[c] = (attack_sets){ns[0] | ns[1] | ns[2] | ns[3], qs[0] | qs[1] | qs[2] | qs[3], br[0] | br[1], br[2] | br[3],
		                       ks[0] | ks[1], ks[2] | ks[3], forks};
	}
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

// sparse chooses neurons as sparse in internal/simd does.
static void sparse(i16 *v, int n) {
	int on = 0;
	for (int i = 0; i < n; i++) {
		if (i % 4 == 0)
			on = rand() % 4 > 0;
		v[i] = on && rand() % 2 ? rand() % 400 : -(rand() % 200);
	}
}

// Times a head with blocks of products above zero: about 40 %, all and none.
static void time_head(int n) {
	i16 *v = aligned_alloc(64, 2 * (size_t)n * sizeof *v), output[32], second[1024];
	uint8_t *products = aligned_alloc(64, n);
	int8_t *first = aligned_alloc(64, 16 * (size_t)n);
	int32_t bias[32];
	for (int i = 0; i < 16 * n; i++)
		first[i] = rand() % 255 - 127;
	for (int i = 0; i < 1024; i++)
		second[i] = rand() % 4095 - 2047;
	for (int i = 0; i < 32; i++)
		bias[i] = rand() % 20000 - 10000, output[i] = rand() % 32767 - 16383;
	volatile int64_t result;
	sparse(v, 2 * n);
	TIME("Head", result = head(v, v + n, n, products, first, bias, second, bias, output));
	for (int i = 0; i < 2 * n; i++)
		v[i] = 100 + rand() % 200;
	TIME("HeadDense", result = head(v, v + n, n, products, first, bias, second, bias, output));
	for (int i = 0; i < 2 * n; i++)
		v[i] = -(rand() % 200);
	TIME("HeadEmpty", result = head(v, v + n, n, products, first, bias, second, bias, output));
	(void)result;
	free(v), free(products), free(first);
}

// Times the attacks of r2q1rk1/pp2bppp/2n1bn2/3p4/3N4/2N1B3/PPP1BPPP/R2Q1RK1.
static void time_attacks(void) {
	const int n = 64;
	const u64 types[6] = {0x00e300080000e700, 0x0000240008040000, 0x0010100000101000, 0x2100000000000021, 0x0800000000000008, 0x4000000000000040},
	          colors[2] = {0x000000000814f769, 0x69f3340800000000};
	attack_sets sets[2];
	TIME("Attacks", attacks(sets, types, colors));
}

// Times all widths, or the one given.
int main(int argc, char **argv) {
	static const int widths[] = {16, 64, 128, 256, 512, 768, 1024};
	time_attacks();
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
		if (n % 64 == 0)
			time_head(n);
		(void)result;
		free(m);
	}
}
