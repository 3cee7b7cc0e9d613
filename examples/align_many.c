/* Aligns one protein with many, and prints a line for each: score, identity and the path as a CIGAR.
 *
 * A device is opened once: its kernels are compiled for the first alignment and kept for all that follow, in
 * any mode. A folder for them keeps them for the next process, too (cla_device_options.cache_path). */

#include <inttypes.h>
#include <string.h>

#include "example_error.h"

static const char human[] = "MVLSPADKTNVKAAWGKVGAHAGEYGAEALERMFLSFPTTKTYFPHFDLSHGSAQVKGHG";

static const struct {
  const char *name, *letters;
} others[] = {
    {"horse", "MVLSAADKTNVKAAWSKVGGHAGEYGAEALERMFLGFPTTKTYFPHFDLSHGSAQVKAHG"},
    {"chicken", "MVLSAADKNNVKGIFTKIAGHAEEYGAETLERMFTTYPPTKTYFPHFDLSHGSAQIKGHG"},
    {"human beta", "MVHLTPEEKSAVTALWGKVNVDEVGGEALGRLLVVYPWTQRFFESFGDLSTPDAVMGNPK"},
};

/* Aligns one target, given its letters, and prints its line. */
static cla_status align_one(cla_device *device, const cla_sequence *query, const char *name,
                            const char *letters, const cla_align_options *options, cla_error *error) {
  cla_sequence *target = NULL;
  cla_alignment *alignment = NULL;
  cla_statistics statistics;
  cla_status status = cla_sequence_from_letters_with(
      &target, name, letters, (int64_t)strlen(letters),
      &(cla_sequence_options){.known = true, .alphabet = CLA_ALPHABET_PROTEIN}, error);
  if (status == CLA_OK) status = cla_align(&alignment, device, query, target, options, error);
  if (status == CLA_OK) status = cla_alignment_count(&statistics, alignment, query, target, error);
  if (status == CLA_OK) {
    const cla_alignment *const alignments[] = {alignment};
    printf("%s: score %" PRId64 ", %" PRId64 " of %" PRId64 " columns equal, ", name, alignment->score,
           statistics.matches, statistics.columns);
    status = cla_write(stdout, CLA_FORMAT_CIGAR,
                       &(cla_results){.alignments = alignments, .count = 1, .query = query, .target = target},
                       NULL, error);
  }
  cla_alignment_free(alignment);
  cla_sequence_free(target);
  return status;
}

int main(void) {
  cla_device *device = NULL;
  cla_sequence *query = NULL;
  cla_align_options options;
  cla_error error;
  cla_align_options_init(&options);
  options.mode = CLA_MODE_GLOBAL;
  cla_status status = cla_device_open(&device, NULL, &error);
  if (status == CLA_OK)
    status = cla_sequence_from_letters_with(
        &query, "human alpha", human, (int64_t)strlen(human),
        &(cla_sequence_options){.known = true, .alphabet = CLA_ALPHABET_PROTEIN}, &error);
  for (size_t i = 0; status == CLA_OK && i < sizeof others / sizeof *others; i++)
    status = align_one(device, query, others[i].name, others[i].letters, &options, &error);
  cla_sequence_free(query);
  cla_device_close(device);
  return example_end(status, &error);
}
