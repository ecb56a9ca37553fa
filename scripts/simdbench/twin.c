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

// Threats of both sides. Attacks are of four directions in a vector, then vectors have a set of each color.
typedef uint64_t u64;
typedef u64 v4 __attribute__((vector_size(32)));
typedef u64 v2 __attribute__((vector_size(16)));

typedef struct {
	v2 pawns, minors, rooks, all, twice;
	u64 hanging, by_lesser;
	v2 dangers;
} threat_sets;

static const u64 no_a = 0xfefefefefefefefe, no_h = 0x7f7f7f7f7f7f7f7f, no_ab = 0xfcfcfcfcfcfcfcfc, no_gh = 0x3f3f3f3f3f3f3f3f;

static inline void slide(v4 from, v4 left, v4 right, v4 empty, v4 to[2]) {
	const v4 step = {7, 9, 1, 8};
	v4 l = from, r = from, pl = empty & left, pr = empty & right;
	for (int i = 0; i < 3; i++) {
		l |= pl & (l << (step << i)), pl &= pl << (step << i);
		r |= pr & (r >> (step << i)), pr &= pr >> (step << i);
	}
	to[0] = l << step & left, to[1] = r >> step & right;
}

static inline v4 steps(u64 x, v4 shift, v4 left, v4 right) {
	v4 from = {x, x, x, x};
	return (from << shift & left) | (from >> shift & right);
}

static inline u64 any_of(v4 x) { return x[0] | x[1] | x[2] | x[3]; }

// several returns the squares in two or more lanes of both vectors.
static inline u64 several(v4 left, v4 right) {
	v4 once = left | right, twice = left & right;
	u64 seen = 0, two = 0;
	for (int i = 0; i < 4; i++)
		two |= twice[i] | (seen & once[i]), seen |= once[i];
	return two;
}

static inline v2 both(u64 x) { return (v2){x, x}; }
static inline v2 swap(v2 x) { return (v2){x[1], x[0]}; }
static inline v2 flip(v2 x) { return (v2){x[0], __builtin_bswap64(x[1])}; }
static inline v2 empty_bit(v2 x, int k) { return (v2)(x == both(0)) & both(1ull << k); }

KERNEL void threats(threat_sets *dst, const u64 types[6], const u64 colors[2], u64 castling) {
	const v4 left = {no_h, no_a, no_a, -1}, right = {no_a, no_h, no_h, -1};
	const v4 step = {7, 9, 1, 8}, jump = {6, 10, 15, 17}, jump_left = {no_gh, no_ab, no_h, no_a}, jump_right = {no_ab, no_gh, no_a, no_h};
	u64 occupied = colors[0] | colors[1];
	v4 empty = {~occupied, ~occupied, ~occupied, ~occupied};
	v4 sliders[2][2], kings[2][2];
	v2 knights, bishops, rooks, queen_diagonals, queen_lines, king_diagonals, king_lines, forks, pins;
	v2 beside, king_jumps, queen_jumps;
	for (int c = 0; c < 2; c++) {
		u64 n = types[1] & colors[c], b = types[2] & colors[c], r = types[3] & colors[c], q = types[4] & colors[c],
		    k = types[5] & colors[c], t = r | q | k;
		v4 br[2], qs[2], ts = {t, t, t, t};
		slide((v4){b, b, r, r}, left, right, empty, br);
		slide((v4){q, q, q, q}, left, right, empty, qs);
		slide((v4){k, k, k, k}, left, right, empty, kings[c]);
		sliders[c][0] = br[0] | qs[0], sliders[c][1] = br[1] | qs[1];
		v4 x = br[0] | br[1], y = qs[0] | qs[1], z = kings[c][0] | kings[c][1];
		bishops[c] = x[0] | x[1], rooks[c] = x[2] | x[3];
		queen_diagonals[c] = y[0] | y[1], queen_lines[c] = y[2] | y[3];
		king_diagonals[c] = z[0] | z[1], king_lines[c] = z[2] | z[3];
		beside[c] = any_of(steps(k, step, left, right));
		knights[c] = any_of(steps(n, jump, jump_left, jump_right));
		king_jumps[c] = any_of(steps(k, jump, jump_left, jump_right));
		queen_jumps[c] = any_of(steps(q, jump, jump_left, jump_right));
		forks[c] = several(ts << jump & jump_left, ts >> jump & jump_right);
	}
	for (int c = 0; c < 2; c++) {
		v4 x = (kings[c][0] & sliders[1 - c][1]) | (kings[c][1] & sliders[1 - c][0]);
		pins[c] = any_of(x);
	}

	v2 us = {colors[0], colors[1]}, them = swap(us), pawn = both(types[0]), minor = both(types[1] | types[2]), king = both(types[5]);
	v2 own = flip(us & pawn), l = (own & no_a) << 7, r = (own & no_h) << 9, p = flip(l | r), twice = flip(l & r), any = p;
	twice |= any & knights, any |= knights;
	twice |= any & bishops, any |= bishops;
	v2 by_minors = any;
	twice |= any & rooks, any |= rooks;
	v2 by_rooks = any, queens = queen_diagonals | queen_lines;
	twice |= any & queens, any |= queens;
	v2 pieces = any;
	twice |= any & beside, any |= beside;
	v2 their_all = swap(any), their_twice = swap(twice), their_rooks = swap(by_rooks), their_pawns = swap(p);
	dst->pawns = p, dst->minors = by_minors, dst->rooks = by_rooks, dst->twice = twice, dst->all = any;

	v2 unsafe = (beside & ~their_twice) | pieces | them, jumps = swap(knights) & ~unsafe;
	v2 king_queens = king_diagonals | king_lines;
	v2 n = king_jumps & jumps, b = king_diagonals & swap(bishops) & ~unsafe, o = king_lines & swap(rooks) & ~unsafe,
	   q = king_queens & swap(queens) & ~unsafe;
	v2 sum = empty_bit(forks & jumps, 6) | empty_bit(n, 0) | empty_bit(b, 1) | empty_bit(o, 2) | empty_bit(q, 3) |
	         empty_bit(q & beside, 4) | empty_bit(o & beside, 5);
	v2 flights = beside & ~us & ~their_all;
	sum |= empty_bit((v2)((flights & (flights - 1)) == both(0)) & (n | b | o | q), 17);

	v2 lesser = us & ((minor & their_pawns) | (both(types[3]) & swap(by_minors)) | (both(types[4]) & their_rooks));
	v2 hanging = us & their_all & ~any & ~lesser & ~king;
	dst->hanging = hanging[0] | hanging[1], dst->by_lesser = lesser[0] | lesser[1];
	v2 over = their_twice & ~twice, attacked = over & any & us & ~(hanging | lesser) & ~king;
	sum |= empty_bit(attacked & pawn, 15) | empty_bit(attacked & ~pawn, 14) | empty_bit(pins & minor & them, 12) |
	       empty_bit(pins & us & ~pawn & (over | their_rooks), 13);
	v2 guarded = (any & ~their_twice) | them | by_minors;
	sum |= empty_bit(queen_lines & swap(rooks) & ~guarded & ~rooks, 9) | empty_bit(both(castling) & us, 21) |
	       empty_bit(((queen_diagonals & swap(bishops)) | (queen_jumps & swap(knights))) & ~guarded, 8);

	v2 blocked = flip(us | them), stop = flip(us | them | their_all), bad = flip((their_all & ~any) | their_pawns);
	v2 to = own << 8 & ~blocked;
	to = (to | ((to & 0xff0000) << 8 & ~blocked)) & ~bad;
	v2 targets = flip(them & ~pawn), run = (own & 0x00ffffff00000000) << 8 & ~stop;
	run |= run << 8 & ~stop, run |= run << 8 & ~stop;
	v2 pushes = empty_bit(to & ((targets & no_h) >> 7) & ((targets & no_a) >> 9), 7) | empty_bit(run & 0xff00000000000000, 18) |
	            empty_bit((((to & no_a) << 7) | ((to & no_h) << 9)) & flip(them & minor & ~p), 16);
	v2 target = (us & ~any & ~pawn) | (us & king), seen;
	for (int c = 0; c < 2; c++) {
		v4 x[2];
		slide((v4){target[c], target[c], target[c], target[c]}, left, right, empty, x);
		seen[c] = several(x[0], x[1]);
	}
	sum |= empty_bit(seen & swap(queens) & ~any & ~them, 10);
	dst->dangers = (sum | swap(pushes)) ^ both(0x27f7ff);
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

// Times the threats of r2q1rk1/pp2bppp/2n1bn2/3p4/3N4/2N1B3/PPP1BPPP/R2Q1RK1.
static void time_threats(void) {
	const int n = 64;
	const u64 types[6] = {0x00e300080000e700, 0x0000240008040000, 0x0010100000101000, 0x2100000000000021, 0x0800000000000008, 0x4000000000000040},
	          colors[2] = {0x000000000814f769, 0x69f3340800000000};
	threat_sets sets;
	TIME("Threats", threats(&sets, types, colors, 0));
}

// Times all widths, or the one given.
int main(int argc, char **argv) {
	static const int widths[] = {16, 64, 128, 256, 320, 512, 768, 1024};
	time_threats();
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
		TIME("AddSubPair", add_sub_pair(m, m + 2 * n, m + 4 * n, m + 5 * n, m + 6 * n, m + 7 * n, n));
		TIME("AddSubSubPair", add_sub_sub_pair(m, m + 2 * n, m + 4 * n, m + 5 * n, m + 6 * n, m + 7 * n, m + 10 * n, m + 11 * n, n));
		TIME("AddSubRows", add_rows(m, n, table, add, 24));
		if (n % 64 == 0)
			time_head(n);
		(void)result;
		free(m);
	}
}
