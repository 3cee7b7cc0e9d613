#ifndef HOST_BASE_LOOPS_H
#define HOST_BASE_LOOPS_H

/* Attributes and pragmas for inner loops. */

/* To be put before a loop whose iterations are independent, if the compiler cannot see that they are. */
#if defined(__clang__)
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define INDEPENDENT _Pragma("GCC ivdep")
#else
#define INDEPENDENT
#endif

/* To be put before a loop with a small constant number of iterations, so that the compiler unrolls the loop.
 */
#if defined(__clang__)
#define UNROLLED _Pragma("unroll")
#elif defined(__GNUC__)
#define UNROLLED _Pragma("GCC unroll 8")
#else
#define UNROLLED
#endif

/* The smaller and the larger of two values of one type. Arguments are evaluated twice. */
#define LEAST(a, b) ((a) < (b) ? (a) : (b))
#define LARGEST(a, b) ((a) > (b) ? (a) : (b))

/* 1 if functions are also compiled for the wider vectors of x86, and chosen at run time.
 * -DCLALIGN_BASELINE=ON sets 0. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(CLALIGN_BASELINE)
#define X86_VECTORS 1
#else
#define X86_VECTORS 0
#endif

/* For a function that is compiled separately for each set of constant arguments. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Attributes of functions that are compiled for vectors of 64 bytes and of 32 bytes. */
#ifdef __clang__
#define WIDEST_VECTORS __attribute__((target("avx512bw,avx512vl")))
#define WIDE_VECTORS __attribute__((target("avx2")))
#else /* GCC would use 32 bytes without prefer-vector-width */
#define WIDEST_VECTORS __attribute__((target("avx512bw,avx512vl,prefer-vector-width=512"), optimize("O3")))
#define WIDE_VECTORS __attribute__((target("avx2"), optimize("O3")))
#endif

/* Returns the size of the processor's widest vectors, in bytes. */
static inline int vector_bytes(void) {
#if X86_VECTORS
  return __builtin_cpu_supports("avx512bw") ? 64 : __builtin_cpu_supports("avx2") ? 32 : 16;
#else
  return 16;
#endif
}

/* Defines the function `name`, whose body is the ALWAYS_INLINE function `by`, compiled once for each width of
 * vectors. */
#if X86_VECTORS
#define BY_PROCESSOR(linkage, type, name, by, parameters, arguments) \
  WIDEST_VECTORS static type name##_of_64 parameters {               \
    return by arguments;                                             \
  }                                                                  \
  WIDE_VECTORS static type name##_of_32 parameters {                 \
    return by arguments;                                             \
  }                                                                  \
  linkage type name parameters {                                     \
    const int vectors_ = vector_bytes();                             \
    if (vectors_ == 64) return name##_of_64 arguments;               \
    return vectors_ == 32 ? name##_of_32 arguments : by arguments;   \
  }
#else
#define BY_PROCESSOR(linkage, type, name, by, parameters, arguments) \
  linkage type name parameters {                                     \
    return by arguments;                                             \
  }
#endif

#endif
