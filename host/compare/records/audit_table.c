/* Tables of audited records: TSV, JSON and BED. */

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "base/files.h"
#include "compare/records/audit_internal.h"

struct cla_audit_table {
  cla_audit_format format;
  atomic_file *owned; /* NULL: the caller's `file` is used */
  FILE *file;
  cla_audit_command command;
  cla_scoring scoring; /* only `units` is used */
};

#define BED_SCORE_MOST 1000

/* Prints a word, quoted for a shell if necessary. */
static void put_word(FILE *file, const char *word) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
  if (word[strspn(word, plain)] == '\0') {
    fputs(word, file);
    return;
  }
  fputc('\'', file);
  for (; *word; word++) *word == '\'' ? (void)fputs("'\\''", file) : (void)fputc(*word, file);
  fputc('\'', file);
}

/* Prints the location of a part of a record. CLA_ERROR_MEMORY. */
static cla_status put_location(FILE *file, const char *path, const char *name, int64_t begin, int64_t end,
                               cla_error *error) {
  char *text = NULL;
  if (asprintf(&text, "%s:%s:%lld-%lld", path, name, (long long)begin + 1, (long long)end) < 0)
    return allocate_failed("a command", error);
  fputc(' ', file);
  put_word(file, text);
  free(text);
  return CLA_OK;
}

static cla_status put_command(FILE *file, const cla_audit_command *command, const cla_aligned_record *record,
                              const int64_t begin[2], const int64_t end[2], cla_error *error) {
  cla_status status = CLA_OK;
  fputs(command->command, file);
  if (record->path.strand == CLA_STRAND_REVERSE) fputs(" --strand reverse", file);
  for (int side = 0; side < 2 && status == CLA_OK; side++)
    status = put_location(file, command->files[side], record->name[side], begin[side], end[side], error);
  return status;
}

cla_status cla_audit_command_text(char **out, const cla_audit_command *command,
                                  const cla_aligned_record *record, const int64_t begin[2],
                                  const int64_t end[2], cla_error *error) {
  size_t bytes = 0;
  *out = NULL;
  FILE *file = open_memstream(out, &bytes);
  if (!file) return allocate_failed("a command", error);
  cla_status status = put_command(file, command, record, begin, end, error);
  if (fclose(file) != 0 && status == CLA_OK) status = allocate_failed("a command", error);
  return status;
}

static double identity(const cla_statistics *counts) {
  return counts->columns > 0 ? 100.0 * (double)counts->matches / (double)counts->columns : 0;
}

static void put_score(FILE *file, const cla_audit_table *table, int64_t score) {
  char text[CLA_SCORE_TEXT_SIZE];
  cla_score_text(text, score, &table->scoring);
  fputs(text, file);
}

static const char *status_word(const cla_audit *audit) {
  return !audit ? "wrong" : audit->loss_count > 0 ? "loses" : "optimal";
}

static void put_region(FILE *file, const cla_aligned_record *record, int side) {
  fprintf(file, "\t%s\t", record->name[side] ? record->name[side] : "*");
  if (record->path.run_count > 0)
    fprintf(file, "%lld\t%lld", (long long)record->start[side], (long long)record->end[side]);
  else
    fputs("*\t*", file);
}

static cla_status put_tsv(cla_audit_table *table, const cla_audit_entry *entry, cla_error *error) {
  FILE *file = table->file;
  const cla_aligned_record *record = entry->record;
  const cla_audit *audit = entry->audit;
  fprintf(file, "%s\t%lld", entry->file, (long long)record->number);
  put_region(file, record, 0);
  fprintf(file, "\t%c",
          record->path.run_count == 0                 ? '*'
          : record->path.strand == CLA_STRAND_REVERSE ? '-'
                                                      : '+');
  put_region(file, record, 1);
  if (!audit) {
    fprintf(file, "\t*\t*\t*\t*\t*\t*\t*\twrong\t%s\n", entry->fault);
    return CLA_OK;
  }
  const int64_t scores[] = {audit->score, audit->optimal_score, audit->optimal_score - audit->score};
  for (int i = 0; i < 3; i++) {
    fputc('\t', file);
    put_score(file, table, scores[i]);
  }
  fprintf(file, "\t%lld\t%lld\t%.3f\t%.3f\t%s\t", (long long)audit->pairs, (long long)audit->loss_count,
          identity(&audit->statistics), identity(&audit->optimal), status_word(audit));
  cla_status status = CLA_OK;
  if (audit->loss_count > 0)
    status = put_command(file, &table->command, record, record->start, record->end, error);
  fputc('\n', file);
  return status;
}

static cla_status put_bed(cla_audit_table *table, const cla_audit_entry *entry, cla_error *error) {
  FILE *file = table->file;
  const cla_aligned_record *record = entry->record;
  cla_status status = CLA_OK;
  const int64_t units = larger(table->scoring.units, 1);
  for (int64_t i = 0; entry->audit && i < entry->audit->loss_count && status == CLA_OK; i++) {
    const cla_loss *loss = &entry->audit->losses[i];
    const int64_t lost = loss->optimal_score - loss->score;
    fprintf(file, "%s\t%lld\t%lld\t%s:%lld-%lld\t%lld\t%c\t", record->name[1], (long long)loss->begin[1],
            (long long)loss->end[1], record->name[0], (long long)loss->begin[0] + 1, (long long)loss->end[0],
            (long long)smaller(larger(lost / units, 1), BED_SCORE_MOST),
            record->path.strand == CLA_STRAND_REVERSE ? '-' : '+');
    put_score(file, table, lost);
    fprintf(file, "\t%s\t%lld\t", entry->file, (long long)record->number);
    status = put_command(file, &table->command, record, loss->begin, loss->end, error);
    fputc('\n', file);
  }
  return status;
}

/* Returns a score in points. */
static json_t *score_as_json(const cla_audit_table *table, int64_t score) {
  const int32_t units = table->scoring.units;
  return units > 1 ? json_real((double)score / units) : json_integer(score);
}

static cla_status add_command(json_t *object, const cla_audit_table *table, const cla_aligned_record *record,
                              const int64_t begin[2], const int64_t end[2], cla_error *error) {
  char *text = NULL;
  cla_status status = cla_audit_command_text(&text, &table->command, record, begin, end, error);
  if (status == CLA_OK) json_object_set_new(object, "check", json_string(text));
  free(text);
  return status;
}

static cla_status add_losses(json_t *object, const cla_audit_table *table, const cla_audit_entry *entry,
                             cla_error *error) {
  json_t *list = json_array();
  cla_status status = CLA_OK;
  for (int64_t i = 0; i < entry->audit->loss_count && status == CLA_OK; i++) {
    const cla_loss *loss = &entry->audit->losses[i];
    json_t *one =
        json_pack("{s:[I, I], s:[I, I], s:o, s:o, s:I}", "query", (json_int_t)loss->begin[0],
                  (json_int_t)loss->end[0], "target", (json_int_t)loss->begin[1], (json_int_t)loss->end[1],
                  "score", score_as_json(table, loss->score), "optimal_score",
                  score_as_json(table, loss->optimal_score), "pairs", (json_int_t)loss->pairs);
    if (one) status = add_command(one, table, entry->record, loss->begin, loss->end, error);
    json_array_append_new(list, one);
  }
  json_object_set_new(object, "losses", list);
  return status;
}

static json_t *side_as_json(const cla_aligned_record *record, int side) {
  const bool known = record->path.run_count > 0;
  json_t *out = json_object();
  if (record->name[side]) json_object_set_new(out, "name", json_string(record->name[side]));
  if (known) json_object_set_new(out, "length", json_integer(record->length[side]));
  if (known) json_object_set_new(out, "start", json_integer(record->start[side]));
  if (known) json_object_set_new(out, "end", json_integer(record->end[side]));
  if (known && side == 0)
    json_object_set_new(out, "strand", json_string(record->path.strand == CLA_STRAND_REVERSE ? "-" : "+"));
  return out;
}

static cla_status fill_json(json_t *object, const cla_audit_table *table, const cla_audit_entry *entry,
                            cla_error *error) {
  const cla_audit *audit = entry->audit;
  json_object_set_new(object, "file", json_string(entry->file));
  json_object_set_new(object, "record", json_integer(entry->record->number));
  json_object_set_new(object, "status", json_string(status_word(audit)));
  json_object_set_new(object, "query", side_as_json(entry->record, 0));
  json_object_set_new(object, "target", side_as_json(entry->record, 1));
  if (!audit) {
    json_object_set_new(object, "fault", json_string(entry->fault));
    return CLA_OK;
  }
  json_object_set_new(object, "score", score_as_json(table, audit->score));
  json_object_set_new(object, "optimal_score", score_as_json(table, audit->optimal_score));
  json_object_set_new(object, "lost", score_as_json(table, audit->optimal_score - audit->score));
  json_object_set_new(object, "lost_pairs", json_integer(audit->pairs));
  json_object_set_new(object, "identity", json_real(identity(&audit->statistics)));
  json_object_set_new(object, "optimal_identity", json_real(identity(&audit->optimal)));
  cla_status status = add_losses(object, table, entry, error);
  if (status == CLA_OK && audit->loss_count > 0)
    status = add_command(object, table, entry->record, entry->record->start, entry->record->end, error);
  return status;
}

static cla_status put_json(cla_audit_table *table, const cla_audit_entry *entry, cla_error *error) {
  json_t *object = json_object();
  cla_status status =
      object ? fill_json(object, table, entry, error) : allocate_failed("a line of JSON", error);
  if (status == CLA_OK) {
    json_dumpf(object, table->file, JSON_COMPACT | JSON_REAL_PRECISION(8));
    fputc('\n', table->file);
  }
  json_decref(object);
  return status;
}

cla_status cla_audit_table_put(cla_audit_table *table, const cla_audit_entry *entry, cla_error *error) {
  cla_status (*const puts[])(cla_audit_table *, const cla_audit_entry *, cla_error *) = {
      [CLA_AUDIT_TSV] = put_tsv, [CLA_AUDIT_JSON] = put_json, [CLA_AUDIT_BED] = put_bed};
  cla_status status = puts[table->format](table, entry, error);
  if (status == CLA_OK && ferror(table->file))
    return error_set(error, CLA_ERROR_OUTPUT, "cannot write the table of the audit; free some disk");
  return status;
}

cla_status cla_audit_table_open(cla_audit_table **out, const cla_audit_output *output,
                                const cla_audit_command *command, cla_error *error) {
  static const char columns[] =
      "#file\trecord\tquery\tquery_start\tquery_end\tstrand\ttarget\ttarget_start\ttarget_end\tscore\t"
      "optimal_score\tlost\tlost_pairs\tstretches\tidentity\toptimal_identity\tstatus\tnote\n";
  cla_status status = ALLOCATE_ZEROS(out, 1, "a table", error);
  if (status != CLA_OK) return status;
  cla_audit_table *table = *out;
  table->format = output->format;
  table->command = *command;
  table->scoring.units = output->units;
  if (output->path) status = atomic_file_open(&table->owned, output->path, error);
  table->file = status == CLA_OK && output->path ? atomic_file_stream(table->owned) : output->file;
  if (status == CLA_OK && output->format == CLA_AUDIT_TSV) fputs(columns, table->file);
  if (status == CLA_OK) return CLA_OK;
  free(table);
  *out = NULL;
  return status;
}

cla_status cla_audit_table_finish(cla_audit_table *table, cla_error *error) {
  cla_status status = CLA_OK;
  if (table->owned)
    status = atomic_file_commit(table->owned, error);
  else if (fflush(table->file) != 0 || ferror(table->file))
    status = error_set(error, CLA_ERROR_OUTPUT, "cannot write the table of the audit; free some disk");
  free(table);
  return status;
}

void cla_audit_table_discard(cla_audit_table *table) {
  if (!table) return;
  atomic_file_discard(table->owned);
  free(table);
}
