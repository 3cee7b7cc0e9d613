/* Lifts GFF3 and GTF, whose features have parents. A feature is lifted by the chain of its parent. */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/text_number.h"
#include "compare/lift/lift_lines.h"
#include "seq/record_index.h"

#define COLUMNS 9
#define DEPTH_MOST 32 /* maximum number of levels of parents */

enum { NAME, SOURCE, TYPE, BEGIN, END, SCORE, STRAND, PHASE, ATTRIBUTES };

typedef enum feature_state { STATE_WAITS, STATE_BEGUN, STATE_DONE } feature_state;

typedef enum line_kind {
  LINE_FEATURE,
  LINE_TEXT,   /* written unchanged */
  LINE_RECORDS /* replaced by the names of the records to which features are lifted */
} line_kind;

/* A line of the file. */
typedef struct feature {
  int64_t text;            /* offset of the line in the texts; a feature's columns each end with a zero */
  int64_t column[COLUMNS]; /* offsets of the columns */
  int64_t number;          /* line number, from 1 */
  line_kind kind;
  feature_state state;
  bool misses_children;
  cla_lift_range range;
  const lift_record *record;
  const lift_chain *chain; /* the chain that lifted it; NULL: not lifted */
  cla_lifted lifted;
} feature;

struct lift_features {
  lift_work *work;
  feature *items;
  int64_t count, capacity;
  char *texts;
  int64_t texts_length, texts_capacity;
  record_index ids[2]; /* indices by ID: of GFF3's features, or of GTF's genes and transcripts. A place in
                          them is an index in `items`. */
  bool records_told;   /* a LINE_RECORDS was added or written */
};

/* GTF's two kinds of parents. GFF3 uses the first index for all features. */
enum { GENES, TRANSCRIPTS };

/* A part of a text. */
typedef struct text_part {
  const char *begin; /* NULL: no text */
  int64_t length;
} text_part;

static bool is_gtf(const lift_features *features) {
  return features->work->job->format == CLA_ANNOTATION_GTF;
}

/* Returns the end of the attribute at `text`: a semicolon, which for GTF must be outside of quotes, or the
 * end of the text. */
static const char *attribute_end(const char *text, bool gtf) {
  bool quoted = false;
  for (; *text && (quoted || *text != ';'); text++)
    if (gtf && *text == '"') quoted = !quoted;
  return text;
}

/* Finds the value of an attribute: key=value in GFF3, key "value" in GTF. */
static text_part find_attribute(const char *text, const char *key, bool gtf) {
  const size_t length = strlen(key);
  for (const char *end; *text; text = *end ? end + 1 : end) {
    while (*text == ' ') text++;
    end = attribute_end(text, gtf);
    if (strncmp(text, key, length) != 0 || text[length] != (gtf ? ' ' : '=')) continue;
    const char *begin = text + length + 1, *stop = end;
    while (gtf && (*begin == ' ' || *begin == '"') && begin < stop) begin++;
    while (gtf && stop > begin && (stop[-1] == ' ' || stop[-1] == '"')) stop--;
    return (text_part){begin, stop - begin};
  }
  return (text_part){NULL, 0};
}

static const char *column_of(const lift_features *features, const feature *one, int column) {
  return features->texts + one->column[column];
}

/* Returns the feature with that ID; NULL: none. */
static feature *find_item(const lift_features *features, int index, const text_part *id) {
  const record_index *ids = &features->ids[index];
  int64_t same;
  if (!id->begin || ids->count == 0) return NULL;
  const int64_t number = record_index_find(ids, &same, id->begin, id->length);
  return number < 0 ? NULL : &features->items[ids->places[number].place];
}

static cla_status add_id(lift_features *features, int index, int64_t item, const text_part *id,
                         cla_error *error) {
  if (!id->begin || id->length == 0) return CLA_OK;
  char *end = features->texts + (id->begin - features->texts) + id->length;
  const char kept = *end;
  *end = '\0';
  cla_status status =
      record_index_add(&features->ids[index], item, features->items[item].number, id->begin, error);
  *end = kept;
  return status;
}

/* Adds the ID by which other features name this feature as their parent. */
static cla_status add_ids(lift_features *features, int64_t item, cla_error *error) {
  const feature *one = &features->items[item];
  const char *attributes = column_of(features, one, ATTRIBUTES), *type = column_of(features, one, TYPE);
  const bool gtf = is_gtf(features);
  if (gtf && strcmp(type, "gene") != 0 && strcmp(type, "transcript") != 0) return CLA_OK;
  const bool gene = strcmp(type, "gene") == 0;
  const text_part id = find_attribute(attributes, gtf ? (gene ? "gene_id" : "transcript_id") : "ID", gtf);
  return add_id(features, gtf && !gene ? TRANSCRIPTS : GENES, item, &id, error);
}

static cla_status add_text(lift_features *features, const char *line, size_t length, cla_error *error) {
  cla_status status = ALLOCATE_GROW(&features->texts, &features->texts_capacity,
                                    features->texts_length + (int64_t)length + 1, "annotations", error);
  if (status != CLA_OK) return status;
  memcpy(features->texts + features->texts_length, line, length);
  features->texts_length += (int64_t)length;
  features->texts[features->texts_length++] = '\0';
  return CLA_OK;
}

/* Splits the line in place at tabs. Returns false if it does not have the columns of a feature. */
static bool split(lift_features *features, feature *one) {
  int count = 0;
  for (char *rest = features->texts + one->text, *field; (field = strsep(&rest, "\t")); count++)
    if (count < COLUMNS) one->column[count] = field - features->texts;
  return count == COLUMNS;
}

static cla_status read_feature(lift_features *features, feature *one, cla_error *error) {
  lift_work *work = features->work;
  if (!split(features, one))
    return lift_report(work, one->number, "has no 9 columns with tabs between; name another --format", error);
  one->range = (cla_lift_range){text_number(column_of(features, one, BEGIN)) - 1,
                                text_number(column_of(features, one, END))};
  if (one->range.begin < 0 || one->range.end <= one->range.begin || one->range.end > LIFT_POSITION_MOST)
    return lift_report(work, one->number, "has no begin and end in columns 4 and 5", error);
  return lift_work_record(&one->record, work, column_of(features, one, NAME), error);
}

static bool begins(const char *line, const char *word) {
  return strncmp(line, word, strlen(word)) == 0;
}

/* Adds a line. A feature is split into its columns; other lines are kept unchanged. */
static cla_status add_line(lift_features *features, line_kind kind, const char *line, size_t length,
                           cla_error *error) {
  cla_status status =
      ALLOCATE_GROW(&features->items, &features->capacity, features->count + 1, "annotations", error);
  if (status != CLA_OK) return status;
  const int64_t item = features->count;
  features->items[item] =
      (feature){.text = features->texts_length, .number = features->work->number, .kind = kind};
  status = add_text(features, line, length, error);
  if (status != CLA_OK) return status;
  features->count++;
  if (kind != LINE_FEATURE) return CLA_OK;
  status = read_feature(features, &features->items[item], error);
  return status == CLA_OK ? add_ids(features, item, error) : status;
}

cla_status lift_features_add(bool *end, lift_features *features, char *line, size_t length,
                             cla_error *error) {
  if (begins(line, "##FASTA") || *line == '>') {
    features->work->counts->letters = true;
    *end = true;
    return CLA_OK;
  }
  const bool records = begins(line, "##sequence-region");
  if (records && features->records_told) return CLA_OK;
  features->records_told = features->records_told || records;
  cla_status status = add_line(features,
                               records                 ? LINE_RECORDS
                               : *line && *line != '#' ? LINE_FEATURE
                                                       : LINE_TEXT,
                               line, length, error);
  if (status == CLA_OK && !is_gtf(features) && strcmp(line, "###") == 0)
    status = lift_features_flush(features, error);
  return status;
}

/* Takes the next item of a list with commas. Returns false if there is none. */
static bool next_part(text_part *part, text_part *list) {
  if (!list->begin) return false;
  const char *comma = memchr(list->begin, ',', (size_t)list->length);
  *part = (text_part){list->begin, comma ? comma - list->begin : list->length};
  *list = comma ? (text_part){comma + 1, list->length - part->length - 1} : (text_part){NULL, 0};
  return true;
}

/* Returns the parent of a GTF feature: its transcript. For a transcript, or a feature without one, returns
 * its gene. NULL: the file has no such parent. */
static feature *gtf_parent(const lift_features *features, const feature *one) {
  const char *attributes = column_of(features, one, ATTRIBUTES), *type = column_of(features, one, TYPE);
  const text_part gene = find_attribute(attributes, "gene_id", true),
                  transcript = find_attribute(attributes, "transcript_id", true);
  feature *parent = NULL;
  if (strcmp(type, "gene") == 0) return NULL;
  if (strcmp(type, "transcript") != 0) parent = find_item(features, TRANSCRIPTS, &transcript);
  return parent ? parent : find_item(features, GENES, &gene);
}

/* What is known of a feature's parents. */
typedef struct parents_word {
  bool any;        /* the file contains a parent */
  feature *lifted; /* the first parent that was lifted; NULL: none */
} parents_word;

static cla_status settle(lift_features *features, feature *one, int depth, cla_error *error);

static cla_status ask_parent(parents_word *word, lift_features *features, feature *parent, int depth,
                             cla_error *error) { /* NOLINT(misc-no-recursion) */
  if (!parent) return CLA_OK;
  cla_status status = settle(features, parent, depth + 1, error);
  word->any = true;
  if (!word->lifted && parent->chain) word->lifted = parent;
  return status;
}

static cla_status ask_parents(parents_word *word, lift_features *features, const feature *one, int depth,
                              cla_error *error) { /* NOLINT(misc-no-recursion) */
  if (is_gtf(features)) return ask_parent(word, features, gtf_parent(features, one), depth, error);
  text_part list = find_attribute(column_of(features, one, ATTRIBUTES), "Parent", false), name;
  cla_status status = CLA_OK;
  while (status == CLA_OK && next_part(&name, &list))
    status = ask_parent(word, features, find_item(features, GENES, &name), depth, error);
  return status;
}

/* Lifts a feature on its own or, if `only` is given, along the chain of its parent. */
static void lift_feature(const lift_work *work, feature *one, const lift_chain *only) {
  lift_wish wish = {.record = one->record,
                    .ranges = &one->range,
                    .count = 1,
                    .min_match = work->job->min_match,
                    .only = only};
  const lift_chain *elsewhere;
  cla_lifted other;
  lift_place(&one->lifted, &one->chain, work->map, &wish);
  if (!only || one->chain) return;
  wish.only = NULL;
  lift_place(&other, &elsewhere, work->map, &wish);
  if (other.fate == CLA_LIFT_DONE || other.fate == CLA_LIFT_SEVERAL) one->lifted.fate = CLA_LIFT_APART;
}

/* Lifts a feature after its parents. */
static cla_status settle(lift_features *features, feature *one, int depth, /* NOLINT(misc-no-recursion) */
                         cla_error *error) {
  parents_word word = {.any = false};
  if (one->state == STATE_DONE) return CLA_OK;
  if (one->state == STATE_BEGUN || depth > DEPTH_MOST)
    return lift_report(features->work, one->number,
                       "has parents that lead back to it, or too many above each other; mend them", error);
  one->state = STATE_BEGUN;
  cla_status status = ask_parents(&word, features, one, depth, error);
  one->state = STATE_DONE;
  if (status != CLA_OK) return status;
  if (word.any && !word.lifted)
    one->lifted = (cla_lifted){.fate = CLA_LIFT_PARENT};
  else
    lift_feature(features->work, one, word.lifted ? word.lifted->chain : NULL);
  if (word.lifted && !one->chain) word.lifted->misses_children = true;
  return CLA_OK;
}

/* Prints the attributes, without parents that were not lifted. */
static void print_attributes(const lift_features *features, const feature *one) {
  FILE *file = features->work->lifted;
  const char *attributes = column_of(features, one, ATTRIBUTES);
  const text_part all = is_gtf(features) ? (text_part){NULL, 0} : find_attribute(attributes, "Parent", false);
  if (!all.begin || !memchr(all.begin, ',', (size_t)all.length)) {
    fputs(attributes, file);
    return;
  }
  text_part list = all, name;
  const char *comma = "";
  fwrite(attributes, 1, (size_t)(all.begin - attributes), file);
  while (next_part(&name, &list)) {
    const feature *parent = find_item(features, GENES, &name);
    if (parent && !parent->chain) continue;
    fprintf(file, "%s%.*s", comma, (int)name.length, name.begin);
    comma = ",";
  }
  fputs(all.begin + all.length, file);
}

static const char *strand_of(const char *strand, bool reverse) {
  if (!reverse || strlen(strand) != 1 || !strchr("+-", strand[0])) return strand;
  return strand[0] == '+' ? "-" : "+";
}

static void print_lifted(const lift_features *features, const feature *one) {
  FILE *file = features->work->lifted;
  const cla_lifted *lifted = &one->lifted;
  fprintf(file, "%s\t%s\t%s\t%" PRId64 "\t%" PRId64 "\t%s\t%s\t%s\t", lifted->name,
          column_of(features, one, SOURCE), column_of(features, one, TYPE), lifted->range.begin + 1,
          lifted->range.end, column_of(features, one, SCORE),
          strand_of(column_of(features, one, STRAND), lifted->reverse), column_of(features, one, PHASE));
  print_attributes(features, one);
  fputc('\n', file);
}

static void print_unlifted(const lift_features *features, const feature *one) {
  FILE *file = features->work->unlifted;
  char reason[LIFT_REASON_SIZE];
  if (!file) return;
  lift_reason(reason, &one->lifted);
  fprintf(file, "# %s\n", reason);
  for (int i = 0; i < COLUMNS; i++) fprintf(file, "%s%s", i > 0 ? "\t" : "", column_of(features, one, i));
  fputc('\n', file);
}

static int compare_names(const void *a, const void *b, void *names) {
  return strcmp((const char *)names + ((const lift_side *)a)->name,
                (const char *)names + ((const lift_side *)b)->name);
}

/* Writes the names of all records of the map's other side, sorted. They replace the names of the original
 * records. */
static cla_status tell_records(const lift_features *features, cla_error *error) {
  const cla_lift *map = features->work->map;
  lift_side *sides = NULL;
  cla_status status = ALLOCATE_ARRAY(&sides, map->chain_count, "names of records", error);
  if (status != CLA_OK) return status;
  for (int64_t i = 0; i < map->chain_count; i++) sides[i] = map->chains[i].to;
  qsort_r(sides, (size_t)map->chain_count, sizeof *sides, compare_names, map->names);
  for (int64_t i = 0; i < map->chain_count; i++)
    if (i == 0 || compare_names(&sides[i], &sides[i - 1], map->names) != 0)
      fprintf(features->work->lifted, "##sequence-region %s 1 %" PRId64 "\n", map->names + sides[i].name,
              sides[i].length);
  free(sides);
  return CLA_OK;
}

static cla_status print_line(lift_features *features, const feature *one, cla_error *error) {
  cla_lift_counts *counts = features->work->counts;
  if (one->kind == LINE_RECORDS) return tell_records(features, error);
  if (one->kind == LINE_TEXT) {
    fprintf(features->work->lifted, "%s\n", features->texts + one->text);
    return CLA_OK;
  }
  counts->fates[one->lifted.fate]++;
  counts->incomplete += one->misses_children;
  if (one->chain)
    print_lifted(features, one);
  else
    print_unlifted(features, one);
  return CLA_OK;
}

static void forget(lift_features *features) {
  features->count = features->texts_length = 0;
  record_index_free(&features->ids[GENES]);
  record_index_free(&features->ids[TRANSCRIPTS]);
}

cla_status lift_features_flush(lift_features *features, cla_error *error) {
  cla_status status = CLA_OK;
  for (int i = 0; i < 2 && status == CLA_OK; i++)
    if (features->ids[i].count > 0) status = record_index_finish(&features->ids[i], error);
  for (int64_t i = 0; i < features->count && status == CLA_OK; i++)
    if (features->items[i].kind == LINE_FEATURE) status = settle(features, &features->items[i], 0, error);
  for (int64_t i = 0; i < features->count && status == CLA_OK; i++)
    status = print_line(features, &features->items[i], error);
  forget(features);
  return status;
}

cla_status lift_features_open(lift_features **out, lift_work *work, cla_error *error) {
  cla_status status = ALLOCATE_ZEROS(out, 1, "annotations", error);
  if (status == CLA_OK) (*out)->work = work;
  return status;
}

void lift_features_close(lift_features *features) {
  if (!features) return;
  forget(features);
  free(features->items);
  free(features->texts);
  free(features);
}
