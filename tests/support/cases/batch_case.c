#include "support/cases/batch_case.h"

#include "base/error.h"
#include "seq/random_stream.h"
#include "seq/sequence.h"
#include "support/random_pairs.h"
#include "support/test.h"
#include "support/test_devices.h"

static int64_t between(random_stream *stream, int64_t least, int64_t most) {
  return least + (int64_t)random_stream_below(stream, (uint64_t)(most - least + 1));
}

/* Makes a pair. The target shares a part with the query, with about every tenth letter changed, or is
 * unrelated. */
static void make_pair(batch_case_pair *pair, random_stream *stream, int number, int64_t least, int64_t most) {
  const int64_t rows = between(stream, least, most), columns = between(stream, least, most);
  uint8_t *query = malloc((size_t)rows), *target = malloc((size_t)columns);
  char name[32];
  if (!query || !target) abort();
  random_stream_codes(stream, query, rows, 4);
  const int64_t shift = between(stream, 0, rows - 1);
  for (int64_t j = 0; j < columns; j++) {
    const bool changed = random_stream_below(stream, 10) == 0;
    target[j] =
        number % 3 == 0 || changed ? (uint8_t)random_stream_below(stream, 4) : query[(j + shift) % rows];
  }
  snprintf(name, sizeof name, "q%d", number);
  pair->query = random_pair_sequence(name, query, rows);
  snprintf(name, sizeof name, "t%d", number);
  pair->target = random_pair_sequence(name, target, columns);
  free(query);
  free(target);
}

void batch_case_make(batch_case *all, int count, uint64_t seed, int64_t least, int64_t most) {
  random_stream stream;
  memset(all, 0, sizeof *all);
  cr_assert(count <= BATCH_PAIRS_MOST);
  random_stream_init(&stream, seed, 77);
  all->count = count;
  for (int i = 0; i < count; i++) make_pair(&all->pairs[i], &stream, i, least, most);
  cla_batch_options_init(&all->options);
}

void batch_case_expect(batch_case *all, cla_device *device) {
  for (int i = 0; i < all->count; i++) {
    batch_case_pair *pair = &all->pairs[i];
    cla_alignment_free(pair->want);
    pair->want = NULL;
    pair->want_status = CLA_ERROR_INPUT;
    if (pair->unreadable) continue;
    pair->want_status = cla_align(&pair->want, device, pair->query, pair->target, &all->options.align, NULL);
  }
}

static int64_t letters_of(const batch_case_pair *pair) {
  return cla_sequence_length(pair->query) + cla_sequence_length(pair->target);
}

static bool next_pair(cla_batch_pair *out, cla_status *status, cla_error *error, void *user) {
  batch_case *all = user;
  if (all->next == all->count) {
    *status = all->end_status;
    if (*status != CLA_OK) error_set(error, *status, "the source ends with an error");
    return false;
  }
  batch_case_pair *pair = &all->pairs[all->next++];
  pair->taken++;
  *out = (cla_batch_pair){.group = pair->group, .user = pair};
  if (pair->unreadable) {
    *status = error_set(error, CLA_ERROR_INPUT, "pair %d cannot be read", all->next - 1);
    return true;
  }
  out->query = pair->query;
  out->target = pair->target;
  all->held_letters += letters_of(pair);
  if (++all->held > all->held_most) all->held_most = all->held;
  if (all->held_letters > all->held_letters_most) all->held_letters_most = all->held_letters;
  return true;
}

static void release(const cla_batch_pair *given, void *user) {
  batch_case *all = user;
  batch_case_pair *pair = given->user;
  pair->given_back++;
  all->held--;
  all->held_letters -= letters_of(pair);
}

static bool same_runs(const cla_alignment *a, const cla_alignment *b) {
  bool same = a->has_path == b->has_path && a->run_count == b->run_count;
  for (size_t i = 0; same && i < a->run_count; i++)
    same = a->runs[i].kind == b->runs[i].kind && a->runs[i].length == b->runs[i].length;
  return same;
}

static bool is_same(const cla_alignment *a, const cla_alignment *b) {
  return a->score == b->score && a->strand == b->strand && a->query.start == b->query.start &&
         a->query.stop == b->query.stop && a->target.start == b->target.start &&
         a->target.stop == b->target.stop && same_runs(a, b) && strcmp(a->query.name, b->query.name) == 0 &&
         strcmp(a->target.name, b->target.name) == 0 &&
         memcmp(a->query.checksum, b->query.checksum, sizeof a->query.checksum) == 0 &&
         a->metrics.cells == b->metrics.cells;
}

static const char *difference_of(const cla_batch_result *result, const batch_case_pair *pair) {
  if (result->status != pair->want_status) return "has another status";
  if ((result->error != NULL) != (result->status != CLA_OK)) return "has an error, or none, by mistake";
  if (result->error && result->error->status != result->status) return "has an error of another status";
  if ((result->count > 0) != (pair->want != NULL)) return "has an alignment, or none, by mistake";
  if (pair->want && !is_same(result->alignments[0], pair->want)) return "has another alignment";
  return NULL;
}

static bool take(const cla_batch_result *result, void *user) {
  batch_case *all = user;
  batch_case_pair *pair = result->pair.user;
  const char *difference = difference_of(result, pair);
  if (pair - all->pairs != result->index) difference = "has another index";
  if (difference && all->differences++ == 0)
    snprintf(all->difference, sizeof all->difference, "pair %lld %s", (long long)result->index, difference);
  const int ahead = all->next - (int)result->index;
  if (result->status != CLA_OK && ahead > all->errors_ahead_most) all->errors_ahead_most = ahead;
  pair->results++;
  all->statuses[all->result_count] = result->status;
  all->order[all->result_count++] = result->index;
  return all->result_count != all->stop_after;
}

static bool hear(const cla_batch_progress *progress, void *user) {
  batch_case *all = user;
  (void)progress;
  return ++all->progress_calls != all->cancel_after;
}

cla_status batch_case_run(batch_case *all, cla_device *const *devices, size_t device_count) {
  const cla_batch_source source = {.next = next_pair, .release = release, .user = all};
  all->options.sink = take;
  all->options.sink_user = all;
  if (!all->options.progress) all->options.progress = hear;
  all->options.progress_user = all;
  return cla_batch(&all->done, devices, device_count, &source, &all->options, &why);
}

void batch_case_again(batch_case *all) {
  for (int i = 0; i < all->count; i++)
    all->pairs[i].taken = all->pairs[i].given_back = all->pairs[i].results = 0;
  all->next = all->held = all->held_most = all->result_count = all->differences = all->progress_calls =
      all->errors_ahead_most = 0;
  all->held_letters = all->held_letters_most = 0;
  all->difference[0] = '\0';
}

void batch_case_expect_complete(const batch_case *all, bool in_order) {
  cr_expect_eq(all->differences, 0, "%s", all->difference);
  cr_expect_eq(all->result_count, all->count);
  cr_expect_eq(all->done.results, all->count);
  cr_expect_eq(all->done.pairs_read, all->count);
  cr_expect_eq(all->done.pairs_done, all->count);
  for (int i = 0; i < all->count; i++) {
    cr_expect_eq(all->pairs[i].results, 1, "pair %d has %d results", i, all->pairs[i].results);
    cr_expect_eq(all->pairs[i].given_back, all->pairs[i].unreadable ? 0 : 1, "pair %d", i);
    if (in_order) cr_expect_eq(all->order[i], i);
  }
}

void batch_case_open_devices(cla_device *devices[3]) {
  devices[0] = test_device_open(0);
  devices[1] = test_device_open(0);
  devices[2] = test_device_open_threads(0, 1);
}

void batch_case_close_devices(cla_device *devices[3]) {
  for (int i = 0; i < 3; i++) cla_device_close(devices[i]);
}

cla_device *batch_case_open_for_packs(bool *few_lanes) {
  cla_device *device = test_device_open_threads(0, 2);
  const cla_device_info *info = cla_device_describe(device);
  *few_lanes = info->kind == CLA_DEVICE_CPU && info->compute_units <= 2;
  if (!*few_lanes) cr_log_info("%s has too many lanes for packs of a few dozen pairs", info->name);
  return device;
}

void batch_case_count_packed(const cla_batch_work *work, void *user) {
  int *count = user;
  *count += work->packed;
}

void batch_case_free(batch_case *all) {
  for (int i = 0; i < all->count; i++) {
    cla_sequence_free(all->pairs[i].query);
    cla_sequence_free(all->pairs[i].target);
    cla_alignment_free(all->pairs[i].want);
  }
}
