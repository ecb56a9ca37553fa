// The trainer's maths in C with plain loops, for comparison; run builds and
// times it. One king bucket, one output.
//
//	twin DATA.bin WIDTH THREADS POSITIONS
//
// It prints the last training loss and positions a second.
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FEATURES = 768, BATCH = 16384, RECORD = 32, MAX_THREADS = 64 };
static int W, threads;
static size_t size; // of the parameters: bias, table, output weights, output bias
static float *parameters, *first, *second, *gradients[MAX_THREADS], *accumulators[MAX_THREADS];
static double losses[MAX_THREADS];
static const uint8_t *records;
static int step;

static int decode(const uint8_t *b, int32_t rows[2][32], float *target) {
	uint64_t occupied;
	memcpy(&occupied, b, 8);
	int men = 0, king[2] = {0, 0}, code[32], square[32];
	for (; occupied; occupied &= occupied - 1, men++) {
		square[men] = __builtin_ctzll(occupied);
		int c = b[8 + men / 2] >> (men % 2 * 4) & 15;
		if ((c & 7) == 6)
			c = (c & 8) | 3;
		if ((c & 7) == 5)
			king[c >> 3] = square[men];
		code[men] = c;
	}
	int us = b[24] >> 7;
	for (int i = 0; i < 2; i++) {
		int side = us ^ i, flip = side * 56 ^ (king[side] & 4 ? 7 : 0);
		for (int j = 0; j < men; j++)
			rows[i][j] = ((((code[j] >> 3 ^ side) * 6 + (code[j] & 7)) << 6) | (square[j] ^ flip)) * W;
	}
	int16_t score;
	memcpy(&score, b + 28, 2);
	*target = 1 / (1 + exp(-(us ? -score : score) / 400.0));
	return men;
}

static void learn(const uint8_t *b, float *g, float *v, double *loss) {
	int32_t rows[2][32];
	float target;
	int men = decode(b, rows, &target);
	const float *bias = parameters, *table = bias + W, *out = table + (size_t)FEATURES * W;
	float *gbias = g, *gtable = gbias + W, *gout = gtable + (size_t)FEATURES * W;
	for (int side = 0; side < 2; side++) {
		float *restrict a = v + side * W;
		memcpy(a, bias, W * sizeof *a);
		for (int j = 0; j < men; j++) {
			const float *restrict row = table + rows[side][j];
			for (int i = 0; i < W; i++)
				a[i] += row[i];
		}
	}
	float sum = out[2 * W];
	for (int i = 0; i < 2 * W; i++) {
		float x = v[i] < 0 ? 0 : v[i] > 1 ? 1 : v[i];
		sum += x * x * out[i];
	}
	double points = 1 / (1 + exp(-sum)), error = points - target;
	*loss += error * error;
	float d = 2 * error * points * (1 - points) / BATCH;
	gout[2 * W] += d;
	for (int i = 0; i < 2 * W; i++) {
		float x = v[i] < 0 ? 0 : v[i] > 1 ? 1 : v[i];
		gout[i] += d * x * x;
		v[i] = v[i] > 0 && v[i] < 1 ? d * out[i] * 2 * v[i] : 0;
	}
	for (int side = 0; side < 2; side++) {
		const float *restrict s = v + side * W;
		for (int i = 0; i < W; i++)
			gbias[i] += s[i];
		for (int j = 0; j < men; j++) {
			float *restrict row = gtable + rows[side][j];
			for (int i = 0; i < W; i++)
				row[i] += s[i];
		}
	}
}

static void update(size_t lo, size_t hi) {
	const float rate = 0.001f, decay = 0.01f, max = 1.97f;
	const float c1 = 1 / (1 - powf(0.9f, step)), c2 = 1 / (1 - powf(0.999f, step));
	for (int t = 1; t < threads; t++) {
		float *restrict to = gradients[0], *restrict from = gradients[t];
		for (size_t i = lo; i < hi; i++) {
			to[i] += from[i];
			from[i] = 0;
		}
	}
	float *restrict g = gradients[0], *restrict p = parameters, *restrict m = first, *restrict v = second;
	for (size_t i = lo; i < hi; i++) {
		m[i] = 0.9f * m[i] + 0.1f * g[i];
		v[i] = 0.999f * v[i] + 0.001f * g[i] * g[i];
		g[i] = 0;
		float x = p[i] - rate * (m[i] * c1 / (sqrtf(v[i] * c2) + 1e-8f) + decay * p[i]);
		p[i] = x < -max ? -max : x > max ? max : x;
	}
}

static void *learn_part(void *arg) {
	long t = (long)arg;
	losses[t] = 0;
	for (int i = BATCH * t / threads; i < BATCH * (t + 1) / threads; i++)
		learn(records + (size_t)i * RECORD, gradients[t], accumulators[t], &losses[t]);
	return NULL;
}

static void *update_part(void *arg) {
	long t = (long)arg;
	update(size / 16 * t / threads * 16, t == threads - 1 ? size : size / 16 * (t + 1) / threads * 16);
	return NULL;
}

static void parallel(void *(*f)(void *)) {
	pthread_t running[MAX_THREADS];
	for (long t = 0; t < threads; t++)
		pthread_create(&running[t], NULL, f, (void *)t);
	for (long t = 0; t < threads; t++)
		pthread_join(running[t], NULL);
}

static float *vector(size_t n) {
	void *v = aligned_alloc(64, (n * sizeof(float) + 63) / 64 * 64);
	return memset(v, 0, n * sizeof(float));
}

static double now(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

int main(int argc, char **argv) {
	FILE *f = argc == 5 ? fopen(argv[1], "rb") : NULL;
	if (!f)
		return fprintf(stderr, "usage: twin DATA.bin WIDTH THREADS POSITIONS\n"), 1;
	W = atoi(argv[2]), threads = atoi(argv[3]);
	if (threads < 1 || threads > MAX_THREADS)
		return fprintf(stderr, "%d threads: not between 1 and %d\n", threads, MAX_THREADS), 1;
	long batches = atol(argv[4]) / BATCH;
	size = W + (size_t)FEATURES * W + 2 * W + 16;
	parameters = vector(size), first = vector(size), second = vector(size);
	for (int t = 0; t < threads; t++)
		gradients[t] = vector(size), accumulators[t] = vector(2 * W);
	srand(1);
	for (size_t i = 0; i < size - 16; i++) {
		float unit = rand() / (float)RAND_MAX;
		parameters[i] = i < (size_t)W ? 0.2f * unit : (2 * unit - 1) / sqrtf(i < size - 16 - 2 * W ? FEATURES : 2 * W);
	}
	uint8_t *batch = malloc(BATCH * RECORD);
	double start = now(), loss = 0;
	for (step = 1; step <= batches; step++) {
		if (fread(batch, RECORD, BATCH, f) < BATCH) {
			rewind(f);
			if (fread(batch, RECORD, BATCH, f) < BATCH)
				return fprintf(stderr, "%s has fewer than %d positions\n", argv[1], BATCH), 1;
		}
		records = batch;
		parallel(learn_part);
		loss = 0;
		for (int t = 0; t < threads; t++)
			loss += losses[t] / BATCH;
		parallel(update_part);
	}
	double wall = now() - start, cpu = (double)clock() / CLOCKS_PER_SEC;
	printf("%d %.6f %.0f %.0f\n", W, loss, batches * BATCH / wall, batches * BATCH / cpu * threads);
	return 0;
}
