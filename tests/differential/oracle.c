/* What is asked of the matrix: modes, letters, strands, rotations, several alignments, gap placement. */

#include "differential/oracle.h"

#include <stdlib.h>
#include <string.h>

/* The nucleotides that an IUPAC letter stands for, as bits of A C G T. */
static int nucleotides(char letter) {
  static const char letters[] = "ACGTURYSWKMBDHVN";
  static const int sets[] = {1, 2, 4, 8, 8, 5, 10, 6, 9, 12, 3, 14, 13, 11, 7, 15};
  const char *place = letter ? strchr(letters, letter) : NULL;
  return place ? sets[place - letters] : 0;
}

static int64_t expected(const cla_scoring *s, int query, int target) {
  int64_t sum = 0, count = 0;
  for (int a = 0; a < 4; a++)
    for (int b = 0; b < 4; b++)
      if ((query >> a & 1) && (target >> b & 1)) {
        sum += a == b ? s->match : s->mismatch;
        count++;
      }
  int64_t doubled = 2 * sum + count; /* of 2 x the mean + 1, rounded down and halved */
  int64_t whole = doubled / (2 * count);
  if (doubled % (2 * count) < 0) whole--;
  return whole;
}

/* The place of a letter in the matrix, or of what it is looked up as; -1: none. */
static int place_of(const drawn_case *one, char letter) {
  const char *letters = one->scoring.letters;
  const char *place = strchr(letters, letter);
  if (!place && one->alphabet == CLA_ALPHABET_DNA && letter == 'T') place = strchr(letters, 'U');
  if (!place && one->alphabet == CLA_ALPHABET_PROTEIN && strchr("JUO", letter)) place = strchr(letters, 'X');
  if (!place) place = strchr(letters, '*');
  return place ? (int)(place - letters) : -1;
}

int64_t oracle_score(const drawn_case *one, char query, char target) {
  const cla_scoring *s = &one->scoring;
  if (s->matrix_size > 0) {
    const int row = place_of(one, query), column = place_of(one, target);
    return row < 0 || column < 0 ? 0 : s->matrix[row * CLA_MATRIX_STRIDE + column];
  }
  const int a = nucleotides(query), b = nucleotides(target);
  if ((a & (a - 1)) == 0 && (b & (b - 1)) == 0) return a == b ? s->match : s->mismatch;
  if (s->ambiguity == CLA_AMBIGUITY_NEUTRAL) return 0;
  return s->ambiguity == CLA_AMBIGUITY_EXPECTED ? expected(s, a, b) : s->mismatch;
}

char *oracle_reverse(const char *letters, int64_t length) {
  static const char from[] = "ACGTURYSWKMBDHVN", to[] = "TGCAAYRSWMKVHDBN";
  char *out = malloc((size_t)length + 1);
  if (!out) abort();
  for (int64_t i = 0; i < length; i++) {
    const char *place = strchr(from, letters[length - 1 - i]);
    out[i] = place ? to[place - from] : 'N';
  }
  out[length] = '\0';
  return out;
}

int64_t oracle_rescore(const drawn_case *one, const char *query, const char *target, const cla_run *runs,
                       size_t run_count) {
  int64_t sum = 0;
  for (size_t r = 0; r < run_count; r++) {
    if (runs[r].kind != CLA_RUN_PAIR) sum -= oracle_gap(&one->scoring, runs[r].length);
    for (int64_t k = 0; runs[r].kind == CLA_RUN_PAIR && k < runs[r].length; k++)
      sum += oracle_score(one, query[k], target[k]);
    if (runs[r].kind != CLA_RUN_TARGET) query += runs[r].length;
    if (runs[r].kind != CLA_RUN_QUERY) target += runs[r].length;
  }
  return sum;
}

typedef int64_t score_lines[128][128];

static void mark(bool present[128], const char *letters) {
  for (; *letters; letters++) present[(unsigned char)*letters] = true;
}

/* The scores of letters that the pair has, on either strand. */
static void fill_scores(score_lines scores, const drawn_case *one, const case_pair *pair) {
  bool query[128] = {false}, target[128] = {false};
  mark(query, pair->query);
  mark(target, pair->target);
  if (one->strand != CLA_STRAND_FORWARD) {
    char *other = oracle_reverse(pair->query, pair->rows);
    mark(query, other);
    free(other);
  }
  for (int a = 0; a < 128; a++)
    for (int b = 0; b < 128; b++)
      if (query[a] && target[b]) scores[a][b] = oracle_score(one, (char)a, (char)b);
}

static oracle_matrix matrix_of(const drawn_case *one, const char *query, int64_t rows, const char *target,
                               int64_t columns, score_lines scores) {
  const cla_mode mode = one->mode;
  int ends = mode == CLA_MODE_FREE_ENDS ? one->free_ends : 0;
  if (mode == CLA_MODE_OVERLAP) ends = CLA_FREE_ENDS_ALL;
  if (mode == CLA_MODE_SEMI_GLOBAL) ends = CLA_FREE_TARGET_START | CLA_FREE_TARGET_END;
  const bool local = mode == CLA_MODE_LOCAL;
  oracle_matrix m = {.query = query,
                     .target = target,
                     .rows = rows,
                     .columns = columns,
                     .scores = (const int64_t(*)[128])scores,
                     .costs = &one->scoring,
                     .query_start = local || (ends & CLA_FREE_QUERY_START),
                     .query_end = ends & CLA_FREE_QUERY_END,
                     .target_start = local || (ends & CLA_FREE_TARGET_START),
                     .target_end = ends & CLA_FREE_TARGET_END,
                     .floor = local,
                     .anywhere = local || mode == CLA_MODE_EXTEND,
                     .has_band = one->has_band};
  const int64_t shift = columns - rows;
  m.lowest = (shift < 0 ? shift : 0) - one->band;
  m.highest = (shift > 0 ? shift : 0) + one->band;
  return m;
}

/* The letters from `from` on, around the circle. */
static char *turned(const char *letters, int64_t length, int64_t from) {
  char *out = malloc((size_t)length + 1);
  if (!out) abort();
  memcpy(out, letters + from, (size_t)(length - from));
  memcpy(out + length - from, letters, (size_t)from);
  out[length] = '\0';
  return out;
}

/* Of all rotations the best; of several, the smallest. */
static oracle_path best_rotation(const drawn_case *one, oracle_matrix m) {
  const bool of_query = one->circular == CLA_CIRCULAR_QUERY;
  const char *letters = of_query ? m.query : m.target;
  const int64_t length = of_query ? m.rows : m.columns;
  int64_t best = 0, rotation = -1;
  oracle_path path = {0};
  for (int64_t r = 0; r <= length; r++) { /* the last one is for the path */
    char *copy = turned(letters, length, r < length ? r : rotation);
    if (of_query)
      m.query = copy;
    else
      m.target = copy;
    path = oracle_solve(&m, r < length);
    if (r < length && (rotation < 0 || path.score > best)) {
      best = path.score;
      rotation = r;
    }
    if (r == length) oracle_place_gaps(&path, &m, one->placement);
    free(copy);
  }
  path.rotation = rotation;
  return path;
}

/* Like `realloc`, of an array that grows by one. */
static void put_path(oracle_result *out, oracle_path path) {
  out->paths = realloc(out->paths, (out->count + 1) * sizeof *out->paths);
  if (!out->paths) abort();
  out->paths[out->count++] = path;
}

static void use_pairs(uint8_t *used, const oracle_path *path, int64_t columns) {
  int64_t i = path->query_start, j = path->target_start;
  for (size_t r = 0; r < path->run_count; r++)
    for (int64_t k = 0; k < path->runs[r].length; k++) {
      if (path->runs[r].kind != CLA_RUN_TARGET) i++;
      if (path->runs[r].kind != CLA_RUN_QUERY) j++;
      if (path->runs[r].kind == CLA_RUN_PAIR) used[i * (columns + 1) + j] = 1;
    }
}

/* The strand's alignments of which no two share a pair (Waterman and Eggert 1987). */
static oracle_result several(const drawn_case *one, oracle_matrix m) {
  oracle_result out = {0};
  uint8_t *used = calloc((size_t)((m.rows + 1) * (m.columns + 1)), 1);
  if (!used) abort();
  m.used = used;
  while ((int64_t)out.count < one->most) {
    const oracle_path path = oracle_solve(&m, false);
    if (out.count > 0 && path.score <= 0) {
      free(path.runs);
      break;
    }
    put_path(&out, path);
    use_pairs(used, &path, m.columns);
    if (path.score <= 0) break;
  }
  free(used);
  return out;
}

static oracle_result one_strand(const drawn_case *one, const case_pair *pair, bool reverse,
                                score_lines scores) {
  oracle_result out = {0};
  char *other = reverse ? oracle_reverse(pair->query, pair->rows) : NULL;
  const oracle_matrix m =
      matrix_of(one, other ? other : pair->query, pair->rows, pair->target, pair->columns, scores);
  if (one->most > 1) {
    out = several(one, m);
  } else if (one->circular != CLA_CIRCULAR_NONE) {
    put_path(&out, best_rotation(one, m));
  } else {
    put_path(&out, oracle_solve(&m, one->score_only));
    oracle_place_gaps(&out.paths[0], &m, one->placement);
  }
  for (size_t i = 0; i < out.count; i++) out.paths[i].reverse = reverse;
  free(other);
  return out;
}

void oracle_free(oracle_result *result) {
  for (size_t i = 0; i < result->count; i++) free(result->paths[i].runs);
  free(result->paths);
  *result = (oracle_result){0};
}

/* Next is always the better of both strands' next ones, the forward one of equals; what scores nothing is
 * only there if nothing else is. */
static oracle_result merge(oracle_result *forward, oracle_result *reverse, int64_t most) {
  oracle_result out = {0};
  size_t f = 0, r = 0;
  while ((int64_t)out.count < most && (f < forward->count || r < reverse->count)) {
    const bool second =
        f == forward->count || (r < reverse->count && reverse->paths[r].score > forward->paths[f].score);
    const oracle_path next = second ? reverse->paths[r] : forward->paths[f];
    if (most > 1 && out.count > 0 && next.score <= 0) break;
    put_path(&out, next);
    (second ? &reverse->paths[r++] : &forward->paths[f++])->runs = NULL;
  }
  oracle_free(forward);
  oracle_free(reverse);
  return out;
}

oracle_result oracle_align(const drawn_case *one, const case_pair *pair) {
  static score_lines scores;
  fill_scores(scores, one, pair);
  if (one->strand != CLA_STRAND_BOTH) return one_strand(one, pair, one->strand == CLA_STRAND_REVERSE, scores);
  oracle_result forward = one_strand(one, pair, false, scores);
  oracle_result reverse = one_strand(one, pair, true, scores);
  return merge(&forward, &reverse, one->most);
}
