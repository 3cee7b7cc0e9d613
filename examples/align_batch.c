/* Aligns many pairs with one call, on all devices' threads at once, and prints a line for each in their
 * order.
 *
 * Pairs come from a function of the program, results go to another one; both are called from the thread that
 * called cla_batch, so they need no locks. What takes long of a result, here its text, can be done before its
 * turn, on the batch's threads: `prepare` is for that. */

#define _POSIX_C_SOURCE 200809L /* for open_memstream */

#include <stdlib.h>
#include <string.h>

#include "example_error.h"

static const char *const letters[][2] = {
    {"ACGTACGTTAGCAAGT", "ACGTACCTTAGCAGT"},
    {"GGGCATTACGGATTACAG", "CATTACGATTACA"},
    {"TTTTTTTTTTTT", "TTTTTATTTTTT"},
};

#define PAIRS (sizeof letters / sizeof *letters)

/* The program's own: which pair is next, and those that are on their way. */
typedef struct program {
  size_t next;
  cla_sequence *sequences[PAIRS][2];
} program;

static void free_pair(cla_sequence **sides) {
  for (int side = 0; side < 2; side++) {
    cla_sequence_free(sides[side]);
    sides[side] = NULL;
  }
}

/* The source. A pair that cannot be made is a result with that error, and the others go on. */
static bool next_pair(cla_batch_pair *pair, cla_status *status, cla_error *error, void *user) {
  program *own = user;
  if (own->next == PAIRS) return false;
  const size_t at = own->next++;
  for (int side = 0; side < 2 && *status == CLA_OK; side++)
    *status = cla_sequence_from_letters(&own->sequences[at][side], side == 0 ? "query" : "target",
                                        letters[at][side], (int64_t)strlen(letters[at][side]), error);
  pair->query = own->sequences[at][0];
  pair->target = own->sequences[at][1];
  pair->user = own->sequences[at];
  if (*status != CLA_OK) free_pair(own->sequences[at]); /* the memory is not released */
  return true;
}

/* The pair's sequences are not needed any more. */
static void release_pair(const cla_batch_pair *pair, void *user) {
  (void)user;
  free_pair(pair->user);
}

/* On any thread, several at once: so it touches nothing but the result. NULL says that it was not possible.
 */
static void *make_text(const cla_batch_result *result, void *user) {
  char *text = NULL;
  size_t bytes = 0;
  FILE *stream = open_memstream(&text, &bytes);
  (void)user;
  if (!stream) return NULL;
  const cla_results found = {.alignments = (const cla_alignment *const *)result->alignments,
                             .count = result->count,
                             .query = result->pair.query,
                             .target = result->pair.target};
  const cla_status status = cla_write(stream, CLA_FORMAT_CIGAR, &found, NULL, NULL);
  if (fclose(stream) == 0 && status == CLA_OK) return text;
  free(text);
  return NULL;
}

/* The sink: false would end the batch. */
static bool take_result(const cla_batch_result *result, void *user) {
  const char *text = result->prepared;
  (void)user;
  if (result->status != CLA_OK)
    fprintf(stderr, "pair %d: %s\n", (int)result->index + 1, result->error->message);
  else if (result->count == 0 || !text)
    printf("pair %d: nothing\n", (int)result->index + 1);
  else
    printf("pair %d: score %d, %s", (int)result->index + 1, (int)result->alignments[0]->score, text);
  return true;
}

int main(void) {
  program own = {.next = 0};
  const cla_batch_source source = {.next = next_pair, .release = release_pair, .user = &own};
  cla_device *device = NULL;
  cla_batch_options options;
  cla_error error;
  cla_batch_options_init(&options);
  options.sink = take_result;
  options.prepare = make_text;
  cla_status status = cla_device_open(&device, NULL, &error);
  if (status == CLA_OK) status = cla_batch(NULL, &device, 1, &source, &options, &error);
  cla_device_close(device);
  return example_end(status, &error);
}
