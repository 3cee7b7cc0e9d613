#include <string.h>

#include "base/error.h"
#include "base/extremes.h"
#include "base/machine.h"
#include "batch/batch_job.h"
#include "pipeline/pipeline.h"

/* Pairs in memory may take 1 / AHEAD_SHARE of the budget. Their letters may take another 1 / AHEAD_SHARE. */
#define AHEAD_SHARE 16
/* Bytes of a pair on its way, without its letters and without its alignments, which are counted
 * separately. */
#define PAIR_BYTES INT64_C(3072)
/* Bytes per letter, including its share of the result. */
#define LETTER_BYTES 2
/* Limits of pairs and letters in memory. With the upper limits, there are enough for many lots. Below the
 * lower limits, threads would be idle. */
#define PAIRS_LEAST 64
#define PAIRS_MOST (INT64_C(1) << 19)
#define LETTERS_LEAST (INT64_C(1) << 18)
#define LETTERS_MOST (INT64_C(1) << 30)

void cla_batch_options_init(cla_batch_options *options) {
  memset(options, 0, sizeof *options);
  cla_align_options_init(&options->align);
}

/* Refuses the options of cla_align that only fit a single pair or the caller's own thread. */
static cla_status check_align(const cla_align_options *align, cla_error *error) {
  if (align->run.directory || align->run.resume || align->run.text)
    return error_set(error, CLA_ERROR_OPTION,
                     "a run directory keeps one alignment, not a batch; leave it out");
  if (align->keep_work)
    return error_set(error, CLA_ERROR_OPTION,
                     "how a matrix was computed is kept of one pair, not of a batch; leave it out");
  if (align->lower_bound.kind == CLA_LOWER_BOUND_SCORE || align->lower_bound.kind == CLA_LOWER_BOUND_PATH)
    return error_set(
        error, CLA_ERROR_OPTION,
        "a lower bound that is given is one pair's, not a batch's; leave it to be found (auto), or "
        "give the least score that is wanted");
  if (align->callbacks.progress || align->allocator)
    return error_set(
        error, CLA_ERROR_OPTION,
        "progress of a batch is its own option, and its results are not kept in a caller's memory; "
        "leave them out of those of each alignment");
  return CLA_OK;
}

/* Checks `several` once for all pairs, because a wrong value would make each pair fail. */
static cla_status check_several(const cla_batch_options *options, cla_error *error) {
  const cla_align_options *align = &options->align;
  if (options->align.several.most < 1)
    return error_set(error, CLA_ERROR_OPTION,
                     "%lld alignments of each pair cannot be asked for; ask for 1 or more",
                     (long long)options->align.several.most);
  if (options->align.several.most == 1 ||
      (align->mode == CLA_MODE_LOCAL && !align->score_only && !align->has_band &&
       align->gap_placement == CLA_GAPS_CANONICAL && align->circular == CLA_CIRCULAR_NONE))
    return CLA_OK;
  return error_set(
      error, CLA_ERROR_OPTION,
      "several alignments of each pair are for local mode, with paths, and without a band, moved "
      "gaps and circular sequences; ask for 1 of each pair, or leave these out");
}

/* Checks `split`. The best of a group are chosen by whole scores, so their alignments cannot be cut into
 * pieces. */
static cla_status check_split(const cla_batch_options *options, cla_error *error) {
  const cla_align_options *align = &options->align;
  if (!align->several.split ||
      (options->align.several.most == 1 && options->best_of_group == 0 && !align->score_only))
    return CLA_OK;
  return error_set(error, CLA_ERROR_OPTION,
                   "a batch cuts the one alignment of each pair, with its path, and chooses none of a group; "
                   "leave split out, or these");
}

cla_status batch_options_check(const cla_batch_options *options, cla_device *const *devices,
                               size_t device_count, cla_error *error) {
  if (device_count < 1 && !options->align.callbacks.device)
    return error_set(error, CLA_ERROR_OPTION,
                     "a batch needs a device; give one or more, or the callback that opens one");
  if (device_count > BATCH_DEVICES_MOST)
    return error_set(error, CLA_ERROR_OPTION, "%zu devices are too many for a batch; give %d or fewer",
                     device_count, BATCH_DEVICES_MOST);
  if (!options->sink)
    return error_set(error, CLA_ERROR_OPTION, "a batch needs a sink for its results; set options.sink");
  for (size_t i = 0; i < device_count; i++)
    for (size_t j = 0; j < i; j++)
      if (devices[i] == devices[j])
        return error_set(error, CLA_ERROR_OPTION, "%s is given twice; give each handle of a device once",
                         cla_device_describe(devices[i])->name);
  if (options->best_of_group < 0 || options->pairs_ahead < 0 || options->letters_ahead < 0)
    return error_set(error, CLA_ERROR_OPTION,
                     "the best of a group, pairs ahead and letters ahead are counts; give 1 or more, or 0");
  if (options->directory && options->best_of_group > 0)
    return error_set(error, CLA_ERROR_OPTION,
                     "a directory keeps each pair's result, not the best of a group; leave one of them out");
  cla_status status = check_several(options, error);
  if (status == CLA_OK) status = check_split(options, error);
  if (status == CLA_OK) status = check_align(&options->align, error);
  return status == CLA_OK ? align_options_check(&options->align, error) : status;
}

static int64_t within(int64_t number, int64_t least, int64_t most) {
  return smaller(larger(number, least), most);
}

cla_batch_options batch_memory_share(const cla_batch_options *options) {
  cla_batch_options shared = *options;
  const int64_t bytes = align_memory_budget(&options->align);
  const int64_t alignment = (int64_t)sizeof(cla_alignment);
  const int64_t pair =
      PAIR_BYTES + within(options->align.several.most, 1, INT64_MAX / 2 / alignment) * alignment;
  if (options->pairs_ahead <= 0)
    shared.pairs_ahead = within(bytes / AHEAD_SHARE / pair, PAIRS_LEAST, PAIRS_MOST);
  if (options->letters_ahead <= 0)
    shared.letters_ahead = within(bytes / AHEAD_SHARE / LETTER_BYTES, LETTERS_LEAST, LETTERS_MOST);
  shared.align.budgets.memory_bytes = larger(bytes - bytes / AHEAD_SHARE * 2, 1);
  if (options->align.budgets.memory_of_bytes == 0) shared.align.budgets.memory_of_bytes = bytes;
  return shared;
}
