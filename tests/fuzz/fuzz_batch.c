/* The journal of a batch's run directory. Bit 0 of the first byte chooses whether the rest stands behind the
 * journal's first bytes as it is, or is the content of an entry whose checksum fits. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clalign/batch_directory.h"
#include "fuzz.h"
#include "runs/batch_journal.h"

#define HEAD_BYTES 32

static const journal_unit unit = {.first = 3, .past = 20};

/* A folder with a batch that has finished nothing, whose journal's begin is left in `head`. */
static void begin(const char *folder, char head[HEAD_BYTES]) {
  static const char *const files[] = {"batch.json", "journal.clj"};
  cla_batch_directory *directory = NULL;
  cla_error error = {.message = ""};
  char path[512];
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    (void)snprintf(path, sizeof path, "%s/%s", folder, files[i]);
    unlink(path);
  }
  fuzz_demand(fuzz_ok(cla_batch_directory_begin(&directory, folder, "", &error), &error), "no batch");
  fuzz_demand(fuzz_ok(cla_batch_directory_close(directory, &error), &error), "a batch that does not end");
  FILE *file = fopen(path, "rb");
  fuzz_demand(file && fread(head, 1, HEAD_BYTES, file) == HEAD_BYTES, "no journal");
  fclose(file);
}

static void write_behind(const char head[HEAD_BYTES], const fuzz_input *input) {
  char *bytes = fuzz_allocate(HEAD_BYTES + input->left);
  memcpy(bytes, head, HEAD_BYTES);
  if (input->left > 0) memcpy(bytes + HEAD_BYTES, input->at, input->left);
  fuzz_folder_write("journal.clj", bytes, HEAD_BYTES + input->left);
  free(bytes);
}

static void write_entry(const char *folder, const char head[HEAD_BYTES], const fuzz_input *input) {
  batch_journal *journal = NULL;
  cla_error error = {.message = ""};
  int64_t lost_bytes = 0;
  char path[512];
  (void)snprintf(path, sizeof path, "%s/journal.clj", folder);
  fuzz_demand(
      fuzz_ok(batch_journal_open(&journal, path, (const uint8_t *)head + 16, &lost_bytes, &error), &error),
      "no journal");
  fuzz_demand(fuzz_ok(batch_journal_add(journal, &unit, input->at, (int64_t)input->left, &error), &error),
              "no entry");
  fuzz_demand(fuzz_ok(batch_journal_close(journal, &error), &error), "a journal that does not end");
}

/* What is found is within the unit's range. */
static void load(const char *folder) {
  cla_batch_directory *directory = NULL;
  cla_finished_unit *finished = NULL;
  cla_error error = {.message = ""};
  int64_t lost_bytes = 0;
  if (!fuzz_ok(cla_batch_directory_resume(&directory, folder, &lost_bytes, &error), &error)) return;
  for (int64_t first = 0; first < 5; first++) {
    if (fuzz_ok(cla_batch_directory_load(&finished, directory, first, &error), &error) && finished)
      for (size_t i = 0; i < finished->count; i++)
        fuzz_demand(finished->pairs[i].index >= finished->first && finished->pairs[i].index < finished->past,
                    "a pair outside of its unit");
    cla_finished_unit_free(finished);
    finished = NULL;
  }
  fuzz_demand(fuzz_ok(cla_batch_directory_close(directory, &error), &error), "a batch that does not end");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
  fuzz_input input = {.at = bytes, .left = count};
  char head[HEAD_BYTES];
  const bool sealed = fuzz_byte(&input) & 1;
  const char *folder = fuzz_folder();
  begin(folder, head);
  if (sealed)
    write_entry(folder, head, &input);
  else
    write_behind(head, &input);
  load(folder);
  return 0;
}
