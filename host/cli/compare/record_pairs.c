#include "cli/compare/record_pairs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/batch/batch_run.h"
#include "cli/report/report.h"

static cla_status no_memory(cla_error *error) {
  return cli_error(error, CLA_ERROR_MEMORY, "out of memory for a record; free some memory");
}

static cla_status check_file(const char *path, cla_error *error) {
  if (strcmp(path, "-") == 0 || access(path, R_OK) == 0) return CLA_OK;
  return cli_error(error, CLA_ERROR_INPUT, "cannot read '%.1024s': %s; check the path and its permissions",
                   path, strerror(errno));
}

cla_status record_pairs_open(record_pairs *pairs, int64_t memory_bytes, cla_error *error) {
  const int64_t kept_bytes = batch_budget_share(memory_bytes, false, false).kept_bytes;
  cla_status status = CLA_OK;
  for (int i = 0; i < pairs->file_count && status == CLA_OK; i++) status = check_file(pairs->files[i], error);
  for (int side = 0; side < 2 && status == CLA_OK; side++) status = check_file(pairs->sides[side], error);
  return status == CLA_OK ? cla_sequence_store_open(&pairs->store, kept_bytes, error) : status;
}

cla_status record_pairs_settle(cla_align_options *out, cli_align_settings *how, cla_alphabet alphabet,
                               cli_option *options, cla_error *error) {
  const int64_t memory_bytes = how->align.budgets.memory_bytes;
  cla_status status = cli_scoring_finish(&how->scoring, &how->align.scoring, alphabet, options, error);
  *out = how->align;
  out->budgets.memory_of_bytes = memory_bytes;
  out->budgets.memory_bytes = batch_budget_share(memory_bytes, false, false).memory_bytes;
  return status;
}

void record_pair_free(record_pairs *pairs, record_pair *pair) {
  if (pair->next) pair->next->previous = pair->previous;
  *(pair->previous ? &pair->previous->next : &pairs->pairs) = pair->next;
  cla_aligned_record_free(pair->record);
  for (int side = 0; side < 2; side++) cla_sequence_free(pair->sides[side]);
  if (pair->made) pair->free_made(pair->made);
  free(pair->error);
  free(pair);
}

void record_pairs_close(record_pairs *pairs) {
  /* record_pair_free removes the first pair from the list. The analyser does not see that, because it does
   * not know that the first pair has no predecessor. */
  while (pairs->pairs) record_pair_free(pairs, pairs->pairs); /* NOLINT(clang-analyzer-unix.Malloc) */
  cla_aligned_records_close(pairs->open);
  for (int side = 0; side < 2; side++) {
    free(pairs->whole[side].name);
    cla_sequence_free(pairs->whole[side].sequence);
  }
  cla_sequence_store_close(pairs->store);
}

cla_status record_pairs_whole(cla_sequence **out, record_pairs *pairs, int side, const char *name,
                              cla_error *error) {
  record_whole *whole = &pairs->whole[side];
  char *location = NULL;
  *out = whole->sequence;
  if (whole->name && strcmp(whole->name, name) == 0) return CLA_OK;
  free(whole->name);
  cla_sequence_free(whole->sequence);
  *whole = (record_whole){.name = NULL};
  if (asprintf(&location, "%s:%s", pairs->sides[side], name) < 0) return no_memory(error);
  cla_status status = cla_sequence_store_read(&whole->sequence, pairs->store, location, &pairs->how, error);
  free(location);
  if (status != CLA_OK) return status;
  whole->name = strdup(name);
  *out = whole->sequence;
  return whole->name ? CLA_OK : no_memory(error);
}

cla_status record_pairs_part(cla_sequence **out, record_pairs *pairs, int side, const char *name,
                             const int64_t range[2], cla_error *error) {
  cla_sequence *whole = NULL;
  char *location = NULL;
  cla_status status = record_pairs_whole(&whole, pairs, side, name, error);
  if (status != CLA_OK) return status;
  if (range[1] > cla_sequence_length(whole))
    return cli_error(
        error, CLA_ERROR_INPUT,
        "it aligns letters %lld to %lld of '%.256s', which has %lld in %.512s; give the files that "
        "it was made of, the query's first",
        (long long)range[0] + 1, (long long)range[1], name, (long long)cla_sequence_length(whole),
        pairs->sides[side]);
  if (asprintf(&location, "%s:%s:%lld-%lld", pairs->sides[side], name, (long long)range[0] + 1,
               (long long)range[1]) < 0)
    return no_memory(error);
  status = cla_sequence_part(out, whole, location, range[0], range[1], error);
  free(location);
  return status;
}

/* Reads the aligned part of a side. */
static cla_status find_part(record_pair *pair, record_pairs *pairs, int side, cla_error *error) {
  const cla_aligned_record *record = pair->record;
  return record_pairs_part(&pair->sides[side], pairs, side, record->name[side],
                           (const int64_t[]){record->start[side], record->end[side]}, error);
}

static cla_status check_alphabets(const record_pair *pair, cla_error *error) {
  if (cla_sequence_alphabet(pair->sides[0]) == cla_sequence_alphabet(pair->sides[1])) return CLA_OK;
  return cli_error(
      error, CLA_ERROR_INPUT,
      "one of its sequences is DNA and the other a protein by their letters; say --type dna or --type "
      "protein");
}

/* Reads the record's sequences, and checks that the record fits them. */
static cla_status find_sides(record_pair *pair, record_pairs *pairs, cla_error *error) {
  cla_status status = find_part(pair, pairs, 0, error);
  if (status == CLA_OK) status = find_part(pair, pairs, 1, error);
  if (status == CLA_OK) status = check_alphabets(pair, error);
  return status == CLA_OK ? cla_aligned_record_check(pair->record, pair->sides[0], pair->sides[1], error)
                          : status;
}

static cla_status note_wrong(record_pair *pair, cla_status status, const cla_error *why, cla_error *error) {
  for (int side = 0; side < 2; side++) cla_sequence_free(pair->sides[side]);
  pair->sides[0] = pair->sides[1] = NULL;
  pair->status = status;
  pair->error = malloc(sizeof *pair->error);
  if (!pair->error) return no_memory(error);
  *pair->error = *why;
  return CLA_OK;
}

/* Makes a pair of the record, which it owns, and adds it to the list. NULL if memory is short. */
static record_pair *make_pair(record_pairs *pairs, cla_aligned_record *record) {
  record_pair *pair = calloc(1, sizeof *pair);
  if (!pair) return NULL;
  pair->record = record;
  pair->next = pairs->pairs;
  if (pair->next) pair->next->previous = pair;
  pairs->pairs = pair;
  pair->file = pairs->file;
  return pair;
}

/* Opens the next file. Returns false if there is none, or on an error. */
static bool open_next(record_pairs *pairs, cla_status *status, cla_error *error) {
  if (pairs->file >= pairs->file_count) return false;
  *status = cla_aligned_records_open(&pairs->open, pairs->files[pairs->file], error);
  return *status == CLA_OK;
}

static void close_file(record_pairs *pairs) {
  pairs->passed += cla_aligned_records_passed(pairs->open);
  pairs->comments += cla_aligned_records_comments(pairs->open);
  cla_aligned_records_close(pairs->open);
  pairs->open = NULL;
  pairs->file++;
}

cla_status record_pairs_next(record_pair **out, record_pairs *pairs, cla_error *error) {
  cla_status status = CLA_OK;
  *out = NULL;
  while (pairs->open || open_next(pairs, &status, error)) {
    cla_aligned_record *record = NULL;
    cla_error why = {.status = CLA_OK};
    const cla_status read = cla_aligned_records_next(&record, pairs->open, &why);
    if (!record && read != CLA_OK) {
      *error = why;
      return read;
    }
    if (!record) {
      close_file(pairs);
      continue;
    }
    record_pair *pair = make_pair(pairs, record);
    if (!pair) {
      cla_aligned_record_free(record);
      return no_memory(error);
    }
    *out = pair;
    const cla_status found = read == CLA_OK ? find_sides(pair, pairs, &why) : read;
    return found == CLA_OK ? CLA_OK : note_wrong(pair, found, &why, error);
  }
  return status;
}

void record_pair_report(const record_pairs *pairs, const record_pair *pair, cla_status status,
                        const cla_error *why, progress_bar *bar) {
  const cla_aligned_record *record = pair->record;
  cla_error line = {.status = status};
  progress_bar_clear(bar);
  cli_error(&line, status, "record %lld of %.512s (%.256s, %.256s): %.900s", (long long)record->number,
            pairs->files[pair->file], record->name[0] ? record->name[0] : "*",
            record->name[1] ? record->name[1] : "*", why->message);
  cli_finish(status, &line);
}

void record_pairs_print_passed(const record_pairs *pairs) {
  if (pairs->passed > 0)
    fprintf(stderr, "           %lld records without a place were passed over\n", (long long)pairs->passed);
  if (pairs->comments > 0)
    fprintf(stderr, "           %lld comment lines were passed over\n", (long long)pairs->comments);
}

/* Returns true if both names refer to the same existing regular file. */
static bool is_same(const char *one, const char *other) {
  struct stat facts[2];
  return stat(one, &facts[0]) == 0 && stat(other, &facts[1]) == 0 && S_ISREG(facts[0].st_mode) &&
         facts[0].st_dev == facts[1].st_dev && facts[0].st_ino == facts[1].st_ino;
}

cla_status record_files_check(const char *output, const cli_arguments *parsed, cla_error *error) {
  for (int i = 0; output && i < parsed->count; i++)
    if (is_same(output, parsed->positionals[i]))
      return cli_error(error, CLA_ERROR_OPTION, "the output %.512s is a file that is read; name another one",
                       output);
  return CLA_OK;
}
