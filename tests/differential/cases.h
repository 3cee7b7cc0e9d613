#ifndef TESTS_DIFFERENTIAL_CASES_H
#define TESTS_DIFFERENTIAL_CASES_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/batch.h"
#include "kernels/kernel.h"
#include "seq/random_stream.h"

/* What a case asks of clalign. Everything is kept in words, such as "one above the optimum", so that a case
 * stays meaningful when its sequences are cut. */

#define CASE_PAIRS_MOST 64

/* What is counted, a column of the closing table each. */
typedef enum case_category {
  CATEGORY_SHAPE,
  CATEGORY_MODE,
  CATEGORY_GAPS,
  CATEGORY_SCORES,
  CATEGORY_BOUND,
  CATEGORY_BOUNDS,
  CATEGORY_LEAST,
  CATEGORY_KERNEL,
  CATEGORY_ENTRY,
  CATEGORY_ASKED,
  CATEGORY_RANKS,
  CATEGORY_FORMAT,
  CATEGORY_PRESET,
  CATEGORY_COUNT
} case_category;

/* The word that is counted, and that --only takes. */
extern const char *const category_names[CATEGORY_COUNT];

typedef enum bound_word {
  BOUND_OFF,
  BOUND_AUTO,
  BOUND_OPTIMUM,
  BOUND_BELOW,
  BOUND_ABOVE,
  BOUND_PATH,
  BOUND_WORDS
} bound_word;

/* What a potential serves, as --set bounds takes it. */
typedef enum bounds_word { BOUNDS_AUTO, BOUNDS_BAND, BOUNDS_SWEEP, BOUNDS_WORDS } bounds_word;

typedef enum least_word { LEAST_NONE, LEAST_OPTIMUM, LEAST_BELOW, LEAST_ABOVE, LEAST_WORDS } least_word;

typedef enum case_entry {
  ENTRY_ALIGN,
  ENTRY_SMALL_PLAN, /* tests/support/small_plans.h: many small blocks */
  ENTRY_PARTNERS,
  ENTRY_BATCH,
  ENTRY_PROGRAM,
  ENTRY_PROGRAM_BATCH,
  ENTRY_RANKS, /* several ranks in this process, against the oracle and one rank's bytes */
  ENTRY_RANKS_BATCH,
  ENTRY_MPI, /* the program on ranks of mpirun against the program alone: the same bytes */
  ENTRY_MPI_BATCH,
  ENTRIES
} case_entry;

typedef struct case_pair {
  char *query, *target; /* letters, zero-terminated; owned */
  int64_t rows, columns;
} case_pair;

typedef struct drawn_case {
  uint64_t seed;
  int64_t index;
  int family; /* number of the family */
  case_pair pairs[CASE_PAIRS_MOST];
  int pair_count; /* 1 unless the entry is a batch */
  const char *shape, *scheme;
  cla_alphabet alphabet;
  cla_scoring scoring;
  cla_mode mode;
  int free_ends;
  cla_strand strand;
  cla_circular circular;
  bool has_band;
  int64_t band;
  int64_t most; /* alignments */
  bool split;   /* pieces of the best one, cut where the score drops by more than */
  int64_t split_drop;
  bool score_only;
  cla_gap_placement placement;
  bound_word bound;
  bounds_word bounds;
  int64_t bound_by; /* BOUND_BELOW and BOUND_ABOVE: by so much */
  least_word least;
  int64_t least_by;
  const kernel_variant *variant;    /* NULL: chosen by the plan, and so with lanes of 0 and the like */
  int lanes, alpha, launch, groups; /* launch -1: chosen */
  int64_t tile;
  int64_t special_rows, memory_bytes;
  int threads;
  case_entry entry;
  int devices;   /* of partners and batches */
  bool by_lanes; /* of batches: threads of the host take short pairs */
  bool as_finished, all_vs_all;
  int64_t top, pairs_ahead; /* of batches */
  int ranks;                /* 1 to RANKS_MOST, of entries with ranks */
  bool small_alone;         /* by mpirun: pairs are shared by their size, as users have it, and not all */
  const char *format;       /* by mpirun; static */
  const char *preset;       /* in place of the scores, by mpirun; static, or NULL */
} drawn_case;

#define RANKS_MOST 5

/* Whether the entry takes several pairs, and whether it is the program's. */
bool case_is_batch(const drawn_case *one);
bool case_is_of_program(const drawn_case *one);
bool case_is_by_mpirun(const drawn_case *one);

/* The kernels, gap costs, look-ups and ends for which a run has builds. */
typedef struct build_family {
  const kernel_variant *variant; /* NULL: chosen by the plan */
  int lanes, alpha;
  kernel_config chosen; /* what the variant has without settings, which must hold the scores, too */
  kernel_gaps gaps;
  bool lookup;
  int ends;                            /* a group of modes that share builds (modes.c) */
  bool blocks, several, circle, batch; /* what needs builds of its own */
} build_family;

/* What a run draws from. */
typedef struct case_source {
  uint64_t seed;
  build_family *families; /* owned */
  int family_count;
  bool may_run_program, may_run_ranks; /* there is a program, and one for mpirun */
  const cla_device_info *device;
} case_source;

/* Draws `count` families from the seed; `kernel` NULL: any. Aborts when out of memory. */
void case_source_make(case_source *source, uint64_t seed, int count, const char *kernel,
                      const cla_device_info *device);
void case_source_free(case_source *source);

/* The case of that number: a function of the source and the number. End with case_free. */
void case_draw(drawn_case *one, const case_source *source, int64_t index);
void case_free(drawn_case *one);

/* A copy with letters of its own. */
void case_copy(drawn_case *out, const drawn_case *one);

/* What the case counts as in a category; static, or in `buffer`. */
#define CASE_WORD_SIZE 64
const char *case_word(const drawn_case *one, case_category category, char buffer[CASE_WORD_SIZE]);

/* The library's options for the case, but for bounds and devices; `settings` holds the kernel's. */
#define CASE_SETTINGS_SIZE 128
void case_options(cla_align_options *options, const drawn_case *one, char settings[CASE_SETTINGS_SIZE]);

/* Helpers of the files that draw. */
int64_t draw_between(random_stream *stream, int64_t least, int64_t most);
bool draw_chance(random_stream *stream, int in); /* true once in so many */

#endif
