#ifndef HOST_BATCH_ARRAYS_INTERNAL_H
#define HOST_BATCH_ARRAYS_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>

#include "clalign/arrays.h"
#include "dp/pair_solver.h"
#include "packs/packs.h"
#include "packs/stream.h"
#include "result/alignment.h"
#include "seq/sequence.h"

/* cla_align_arrays, in pieces: what a call has, what each of its threads has, and who does what. */

/* A chunk has so many pairs at the most, and is full with so many letters. */
#define CHUNK_PAIRS 2048
/* Fewer where there would be too few chunks for all threads, but so many at least. */
#define CHUNK_LEAST 128
/* Chunks are smaller still where some threads would get none. */
#define CHUNK_LEAST_ALONE 16
/* Pairs that are cut into chunks by a thread of their own. */
#define CUT_PAIRS (INT64_C(1) << 19)
#define CHUNKS_OF_THREAD 4
/* Beside a device that is far faster a host thread should not take long for its only chunk. */
#define CHUNKS_BESIDE_DEVICES 16
#define CHUNK_LETTERS (INT64_C(1) << 21)
/* Larger matrices are a device's, if there is one: in lanes a pair may have nothing like it beside it. */
#define LANES_CELLS_MOST 0x1p28
/* The status of a pair that is to be aligned by itself. */
#define ALONE UINT8_MAX
/* Bytes of directions that a thread may take; what needs more is aligned by itself. */
#define THREAD_PATH_BYTES (INT64_C(64) << 20)
/* Directions take half of budgets.memory_bytes at the most. */
#define BUDGET_SHARE 2

/* What a device has found of a pair, on the better strand. */
typedef struct scored_pair {
  int64_t score;
  int32_t end_row, end_column; /* end_row is negative where the device does not take the pair */
  cla_strand strand;
} scored_pair;

/* Pairs that one thread solves together. */
typedef struct arrays_chunk {
  int64_t first, past;
  int64_t letters;
  double cells;        /* of whole matrices, on one strand */
  scored_pair *scored; /* a device's scores, for a host thread to finish; owned; NULL: no device has scored
                          the chunk */
  struct arrays_partner *by; /* the device that scored the chunk */
  cla_packed_run *runs;      /* all paths' runs, in the pairs' order; owned */
  struct arrays_chunk *back; /* the next one of those that came back from devices */
} arrays_chunk;

/* What was seen of some work. */
typedef struct seen_work {
  double seconds, cells; /* a thread's seconds, and cells of whole matrices */
} seen_work;

/* Who takes which chunk. */
typedef struct arrays_deal {
  pthread_mutex_t lock; /* guards all fields below, and the chunks' fields for devices */
  int64_t next;         /* the first chunk that nobody has taken */
  double cells_left;    /* cells of the chunks that nobody has taken */
  arrays_chunk *back;   /* chunks that devices gave back, for host threads */
  pthread_cond_t handle_ended;
  seen_work solved;   /* chunks that host threads solved alone */
  seen_work finished; /* chunks that host threads finished for devices */
} arrays_deal;

/* How chunks are shared out, by hand, for tests; zero: as is best. */
typedef struct arrays_rules {
  int64_t chunk_pairs;  /* the most of a chunk */
  int64_t row_letters;  /* the most of a sequence in a row of a search */
  bool devices_first;   /* host threads take no chunk that a device may still take */
  bool device_ends;     /* a device that fails ends the call with its error */
  atomic_llong *scored; /* out: pairs whose scores are a device's; NULL: not wanted */
} arrays_rules;

typedef struct arrays_call {
  const cla_pair_arrays *pairs;
  cla_pair_results *results;
  cla_device *device;
  arrays_rules rules;
  int threads; /* of the host */
  arrays_deal deal;
  struct arrays_partner *partners; /* devices that take chunks */
  int partner_count, handles_at_work;
  bool devices_ended;
  cla_align_options options; /* with the scheme of the alphabet */
  const letter_set *letters;
  letter_set room;
  score_table plain, table; /* scores of unambiguous letters alone, and of all letters */
  path_scheme plain_scheme, scheme;
  uint32_t matches[32];
  uint32_t unknown; /* codes that the scheme has no scores for */
  arrays_chunk *chunks;
  int64_t *run_counts; /* how many runs each pair has; NULL without paths */
  int64_t chunk_count, chunk_capacity;
  bool paths, scores_alone; /* scores_alone: no paths, and no ends */
  int64_t path_bytes;       /* a thread may take so many for directions */
  atomic_llong cells, failed;
  atomic_int status; /* CLA_OK, or why the call ends */
  cla_error *error;  /* the caller's, for the thread that sets the status first */
} arrays_call;

/* Codes that are made from text, and for the other strand. */
typedef struct arrays_codes {
  uint8_t *made; /* owned */
  int64_t room, count;
} arrays_codes;

/* What one thread has. */
typedef struct arrays_worker {
  arrays_call *c;
  int index; /* 0: the caller's thread */
  pair_solver *plain, *any;
  solver_pairs pairs;
  const uint8_t **sides[2];
  int32_t *numbers; /* the seven arrays of 32 bits in `pairs` */
  int64_t *longs;   /* score and runs */
  int64_t *places;  /* the call's index of each pair of the solver */
  arrays_codes codes;
  bool *solved;
  cla_packed_run *runs; /* all runs of the chunk, as they are found */
  int64_t run_room, run_count;
  int64_t *run_begins; /* the place in `runs` where each pair's begin */
} arrays_worker;

/* What was found of a pair, in coordinates of the forward strands. */
typedef struct found_pair {
  int64_t score, start[2], end[2];
  cla_strand strand;
} found_pair;

/* Threads of a GPU: while it computes for one, others write and read letters and scores. */
#define HANDLES_OF_GPU 3

/* A thread that has a device score chunks, and its handle of the device. */
typedef struct arrays_handle {
  struct arrays_partner *partner;
  cla_device *device;
  pthread_t thread;
  bool started;
  double guess;        /* seconds of a cell */
  double cell_seconds; /* as measured, beside the device's other threads */
  bool measured;       /* cell_seconds is known, and the thread still takes chunks */
} arrays_handle;

/* A device that takes chunks. */
typedef struct arrays_partner {
  arrays_call *c;
  cla_device *device;
  pack_way way;
  int64_t row_letters;                   /* the most of a sequence that searches there take; 0: none */
  atomic_bool lost;                      /* the device has failed, or computes wrongly */
  cla_error why;                         /* what made the device lost */
  arrays_handle handles[HANDLES_OF_GPU]; /* the first one's is the caller's */
  int handle_count;
  stream_loan *targets; /* a search's targets on the device, for all threads; NULL: none */
} arrays_partner;

static inline int64_t sequence_of(const cla_pair_arrays *pairs, int side, int64_t pair) {
  return pairs->of[side] ? pairs->of[side][pair] : pair;
}

static inline cla_strand strand_of(const arrays_call *c, int64_t pair) {
  return c->pairs->strand ? (cla_strand)c->pairs->strand[pair] : c->options.strand;
}

static inline int64_t pair_letters(const cla_pair_arrays *pairs, int side, int64_t pair) {
  const int64_t *offset = pairs->offsets[side] + sequence_of(pairs, side, pair);
  return offset[1] - offset[0];
}

/* Whether a device is to align the pair though lanes can. */
static inline bool arrays_for_device(const arrays_call *c, int64_t pair) {
  const double rows = (double)pair_letters(c->pairs, 0, pair),
               columns = (double)pair_letters(c->pairs, 1, pair);
  return (c->device || c->options.callbacks.device) && rows * columns > LANES_CELLS_MOST;
}

/* cla_align_arrays with rules. */
cla_status arrays_align(cla_pair_results *results, const cla_pair_arrays *pairs, cla_device *device,
                        const cla_align_options *options, const arrays_rules *rules, cla_error *error);

/* Checks options and arrays, and sets the scheme, its tables, and which pairs of letters are matches.
 * CLA_ERROR_OPTION, CLA_ERROR_INPUT. */
cla_status arrays_settle(arrays_call *c, cla_error *error);

/* Notes a result whose coordinates are on found->strand. Without paths its starts are not known. */
void arrays_put_on_strand(const arrays_call *c, int64_t pair, found_pair found);

/* Adds a path's runs, for which there is room, with its pairs cut into matches and others. */
void arrays_add_path(arrays_worker *w, const gapped_path *path);

/* Room for the runs of one more path of the chunk. CLA_ERROR_MEMORY. */
cla_status arrays_grow_runs(arrays_worker *w, int64_t more, cla_error *error);

/* Takes the runs of a path, of `all` that the solver has found for the pair at that place. CLA_ERROR_MEMORY.
 */
cla_status arrays_take_runs(arrays_worker *w, const arrays_chunk *of, int64_t pair, const uint32_t *all,
                            int64_t place, cla_error *error);

/* Asks the caller, on its own thread, whether to go on. */
bool arrays_go_on(arrays_call *c);

/* Asks the caller whether to go on, and ends the call if not. */
void arrays_ask(arrays_call *c);

/* Aligns one pair by itself; without a worker until it is done. */
cla_status arrays_align_alone(cla_alignment **out, arrays_call *c, arrays_worker *w, int64_t pair,
                              cla_error *error);

/* Aligns by itself a pair of the chunk that lanes cannot take, and notes its result or its error. Errors of
 * the call: CLA_ERROR_MEMORY, CLA_ERROR_INTERRUPTED. */
cla_status arrays_solve_alone(arrays_worker *w, const arrays_chunk *of, int64_t pair, cla_error *error);

/* What a thread needs. CLA_ERROR_MEMORY. */
cla_status arrays_begin_worker(arrays_worker *w, arrays_call *c, cla_error *error);
void arrays_end_worker(arrays_worker *w);

/* Room for all codes that are made of a chunk, or of several behind each other; there are none then.
 * CLA_ERROR_MEMORY. */
cla_status arrays_codes_room(arrays_codes *all, const arrays_call *c, const arrays_chunk *of,
                             cla_error *error);

/* The codes of a pair, for which there is room. False for a pair that is to be aligned by itself: it has no
 * letters, too many, or some that are none. */
bool arrays_pair_codes(const uint8_t *sides[2], arrays_codes *all, const arrays_call *c, int64_t pair);

/* Gives the worker's solver one pair more. Returns all bits of its codes: at least as many as ambiguous
 * letters have, if there is one. */
uint8_t arrays_add_pair(arrays_worker *w, int64_t pair, const uint8_t *const sides[2]);

/* The other strand of a query, for which there is room. */
const uint8_t *arrays_turned(arrays_codes *all, const uint8_t *query, int64_t letters);

/* The chunk has no runs yet. */
void arrays_begin_runs(arrays_worker *w, const arrays_chunk *of);

/* Aligns the pairs of a chunk. */
cla_status arrays_solve_chunk(arrays_worker *w, arrays_chunk *of, cla_error *error);

/* Makes the results of a chunk of what a device has found, with paths, and verifies them: without paths a
 * sample. If they are wrong, the device is left out and the chunk solved. */
cla_status arrays_finish_chunk(arrays_worker *w, arrays_chunk *of, cla_error *error);

/* Aligns the chunk's pairs that have the status ALONE, one by one, which ends a chunk. Errors as
 * arrays_solve_alone. */
cla_status arrays_solve_rest(arrays_worker *w, arrays_chunk *of, cla_error *error);

/* The next chunk for a thread of the host, counted from 0. NULL: it has no more to do, unless devices give
 * some back. */
arrays_chunk *arrays_deal_chunk(arrays_call *c, int thread);

/* A host thread is done with a chunk that it solved or, for a device, finished. */
void arrays_deal_done(arrays_call *c, const seen_work *work, bool solved);

/* The next chunks for a device, all behind each other; 0: it shall end. Without `take` they stay where they
 * are. */
int64_t arrays_deal_many(arrays_chunk **first, const arrays_handle *handle, bool take);

/* Notes how long chunks took. */
void arrays_deal_measure(arrays_handle *handle, const seen_work *work);

/* A device gives chunks back: scored, or with `why` because it fails. */
void arrays_deal_back(arrays_partner *partner, arrays_chunk *first, int64_t count, const cla_error *why);

/* Whether chunks are left. */
bool arrays_deal_any(arrays_call *c);

/* A device fails or computes wrongly, and is left out. */
void arrays_lose(arrays_partner *partner, const cla_error *why);

/* Starts a thread for each of the options' partners. CLA_ERROR_MEMORY. */
cla_status arrays_start_devices(arrays_call *c, cla_error *error);

/* Waits until all threads of devices have ended; may be called again. */
void arrays_join_devices(arrays_call *c);

/* cla_pair_arrays_prepare, of a call that is settled and cut. */
cla_status arrays_prepare(arrays_call *c, cla_error *error);

#endif
