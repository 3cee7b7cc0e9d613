/* Finds the best rotation of a circular sequence, by branch and bound over ranges of rotations. */

#include "pipeline/pipeline_internal.h"

#include "base/error.h"
#include "base/extremes.h"
#include "base/machine.h"
#include "scoring/score_table.h"
#include "seq/sequence.h"
#include "sweep/progress.h"
#include "trace/circle_window.h"

/* Rotation `r` starts with letter `r`. The window of rotations `a` to `b` is n + b - a letters from letter
 * `a` on, so it contains each of these rotations. A local alignment, or one with the window's ends free,
 * may use any of these letters. So the window's best alignment scores at least as much as the best
 * alignment of any rotation in it. If that alignment lies within one rotation, this rotation is the best in
 * the window. */
typedef struct rotation_search {
  align_job job;                      /* job of every run, except for the sequences */
  cla_align_options options;          /* options of every run, for one strand */
  const cla_sequence *circle, *other; /* on the strand that is aligned */
  int64_t letters;                    /* letters of the circle */
  bool whole;                         /* an alignment must cover the whole circle */
  int other_free;                     /* cla_free_ends of the other sequence */
  bool known;                         /* some rotation reaches the needed score */
  int64_t score, rotation;            /* the best known rotation; at equal scores, the smallest */
  strand_rival needed;                /* the score that is needed while no rotation is known */
  cla_metrics spent;
  int runs; /* number of finished runs */
  double seconds;
  const cla_align_options *asked; /* the caller's options */
} rotation_search;

/* Reports progress. The number of runs is not known, so each run gets half of the remaining progress. */
static bool report(const cla_progress *progress, void *user) {
  const rotation_search *search = user;
  cla_progress of_all = *progress;
  double left = 1;
  for (int run = 0; run < search->runs && left > 1e-9; run++) left /= 2;
  of_all.fraction = 1 - left + left / 2 * progress->fraction;
  of_all.seconds += search->seconds;
  of_all.seconds_left = -1;
  return search->asked->callbacks.progress(&of_all, search->asked->callbacks.progress_user);
}

/* Returns the score that a rotation from `first` on must reach to matter. Of rotations with equal scores,
 * the smallest is the result. */
static strand_rival needed_from(const rotation_search *search, int64_t first) {
  if (!search->known) return search->needed;
  return (strand_rival){.given = true, .least = search->score + (first > search->rotation)};
}

/* Aligns the other sequence with the window of rotations `first` to `last`. *out is NULL if none of these
 * rotations can matter. */
static cla_status align_window(cla_alignment **out, rotation_search *search, int64_t first, int64_t last,
                               cla_error *error) {
  const bool query_is_circle = search->asked->circular == CLA_CIRCULAR_QUERY;
  cla_sequence *window = NULL;
  cla_align_options options = search->options;
  strand_rival needed = needed_from(search, first);
  *out = NULL;
  if (search->whole && first < last) {
    options.free_ends = search->other_free | (query_is_circle ? CLA_FREE_QUERY_START | CLA_FREE_QUERY_END
                                                              : CLA_FREE_TARGET_START | CLA_FREE_TARGET_END);
    options.mode = cla_free_ends_mode(options.free_ends);
    if (options.mode != CLA_MODE_FREE_ENDS) options.free_ends = 0;
  }
  cla_status status =
      sequence_circle_part(&window, search->circle, first, search->letters + last - first, error);
  if (status != CLA_OK) return status;
  align_job job = search->job;
  job.query = query_is_circle ? window : search->other;
  job.target = query_is_circle ? search->other : window;
  job.options = &options;
  job.rival = &needed;
  status = pipeline_align_strand(out, &job, error);
  if (status == CLA_OK) pipeline_add_work(&search->spent, &needed.metrics);
  search->seconds += needed.metrics.seconds;
  search->runs++;
  cla_sequence_free(window);
  return status;
}

/* Returns the rotation, counted from the window's first rotation, that contains the window's alignment; -1:
 * none. */
static int64_t rotation_of(const rotation_search *search, const cla_side *side, bool single) {
  if (single) return 0;
  const int64_t spanned = side->stop - side->start;
  if (search->whole) return spanned == search->letters ? side->start : -1;
  if (spanned > search->letters) return -1;
  return side->stop > search->letters ? side->stop - search->letters
                                      : 0; /* the first rotation that contains the whole alignment */
}

/* Maximum number of cells of all windows with free ends, as a multiple of the matrix. Similar circles need
 * fewer cells. With dissimilar circles, such windows exclude few rotations. */
#define FREE_WINDOWS_MOST 6

/* Maximum number of cells of a window that a host thread computes. */
#define HOST_WINDOW_CELLS (INT64_C(1) << 33)

/* True if the search should continue with bounds that the host computes. A bound takes as long as a whole
 * window, but few windows are needed. */
static bool goes_by_bounds(const rotation_search *search, int64_t first, int64_t last) {
  const int64_t other = sequence_range_letters(search->other);
  const int64_t most = search->options.mode == CLA_MODE_GLOBAL ? HOST_WINDOW_CELLS / other : 0;
  return search->letters + last - first <= most &&
         search->spent.cells_computed / other / FREE_WINDOWS_MOST >= search->letters;
}

typedef struct bound_run {
  strand_progress progress;
  double began, cells;
} bound_run;

static cla_status tick(void *user, int64_t cells, cla_error *error) {
  bound_run *run = user;
  const double now = machine_seconds();
  if (!progress_is_due(&run->progress, now)) return CLA_OK;
  const cla_progress progress = {.stage = "bounds of rotations",
                                 .fraction = (double)cells / run->cells,
                                 .cells_done = cells,
                                 .seconds = now - run->began,
                                 .seconds_left = -1};
  return progress_report(&run->progress, &progress, now, error);
}

static cla_status bound_window(circle_window_bound *out, rotation_search *search, int64_t first, int64_t last,
                               cla_error *error) {
  const bool query_is_circle = search->asked->circular == CLA_CIRCULAR_QUERY;
  const cla_sequence *other = search->other;
  const int64_t columns = search->letters + last - first;
  bound_run run = {.progress = {.options = &search->options},
                   .began = machine_seconds(),
                   .cells = (double)columns * (double)sequence_range_letters(other)};
  cla_sequence *letters = NULL;
  score_table table;
  cla_status status = sequence_circle_part(&letters, search->circle, first, columns, error);
  if (status != CLA_OK) return status;
  const cla_sequence *query = query_is_circle ? letters : other, *target = query_is_circle ? other : letters;
  pair_letters_table(&table, &search->options.scoring, query, target);
  const path_scheme scheme = {.scoring = &search->options.scoring, .table = &table};
  const circle_window window = {.problem = pair_problem_of(query, target, scheme),
                                .query_is_circle = query_is_circle,
                                .last = last - first,
                                .tick = tick,
                                .tick_user = &run};
  status = circle_window_compute(out, &window, error);
  const cla_stage spent = {.cells = out->cells, .seconds = machine_seconds() - run.began};
  const cla_metrics metrics = {.cells_computed = spent.cells, .seconds = spent.seconds, .bounds = spent};
  pipeline_add_work(&search->spent, &metrics);
  search->seconds += spent.seconds;
  search->runs++;
  cla_sequence_free(letters);
  return status;
}

/* Makes `rotation`, which scores at least `score`, the best known rotation if it is better than the known
 * one. */
static void take_rotation(rotation_search *search, int64_t rotation, int64_t score) {
  const strand_rival needed = needed_from(search, rotation);
  if (needed.given && score < needed.least) return;
  search->known = true;
  search->score = score;
  search->rotation = rotation;
}

/* Like explore, but with bounds that the host computes. */
static cla_status explore_bounds(rotation_search *search, int64_t first, int64_t last, cla_error *error) {
  circle_window_bound bound;
  if (first > last) return CLA_OK;
  cla_status status = bound_window(&bound, search, first, last, error);
  if (status != CLA_OK) return status;
  const strand_rival needed = needed_from(search, first);
  if (needed.given && bound.most < needed.least) return CLA_OK;
  const int64_t found = first + bound.rotation;
  if (bound.known) take_rotation(search, found, bound.score);
  if (bound.known && bound.score == bound.most) return explore_bounds(search, first, found - 1, error);
  status = explore_bounds(search, first, first + bound.split, error);
  return status == CLA_OK ? explore_bounds(search, first + bound.split + 1, last, error) : status;
}

static cla_status explore(rotation_search *search, int64_t first, int64_t last, cla_error *error);

/* Explores both halves, starting with the half that contains the rotation `likely`. */
static cla_status explore_halves(rotation_search *search, int64_t first, int64_t last, int64_t likely,
                                 cla_error *error) {
  if (first > last) return CLA_OK;
  const int64_t middle = first + (last - first) / 2;
  const bool left = likely <= middle;
  cla_status status = left ? explore(search, first, middle, error) : CLA_OK;
  if (status == CLA_OK && middle < last) status = explore(search, middle + 1, last, error);
  if (status == CLA_OK && !left) status = explore(search, first, middle, error);
  return status;
}

/* Finds the best of the rotations `first` to `last`, if any of them matters. */
static cla_status explore(rotation_search *search, int64_t first, int64_t last, cla_error *error) {
  cla_alignment *alignment = NULL;
  if (goes_by_bounds(search, first, last)) return explore_bounds(search, first, last, error);
  cla_status status = align_window(&alignment, search, first, last, error);
  if (status != CLA_OK || !alignment) return status;
  const cla_side side = search->asked->circular == CLA_CIRCULAR_QUERY ? alignment->query : alignment->target;
  const int64_t score = alignment->score, found = rotation_of(search, &side, first == last);
  cla_alignment_free(alignment);
  if (found >= 0) {
    search->known = true;
    search->score = score;
    search->rotation = first + found;
    return explore_halves(search, first, first + found - 1, first, error);
  }
  /* A rotation that starts where the path starts scores about the same, so it gives a good bound for all
   * other rotations. */
  const int64_t likely = first + (side.start < last - first ? side.start : last - first);
  if (!search->known && last - first > 1) status = explore(search, likely, likely, error);
  return status == CLA_OK ? explore_halves(search, first, last, likely, error) : status;
}

/* Aligns the rotation that was found, on the strand for which the caller asked. */
static cla_status align_rotation(cla_alignment **out, const rotation_search *search, cla_error *error) {
  const cla_align_options *asked = search->asked;
  const cla_sequence *query = search->job.query, *target = search->job.target;
  const bool query_is_circle = asked->circular == CLA_CIRCULAR_QUERY;
  const bool turned = query_is_circle && asked->strand == CLA_STRAND_REVERSE;
  const int64_t rotation = turned ? (search->letters - search->rotation) % search->letters : search->rotation;
  strand_rival least = {.given = true, .least = search->score};
  cla_sequence *rotated = NULL;
  cla_align_options options = search->options;
  options.strand = asked->strand;
  options.score_only = asked->score_only;
  options.keep_work = asked->keep_work;
  options.callbacks.explain = asked->callbacks.explain;
  cla_status status =
      sequence_circle_part(&rotated, query_is_circle ? query : target, rotation, search->letters, error);
  if (status != CLA_OK) return status;
  align_job job = search->job;
  if (query_is_circle)
    job.query = rotated;
  else
    job.target = rotated;
  job.options = &options;
  job.rival = &least;
  status = pipeline_align_strand(out, &job, error);
  cla_sequence_free(rotated);
  if (status != CLA_OK) return status;
  if (least.lost)
    return error_set(
        error, CLA_ERROR_VERIFICATION,
        "verification failed: the search of rotations gave the best one the score %lld, and its own "
        "sweep a lower one; " WRONG_VALUE_REMEDY,
        (long long)search->score);
  (*out)->query.rotation = query_is_circle ? rotation : 0;
  (*out)->target.rotation = query_is_circle ? 0 : rotation;
  cla_sequence_checksum(query, (*out)->query.checksum);
  cla_sequence_checksum(target, (*out)->target.checksum);
  pipeline_add_work(&(*out)->metrics, &search->spent);
  return cla_alignment_verify(*out, query, target, error);
}

/* True if an alignment must cover the whole circle. Sets *other_free to the free ends of the other sequence.
 */
static bool circle_is_whole(const cla_align_options *options, int *other_free) {
  const path_ends ends = path_ends_make(options->mode, options->free_ends);
  const bool query_is_circle = options->circular == CLA_CIRCULAR_QUERY;
  *other_free =
      query_is_circle
          ? (ends.target_start ? CLA_FREE_TARGET_START : 0) | (ends.target_end ? CLA_FREE_TARGET_END : 0)
          : (ends.query_start ? CLA_FREE_QUERY_START : 0) | (ends.query_end ? CLA_FREE_QUERY_END : 0);
  return !(query_is_circle ? ends.query_start : ends.target_start);
}

cla_status circular_align_strand(cla_alignment **out, const align_job *job, cla_error *error) {
  const cla_align_options *options = job->options;
  const cla_sequence *query = job->query, *target = job->target;
  strand_rival *rival = job->rival;
  *out = NULL;
  if (empty_pair(job)) return pipeline_align_strand(out, job, error);
  cla_sequence *turned = NULL;
  cla_status status = CLA_OK;
  if (options->strand == CLA_STRAND_REVERSE) status = sequence_reverse_complement(&turned, query, error);
  if (status != CLA_OK) return status;
  const cla_sequence *strand = turned ? turned : query;
  const bool query_is_circle = options->circular == CLA_CIRCULAR_QUERY;
  rotation_search search = {.job = *job,
                            .options = *options,
                            .circle = query_is_circle ? strand : target,
                            .other = query_is_circle ? target : strand,
                            .asked = options};
  search.letters = cla_sequence_length(search.circle);
  search.whole = circle_is_whole(options, &search.other_free);
  search.options.circular = CLA_CIRCULAR_NONE;
  search.options.host_cells = 0;
  search.options.strand = CLA_STRAND_FORWARD;
  search.options.score_only = false;
  search.options.keep_work = false;
  search.options.callbacks.explain = NULL;
  if (rival) search.needed = (strand_rival){.given = rival->given, .least = rival->least};
  if (options->callbacks.progress) {
    search.options.callbacks.progress = report;
    search.options.callbacks.progress_user = &search;
  }
  status = explore(&search, 0, search.letters - 1, error);
  if (status == CLA_OK && search.known) status = align_rotation(out, &search, error);
  search.spent.cells = sequence_range_letters(query) * sequence_range_letters(target);
  if (rival && status == CLA_OK && !search.known)
    rival->lost =
        true; /* only a rival can make it lose: without one, every rotation reaches the needed score */
  if (rival) rival->metrics = *out ? (*out)->metrics : search.spent;
  cla_sequence_free(turned);
  if (status == CLA_OK) return CLA_OK;
  cla_alignment_free(*out);
  *out = NULL;
  return status;
}

cla_status circular_options_check(const cla_align_options *options, cla_error *error) {
  const int circular = (int)options->circular;
  if (circular == CLA_CIRCULAR_NONE) return CLA_OK;
  if (circular != CLA_CIRCULAR_QUERY && circular != CLA_CIRCULAR_TARGET)
    return error_set(error, CLA_ERROR_OPTION, "circular sequence %d does not exist; use query or target",
                     circular);
  const path_ends ends = path_ends_make(options->mode, options->free_ends);
  const bool is_query = circular == CLA_CIRCULAR_QUERY;
  if (options->mode == CLA_MODE_EXTEND ||
      (is_query ? ends.query_start != ends.query_end : ends.target_start != ends.target_end))
    return error_set(error, CLA_ERROR_OPTION,
                     "a circular %s has no first letter to begin or end with, as the mode %s wants; use one "
                     "that frees both its ends or none: local, global or semi-global",
                     is_query ? "query" : "target", cla_mode_name(options->mode));
  if (options->run.directory)
    return error_set(error, CLA_ERROR_OPTION,
                     "a run directory keeps no search for the best rotation; leave it out, or rotate the "
                     "circular sequence and align it as a linear one");
  if (options->lower_bound.kind == CLA_LOWER_BOUND_SCORE || options->lower_bound.kind == CLA_LOWER_BOUND_PATH)
    return error_set(
        error, CLA_ERROR_OPTION,
        "a lower bound is of linear sequences; with a circular one leave it to be found (auto), or off");
  return CLA_OK;
}

cla_status circular_check(const align_job *job, cla_error *error) {
  const bool is_query = job->options->circular == CLA_CIRCULAR_QUERY;
  if (job->options->circular == CLA_CIRCULAR_NONE) return CLA_OK;
  const cla_sequence *circle = is_query ? job->query : job->target;
  if (sequence_range_letters(circle) == cla_sequence_length(circle)) return CLA_OK;
  return error_set(error, CLA_ERROR_OPTION,
                   "a range of the %s is not circular; give the whole record, or leave circular out",
                   is_query ? "query" : "target");
}
