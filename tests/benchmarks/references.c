/* The loop programs in C: what a compiler makes of them. Built by programs.py when cc is there. */
#include <math.h>
#include <complex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double fib(double n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
double micro_fib(double n) { return fib(n); }

double micro_parse_int(double n) {
    double r = 0;
    for (int i = 1; i <= n; i++) {
        char text[24];
        double number = fmod(i * 7919.0, 65536), v = 0;
        sprintf(text, "%X", (unsigned)number);
        for (char *c = text; *c; c++)
            v = v * 16 + (*c >= '0' && *c <= '9' ? *c - '0' : *c - 'A' + 10);
        r += fabs(number - v) + number;
    }
    return r;
}

double micro_mandel(double n) {
    double r = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            double complex c = (-2 + 2.5 * i / (n - 1)) + (-1 + 2.0 * k / (n - 1)) * I, z = c;
            double t = 80;
            for (int p = 1; p <= 80; p++) {
                if (cabs(z) > 2) { t = p - 1; break; }
                z = z * z + c;
            }
            r += t;
        }
    return r;
}

static void sorted(double *a, int lo, int hi) {
    int i = lo, j = hi;
    while (i < hi) {
        double pivot = a[(lo + hi) / 2];
        while (i <= j) {
            while (a[i] < pivot) i++;
            while (a[j] > pivot) j--;
            if (i <= j) { double t = a[i]; a[i++] = a[j]; a[j--] = t; }
        }
        if (lo < j) sorted(a, lo, j);
        lo = i;
        j = hi;
    }
}

double micro_quicksort(double n) {
    double *a = malloc((n + 1) * sizeof *a), seed = 42, r = 0;
    for (int i = 1; i <= n; i++) {
        seed = fmod(seed * 16807, 2147483647);
        a[i] = seed / 2147483647;
    }
    sorted(a, 1, n);
    for (int i = 1; i <= n; i++) r += i * a[i];
    free(a);
    return r;
}

double micro_pi_sum(double n) {
    double r = 0;
    for (int j = 0; j < n; j++) {
        r = 0;
        for (double k = 1; k <= 10000; k++) r += 1.0 / (k * k);
    }
    return r;
}

double micro_printfd(double n) {
    FILE *f = fopen("/dev/null", "w");
    for (int i = 1; i <= n; i++) fprintf(f, "%d %d\n", i, i + 1);
    fclose(f);
    return n;
}

double loop_sieve(double limit) {
    int n = limit;
    char *prime = malloc(n + 1);
    double r = 0;
    memset(prime, 1, n + 1);
    prime[1] = 0;
    for (long i = 2; i * i <= n; i++)
        if (prime[i]) for (long k = i * i; k <= n; k += i) prime[k] = 0;
    for (int i = 1; i <= n; i++) r += prime[i];
    free(prime);
    return r;
}

double loop_nbody(double n) {
    double x[] = {0, 4.84, 8.34, 12.89, 15.38}, y[] = {0, -1.16, 4.12, -15.11, -25.92};
    double z[] = {0, -0.10, -0.40, -0.22, 0.18}, vx[] = {0, 0.61, -1.01, 1.08, 0.98};
    double vy[] = {0, 2.81, 1.82, 0.87, 0.59}, vz[] = {0, -0.02, 0.008, -0.01, -0.03};
    double m[] = {39.48, 0.0377, 0.0113, 0.0017, 0.0020}, dt = 0.01, r = 0;
    for (int step = 0; step < n; step++) {
        for (int i = 0; i < 5; i++)
            for (int j = i + 1; j < 5; j++) {
                double dx = x[i] - x[j], dy = y[i] - y[j], dz = z[i] - z[j];
                double d2 = dx * dx + dy * dy + dz * dz, mag = dt / (d2 * sqrt(d2));
                vx[i] -= dx * m[j] * mag; vy[i] -= dy * m[j] * mag; vz[i] -= dz * m[j] * mag;
                vx[j] += dx * m[i] * mag; vy[j] += dy * m[i] * mag; vz[j] += dz * m[i] * mag;
            }
        for (int i = 0; i < 5; i++) { x[i] += dt * vx[i]; y[i] += dt * vy[i]; z[i] += dt * vz[i]; }
    }
    for (int i = 0; i < 5; i++) {
        r += 0.5 * m[i] * (vx[i] * vx[i] + vy[i] * vy[i] + vz[i] * vz[i]);
        for (int j = i + 1; j < 5; j++) {
            double dx = x[i] - x[j], dy = y[i] - y[j], dz = z[i] - z[j];
            r -= m[i] * m[j] / sqrt(dx * dx + dy * dy + dz * dz);
        }
    }
    return r;
}

double loop_lu(double size) {
    int n = size;
    double *a = malloc(sizeof(double) * n * n), r = 0;
#define A(i, j) a[(i) + (long)(j) * n]
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            A(i, j) = fmod((i + 1) * 31.0 + (j + 1) * 17 + (i + 1.0) * (j + 1) * 7, 101) / 101;
        A(i, i) += 2;
    }
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++) if (fabs(A(i, k)) > fabs(A(p, k))) p = i;
        if (p != k)
            for (int j = 0; j < n; j++) { double t = A(k, j); A(k, j) = A(p, j); A(p, j) = t; }
        for (int i = k + 1; i < n; i++) {
            double f = A(i, k) / A(k, k);
            A(i, k) = f;
            for (int j = k + 1; j < n; j++) A(i, j) -= f * A(k, j);
        }
        r += log(fabs(A(k, k)));
    }
    free(a);
    return r;
}

double loop_levenshtein(double size) {
    int n = size, w = n + 1;
    double *d = malloc(sizeof(double) * w * w);
    for (int i = 0; i <= n; i++) d[i] = d[(long)i * w] = i;
    for (long j = 1; j <= n; j++)
        for (long i = 1; i <= n; i++) {
            int same = (long)fmod((double)i * i * 7, 26) == (long)fmod(j * 11.0 + 3, 26);
            double best = d[i - 1 + j * w] + 1;
            if (d[i + (j - 1) * w] + 1 < best) best = d[i + (j - 1) * w] + 1;
            if (d[i - 1 + (j - 1) * w] + !same < best) best = d[i - 1 + (j - 1) * w] + !same;
            d[i + j * w] = best;
        }
    double r = d[n + (long)n * w];
    free(d);
    return r;
}

double loop_life(double size) {
    int n = size;
    double *a = malloc(sizeof(double) * n * n), *b = malloc(sizeof(double) * n * n), r = 0;
#define AT(m, i, j) m[(i) + (long)(j) * n]
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            AT(a, i, j) = fmod((i + 1.0) * (i + 1) * 3 + (j + 1) * 7 + (i + 1.0) * (j + 1), 5) < 2;
    for (int g = 0; g < 10; g++) {
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                int up = (i - 1 + n) % n, down = (i + 1) % n;
                int left = (j - 1 + n) % n, right = (j + 1) % n;
                double s = AT(a, up, left) + AT(a, up, j) + AT(a, up, right) + AT(a, i, left)
                    + AT(a, i, right) + AT(a, down, left) + AT(a, down, j) + AT(a, down, right);
                AT(b, i, j) = s == 3 || (s == 2 && AT(a, i, j) == 1);
            }
        double *t = a; a = b; b = t;
    }
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) r += AT(a, i, j) * (i + 1 + n * (j + 1.0));
    free(a);
    free(b);
    return r;
}

double loop_floyd_steinberg(double size) {
    int n = size;
    double *g = malloc(sizeof(double) * n * n), r = 0;
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) AT(g, y, x) = ((x + 1) * 3 + (y + 1) * 5) % 256;
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            double old = AT(g, y, x), new = 255.0 * (old > 127), err = old - new;
            AT(g, y, x) = new;
            r += new * ((x + y + 2) % 7);
            if (x < n - 1) AT(g, y, x + 1) += err * 7 / 16;
            if (y < n - 1) {
                if (x > 0) AT(g, y + 1, x - 1) += err * 3 / 16;
                AT(g, y + 1, x) += err * 5 / 16;
                if (x < n - 1) AT(g, y + 1, x + 1) += err / 16;
            }
        }
    free(g);
    return r;
}

double loop_random_walk(double n) {
    double x = 0, y = 0, steps = 0;
    unsigned long long s = 88172645463325252ull;
    for (int i = 0; i < n; i++) {
        s ^= s << 13; s ^= s >> 7; s ^= s << 17;
        double u = (s >> 11) * 0x1p-53;
        if (u < 0.25) x++; else if (u < 0.5) x--; else if (u < 0.75) y++; else y--;
        steps++;
    }
    return x * x + y * y > 40 * n ? 0 : steps;
}

double loop_prime_count(double n) {
    double r = 0;
    for (double k = 2; k <= n; k++) {
        int prime = 1;
        for (double d = 2; d * d <= k; d++) if (fmod(k, d) == 0) { prime = 0; break; }
        r += prime;
    }
    return r;
}
