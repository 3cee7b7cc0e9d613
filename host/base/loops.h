#ifndef HOST_BASE_LOOPS_H
#define HOST_BASE_LOOPS_H

/* Attributes and pragmas for inner loops. */

/* Before a loop without dependence between its turns, which the compiler cannot see by itself. */
#if defined(__clang__)
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define INDEPENDENT _Pragma("GCC ivdep")
#else
#define INDEPENDENT
#endif

/* The lesser of two values of one type; either is computed twice. */
#define LEAST(a, b) ((a) < (b) ? (a) : (b))

/* Whether functions are compiled for wider vectors of x86, too, and the processor chooses;
 * -DCLALIGN_BASELINE=ON leaves them out. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(CLALIGN_BASELINE)
#define X86_VECTORS 1
#else
#define X86_VECTORS 0
#endif

/* The target of functions for the widest vectors: where __builtin_cpu_supports("avx512bw"). */
#ifdef __clang__
#define WIDEST_VECTORS "avx512bw"
#else
#define WIDEST_VECTORS "avx512bw,prefer-vector-width=512" /* GCC takes 32 bytes otherwise */
#endif

/* Marks a function that is compiled once for each set of constant arguments. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

#endif
