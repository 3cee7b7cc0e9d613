/* Reads maps of positions from files: UCSC's chains, PAF, saved alignments. */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/text_number.h"
#include "clalign/alignment.h"
#include "clalign/lines.h"
#include "compare/lift/lift_map.h"
#include "compare/records/chain_text.h"
#include "path/path_operations.h"
#include "result/alignment.h"
#include "seq/sequence_internal.h"
#include "write/formats/alignment_file.h"

#define PAF_COLUMNS 12

typedef struct map_reader {
  cla_lift *map;
  cla_lines *lines;
  const char *shown; /* the file's name in messages */
  int64_t number;    /* line number, from 1 */
  char *line;        /* the current line; NULL: end of the file */
  path_operations operations;
} map_reader;

static cla_status report(const map_reader *reader, const char *what, cla_error *error) {
  return error_set(error, CLA_ERROR_INPUT, "line %" PRId64 " of %s %s", reader->number, reader->shown, what);
}

static cla_status next_line(map_reader *reader, cla_error *error) {
  size_t length;
  reader->number++;
  return cla_lines_next(&reader->line, &length, reader->lines, error);
}

/* The path of a pair of records. The path's positions count from letter `rotation` of a circular record, on
 * the aligned strand. */
typedef struct lift_path {
  lift_pair pair;
  int64_t target, query; /* start of the path, in the rotated records */
  int64_t target_rotation, query_rotation;
  const cla_run *runs;
  size_t run_count;
} lift_path;

static int64_t least(int64_t a, int64_t b, int64_t c) {
  const int64_t ab = a < b ? a : b;
  return ab < c ? ab : c;
}

/* Adds paired letters. At a circle's origin, the chain ends and a new one starts. `block`: from the target to
 * the query. `last`: the ends of the previous block, both 0 at first. */
static cla_status add_pairs(cla_lift *map, const lift_path *path, const lift_block *block, int64_t last[2],
                            cla_error *error) {
  cla_status status = CLA_OK;
  for (int64_t done = 0, steps; done < block->length && status == CLA_OK; done += steps) {
    const int64_t t = (block->from + done + path->target_rotation) % path->pair.target_length,
                  q = (block->to + done + path->query_rotation) % path->pair.query_length;
    steps = least(block->length - done, path->pair.target_length - t, path->pair.query_length - q);
    if (t < last[0] || q < last[1]) {
      lift_map_end(map);
      status = lift_map_begin(map, &path->pair, error);
    }
    if (status == CLA_OK) status = lift_map_add(map, t, q, steps, error);
    last[0] = t + steps;
    last[1] = q + steps;
  }
  return status;
}

static cla_status add_path(cla_lift *map, const lift_path *path, cla_error *error) {
  lift_block at = {.from = path->target, .to = path->query};
  int64_t last[2] = {0};
  cla_status status = lift_map_begin(map, &path->pair, error);
  for (size_t i = 0; i < path->run_count && status == CLA_OK; i++) {
    const cla_run *run = &path->runs[i];
    at.length = run->length;
    if (run->kind == CLA_RUN_PAIR) status = add_pairs(map, path, &at, last, error);
    if (run->kind != CLA_RUN_TARGET) at.to += run->length;
    if (run->kind != CLA_RUN_QUERY) at.from += run->length;
  }
  if (status == CLA_OK) lift_map_end(map);
  return status;
}

static cla_status read_blocks(map_reader *reader, chain_head *head, cla_error *error) {
  int64_t number[3];
  for (bool last = false; !last;) {
    cla_status status = next_line(reader, error);
    if (status != CLA_OK) return status;
    if (!reader->line || !chain_block_read(number, &last, reader->line))
      return report(reader, "is no block of a chain: one or three numbers; make the file again", error);
    if (number[0] > 0) status = lift_map_add(reader->map, head->target, head->query, number[0], error);
    if (status != CLA_OK) return status;
    head->target += number[0] + number[1];
    head->query += number[0] + number[2];
    if (head->target > head->target_end || head->query > head->query_end) break;
  }
  if (head->target == head->target_end && head->query == head->query_end) return CLA_OK;
  return report(reader, "does not lead to the ends that its chain tells; make the file again", error);
}

static cla_status read_chain(map_reader *reader, cla_error *error) {
  chain_head head;
  if (!chain_head_read(&head, reader->line))
    return report(reader,
                  "is no head of a chain: 'chain', a score, name, size, strand, begin and end of the target "
                  "(strand +) and the query",
                  error);
  cla_status status = lift_map_begin(reader->map, &head.pair, error);
  if (status == CLA_OK) status = read_blocks(reader, &head, error);
  if (status == CLA_OK) lift_map_end(reader->map);
  return status;
}

/* A line of PAF. The texts point into the line. */
typedef struct paf_columns {
  char *column[PAF_COLUMNS];
  const char *cigar; /* NULL: no such tag */
  bool secondary;
} paf_columns;

static bool split_paf(paf_columns *paf, char *text) {
  int count = 0;
  paf->cigar = NULL;
  paf->secondary = false;
  for (char *rest = text, *field; (field = strsep(&rest, "\t")); count++) {
    if (count < PAF_COLUMNS) paf->column[count] = field;
    if (count >= PAF_COLUMNS && strncmp(field, "cg:Z:", 5) == 0) paf->cigar = field + 5;
    if (count >= PAF_COLUMNS && strcmp(field, "tp:A:S") == 0) paf->secondary = true;
  }
  return count >= PAF_COLUMNS;
}

/* Sets the path from the columns and the CIGAR. Returns false if the two contradict each other. */
static bool take_paf(lift_path *path, const paf_columns *paf, const path_operations *operations) {
  char *const *column = paf->column;
  const int64_t query_begin = text_number(column[2]), query_end = text_number(column[3]),
                target_begin = text_number(column[7]), target_end = text_number(column[8]);
  *path = (lift_path){.pair = {.query_name = column[0],
                               .query_length = text_number(column[1]),
                               .target_name = column[5],
                               .target_length = text_number(column[6]),
                               .reverse = strcmp(column[4], "-") == 0},
                      .target = target_begin,
                      .runs = operations->path.runs,
                      .run_count = operations->path.run_count};
  path->query = path->pair.reverse ? path->pair.query_length - query_end : query_begin;
  return (path->pair.reverse || strcmp(column[4], "+") == 0) && query_begin >= 0 && target_begin >= 0 &&
         query_end <= path->pair.query_length && target_end <= path->pair.target_length &&
         operations->query_letters == query_end - query_begin &&
         operations->target_letters == target_end - target_begin;
}

static cla_status read_paf(map_reader *reader, cla_error *error) {
  paf_columns paf;
  lift_path path;
  bool fits = true;
  if (!split_paf(&paf, reader->line))
    return report(reader, "has no 12 columns, so this is no PAF; give a chain, PAF or .cla file", error);
  if (paf.secondary || strcmp(paf.column[5], "*") == 0) return CLA_OK;
  if (!paf.cigar)
    return report(reader, "has no CIGAR (tag cg:Z); align again with 'minimap2 -c' or the like", error);
  cla_status status = path_operations_read(&reader->operations, &fits, paf.cigar, error);
  if (status != CLA_OK) return status;
  if (!fits || !take_paf(&path, &paf, &reader->operations))
    return report(reader, "is damaged: its CIGAR does not lead from its begins to its ends; make it again",
                  error);
  return add_path(reader->map, &path, error);
}

/* Reads a text file. The first line that is neither empty nor a comment determines the format. */
static cla_status read_text(map_reader *reader, cla_error *error) {
  bool chains = false, begun = false;
  cla_status status = next_line(reader, error);
  while (status == CLA_OK && reader->line) {
    const char *line = reader->line;
    const bool head = strncmp(line, "chain", 5) == 0 && (line[5] == ' ' || line[5] == '\t');
    if (*line && *line != '#') {
      if (!begun) chains = head;
      begun = true;
      status = chains ? read_chain(reader, error) : read_paf(reader, error);
    }
    if (status == CLA_OK) status = next_line(reader, error);
  }
  return status;
}

static cla_status add_alignment(cla_lift *map, const cla_alignment *alignment, const char *shown,
                                cla_error *error) {
  const bool reverse = alignment->strand == CLA_STRAND_REVERSE;
  const cla_side *query = &alignment->query, *target = &alignment->target;
  if (!alignment->has_path)
    return error_set(error, CLA_ERROR_INPUT,
                     "%s holds a score alone; align again without --score-only, and save that", shown);
  const lift_path path = {.pair = {.target_name = target->name,
                                   .target_length = target->length,
                                   .query_name = query->name,
                                   .query_length = query->length,
                                   .reverse = reverse},
                          .target = target->start,
                          .query = strand_query_start(alignment),
                          .target_rotation = target->rotation,
                          .query_rotation = reverse ? query->length - query->rotation : query->rotation,
                          .runs = alignment->runs,
                          .run_count = alignment->run_count};
  return add_path(map, &path, error);
}

static cla_status read_saved(cla_lift *map, const char *path, const char *shown, cla_error *error) {
  cla_alignment **alignments = NULL;
  size_t count = 0;
  cla_status status = cla_alignment_load(&alignments, &count, path, error);
  for (size_t i = 0; i < count && status == CLA_OK; i++)
    status = add_alignment(map, alignments[i], shown, error);
  if (alignments) cla_alignments_free(alignments, count);
  return status;
}

/* Returns true if the file is a saved alignment; false also for standard input and for unreadable files. */
static bool is_saved(const char *path) {
  char begin[ALIGNMENT_FILE_MAGIC_BYTES] = {0};
  FILE *file = strcmp(path, "-") == 0 ? NULL : fopen(path, "rb");
  if (!file) return false;
  const size_t got = fread(begin, 1, sizeof begin, file);
  fclose(file);
  return got == sizeof begin && memcmp(begin, ALIGNMENT_FILE_MAGIC, sizeof begin) == 0;
}

/* Reads a file as cla_lift_open does, into an empty map. */
static cla_status lift_map_read(cla_lift *map, const char *path, cla_error *error) {
  char shown[SHOWN_LOCATION_SIZE];
  map_reader reader = {.map = map, .shown = shown_text(shown, sizeof shown, path)};
  if (is_saved(path)) return read_saved(map, path, shown, error);
  cla_status status = cla_lines_open(&reader.lines, path, error);
  if (status == CLA_OK) status = read_text(&reader, error);
  cla_lines_close(reader.lines);
  free(reader.operations.path.runs);
  if (status == CLA_OK && map->chain_count == 0)
    status = error_set(error, CLA_ERROR_INPUT, "%s has no alignment; give a chain, PAF or .cla file", shown);
  return status;
}

cla_status cla_lift_open(cla_lift **out, const char *path, bool reverse, cla_error *error) {
  cla_lift *map = NULL;
  *out = NULL;
  cla_status status = allocate_zeros((void **)&map, 1, sizeof *map, "an alignment", error);
  if (status != CLA_OK) return status;
  map->swapped = reverse;
  status = lift_map_read(map, path, error);
  if (status == CLA_OK) status = lift_map_finish(map, error);
  if (status == CLA_OK)
    *out = map;
  else
    cla_lift_close(map);
  return status;
}
