#include "made_alignment.h"

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

#include "result/alignment.h"
#include "seq/sequence.h"
#include "support/test.h"

static int64_t pair_value(const cla_scoring *scoring, char query, char target) {
  bool match = query == target && query != 0 && strchr("ACGT", query);
  return match ? scoring->match : scoring->mismatch;
}

/* Sets the score of the alignment's path, and the stops. */
static void finish(made_alignment *made, const char *query, const char *target) {
  cla_alignment *alignment = made->alignment;
  int64_t i = alignment->query.start, j = alignment->target.start;
  alignment->score = 0;
  for (size_t index = 0; index < alignment->run_count; index++)
    for (int64_t letter = 0; letter < alignment->runs[index].length; letter++) {
      if (alignment->runs[index].kind == CLA_RUN_PAIR)
        alignment->score += pair_value(&alignment->scoring, query[i++], target[j++]);
      else
        alignment->score -= letter == 0 ? alignment->scoring.gap_first : alignment->scoring.gap_ext;
      if (alignment->runs[index].kind == CLA_RUN_QUERY) i++;
      if (alignment->runs[index].kind == CLA_RUN_TARGET) j++;
    }
  alignment->query.stop = i;
  alignment->target.stop = j;
}

static made_alignment begin(const char *query, const char *target, cla_mode mode, int64_t query_start,
                            int64_t target_start, size_t max_runs) {
  made_alignment made = {0};
  cla_scoring scoring;
  cla_scoring_init(&scoring);
  assert_ok(cla_sequence_from_letters_with(
      &made.query, "q", query, (int64_t)strlen(query),
      &(cla_sequence_options){.known = true, .alphabet = CLA_ALPHABET_DNA}, &why));
  assert_ok(cla_sequence_from_letters_with(
      &made.target, "t", target, (int64_t)strlen(target),
      &(cla_sequence_options){.known = true, .alphabet = CLA_ALPHABET_DNA}, &why));
  assert_ok(alignment_create(&made.alignment, made.query, made.target, mode, &scoring, &why));
  made.alignment->has_path = true;
  made.alignment->query.start = query_start;
  made.alignment->target.start = target_start;
  if (max_runs > 0) made.alignment->runs = calloc(max_runs, sizeof(cla_run));
  return made;
}

made_alignment made_alignment_make(const char *query, const char *target, cla_mode mode, int64_t query_start,
                                   int64_t target_start, const char *path) {
  made_alignment made = begin(query, target, mode, query_start, target_start, strlen(path));
  while (*path) {
    char *kind = NULL;
    cla_run run = {.length = strtoll(path, &kind, 10)};
    run.kind = *kind == 'P' ? CLA_RUN_PAIR : *kind == 'Q' ? CLA_RUN_QUERY : CLA_RUN_TARGET;
    made.alignment->runs[made.alignment->run_count++] = run;
    path = kind + 1;
  }
  finish(&made, query, target);
  return made;
}

static uint64_t next_random(uint64_t *state) {
  uint64_t value = *state += 0x9e3779b97f4a7c15u;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
  return value ^ (value >> 31);
}

static int64_t below(uint64_t *state, int64_t limit) {
  return (int64_t)(next_random(state) % (uint64_t)limit);
}

static char *random_letters(uint64_t *state, int64_t length) {
  char *letters = calloc((size_t)length + 1, 1);
  for (int64_t index = 0; index < length; index++) letters[index] = "AACCGGTTANRACGTT"[below(state, 16)];
  return letters;
}

/* Appends random runs up to the lengths that are left; with `local` the first and last run are pairs. */
static void random_path(made_alignment *made, uint64_t *state, int64_t query_left, int64_t target_left,
                        bool local) {
  cla_alignment *alignment = made->alignment;
  int last = -1;
  while (query_left > 0 || target_left > 0) {
    int kind = (int)below(state, 3);
    if (local && last == -1) kind = CLA_RUN_PAIR;
    if (kind == last) kind = (kind + 1) % 3;
    int64_t most = kind == CLA_RUN_PAIR    ? (query_left < target_left ? query_left : target_left)
                   : kind == CLA_RUN_QUERY ? query_left
                                           : target_left;
    if (most == 0 && kind == CLA_RUN_PAIR) {
      kind = query_left > 0 ? CLA_RUN_QUERY : CLA_RUN_TARGET;
      most = query_left > 0 ? query_left : target_left;
    }
    if (most == 0) continue;
    int64_t length = kind == CLA_RUN_PAIR ? 1 + below(state, most) : 1 + below(state, most < 5 ? most : 5);
    if (kind == last)
      alignment->runs[alignment->run_count - 1].length += length;
    else
      alignment->runs[alignment->run_count++] = (cla_run){.length = length, .kind = (cla_run_kind)kind};
    if (kind != CLA_RUN_TARGET) query_left -= length;
    if (kind != CLA_RUN_QUERY) target_left -= length;
    last = kind;
    if (local && below(state, 8) == 0) break;
  }
  while (local && alignment->run_count > 0 && alignment->runs[alignment->run_count - 1].kind != CLA_RUN_PAIR)
    alignment->run_count--;
}

made_alignment made_alignment_random(uint64_t seed, int64_t max_length) {
  uint64_t state = seed;
  int64_t query_length = 1 + below(&state, max_length), target_length = 1 + below(&state, max_length);
  bool local = below(&state, 2) == 0;
  char *query = random_letters(&state, query_length), *target = random_letters(&state, target_length);
  int64_t query_start = local ? below(&state, query_length) : 0;
  int64_t target_start = local ? below(&state, target_length) : 0;
  made_alignment made = begin(query, target, local ? CLA_MODE_LOCAL : CLA_MODE_GLOBAL, query_start,
                              target_start, (size_t)(query_length + target_length));
  /* A local score must be above 0. With free mismatches and gaps, any match suffices. */
  if (local) {
    made.alignment->scoring.match = 3;
    made.alignment->scoring.mismatch = made.alignment->scoring.gap_first = made.alignment->scoring.gap_ext =
        0;
  }
  random_path(&made, &state, query_length - query_start, target_length - target_start, local);
  finish(&made, query, target);
  if (local && made.alignment->score == 0) {
    free(made.alignment->runs);
    made.alignment->runs = NULL;
    made.alignment->run_count = 0;
    made.alignment->query.start = made.alignment->query.stop = 0;
    made.alignment->target.start = made.alignment->target.stop = 0;
  }
  free(query);
  free(target);
  return made;
}

void made_alignment_turn(made_alignment *made) {
  cla_sequence *turned = NULL;
  assert_ok(sequence_reverse_complement(&turned, made->query, &why));
  cla_sequence_free(made->query);
  made->query = turned;
  side_turn(&made->alignment->query, made->alignment->run_count == 0);
  made->alignment->strand = CLA_STRAND_REVERSE;
  cla_sequence_checksum(turned, made->alignment->query.checksum);
}

void made_alignment_free(made_alignment *made) {
  cla_alignment_free(made->alignment);
  cla_sequence_free(made->query);
  cla_sequence_free(made->target);
}

/* Compares the texts of two sides, and clears them for a comparison of all else. */
static bool same_texts(cla_side *a, cla_side *b) {
  const bool same = strcmp(a->name, b->name) == 0 && strcmp(a->location, b->location) == 0;
  a->name = a->location = b->name = b->location = NULL;
  return same;
}

/* Fields that are not named here are compared as bytes, so that new fields are compared, too. */
bool made_alignment_same(const cla_alignment *a, const cla_alignment *b) {
  cla_alignment *sides[] = {malloc(sizeof *a), malloc(sizeof *b)};
  memcpy(sides[0], a, sizeof *a);
  memcpy(sides[1], b, sizeof *b);
  bool same = same_texts(&sides[0]->query, &sides[1]->query) &&
              same_texts(&sides[0]->target, &sides[1]->target) && a->run_count == b->run_count;
  for (size_t index = 0; same && index < a->run_count; index++)
    same = a->runs[index].length == b->runs[index].length && a->runs[index].kind == b->runs[index].kind;
  for (int i = 0; i < 2; i++) {
    sides[i]->runs = NULL;
    sides[i]->work = NULL;
    sides[i]->allocator = (cla_allocator){0};
    memset(&sides[i]->metrics, 0, sizeof sides[i]->metrics);
  }
  same = same && memcmp(sides[0], sides[1], sizeof *a) == 0;
  free(sides[0]);
  free(sides[1]);
  return same;
}

char *made_path(const char *folder, const char *name) {
  char *path = NULL;
  cr_assert_geq(asprintf(&path, "%s/%s", folder, name), 0);
  return path;
}

void made_folder_forget_result(const char *folder) {
  const char *names[] = {"state.json", "path.clp", "result.cla"};
  for (int i = 0; i < 3; i++) {
    char *path = made_path(folder, names[i]);
    remove(path);
    free(path);
  }
}

void made_alignment_rename(cla_side *side, const char *name) {
  free(side->name);
  side->name = strdup(name);
  cr_assert_not_null(side->name);
}

/* Not inlined: otherwise GCC 12 assumes that the closed stream still holds the text. */
__attribute__((noinline)) cla_status made_alignment_write(char **text, const made_alignment *made,
                                                          cla_format format, size_t count,
                                                          const char *command, cla_error *error) {
  const cla_alignment *alignments[] = {made->alignment, made->alignment};
  const cla_write_options options = {.command = command};
  size_t size = 0;
  FILE *file = open_memstream(text, &size);
  const cla_status status = cla_write(
      file, format,
      &(cla_results){.alignments = alignments, .count = count, .query = made->query, .target = made->target},
      &options, error);
  cr_assert_eq(fclose(file), 0);
  return status;
}

char *made_alignment_written_with(const made_alignment *made, cla_format format, size_t count,
                                  const char *command) {
  char *text = NULL;
  assert_ok(made_alignment_write(&text, made, format, count, command, &why));
  return text;
}

char *made_alignment_written(const made_alignment *made, cla_format format) {
  return made_alignment_written_with(made, format, 1, NULL);
}

void made_alignment_expect(const made_alignment *made, cla_format format, const char *part) {
  char *text = made_alignment_written(made, format);
  cr_expect(strstr(text, part), "expected %s in:\n%s", part, text);
  free(text);
}

char *made_folder(void) {
  const char *parent = getenv("TMPDIR");
  char *folder = made_path(parent && *parent ? parent : "/tmp", "clalign-test-XXXXXX");
  cr_assert_not_null(mkdtemp(folder), "cannot make the folder %s", folder);
  return folder;
}

int made_folder_entries(const char *folder) {
  int count = 0;
  DIR *directory = opendir(folder);
  cr_assert_not_null(directory);
  for (const struct dirent *entry; (entry = readdir(directory));)
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) count++;
  closedir(directory);
  return count;
}

void made_folder_remove(char *folder) {
  DIR *directory = opendir(folder);
  cr_assert_not_null(directory);
  for (const struct dirent *entry; (entry = readdir(directory));) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    char *path = made_path(folder, entry->d_name);
    cr_expect_eq(remove(path), 0);
    free(path);
  }
  closedir(directory);
  cr_expect_eq(rmdir(folder), 0);
  free(folder);
}

char *made_read(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  cr_assert_not_null(file, "cannot read %s", path);
  cr_assert_eq(fseek(file, 0, SEEK_END), 0);
  long size = ftell(file);
  cr_assert_geq(size, 0);
  rewind(file);
  char *bytes = calloc((size_t)size + 1, 1);
  cr_assert_eq(fread(bytes, 1, (size_t)size, file), (size_t)size);
  fclose(file);
  if (length) *length = (size_t)size;
  return bytes;
}

void made_write(const char *path, const void *bytes, size_t length) {
  FILE *file = fopen(path, "wb");
  cr_assert_not_null(file, "cannot write %s", path);
  cr_assert_eq(fwrite(bytes, 1, length, file), length);
  cr_assert_eq(fclose(file), 0);
}

char *own_folder, *own_path;

void own_file_begin(const char *name) {
  own_folder = made_folder();
  own_path = made_path(own_folder, name);
}

void own_file_end(void) {
  made_folder_remove(own_folder);
  free(own_path);
}

const work_room work_room_most = {.bands = CLA_WORK_BANDS_MOST,
                                  .special_rows = CLA_WORK_ROWS_MOST,
                                  .crosspoints = CLA_WORK_CROSSPOINTS_MOST,
                                  .levels = CLA_LEVELS_MOST,
                                  .level_bands = CLA_LEVELS_MOST * CLA_WORK_BANDS_MOST};

void expect_sound_work(const cla_work *work, int64_t rows, int64_t columns) {
  int64_t row = work->unknown_rows, area = 0;
  cr_assert(row >= 0 && row <= rows);
  for (size_t i = 0; i < work->band_count; i++) {
    const cla_work_band *band = &work->bands[i];
    cr_assert(band->row == row && band->rows > 0 && band->column >= 0 && band->columns >= 0);
    cr_assert_leq(band->column + band->columns, columns);
    row += band->rows;
    area += band->rows * band->columns;
  }
  cr_assert_leq(row, rows);
  cr_assert(work->cells >= 0 && work->cells <= area);
  for (size_t i = 0; i < work->special_row_count; i++)
    cr_assert(work->special_rows[i] > (i ? work->special_rows[i - 1] : 0) && work->special_rows[i] <= rows);
  for (size_t i = 0; i < work->crosspoint_count; i++) {
    const cla_crosspoint *at = &work->crosspoints[i];
    cr_assert(at->row >= (i ? at[-1].row : 0) && at->row <= rows);
    cr_assert(at->column >= (i ? at[-1].column : 0) && at->column <= columns);
  }
  const cla_work_band *bands = work->level_bands;
  for (size_t i = 0; i < work->level_count; i++) {
    const cla_work_level *level = &work->levels[i];
    cr_assert(level->cells >= 0 && level->cells <= rows * columns && level->size <= CLA_LEVEL_FINE);
    row = 0;
    for (int64_t k = 0; k < level->band_count; k++, bands++) {
      cr_assert(bands->row == row && bands->rows > 0 && bands->column >= 0 && bands->columns >= 0);
      cr_assert_leq(bands->column + bands->columns, columns);
      row += bands->rows;
    }
    cr_assert_leq(row, rows);
  }
  cr_assert_eq(bands, work->level_bands + work->level_band_count);
}
