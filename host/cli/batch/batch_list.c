/* A list of pairs: lines of two locations with a tab between, plain or compressed. */

#include <errno.h>
#include <fcntl.h>
#include <htslib/bgzf.h>
#include <htslib/hfile.h>
#include <htslib/hts_log.h>
#include <htslib/kstring.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/batch/batch_reader.h"
#include "cli/report/outputs.h"
#include "cli/report/report.h"

typedef struct batch_list {
  batch_reader reader;
  const char *path;
  bool is_stdin, read_again;
  const cli_outputs *outputs; /* NULL: none replaces a file */
  BGZF *lines;
  kstring_t line;
  bool is_ahead; /* the line is the first pair's, which is yet to be taken */
  int64_t line_number, pairs, group;
  cla_sequence_store *store;
  char *query_text;      /* of the line before */
  batch_sequence *query; /* of that, unless it could not be read */
} batch_list;

static bool is_standard_input(const char *location) {
  return location[0] == '-' && (location[1] == '\0' || location[1] == ':');
}

/* A descriptor, because htslib takes some names for addresses. */
static cla_status open_lines(batch_list *list, cla_error *error) {
  struct stat facts;
  const int descriptor =
      list->is_stdin ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : open(list->path, O_RDONLY | O_CLOEXEC);
  if (descriptor >= 0 && fstat(descriptor, &facts) == 0 && S_ISDIR(facts.st_mode)) {
    close(descriptor);
    return cli_error(error, CLA_ERROR_INPUT, "%.1024s is a directory; give a list of pairs", list->path);
  }
  hFILE *bytes = descriptor >= 0 ? hdopen(descriptor, "r") : NULL;
  if (bytes) list->lines = bgzf_hopen(bytes, "r");
  if (list->lines) return CLA_OK;
  const int problem = errno;
  if (bytes)
    hclose_abruptly(bytes);
  else if (descriptor >= 0)
    close(descriptor);
  return cli_error(error, CLA_ERROR_INPUT, "cannot read the list of pairs %.1024s: %s; check the path",
                   list->path, strerror(problem));
}

/* The next line that has a pair, without its end; *found is false at the end of the list. */
static cla_status next_line(batch_list *list, bool *found, cla_error *error) {
  *found = false;
  for (;;) {
    const int length = bgzf_getline(list->lines, '\n', &list->line);
    if (length == -1) return CLA_OK;
    list->line_number++;
    if (length < -1)
      return cli_error(error, CLA_ERROR_INPUT,
                       "cannot read the list of pairs %.1024s after line %lld: it is damaged or truncated; "
                       "get it again",
                       list->path, (long long)list->line_number - 1);
    char *line = list->line.s;
    size_t letters = list->line.l;
    while (letters > 0 && line[letters - 1] == '\r') line[--letters] = '\0';
    list->line.l = letters;
    if (line[strspn(line, " \t")] == '\0' && strlen(line) == letters) continue;
    *found = line[0] != '#';
    if (*found) return CLA_OK;
  }
}

/* Cuts the line into its two columns; what follows a second tab is the user's own. */
static cla_status split_line(const batch_list *list, char **query, char **target, cla_error *error) {
  *query = list->line.s;
  char *tab = strchr(list->line.s, '\t');
  if (strlen(list->line.s) != list->line.l)
    return cli_error(error, CLA_ERROR_INPUT, "the line holds a zero byte; this is no list of pairs");
  if (!tab)
    return cli_error(error, CLA_ERROR_INPUT,
                     "the line has one column; write QUERY and TARGET with a tab between");
  *tab = '\0';
  *target = tab + 1;
  (*target)[strcspn(*target, "\t")] = '\0';
  if (**query && **target) return CLA_OK;
  return cli_error(error, CLA_ERROR_INPUT, "the %s is empty; write FILE, FILE:RECORD or FILE:RECORD:FROM-TO",
                   **query ? "target" : "query");
}

static cla_status read_side(batch_sequence **out, batch_list *list, const char *location, cla_error *error) {
  cla_sequence *sequence = NULL;
  if (is_standard_input(location) && (list->is_stdin || list->read_again))
    return cli_error(error, CLA_ERROR_INPUT,
                     list->is_stdin ? "standard input is the list of pairs; name a file for the sequence"
                                    : "a run directory needs files that can be read again, not standard "
                                      "input");
  cla_status status = cla_sequence_store_read(&sequence, list->store, location, &list->reader.how, error);
  return status == CLA_OK ? batch_sequence_make(out, sequence, error) : status;
}

/* The query of the line before is used again where the text is the same. */
static cla_status read_query(batch_list *list, const char *location, cla_error *error) {
  const bool same = list->query_text && strcmp(list->query_text, location) == 0;
  if (same && list->query) return CLA_OK;
  batch_sequence_leave(list->query);
  list->query = NULL;
  if (!same) {
    free(list->query_text);
    list->query_text = strdup(location);
    list->group++;
    if (!list->query_text)
      return cli_error(error, CLA_ERROR_MEMORY, "out of memory for a location; free some memory");
  }
  return read_side(&list->query, list, location, error);
}

static cla_status next_pair(batch_reader *reader, batch_pair *pair, bool *found, batch_pair_name *name,
                            cla_error *error) {
  batch_list *list = (batch_list *)reader;
  char none[] = "", *query = none, *target = none;
  cla_status status = list->is_ahead ? CLA_OK : next_line(list, found, error);
  if (list->is_ahead) *found = true;
  list->is_ahead = false;
  if (status != CLA_OK || !*found) return status;
  *pair = (batch_pair){.index = list->pairs++, .number = list->line_number};
  status = split_line(list, &query, &target, error);
  if (status == CLA_OK && list->outputs) {
    cla_status allowed = outputs_check_input(list->outputs, query, error);
    if (allowed == CLA_OK) allowed = outputs_check_input(list->outputs, target, error);
    *found = allowed == CLA_OK; /* else nothing may be written */
    if (!*found) return allowed;
  }
  if (status == CLA_OK) {
    status = read_query(list, query, error);
  } else { /* a line of no query belongs to none */
    free(list->query_text);
    list->query_text = NULL;
    list->group++;
  }
  pair->group = list->group;
  if (status == CLA_OK) status = read_side(&pair->target, list, target, error);
  if (status == CLA_OK)
    pair->query = batch_sequence_use(list->query);
  else
    batch_pair_describe_as(name, reader, pair->number, query, *target ? target : NULL);
  return status;
}

static void close_list(batch_reader *reader) {
  batch_list *list = (batch_list *)reader;
  if (list->lines) bgzf_close(list->lines);
  ks_free(&list->line);
  batch_sequence_leave(list->query);
  free(list->query_text);
  cla_sequence_store_close(list->store);
  free(list);
}

/* Reads the list's first line. A file of sequences in its place would be an error of each of its lines. */
static cla_status look_ahead(batch_list *list, cla_error *error) {
  cla_status status = next_line(list, &list->is_ahead, error);
  if (status != CLA_OK || !list->is_ahead) return status;
  const char *line = list->line.s;
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
  list->reader =
      (batch_reader){.next = next_pair, .close = close_list, .unit = "line", .total = -1, .how = inputs->how};
  list->is_stdin = strcmp(inputs->list, "-") == 0;
  list->path = list->is_stdin ? "on standard input" : inputs->list;
  list->read_again = inputs->read_again;
  if (inputs->outputs && outputs_replace_files(inputs->outputs)) list->outputs = inputs->outputs;
  hts_set_log_level(HTS_LOG_OFF); /* errors are told here */
  cla_status status = open_lines(list, error);
  if (status == CLA_OK) status = look_ahead(list, error);
  if (status == CLA_OK) status = cla_sequence_store_open(&list->store, inputs->letters_kept, error);
  if (status == CLA_OK)
    *out = &list->reader;
  else
    close_list(&list->reader);
  return status;
}
