/* Lifts BED, in which each line is a separate feature. */

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/text_number.h"
#include "compare/lift/lift_lines.h"

#define COLUMNS_LEAST 3
#define COLUMNS_MOST 12

enum { NAME, BEGIN, END, STRAND = 5, THICK_BEGIN, THICK_END, BLOCK_COUNT = 9, BLOCK_SIZES, BLOCK_BEGINS };

typedef struct bed_line {
  char *column[COLUMNS_MOST];
  int columns;      /* number of columns that were split off */
  int meant;        /* number of columns that have the meaning of BED; later ones are copied */
  const char *rest; /* text after the split columns; NULL: none */
  cla_lift_range range, thick;
  cla_lift_range *blocks; /* the blocks, or else the whole range; owned */
  int64_t block_count;
} bed_line;

/* Splits a line at tabs, or at spaces if it has no tabs. */
static void split(bed_line *bed, char *line) {
  const bool tabs = strchr(line, '\t') != NULL;
  char *rest = line;
  while (rest && bed->columns < COLUMNS_MOST) {
    if (!tabs)
      while (*rest == ' ') rest++;
    if (!tabs && !*rest) break;
    bed->column[bed->columns++] = strsep(&rest, tabs ? "\t" : " ");
  }
  bed->rest = rest && *rest ? rest : NULL;
}

static bool read_range(cla_lift_range *out, const char *begin, const char *end) {
  *out = (cla_lift_range){text_number(begin), text_number(end)};
  return out->begin >= 0 && out->end >= out->begin && out->end <= LIFT_POSITION_MOST;
}

/* Reads the next number of a list with commas; -1: none. */
static int64_t next_number(const char **list) {
  char *end = NULL;
  if (!isdigit((unsigned char)**list)) return -1;
  const long long number = strtoll(*list, &end, 10);
  if (*end != ',' && *end != '\0') return -1;
  *list = *end ? end + 1 : end;
  return number;
}

/* Reads the lists of blocks. Returns false unless they ascend from the start of the line's range to its
 * end. */
static bool read_blocks(bed_line *bed) {
  const char *sizes = bed->column[BLOCK_SIZES], *begins = bed->column[BLOCK_BEGINS];
  int64_t last = bed->range.begin;
  for (int64_t i = 0; i < bed->block_count; i++) {
    const int64_t size = next_number(&sizes), begin = next_number(&begins);
    if (size < 1 || begin < 0 || size > bed->range.end || begin > bed->range.end) return false;
    bed->blocks[i].begin = bed->range.begin + begin;
    bed->blocks[i].end = bed->blocks[i].begin + size;
    if (bed->blocks[i].begin < last || (i == 0 && begin != 0)) return false;
    last = bed->blocks[i].end;
  }
  return !*sizes && !*begins && last == bed->range.end;
}

static bool has_thick(bed_line *bed) {
  return bed->columns > THICK_END &&
         read_range(&bed->thick, bed->column[THICK_BEGIN], bed->column[THICK_END]) &&
         bed->thick.begin >= bed->range.begin && bed->thick.end <= bed->range.end;
}

static bool has_strand(const bed_line *bed) {
  return bed->columns > STRAND && strchr("+-.", bed->column[STRAND][0]) && strlen(bed->column[STRAND]) == 1;
}

/* Returns how many columns have the meaning of BED, judged by their contents. For example, a peak's signal
 * is not the start of a thick part. */
static int count_columns(bed_line *bed) {
  if (!has_strand(bed)) return bed->columns < STRAND ? bed->columns : STRAND;
  if (!has_thick(bed)) return bed->columns < THICK_BEGIN ? bed->columns : THICK_BEGIN;
  if (bed->columns == COLUMNS_MOST && text_number(bed->column[BLOCK_COUNT]) >= 0) return COLUMNS_MOST;
  return bed->columns < BLOCK_COUNT ? bed->columns : BLOCK_COUNT;
}

/* Returns the maximum number of blocks that a list can contain. Each block takes at least two characters: a
 * number and its comma. */
static int64_t most_blocks(const bed_line *bed) {
  return bed->meant < COLUMNS_MOST ? 1 : ((int64_t)strlen(bed->column[BLOCK_SIZES]) + 1) / 2;
}

static cla_status read_line(bed_line *bed, const lift_work *work, cla_error *error) {
  const int asked = work->job->bed_columns;
  if (bed->columns < COLUMNS_LEAST)
    return lift_report(work, work->number, "is no BED: name, begin and end; name another --format", error);
  if (!read_range(&bed->range, bed->column[BEGIN], bed->column[END]))
    return lift_report(work, work->number,
                       "has no begin and end as columns 2 and 3: whole numbers, the end not below the begin; "
                       "correct them, or name another --format",
                       error);
  if (asked > bed->columns)
    return lift_report(work, work->number, "has fewer columns than --bed-columns says", error);
  bed->meant = asked > 0 ? asked : count_columns(bed);
  if (bed->meant > STRAND && !has_strand(bed))
    return lift_report(work, work->number, "has no strand (+, - or .) in column 6; lower --bed-columns",
                       error);
  if (bed->meant > THICK_END && !has_thick(bed))
    return lift_report(work, work->number, "has no thick part of it in columns 7 and 8; lower --bed-columns",
                       error);
  bed->block_count = bed->meant == COLUMNS_MOST ? text_number(bed->column[BLOCK_COUNT]) : 1;
  if (bed->block_count < 1 || bed->block_count > most_blocks(bed))
    return lift_report(work, work->number, "has no number of blocks in column 10; lower --bed-columns",
                       error);
  cla_status status = ALLOCATE_ARRAY(&bed->blocks, bed->block_count, "blocks of BED", error);
  if (status != CLA_OK) return status;
  bed->blocks[0] = bed->range;
  if (bed->meant < COLUMNS_MOST || read_blocks(bed)) return CLA_OK;
  return lift_report(work, work->number,
                     "has blocks that do not lead from its begin to its end; lower --bed-columns", error);
}

/* Lifts the thick part. If none of its letters is paired, returns an empty range at the start. */
static cla_lift_range lift_thick(const bed_line *bed, const cla_lift *map, const lift_chain *chain,
                                 const cla_lifted *lifted) {
  cla_lift_range all = {lifted->range.begin, lifted->range.begin}, hull;
  bool any = false;
  for (int64_t i = 0; i < bed->block_count && bed->thick.begin < bed->thick.end; i++) {
    cla_lift_range part = bed->blocks[i];
    if (part.begin < bed->thick.begin) part.begin = bed->thick.begin;
    if (part.end > bed->thick.end) part.end = bed->thick.end;
    if (part.begin >= part.end || !lift_hull(&hull, map, chain, &part)) continue;
    if (!any || hull.begin < all.begin) all.begin = hull.begin;
    if (!any || hull.end > all.end) all.end = hull.end;
    any = true;
  }
  return all;
}

/* Lifts each block. Returns false if one of them has no paired letter. */
static bool lift_blocks(bed_line *bed, const cla_lift *map, const lift_chain *chain) {
  for (int64_t i = 0; i < bed->block_count; i++)
    if (!lift_hull(&bed->blocks[i], map, chain, &bed->blocks[i])) return false;
  for (int64_t i = 0, last = bed->block_count - 1; chain->reverse && i < last; i++, last--) {
    const cla_lift_range block = bed->blocks[i];
    bed->blocks[i] = bed->blocks[last];
    bed->blocks[last] = block;
  }
  return true;
}

static void print_blocks(FILE *file, const bed_line *bed, int64_t begin) {
  fprintf(file, "\t%" PRId64 "\t", bed->block_count);
  for (int64_t i = 0; i < bed->block_count; i++)
    fprintf(file, "%" PRId64 ",", bed->blocks[i].end - bed->blocks[i].begin);
  fputc('\t', file);
  for (int64_t i = 0; i < bed->block_count; i++) fprintf(file, "%" PRId64 ",", bed->blocks[i].begin - begin);
}

static const char *strand_of(const char *strand, bool reverse) {
  if (!reverse || strand[0] == '.') return strand;
  return strand[0] == '+' ? "-" : "+";
}

static void print_lifted(FILE *file, const bed_line *bed, const cla_lifted *lifted,
                         const cla_lift_range *thick) {
  fprintf(file, "%s\t%" PRId64 "\t%" PRId64, lifted->name, lifted->range.begin, lifted->range.end);
  for (int i = COLUMNS_LEAST; i < bed->columns; i++) {
    if (i == BLOCK_COUNT && bed->meant == COLUMNS_MOST) {
      print_blocks(file, bed, lifted->range.begin);
      i = BLOCK_BEGINS;
    } else if ((i == THICK_BEGIN || i == THICK_END) && i < bed->meant) {
      fprintf(file, "\t%" PRId64, i == THICK_BEGIN ? thick->begin : thick->end);
    } else {
      fprintf(file, "\t%s",
              i == STRAND && i < bed->meant ? strand_of(bed->column[i], lifted->reverse) : bed->column[i]);
    }
  }
  if (bed->rest) fprintf(file, "\t%s", bed->rest);
  fputc('\n', file);
}

static void print_unlifted(FILE *file, const bed_line *bed, const cla_lifted *lifted, bool block_lost) {
  char reason[LIFT_REASON_SIZE];
  lift_reason(reason, lifted);
  fprintf(file, "# %s\n", block_lost ? "partly deleted: a block has no letter there" : reason);
  for (int i = 0; i < bed->columns; i++) fprintf(file, "%s%s", i > 0 ? "\t" : "", bed->column[i]);
  if (bed->rest) fprintf(file, "\t%s", bed->rest);
  fputc('\n', file);
}

static void lift(lift_work *work, bed_line *bed, const lift_record *record) {
  cla_lifted lifted;
  const lift_chain *chain;
  const lift_wish wish = {
      .record = record, .ranges = bed->blocks, .count = bed->block_count, .min_match = work->job->min_match};
  lift_place(&lifted, &chain, work->map, &wish);
  cla_lift_range thick = {0};
  if (chain && bed->meant > THICK_BEGIN) thick = lift_thick(bed, work->map, chain, &lifted);
  const bool block_lost = chain && !lift_blocks(bed, work->map, chain);
  if (block_lost) lifted.fate = CLA_LIFT_PARTLY;
  work->counts->fates[lifted.fate]++;
  if (lifted.fate == CLA_LIFT_DONE)
    print_lifted(work->lifted, bed, &lifted, &thick);
  else if (work->unlifted)
    print_unlifted(work->unlifted, bed, &lifted, block_lost);
}

/* Returns true for empty lines, for comments, and for "browser" and "track" lines, which are copied
 * unchanged. */
static bool is_head(const char *line) {
  return !*line || *line == '#' || strncmp(line, "track", 5) == 0 || strncmp(line, "browser", 7) == 0;
}

cla_status lift_bed_line(lift_work *work, char *line, cla_error *error) {
  bed_line bed = {.columns = 0};
  const lift_record *record = NULL;
  if (is_head(line)) {
    fprintf(work->lifted, "%s\n", line);
    return CLA_OK;
  }
  split(&bed, line);
  cla_status status = read_line(&bed, work, error);
  if (status == CLA_OK) status = lift_work_record(&record, work, bed.column[NAME], error);
  if (status == CLA_OK) lift(work, &bed, record);
  free(bed.blocks);
  return status;
}
