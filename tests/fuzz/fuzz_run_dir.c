/* Files of a run directory. Bits of the first byte choose the file, and whether gap costs have two pieces.
 * They also choose whether the file is taken unchanged, or its content is sealed with right checksums. For a
 * binary file, the input may be all that lies within the seal, instead of the content. */

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "clalign/run_directory.h"
#include "fuzz.h"
#include "rows/special_rows.h"
#include "runs/run_state.h"
#include "runs/sealed_file.h"
#include "runs/sealed_json.h"

enum { MANIFEST, STATE, ROW, PATH, FILES, SEALED = 4, FRAME = 8, TWO_PIECES = 16 };

#define NODES 40
#define ROW_NUMBER 7

static const char *const names[FILES] = {"manifest.json", RUN_STATE_NAME, "row-000000000007.clr",
                                         SAVED_PATH_NAME};
static const char *const formats[2] = {"clalign run", "clalign run state"};
static sealed_kind kind = {.key = {1, 2, 3}}; /* of the run */

static void path_to(char path[512], const char *name) {
  (void)snprintf(path, 512, "%s/%s", fuzz_folder(), name);
}

/* An object whose checksum fits; what is no object stays as it is. */
static void write_json(int file, const fuzz_input *input) {
  cla_error error = {.message = ""};
  char path[512];
  json_t *object = json_loadb((const char *)input->at, input->left, 0, NULL);
  path_to(path, names[file]);
  if (json_is_object(object))
    fuzz_demand(fuzz_ok(sealed_json_write(path, formats[file], object, &error), &error),
                "an object cannot be written");
  else
    fuzz_folder_write(names[file], input->at, input->left);
  json_decref(object);
}

/* A sealed file around a zstd stream. */
static void write_frame(int file, const fuzz_input *input) {
  const sealed_header header = {.magic = SEALED_FILE_MAGIC,
                                .version = SEALED_FILE_VERSION,
                                .byte_order = SEALED_FILE_BYTE_ORDER,
                                .kind = kind};
  sealed_end end = {.content_bytes = (int64_t)(input->left > 0 ? input->at[0] : 0)};
  const size_t size = sizeof header + input->left + sizeof end;
  char *bytes = fuzz_allocate(size);
  memcpy(bytes, &header, sizeof header);
  memcpy(bytes + sizeof header, input->at, input->left);
  memcpy(bytes + sizeof header + input->left, &end, sizeof end);
  end.checksum = XXH3_64bits(bytes, size - sizeof end.checksum);
  memcpy(bytes + size - sizeof end.checksum, &end.checksum, sizeof end.checksum);
  fuzz_folder_write(names[file], bytes, size);
  free(bytes);
}

static void write_sealed(int file, const fuzz_input *input) {
  cla_error error = {.message = ""};
  sealed_writer *writer = NULL;
  char path[512];
  path_to(path, names[file]);
  fuzz_demand(fuzz_ok(sealed_writer_open(&writer, path, &kind, &error), &error), "a file cannot be opened");
  sealed_writer_put(writer, input->at, (int64_t)input->left);
  fuzz_demand(fuzz_ok(sealed_writer_commit(writer, &error), &error), "a file cannot be written");
}

/* A manifest that was read can be written, and says the same then. */
static void read_manifest(void) {
  cla_error error = {.message = ""};
  cla_run_directory *run = NULL, *again = NULL;
  uint8_t keys[2][16];
  if (!fuzz_ok(cla_run_directory_read(&run, fuzz_folder(), &error), &error)) return;
  fuzz_demand(fuzz_ok(run_manifest_key(keys[0], run, &error), &error), "a manifest has no key");
  fuzz_demand(fuzz_ok(run_manifest_write(fuzz_folder(), run, &error), &error),
              "a manifest cannot be written");
  fuzz_demand(fuzz_ok(cla_run_directory_read(&again, fuzz_folder(), &error), &error),
              "a manifest is refused");
  fuzz_demand(fuzz_ok(run_manifest_key(keys[1], again, &error), &error), "a manifest has no key");
  fuzz_demand(memcmp(keys[0], keys[1], sizeof keys[0]) == 0, "a manifest is read as another");
  cla_run_directory_free(run);
  cla_run_directory_free(again);
}

static void read_state(void) {
  cla_error error = {.message = ""};
  run_state state = {0};
  bool there = false;
  (void)fuzz_ok(run_state_read(&state, &there, fuzz_folder(), &kind, &error), &error);
  fuzz_demand(there, "the file is not found");
}

static void read_path(void) {
  cla_error error = {.message = ""};
  saved_path path;
  bool there = false;
  if (fuzz_ok(saved_path_read(&path, &there, fuzz_folder(), &kind, &error), &error))
    for (int64_t i = 0; i < path.count; i++)
      fuzz_demand(
          path.runs[i].length > 0 && path.runs[i].kind >= CLA_RUN_PAIR && path.runs[i].kind <= CLA_RUN_TARGET,
          "a run that cannot be");
  free(path.runs);
}

static void count_note(const char *text, void *user) {
  fuzz_demand(*text && !strchr(text, '\n'), "a note is not one line");
  ++*(int *)user;
}

static void read_rows(bool two_pieces) {
  cla_error error = {.message = ""};
  cla_scoring scoring;
  int64_t h[NODES], f[NODES], f2[NODES];
  int notes = 0;
  special_rows *rows = NULL;
  cla_scoring_init(&scoring);
  if (two_pieces) {
    scoring.gap_first2 = 9;
    scoring.gap_ext2 = 1;
  }
  const row_shape shape = {.nodes = NODES, .largest_score = 1, .scoring = &scoring, .floor = true};
  const row_folder folder = {.path = fuzz_folder(), .kind = kind, .note = count_note, .note_user = &notes};
  if (!fuzz_ok(special_rows_open(&rows, &shape, &folder, &error), &error)) return;
  const int64_t found = special_rows_above(rows, ROW_NUMBER + 1);
  fuzz_demand(found == ROW_NUMBER || (found == -1 && notes == 1),
              "a row is neither read nor told to be damaged");
  if (found >= 0) special_rows_read(rows, found, 0, NODES, (row_values){h, {f, two_pieces ? f2 : NULL}});
  special_rows_free(rows);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
  fuzz_input input = {.at = bytes, .left = count};
  const uint8_t flags = fuzz_byte(&input);
  const int file = flags % FILES;
  const bool two_pieces = flags & TWO_PIECES;
  char path[512];
  memcpy(kind.name, file == PATH ? "PATH" : two_pieces ? "ROW2" : "ROW1", sizeof kind.name);
  if (!(flags & SEALED))
    fuzz_folder_write(names[file], input.at, input.left);
  else if (file == MANIFEST || file == STATE)
    write_json(file, &input);
  else if (flags & FRAME)
    write_frame(file, &input);
  else
    write_sealed(file, &input);
  if (file == MANIFEST) read_manifest();
  if (file == STATE) read_state();
  if (file == ROW) read_rows(two_pieces);
  if (file == PATH) read_path();
  path_to(path, names[file]);
  unlink(path);
  return 0;
}
