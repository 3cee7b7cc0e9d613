/* Reads a list of pairs. Each line has two locations separated by a tab, or is a line of PAF. The list may be
 * compressed. */

#include <errno.h>
#include <htslib/kstring.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "clalign/lines.h"
#include "cli/batch/batch_reader.h"
#include "cli/report/outputs.h"
#include "cli/report/report.h"

/* The columns of a PAF line that say what to align. */
typedef struct paf_line {
  char *names[2];     /* names of query and target, inside the line */
  int64_t lengths[2]; /* lengths of the records */
  int64_t from[2], to[2];
  cla_strand strand;
} paf_line;

/* What a line asks to be aligned. */
typedef struct line_pair {
  const char *query, *target; /* locations of both records */
  const char *group;          /* text that is equal for lines of the same query */
} line_pair;

typedef struct batch_list {
  batch_reader reader;
  const char *files[2]; /* files with the records that the PAF names; NULL: lines have locations */
  kstring_t places[2];  /* locations made from the current PAF line */
  paf_line paf;
  const char *path;
  bool is_stdin, read_again;
  const cli_outputs *outputs; /* outputs that must not replace an input; NULL: not checked */
  cla_lines *lines;
  char *line;     /* the current line, owned by the reader of lines */
  size_t letters; /* length of the current line */
  bool is_ahead;  /* the current line is the first pair's, which no lot contains yet */
  int64_t line_number, pairs, group;
  int64_t bytes_read;
  double bytes; /* size of the list; 0: unknown */
  cla_sequence_store *store;
  char *query_text;      /* text of the previous line's query */
  char *group_text;      /* group text of the previous line */
  batch_sequence *query; /* query of the previous line; NULL: not readable */
} batch_list;

static bool is_standard_input(const char *location) {
  return location[0] == '-' && (location[1] == '\0' || location[1] == ':');
}

static cla_status open_lines(batch_list *list, cla_error *error) {
  struct stat facts;
  if (!list->is_stdin && stat(list->path, &facts) == 0 && S_ISDIR(facts.st_mode))
    return cli_error(error, CLA_ERROR_INPUT, "%.1024s is a directory; give a list of pairs", list->path);
  return cla_lines_open(&list->lines, list->is_stdin ? "-" : list->path, error);
}

/* Returns true if a PAF line says that its query is aligned nowhere: its target is '*'. */
static bool has_no_place(const char *line) {
  for (int column = 1; column < 6 && line; column++) {
    line = strchr(line, '\t');
    if (line) line++;
  }
  return line && line[0] == '*' && line[1] == '\t';
}

/* Reads the next line with a pair, without its line break. *found is false at the end of the list. */
static cla_status next_line(batch_list *list, bool *found, cla_error *error) {
  *found = false;
  for (;;) {
    char *line = NULL;
    size_t letters = 0;
    cla_status status = cla_lines_next(&line, &letters, list->lines, error);
    if (status != CLA_OK || !line) return status;
    list->line_number++;
    list->bytes_read += (int64_t)letters + 1;
    list->line = line;
    list->letters = letters;
    if (line[strspn(line, " \t")] == '\0' && strlen(line) == letters) continue;
    *found = line[0] != '#' && !(list->files[0] && has_no_place(line));
    if (*found) return CLA_OK;
  }
}

/* Splits the line into its two columns. Text after a second tab is ignored. */
static cla_status split_line(const batch_list *list, line_pair *pair, cla_error *error) {
  char *tab = strchr(list->line, '\t');
  pair->query = list->line;
  if (!tab)
    return cli_error(error, CLA_ERROR_INPUT,
                     "the line has one column; write QUERY and TARGET with a tab between");
  *tab = '\0';
  pair->target = tab + 1;
  tab[1 + strcspn(tab + 1, "\t")] = '\0';
  pair->group = pair->query;
  if (*pair->query && *pair->target) return CLA_OK;
  return cli_error(error, CLA_ERROR_INPUT, "the %s is empty; write FILE, FILE:RECORD or FILE:RECORD:FROM-TO",
                   *pair->query ? "target" : "query");
}

#define PAF_COLUMNS 9

static cla_status bad_paf(const char *what, cla_error *error) {
  return cli_error(
      error, CLA_ERROR_INPUT,
      "the line %s; give PAF: query, its length, from, to, + or -, target, its length, from, to, "
      "with tabs between",
      what);
}

/* Parses a whole number in a column. */
static bool parse_count(int64_t *out, const char *text) {
  char *end = NULL;
  errno = 0;
  *out = strtoll(text, &end, 10);
  return *text >= '0' && *text <= '9' && !*end && errno == 0;
}

static cla_status parse_paf(batch_list *list, cla_error *error) {
  char *columns[PAF_COLUMNS], *at = list->line;
  int count = 0;
  while (count < PAF_COLUMNS && at) columns[count++] = strsep(&at, "\t");
  if (count < PAF_COLUMNS) return bad_paf("has fewer than 9 columns", error);
  paf_line *paf = &list->paf;
  for (int side = 0; side < 2; side++) {
    char **first = columns + (side ? 5 : 0);
    paf->names[side] = first[0];
    if (!parse_count(&paf->lengths[side], first[1]) || !parse_count(&paf->from[side], first[2]) ||
        !parse_count(&paf->to[side], first[3]))
      return bad_paf("has no whole number where a length or position is due", error);
    if (paf->from[side] >= paf->to[side] || paf->to[side] > paf->lengths[side])
      return bad_paf("has a region that is empty or not within its record", error);
  }
  paf->strand = columns[4][0] == '-' ? CLA_STRAND_REVERSE : CLA_STRAND_FORWARD;
  const bool is_strand = (columns[4][0] == '-' || columns[4][0] == '+') && !columns[4][1];
  return is_strand ? CLA_OK : bad_paf("has neither + nor - as its fifth column", error);
}

/* Makes the locations of the regions. Positions in PAF start at 0, those in locations at 1. */
static cla_status split_paf(batch_list *list, line_pair *pair, cla_error *error) {
  const paf_line *paf = &list->paf;
  cla_status status = parse_paf(list, error);
  for (int side = 0; side < 2 && status == CLA_OK; side++) {
    list->places[side].l = 0;
    if (ksprintf(&list->places[side], "%s:%s:%lld-%lld", list->files[side], paf->names[side],
                 (long long)paf->from[side] + 1, (long long)paf->to[side]) < 0)
      return cli_error(error, CLA_ERROR_MEMORY, "out of memory for a location; free some memory");
  }
  if (status == CLA_OK) *pair = (line_pair){list->places[0].s, list->places[1].s, paf->names[0]};
  return status;
}

/* Checks that the records have the lengths that the PAF states for them. */
static cla_status check_paf(const batch_list *list, const int64_t lengths[2], cla_error *error) {
  for (int side = 0; side < 2 && list->files[0]; side++)
    if (lengths[side] != list->paf.lengths[side])
      return cli_error(error, CLA_ERROR_INPUT,
                       "%.512s says that %.256s has %lld letters, and in %.512s it has %lld; give the files "
                       "that it was made of, the query's first",
                       list->path, list->paf.names[side], (long long)list->paf.lengths[side],
                       list->files[side], (long long)lengths[side]);
  return CLA_OK;
}

static cla_status check_stdin(const batch_list *list, const char *location, cla_error *error) {
  if (!is_standard_input(location) || !(list->is_stdin || list->read_again)) return CLA_OK;
  return cli_error(error, CLA_ERROR_INPUT,
                   list->is_stdin ? "standard input is the list of pairs; name a file for the sequence"
                                  : "a run directory needs files that can be read again, not standard input");
}

static cla_status read_side(batch_sequence **out, batch_list *list, const char *location, cla_error *error) {
  cla_sequence *sequence = NULL;
  cla_status status = check_stdin(list, location, error);
  if (status == CLA_OK)
    status = cla_sequence_store_read(&sequence, list->store, location, &list->reader.how, error);
  return status == CLA_OK ? batch_sequence_make(out, sequence, error) : status;
}

static cla_status replace_text(char **text, const char *by, cla_error *error) {
  free(*text);
  *text = strdup(by);
  return *text ? CLA_OK
               : cli_error(error, CLA_ERROR_MEMORY, "out of memory for a location; free some memory");
}

/* Reads the query, or reuses the previous line's query if the text is the same. */
static cla_status read_query(batch_list *list, const line_pair *texts, cla_error *error) {
  const bool same = list->query_text && strcmp(list->query_text, texts->query) == 0;
  cla_status status = CLA_OK;
  if (!list->group_text || strcmp(list->group_text, texts->group) != 0) {
    list->group++;
    status = replace_text(&list->group_text, texts->group, error);
  }
  if (status != CLA_OK || (same && list->query)) return status;
  batch_sequence_leave(list->query);
  list->query = NULL;
  if (!same) status = replace_text(&list->query_text, texts->query, error);
  return status == CLA_OK ? read_side(&list->query, list, texts->query, error) : status;
}

/* Forgets the group, because a line without a query belongs to no group. */
static void end_group(batch_list *list) {
  free(list->query_text);
  free(list->group_text);
  list->query_text = list->group_text = NULL;
  list->group++;
}

/* Finds the locations in the line. */
static cla_status split(batch_list *list, line_pair *texts, cla_error *error) {
  if (strlen(list->line) != list->letters)
    return cli_error(error, CLA_ERROR_INPUT, "the line holds a zero byte; this is no list of pairs");
  return list->files[0] ? split_paf(list, texts, error) : split_line(list, texts, error);
}

/* Checks that no output would replace a file that the line names. */
static cla_status check_outputs(const batch_list *list, const line_pair *texts, cla_error *error) {
  if (!list->outputs) return CLA_OK;
  cla_status allowed = outputs_check_input(list->outputs, texts->query, error);
  return allowed == CLA_OK ? outputs_check_input(list->outputs, texts->target, error) : allowed;
}

static cla_status read_pair(batch_list *list, batch_pair *pair, const line_pair *texts, cla_error *error) {
  cla_status status = read_query(list, texts, error);
  pair->group = list->group;
  pair->has_strand = list->files[0] != NULL;
  pair->strand = list->paf.strand;
  if (status == CLA_OK) status = read_side(&pair->target, list, texts->target, error);
  if (status != CLA_OK) return status;
  pair->query = batch_sequence_use(list->query);
  const int64_t lengths[2] = {cla_sequence_length(pair->query->sequence),
                              cla_sequence_length(pair->target->sequence)};
  return check_paf(list, lengths, error);
}

static cla_status next_pair(batch_reader *reader, batch_pair *pair, bool *found, batch_pair_name *name,
                            cla_error *error) {
  batch_list *list = (batch_list *)reader;
  line_pair texts = {list->files[0] ? list->path : "", "", ""};
  cla_status status = list->is_ahead ? CLA_OK : next_line(list, found, error);
  if (list->is_ahead) *found = true;
  list->is_ahead = false;
  if (status != CLA_OK || !*found) return status;
  *pair = (batch_pair){.index = list->pairs++, .number = list->line_number};
  status = split(list, &texts, error);
  if (status == CLA_OK) {
    const cla_status allowed = check_outputs(list, &texts, error);
    *found = allowed == CLA_OK; /* otherwise, no output may be written */
    if (!*found) return allowed;
    status = read_pair(list, pair, &texts, error);
  } else {
    end_group(list);
    pair->group = list->group;
  }
  if (status != CLA_OK)
    batch_pair_describe_as(name, reader, pair->number, texts.query, *texts.target ? texts.target : NULL);
  return status;
}

static double part_read(const batch_reader *reader) {
  const batch_list *list = (const batch_list *)reader;
  return list->bytes > 0 ? (double)list->bytes_read / list->bytes : -1;
}

void batch_lot_free(batch_lot *lot) {
  for (int side = 0; side < 2; side++) {
    cla_record_block_free(&lot->records[side]);
    free(lot->of[side]);
  }
  free(lot->numbers);
  free(lot->strands);
  free(lot->failures);
}

static cla_status no_memory(cla_error *error) {
  return cli_error(error, CLA_ERROR_MEMORY, "out of memory for pairs of a list; free some memory");
}

static bool grow(void *array, int64_t count, size_t size) {
  void *old, *more;
  memcpy(&old, array, sizeof old);
  more = realloc(old, (size_t)count * size);
  if (more) memcpy(array, &more, sizeof more);
  return more;
}

static cla_status make_room(batch_lot *lot, int64_t pairs, bool strands, cla_error *error) {
  if (pairs <= lot->room) return CLA_OK;
  bool made = grow(&lot->numbers, pairs, sizeof *lot->numbers);
  for (int side = 0; side < 2 && made; side++) made = grow(&lot->of[side], pairs, sizeof *lot->of[side]);
  if (made && strands) made = grow(&lot->strands, pairs, sizeof *lot->strands);
  if (!made) return no_memory(error);
  lot->room = pairs;
  return CLA_OK;
}

/* Adds a pair that cannot be read, its error, and two records with the status of this error. */
static cla_status add_failed(batch_lot *lot, const batch_list *list, const line_pair *texts,
                             cla_status status, const cla_error *why, cla_error *error) {
  if (lot->failure_count == lot->failure_room) {
    const int64_t room = 2 * lot->failure_room + 4;
    if (!grow(&lot->failures, room, sizeof *lot->failures)) return no_memory(error);
    lot->failure_room = room;
  }
  batch_read_failure *failure = &lot->failures[lot->failure_count++];
  failure->pair = lot->count;
  failure->error = *why;
  batch_pair_describe_as(&failure->name, &list->reader, list->line_number, texts->query,
                         *texts->target ? texts->target : NULL);
  cla_status added = CLA_OK;
  for (int side = 0; side < 2 && added == CLA_OK; side++) {
    added = cla_record_block_add(&lot->records[side], NULL, status, error);
    lot->of[side][lot->count] = lot->records[side].count - 1;
  }
  return added;
}

static cla_status find_side(cla_record_source *out, batch_list *list, const char *location,
                            cla_error *error) {
  cla_status status = check_stdin(list, location, error);
  return status == CLA_OK ? cla_sequence_store_find(out, list->store, location, &list->reader.how, error)
                          : status;
}

/* Returns the number of letters in a source's whole record. */
static int64_t record_letters(const cla_record_source *source) {
  if (source->sequence) return cla_sequence_length(source->sequence);
  const int64_t *offset = source->block->offsets + source->index;
  return offset[1] - offset[0];
}

/* Finds the records of both sides. The query may already be in the lot, if the previous pair has the same
 * one. */
static cla_status find_sides(cla_record_source sides[2], batch_list *list, const line_pair *texts,
                             bool same_query, cla_error *error) {
  cla_status status = same_query ? CLA_OK : find_side(&sides[0], list, texts->query, error);
  if (status == CLA_OK) status = find_side(&sides[1], list, texts->target, error);
  if (status != CLA_OK) return status;
  const int64_t lengths[2] = {record_letters(&sides[0]), record_letters(&sides[1])};
  status = check_paf(list, lengths, error);
  for (int side = 0; side < 2 && status == CLA_OK; side++)
    if (sides[side].sequence)
      status = list->reader.check(sides[side].sequence, list->reader.check_user, error);
  return status;
}

static cla_status add_sides(batch_lot *lot, cla_record_source sides[2], bool same_query, cla_error *error) {
  cla_status status = same_query ? CLA_OK : cla_record_block_add(&lot->records[0], &sides[0], CLA_OK, error);
  if (status == CLA_OK)
    status = cla_record_block_add(&lot->records[1], &sides[1], CLA_OK, error);
  else
    cla_sequence_free(sides[1].sequence);
  for (int side = 0; side < 2; side++) lot->of[side][lot->count] = lot->records[side].count - 1;
  return status;
}

/* Adds the current line's pair to the lot. *known: the lot's last query is that of the previous pair. */
static cla_status add_line(batch_lot *lot, batch_list *list, bool *known, cla_error *error) {
  line_pair texts = {list->files[0] ? list->path : "", "", ""};
  cla_record_source sides[2] = {{0}, {0}};
  cla_error why = {.status = CLA_OK};
  cla_status status = split(list, &texts, &why);
  if (status == CLA_OK) {
    const cla_status allowed = check_outputs(list, &texts, error);
    if (allowed != CLA_OK) return allowed;
  }
  const bool same = status == CLA_OK && *known && strcmp(list->query_text, texts.query) == 0;
  if (same) sides[0] = lot->records[0].sources[lot->records[0].count - 1];
  if (status == CLA_OK) status = find_sides(sides, list, &texts, same, &why);
  lot->numbers[lot->count] = list->line_number;
  if (lot->strands) lot->strands[lot->count] = (uint8_t)list->paf.strand;
  *known = status == CLA_OK;
  if (status == CLA_OK && !same) status = replace_text(&list->query_text, texts.query, &why);
  if (status == CLA_OK) return add_sides(lot, sides, same, error);
  if (!same) cla_sequence_free(sides[0].sequence);
  cla_sequence_free(sides[1].sequence);
  return add_failed(lot, list, &texts, status, &why, error);
}

/* Adds a pair that was already read as sequences. */
static cla_status add_held(batch_lot *lot, const batch_pair *held, cla_error *error) {
  cla_sequence *const wholes[2] = {held->query->sequence, held->target->sequence};
  cla_record_source sides[2] = {{0}, {0}};
  cla_status status = CLA_OK;
  for (int side = 0; side < 2 && status == CLA_OK; side++)
    status = cla_sequence_part(&sides[side].sequence, wholes[side], cla_sequence_location(wholes[side]),
                               cla_sequence_begin(wholes[side]), cla_sequence_end(wholes[side]), error);
  lot->numbers[lot->count] = held->number;
  if (lot->strands) lot->strands[lot->count] = (uint8_t)held->strand;
  if (status == CLA_OK) return add_sides(lot, sides, false, error);
  cla_sequence_free(sides[0].sequence);
  return status;
}

static bool is_full(const batch_lot *lot, int64_t most_letters) {
  bool full = false;
  for (int side = 0; side < 2 && lot->count > 0; side++)
    full |= lot->records[side].offsets[lot->records[side].count] >= most_letters;
  return full;
}

cla_status batch_list_lot(batch_lot *lot, batch_reader *reader, const batch_pair *held, int64_t most_pairs,
                          int64_t most_letters, cla_error *error) {
  batch_list *list = (batch_list *)reader;
  bool known = false, found = true;
  for (int side = 0; side < 2; side++) cla_record_block_clear(&lot->records[side]);
  lot->count = lot->failure_count = lot->bytes = 0;
  cla_status status = make_room(lot, most_pairs, list->files[0] != NULL, error);
  if (status == CLA_OK && held) {
    status = add_held(lot, held, error);
    lot->count += status == CLA_OK;
  }
  while (status == CLA_OK && lot->count < most_pairs && !is_full(lot, most_letters)) {
    status = list->is_ahead ? CLA_OK : next_line(list, &found, error);
    list->is_ahead = false;
    if (status != CLA_OK || !found) break;
    lot->bytes += (int64_t)list->letters + 1;
    status = add_line(lot, list, &known, error);
    lot->count += status == CLA_OK;
  }
  return status;
}

static void close_list(batch_reader *reader) {
  batch_list *list = (batch_list *)reader;
  cla_lines_close(list->lines);
  batch_sequence_leave(list->query);
  free(list->query_text);
  free(list->group_text);
  for (int side = 0; side < 2; side++) ks_free(&list->places[side]);
  cla_sequence_store_close(list->store);
  free(list);
}

/* Reads the list's first line. Refuses a file of sequences given as the list, because each of its lines would
 * be an error. */
static cla_status look_ahead(batch_list *list, cla_error *error) {
  cla_status status = next_line(list, &list->is_ahead, error);
  if (status != CLA_OK || !list->is_ahead) return status;
  const char *line = list->line;
  const bool fasta = line[0] == '>', fastq = line[0] == '@' && !strchr(line, '\t');
  if (!fasta && !fastq) return CLA_OK;
  return cli_error(error, CLA_ERROR_INPUT,
                   "the list %.1024s is %s; give a list of pairs (a line each: QUERY, a tab, TARGET), or add "
                   "--all-vs-all for all pairs of the records, or a second file and --pairwise",
                   list->path, fasta ? "FASTA" : "FASTQ");
}

cla_status batch_list_open(batch_reader **out, const batch_inputs *inputs, cla_error *error) {
  batch_list *list = calloc(1, sizeof *list);
  if (!list) return cli_error(error, CLA_ERROR_MEMORY, "out of memory for a list; free some memory");
  list->reader = (batch_reader){
      .next = next_pair, .part = part_read, .close = close_list, .unit = "line", .how = inputs->how};
  const char *path = inputs->regions ? inputs->regions : inputs->list;
  list->is_stdin = strcmp(path, "-") == 0;
  list->path = list->is_stdin ? "on standard input" : path;
  list->bytes = batch_file_bytes(path, true);
  if (inputs->regions) {
    list->files[0] = inputs->queries;
    list->files[1] = inputs->targets ? inputs->targets : inputs->queries;
  }
  list->read_again = inputs->read_again;
  if (inputs->outputs && outputs_replace_files(inputs->outputs)) list->outputs = inputs->outputs;
  cla_status status = open_lines(list, error);
  if (status == CLA_OK) status = look_ahead(list, error);
  if (status == CLA_OK) status = cla_sequence_store_open(&list->store, inputs->letters_kept, error);
  if (status == CLA_OK)
    *out = &list->reader;
  else
    close_list(&list->reader);
  return status;
}
