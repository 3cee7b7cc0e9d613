/* Aligns two strings and prints score, coordinates and the path.
 *
 * Each object that the library makes is freed by the function that its header names, whatever the status was;
 * all of these take NULL. */

#include <inttypes.h>
#include <string.h>

#include "example_error.h"

static void print_path(const cla_alignment *alignment) {
  static const char operations[] = {[CLA_RUN_PAIR] = 'M', [CLA_RUN_QUERY] = 'I', [CLA_RUN_TARGET] = 'D'};
  for (size_t i = 0; i < alignment->run_count; i++)
    printf("%" PRId64 "%c", alignment->runs[i].length, operations[alignment->runs[i].kind]);
  printf("\n");
}

int main(void) {
  const char *first = "ACGTTGCATTACGGATCCATGACC", *second = "TTACGTTGCATACGGATCCATGACCAA";
  cla_device *device = NULL;
  cla_sequence *query = NULL, *target = NULL;
  cla_alignment *alignment = NULL;
  cla_align_options options;
  cla_error error;
  cla_status status = cla_device_open(&device, NULL, &error);
  if (status == CLA_OK)
    status = cla_sequence_from_letters(&query, "first", first, (int64_t)strlen(first), &error);
  if (status == CLA_OK)
    status = cla_sequence_from_letters(&target, "second", second, (int64_t)strlen(second), &error);
  cla_align_options_init(&options);
  if (status == CLA_OK) status = cla_align(&alignment, device, query, target, &options, &error);
  if (status == CLA_OK) {
    printf("score %" PRId64 "\n", alignment->score);
    printf("query %" PRId64 " to %" PRId64 "\n", alignment->query.start, alignment->query.stop);
    printf("target %" PRId64 " to %" PRId64 "\n", alignment->target.start, alignment->target.stop);
    print_path(alignment);
  }
  cla_alignment_free(alignment);
  cla_sequence_free(target);
  cla_sequence_free(query);
  cla_device_close(device);
  return example_end(status, &error);
}
