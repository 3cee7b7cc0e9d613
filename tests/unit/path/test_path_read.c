
#include "clalign/lower_bound.h"
#include "support/made_alignment.h"
#include "support/test.h"

#define SAM_TEXT "@SQ\tSN:t\tLN:8\nq\t0\tt\t1\t60\t8M\t*\t0\t0\tACGTACGT\t*\n"

/* Reads `text` as the lower bound of two sequences "q" and "t" of 8 letters. */
static cla_status read_text(const char *text, cla_path *path, cla_error *error) {
  char *folder = made_folder(), *file = made_path(folder, "bound");
  cla_sequence *query = NULL, *target = NULL;
  made_write(file, text, strlen(text));
  cr_assert_eq(cla_sequence_from_letters(&query, "q", "ACGTACGT", 8, error), CLA_OK);
  cr_assert_eq(cla_sequence_from_letters(&target, "t", "ACGTACGA", 8, error), CLA_OK);
  const cla_status status = cla_path_read(path, file, query, target, CLA_STRAND_FORWARD, error);
  cla_sequence_free(query);
  cla_sequence_free(target);
  free(file);
  made_folder_remove(folder);
  return status;
}

Test(path_read, sam_is_read) {
  cla_path path;
  assert_ok(read_text(SAM_TEXT, &path, &why));
  cr_expect(path.run_count == 1 && path.runs[0].length == 8);
  cla_path_free(&path);
}

/* htslib would fetch what an htsget ticket names, from the network or, as here, from the ticket itself. */
Test(path_read, a_file_that_names_addresses_is_not_followed) {
  static const char ticket[] =
      "{\"htsget\":{\"format\":\"SAM\",\"urls\":[{\"url\":\"data:,%40SQ%09SN:t%09LN:8%0Aq%090%09t%091%0960%"
      "098M"
      "%09*%090%090%09ACGTACGT%09*%0A\"}]}}\n";
  cla_path path;
  assert_error(read_text(ticket, &path, &why), CLA_ERROR_INPUT, "no PAF");
  cla_path_free(&path);
}
