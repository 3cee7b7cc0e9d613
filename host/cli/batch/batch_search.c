/* Aligns all records of a file with all records of another file, or with each other, in blocks. The targets
 * are read once. Each query's pairs are scored together. Paths are found only for pairs that are reported. */

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/batch/pair_block.h"
#include "cli/report/report.h"

/* Bytes of queries that are read at a time. */
#define QUERY_BYTES (INT64_C(1) << 20)
/* Maximum number of bytes of targets, and maximum share of --memory for targets. Parsed targets take about as
 * much memory again. */
#define TARGET_BYTES (INT64_C(1) << 30)
#define TARGETS_SHARE 8
/* Pairs that are scored together; at least all pairs of one query. */
#define PAIRS_TOGETHER (INT64_C(1) << 17)
#define BYTES_OF_PAIR 96 /* bytes of a pair with its score and indices */
/* Number of pairs whose paths are found together. */
#define PATHS_TOGETHER 16384
#define CERTIFIED_TOGETHER 2048 /* number of pairs whose certificates are made together */
/* Values with a device: the number of pairs that are scored together, which --memory may limit; and the
 * number of pairs whose paths are found together. */
#define PAIRS_WITH_DEVICE (INT64_C(1) << 24)
#define PATHS_WITH_DEVICE 65536
/* Largest possible number of cells per second of a host thread. */
#define HOST_SPEED_MOST 4e10
/* Estimated cells per product of both files' bytes. It is below 1 because files also contain headers. */
#define CELLS_OF_BYTES 0.7

/* A pair that is reported. */
typedef struct chosen_pair {
  int64_t pair, score;
  bool none; /* the score is too low, but outputs list the pair without an alignment */
} chosen_pair;

struct batch_search {
  batch_run *run;
  block_means means;
  cla_record_blocks *files[2]; /* NULL for the queries if there is a single query or a single file */
  cla_record_block records[2]; /* some queries, and all targets; with one file, no queries */
  bool one_file;               /* each query's targets are the records after it */
  pair_block scored, reported;
  int64_t placed;      /* number of first pairs in `scored` that have their target indices */
  chosen_pair *chosen; /* pairs of `scored` that are reported, in the order of reporting */
  int64_t chosen_count;
  bool *none;           /* for each pair that is written together: true if it has no alignment */
  bool all_told;        /* an output also lists pairs without an alignment */
  int64_t best;         /* maximum number of pairs reported per query; 0: all */
  double began;         /* start of the search, by cli_seconds */
  double queries_began; /* start of the work on the present queries, by cli_seconds */
  int64_t index;        /* index of the next pair among all pairs */
  uint64_t mark;        /* mark of the present queries and of all targets */
  block_bytes entry;    /* results of the present pairs, for the run directory */
  bool entry_failed;    /* some of the present pairs have failed, so they are not stored */
};

/* Returns the records that are the queries. */
static const cla_record_block *queries_of(const batch_search *s) {
  return &s->records[s->one_file ? 1 : 0];
}

/* Returns the number of pairs of `queries` queries from `first` on. */
static int64_t pairs_of(const batch_search *s, int64_t first, int64_t queries) {
  const int64_t targets = s->records[1].count;
  return s->one_file ? queries * (targets - 1 - first) - queries * (queries - 1) / 2 : queries * targets;
}

static int host_threads(const batch_search *s) {
  const int given = s->run->how.align.budgets.threads;
  return given > 0 ? given : cli_ranks ? cli_ranks->threads : cla_host_threads();
}

/* Reads all targets from their file. Returns false if there are too many for the memory, or if they are too
 * long for lanes. */
static bool cut_targets(batch_search *s) {
  const int64_t memory = s->run->how.align.budgets.memory_bytes / TARGETS_SHARE;
  const int64_t most = memory > 0 && memory < TARGET_BYTES ? memory : TARGET_BYTES;
  cla_record_block *targets = &s->records[1], more = {.count = 0};
  cla_error ignored;
  bool all = cla_record_block_cut(targets, s->files[1], INT64_MAX, most, &ignored) == CLA_OK &&
             targets->count > 0 && targets->byte_count / targets->count <= BLOCK_LETTERS_MOST;
  all = all && cla_record_block_cut(&more, s->files[1], 1, 1, &ignored) == CLA_OK && more.count == 0;
  cla_record_block_free(&more);
  return all;
}

/* Reads and parses all targets. Returns false if blocks do not suit them, or on an error, which a
 * batch_reader then reports. */
static bool read_targets(batch_search *s) {
  cla_record_block *targets = &s->records[1];
  cla_error ignored;
  for (int side = s->one_file || s->records[0].count > 0 ? 1 : 0; side < 2; side++)
    if (cla_record_blocks_open(&s->files[side], s->means.paths[side], s->means.how.qualities, &ignored) !=
        CLA_OK)
      return false;
  bool read = cut_targets(s) && cla_record_block_parse(targets, &s->means.how, &ignored) == CLA_OK;
  s->means.targets = targets->count;
  for (int64_t i = 0; i < targets->count && read; i++) read = targets->status[i] == CLA_OK;
  return read;
}

/* Returns true if an output lists all pairs: the headers of some formats name records without an alignment,
 * and plots have the records in the order of the pairs. */
static bool tells_all(const batch_run *run) {
  const batch_outputs *out = &run->outputs;
  bool all = out->plot != NULL;
  for (int i = 0; i < out->outputs->count; i++) {
    const cla_format format = out->outputs->items[i].format;
    all |= format == CLA_FORMAT_SAM || format == CLA_FORMAT_BAM || format == CLA_FORMAT_VCF ||
           format == CLA_FORMAT_BLAST7;
  }
  return all;
}

/* Returns the least time that host threads need for both files, estimated from their sizes in bytes. */
static double least_seconds(const batch_search *s) {
  const int64_t letters =
      s->records[0].count > 0 ? s->records[0].offsets[1] : 0; /* letters of the single query */
  const double queries = letters > 0 ? (double)letters : batch_file_bytes(s->means.paths[0], false);
  const double bytes = queries * batch_file_bytes(s->means.paths[1], false) / (s->one_file ? 2 : 1);
  return CELLS_OF_BYTES * bytes / (HOST_SPEED_MOST * host_threads(s));
}

/* Returns true if a location FILE:SELECTION names a regular file. The longest part that names a file
 * counts. */
static bool chooses_of_file(const char *location) {
  char *file = strdup(location);
  bool found = false;
  for (size_t colon = file ? strlen(file) : 0; colon > 1 && !found; colon--) {
    struct stat facts;
    if (location[colon - 1] != ':') continue;
    file[colon - 1] = '\0';
    found = stat(file, &facts) == 0;
    if (found && !S_ISREG(facts.st_mode)) break;
    if (found) {
      free(file);
      return true;
    }
  }
  free(file);
  return false;
}

/* Reads the single query. Returns false if a batch_reader has to read the files. */
static bool read_query(batch_search *s, const char *location) {
  cla_record_source source = {.block = NULL};
  cla_error ignored;
  const batch_run *run = s->run;
  const cla_sequence_options how = s->means.how;
  return chooses_of_file(location) &&
         cla_sequence_read_with(&source.sequence, location, &how, &ignored) == CLA_OK &&
         cla_record_block_add(&s->records[0], &source, CLA_OK, &ignored) == CLA_OK &&
         batch_run_check_alphabet(run, source.sequence, run->alphabet, &ignored) == CLA_OK;
}

/* Sets up the files. Returns false if they cannot be read twice. Reads the single query if it is given as
 * FILE:RECORD. */
static bool begin_files(batch_search *s, const batch_inputs *inputs) {
  const char *targets = inputs->targets ? inputs->targets : inputs->queries;
  s->one_file = !inputs->targets;
  s->means.one_file = s->one_file;
  s->means.paths[0] = inputs->queries;
  s->means.paths[1] = targets;
  if (!batch_are_files((const char *const[]){targets, targets})) return false;
  return batch_are_files((const char *const[]){inputs->queries, targets}) || read_query(s, inputs->queries);
}

batch_search *batch_search_open(const batch_inputs *inputs, const cla_device_options *device,
                                batch_run *run) {
  cla_error ignored;
  if (!inputs->queries || inputs->pairwise || inputs->regions) return NULL;
  batch_search *s = calloc(1, sizeof *s);
  if (!s) return NULL;
  s->run = run;
  s->means.how = inputs->how;
  s->means.how.known |= run->alphabet != CLA_ALPHABET_PROTEIN;
  s->means.how.alphabet = run->alphabet;
  s->best = run->how.best_of_group;
  s->none = malloc(PATHS_TOGETHER * sizeof *s->none);
  s->all_told = tells_all(run);
  if (s->none && begin_files(s, inputs) &&
      block_means_open(&s->means, device, least_seconds(s), &ignored) == CLA_OK && read_targets(s))
    return s;
  batch_search_close(s);
  return NULL;
}

void batch_search_close(batch_search *s) {
  if (!s) return;
  block_means_end(&s->means);
  pair_block_clear(&s->scored);
  pair_block_clear(&s->reported);
  for (int side = 0; side < 2; side++) {
    cla_record_block_free(&s->records[side]);
    cla_record_blocks_close(s->files[side]);
  }
  free(s->chosen);
  free(s->none);
  free(s->entry.at);
  free(s);
}

cla_database batch_search_database(const batch_search *s) {
  return (cla_database){.letters = s->records[1].offsets[s->records[1].count],
                        .records = s->records[1].count};
}

static bool ask(const cla_progress *progress, void *user) {
  batch_search *s = user;
  const double fraction = progress->fraction;
  const cla_batch_progress done = {.seconds = cli_seconds() - s->began,
                                   .seconds_left = -1,
                                   .pairs_done = (int64_t)(fraction * (double)s->scored.count),
                                   .cells_done = fraction * s->scored.cells};
  batch_report_progress(&s->run->report, &done);
  batch_outputs_flush(&s->run->outputs);
  return !interrupt_requested();
}

/* Estimates the seconds that host threads alone need for the queries from `query` on: from the time of the
 * queries before it, or else a lower limit. */
static double seconds_from(const batch_search *s, int64_t query) {
  const int64_t *offsets = queries_of(s)->offsets;
  const double left = (double)(offsets[queries_of(s)->count] - offsets[query]);
  if (query > 0) return (cli_seconds() - s->queries_began) * left / (double)offsets[query];
  return left * (double)s->records[1].offsets[s->records[1].count] / (HOST_SPEED_MOST * host_threads(s));
}

/* Returns true if unrelated sequences would likely reach this score of the query. */
static bool is_by_chance(const batch_search *s, int64_t query, int64_t score) {
  const batch_cutoff *cutoff = &s->run->cutoff;
  const int64_t *offset = queries_of(s)->offsets + query;
  cla_alignment any = s->means.common;
  double expect = 0;
  any.score = score;
  any.query.length = any.query.end = offset[1] - offset[0];
  return !batch_expect(&expect, &any, cutoff->database) || !(expect <= cutoff->most);
}

/* Returns the least score with which a pair of the query is reported. */
static int64_t least_score(const batch_search *s, int64_t query) {
  const cla_align_options *wanted = &s->run->how.align;
  int64_t low = wanted->has_min_score ? wanted->min_score : INT64_MIN, high = INT32_MAX;
  if (!s->run->cutoff.on) return low;
  if (low < 1) low = 1;
  if (!is_by_chance(s, query, low)) return low;
  while (low + 1 < high) {
    const int64_t middle = low + (high - low) / 2;
    if (is_by_chance(s, query, middle))
      low = middle;
    else
      high = middle;
  }
  return high;
}

static bool grow(int64_t **array, int64_t count) {
  int64_t *more = realloc(*array, (size_t)(count > 0 ? count : 1) * sizeof *more);
  if (more) *array = more;
  return more;
}

static bool make_pairs(pair_block *block, const batch_search *s, int64_t count) {
  block->count = count;
  for (int side = 0; side < 2; side++) {
    block->records[side] = side == 0 ? queries_of(s) : &s->records[1];
    if (!grow(&block->of[side], count)) return false;
  }
  return true;
}

/* A pair's place in the order of the search. */
typedef struct pair_place {
  int64_t query, target;
} pair_place;

static pair_place first_pair(const batch_search *s, int64_t query) {
  return (pair_place){query, s->one_file ? query + 1 : 0};
}

static void next_pair(pair_place *at, const batch_search *s) {
  if (++at->target == s->records[1].count) *at = first_pair(s, at->query + 1);
}

/* Scores `queries` queries from `first` on with all their targets. */
static cla_status score(batch_search *s, int64_t first, int64_t queries, cla_error *error) {
  const int64_t targets = s->records[1].count, count = pairs_of(s, first, queries);
  pair_block *block = &s->scored;
  int64_t *of[2];
  if (count < s->placed) s->placed = count;
  if (!make_pairs(block, s, count)) return pair_block_no_memory(error);
  for (int side = 0; side < 2; side++) of[side] = block->of[side];
  if (s->one_file) {
    pair_place at = first_pair(s, first);
    for (int64_t i = 0; i < count; i++, next_pair(&at, s)) {
      of[0][i] = at.query;
      of[1][i] = at.target;
    }
    return pair_block_solve(block, &s->means, true, error);
  }
  for (int64_t query = 0; query < queries; query++)
    for (int64_t i = query * targets; i < (query + 1) * targets; i++) of[0][i] = first + query;
  for (int64_t i = s->placed; i < count; i++) of[1][i] = i % targets;
  s->placed = count;
  block->first_query = first;
  block->queries = queries;
  return pair_block_solve(block, &s->means, true, error);
}

/* Sorts by score, best first; pairs of equal score by index. */
static int compare(const void *left, const void *right) {
  const chosen_pair *a = left, *b = right;
  if (a->score != b->score) return a->score > b->score ? -1 : 1;
  return (a->pair > b->pair) - (a->pair < b->pair);
}

/* Adds the reported pairs of a query to s->chosen, after those that failed. The query's pairs start at
 * `first` and have `targets` targets. */
static void choose(batch_search *s, int64_t first, int64_t targets) {
  const cla_pair_results *found = &s->scored.found;
  const int64_t least = least_score(s, s->scored.of[0][first]), most_low = INT64_MIN;
  const cla_align_options *wanted = &s->run->how.align;
  /* The best pairs include those whose scores are likely by chance. */
  const int64_t of_best = wanted->has_min_score ? wanted->min_score : most_low;
  const int64_t told = !s->all_told ? least : s->best > 0 ? of_best : most_low;
  uint8_t failed = CLA_OK;
  for (int64_t i = first; i < first + targets; i++) failed |= found->status[i];
  for (int64_t i = first; i < first + targets && failed != CLA_OK; i++)
    if (found->status[i] != CLA_OK) s->chosen[s->chosen_count++] = (chosen_pair){.pair = i};
  const int64_t begin = s->chosen_count;
  for (int64_t i = first; i < first + targets; i++)
    if (found->score[i] >= told && found->status[i] == CLA_OK)
      s->chosen[s->chosen_count++] =
          (chosen_pair){.pair = i, .score = found->score[i], .none = found->score[i] < least};
  const int64_t right = s->chosen_count - begin;
  if (s->best == 0) return;
  qsort(s->chosen + begin, (size_t)right, sizeof *s->chosen, compare);
  if (right > s->best) s->chosen_count = begin + s->best;
}

static void set_pair(batch_search *s, int64_t place, const chosen_pair *chosen) {
  for (int side = 0; side < 2; side++) s->reported.of[side][place] = s->scored.of[side][chosen->pair];
}

/* The head of the bytes that are stored for some pairs. The results of the reported pairs follow, in one or
 * several parts. */
typedef struct entry_head {
  uint64_t mark;
  int64_t left; /* number of pairs that are done but not reported */
} entry_head;

static uint64_t mark_records(uint64_t mark, const cla_record_block *records) {
  for (int64_t i = 0; i < records->count; i++)
    mark = mark * UINT64_C(0x9e3779b97f4a7c15) + cla_record_block_mark(records, i);
  return mark;
}

/* Starts the bytes that are stored for some pairs. */
static cla_status begin_entry(batch_search *s, int64_t left, cla_error *error) {
  const entry_head head = {s->mark, left};
  const size_t bytes = sizeof head;
  if (!s->means.directory) return CLA_OK;
  s->entry_failed = false;
  if (s->entry.room < (int64_t)sizeof head) {
    free(s->entry.at);
    s->entry = (block_bytes){.at = malloc(bytes), .room = (int64_t)bytes};
    if (!s->entry.at) return pair_block_no_memory(error);
  }
  memcpy(s->entry.at, &head, sizeof head);
  s->entry.count = sizeof head;
  return CLA_OK;
}

/* Appends the pairs of s->reported. */
static cla_status add_to_entry(batch_search *s, cla_error *error) {
  pair_block *block = &s->reported;
  if (!s->means.directory) return CLA_OK;
  for (int64_t i = 0; i < block->count; i++) s->entry_failed |= block->found.status[i] != CLA_OK;
  block->keep.searched = true;
  cla_status status = pair_block_mark(block, error);
  return status == CLA_OK ? pair_block_pack(&s->entry, block, error) : status;
}

/* Stores the bytes in the run directory. `pairs`: number of pairs that are done. */
static cla_status end_entry(batch_search *s, int64_t pairs, cla_error *error) {
  const int64_t first = s->index;
  s->index += pairs;
  if (!s->means.directory || s->entry_failed) return CLA_OK;
  return cla_batch_directory_keep(s->means.directory, first, first + pairs, s->entry.at, s->entry.count,
                                  error);
}

/* Returns how many pairs come before the next stored ones. *kept: number of stored pairs if they come next,
 * otherwise 0. */
static int64_t pairs_before(const batch_search *s, int64_t *kept) {
  int64_t first = 0, past = 0;
  *kept = 0;
  if (!s->means.directory || !cla_batch_directory_next(&first, &past, s->means.directory, s->index))
    return INT64_MAX;
  if (first == s->index) *kept = past - first;
  return first - s->index;
}

/* Writes an earlier run's results of the next pairs. */
static cla_status recall(batch_search *s, int64_t pairs, cla_error *error) {
  pair_block *block = &s->reported;
  batch_report *report = &s->run->report;
  block_bytes bytes = {.at = NULL};
  entry_head head = {0, 0};
  cla_status status = cla_batch_directory_find(&bytes.at, &bytes.count, s->means.directory, s->index, error);
  if (status == CLA_OK && bytes.count >= (int64_t)sizeof head) memcpy(&head, bytes.at, sizeof head);
  if (status == CLA_OK && head.mark != s->mark)
    status = cli_error(
        error, CLA_ERROR_INPUT,
        "pair %lld is not what it was when the batch began: restore the files that were altered, or "
        "begin again in another --run-dir",
        (long long)s->index + 1);
  bytes.read = sizeof head;
  block->keep.searched = true;
  block->scores_alone = s->means.align.score_only;
  if (status == CLA_OK && !make_pairs(block, s, 0)) status = pair_block_no_memory(error);
  while (status == CLA_OK && bytes.read < bytes.count) {
    status = interrupt_requested() ? CLA_ERROR_INTERRUPTED : pair_block_unpack(block, &bytes, error);
    block->count = block->keep.kept_count;
    if (status == CLA_OK) status = pair_block_make_texts(block, &s->means, error);
    if (status == CLA_OK) status = pair_block_write(block, &s->means, error);
    report->replayed += block->count;
  }
  if (s->best == 0) {
    report->written += head.left;
    report->without += head.left;
    report->replayed += head.left;
  }
  s->index += pairs;
  free(bytes.at);
  return status;
}

/* Aligns the first `count` pairs of s->reported and writes them. If `chosen` is not NULL, also writes the
 * chosen pairs without an alignment; then `all` pairs are written in total. */
static cla_status report_pairs(batch_search *s, int64_t count, const chosen_pair *chosen, int64_t all,
                               cla_error *error) {
  pair_block *block = &s->reported;
  block->count = count;
  cla_status status = pair_block_solve(block, &s->means, false, error);
  if (status == CLA_OK && chosen) status = pair_block_spread(block, s->none, all, error);
  for (int64_t i = 0; i < all && chosen && status == CLA_OK; i++) set_pair(s, i, &chosen[i]);
  if (status == CLA_OK) status = add_to_entry(s, error);
  if (status == CLA_OK) status = pair_block_make_texts(block, &s->means, error);
  return status == CLA_OK ? pair_block_write(block, &s->means, error) : status;
}

/* Aligns and writes the chosen pairs, some at a time. */
static cla_status report_chosen(batch_search *s, cla_error *error) {
  cla_status status = CLA_OK;
  const int64_t most = s->run->certify.how ? CERTIFIED_TOGETHER : PATHS_TOGETHER;
  for (int64_t done = 0, some; done < s->chosen_count && status == CLA_OK; done += some) {
    const chosen_pair *chosen = s->chosen + done;
    int64_t aligned = 0;
    some = s->chosen_count - done < most ? s->chosen_count - done : most;
    if (!make_pairs(&s->reported, s, some)) return pair_block_no_memory(error);
    for (int64_t i = 0; i < some; i++) {
      s->none[i] = chosen[i].none;
      if (!chosen[i].none) set_pair(s, aligned++, &chosen[i]);
    }
    status = report_pairs(s, aligned, aligned < some ? chosen : NULL, some, error);
  }
  return status;
}

/* Scores `queries` queries with all targets, and reports the pairs that are wanted. */
static cla_status search_for(batch_search *s, int64_t first, int64_t queries, cla_error *error) {
  batch_report *report = &s->run->report;
  const int64_t pairs = pairs_of(s, first, queries);
  cla_status status = score(s, first, queries, error);
  if (status != CLA_OK) return status;
  chosen_pair *more = realloc(s->chosen, (size_t)pairs * sizeof *more);
  if (!more) return pair_block_no_memory(error);
  s->chosen = more;
  s->chosen_count = 0;
  for (int64_t row = 0, at = 0; row < queries; row++) {
    const int64_t targets = pairs_of(s, first + row, 1);
    choose(s, at, targets);
    at += targets;
  }
  const int64_t left = pairs - s->chosen_count;
  report->cells += s->scored.cells;
  report->done_before += pairs;
  if (s->best == 0) { /* the remaining pairs are done, without an alignment */
    report->written += left;
    report->without += left;
  }
  status = begin_entry(s, left, error);
  if (status == CLA_OK) status = report_chosen(s, error);
  return status == CLA_OK ? end_entry(s, pairs, error) : status;
}

/* Aligns and writes all pairs, without scoring them first. */
static cla_status align_all(batch_search *s, int64_t first, int64_t queries, cla_error *error) {
  batch_report *report = &s->run->report;
  const int64_t pairs = pairs_of(s, first, queries);
  pair_place at = first_pair(s, first);
  const int64_t most = block_devices_ready(&s->means.beside) ? PATHS_WITH_DEVICE : PATHS_TOGETHER;
  cla_status status = CLA_OK;
  for (int64_t done = 0, some; done < pairs && status == CLA_OK; done += some) {
    int64_t kept = 0, before = pairs_before(s, &kept);
    if (kept > pairs - done) kept = 0;
    some = pairs - done < most ? pairs - done : most;
    if (kept > 0 || before < some) some = kept > 0 ? kept : before;
    if (kept > 0) {
      for (int64_t i = 0; i < kept; i++) next_pair(&at, s);
      status = recall(s, kept, error);
      continue;
    }
    if (!make_pairs(&s->reported, s, some)) return pair_block_no_memory(error);
    status = begin_entry(s, 0, error);
    if (status != CLA_OK) break;
    for (int64_t i = 0; i < some; i++, next_pair(&at, s)) {
      s->reported.of[0][i] = at.query;
      s->reported.of[1][i] = at.target;
    }
    status = report_pairs(s, some, NULL, some, error);
    if (status == CLA_OK) status = end_entry(s, some, error);
    report->cells += s->reported.cells;
    report->done_before += some;
  }
  return status;
}

/* Returns the number of queries that together have enough pairs. */
static int64_t queries_together(const batch_search *s) {
  const int64_t memory = s->run->how.align.budgets.memory_bytes / (4 * BYTES_OF_PAIR);
  const int64_t wanted = block_devices_ready(&s->means.beside) ? PAIRS_WITH_DEVICE : PAIRS_TOGETHER,
                targets = s->records[1].count;
  const int64_t all = cli_ranks ? cli_ranks->count * wanted : wanted;
  const int64_t most = memory > 0 && memory < all ? memory : all;
  return targets < most ? most / targets : 1;
}

/* Returns the number of queries to search for together. If an earlier run has stored the next pairs, writes
 * their results, and returns minus the number of their queries. */
static int64_t queries_kept(batch_search *s, int64_t first, int64_t most, cla_status *status,
                            cla_error *error) {
  int64_t kept = 0;
  const int64_t before = pairs_before(s, &kept);
  if (kept == 0) {
    while (most > 1 && pairs_of(s, first, most) > before) most--;
    return most;
  }
  int64_t queries = 1;
  while (pairs_of(s, first, queries) < kept && first + queries < queries_of(s)->count) queries++;
  *status = recall(s, kept, error);
  return -queries;
}

/* Searches for all queries that have been read. */
static cla_status search_queries(batch_search *s, cla_error *error) {
  const int64_t queries = queries_of(s)->count - (s->one_file ? 1 : 0);
  const bool all = s->best == 0 && !s->run->cutoff.on && !s->run->how.align.has_min_score;
  cla_status status = CLA_OK;
  s->queries_began = cli_seconds();
  if (s->means.directory) s->mark = mark_records(mark_records(0, &s->records[1]), queries_of(s));
  for (int64_t done = 0, some; done < queries && status == CLA_OK; done += some) {
    const int64_t together = all && s->means.directory ? queries : queries_together(s);
    some = queries - done < together ? queries - done : together;
    if (!all) some = queries_kept(s, done, some, &status, error);
    if (some < 0) {
      some = -some;
      continue;
    }
    s->scored.seconds = s->reported.seconds = seconds_from(s, done);
    status = all ? align_all(s, done, some, error) : search_for(s, done, some, error);
  }
  return status;
}

cla_status batch_search_all(batch_search *s, cla_error *error) {
  cla_status status = block_means_begin(&s->means, s->run, error);
  s->began = cli_seconds();
  s->means.align.callbacks.progress = ask;
  s->means.align.callbacks.progress_user = s;
  s->means.align.budgets.threads = host_threads(s);
  if (status == CLA_OK) status = search_ranks_begin(&s->means, &s->records[1], error);
  if (!s->files[0] && status == CLA_OK) status = search_queries(s, error);
  while (status == CLA_OK && s->files[0]) {
    status = cla_record_block_cut(&s->records[0], s->files[0], INT64_MAX, QUERY_BYTES, error);
    if (status == CLA_OK && s->records[0].count == 0) break;
    if (status == CLA_OK) status = cla_record_block_parse(&s->records[0], &s->means.how, error);
    if (status == CLA_OK) status = search_queries(s, error);
  }
  cla_arrays_ranks_end(s->means.ranks);
  s->means.ranks = NULL;
  s->run->report.seconds += cli_seconds() - s->began;
  return status;
}
