#include "seq/record_choice.h"

#include <string.h>

#include "base/error.h"
#include "seq/sequence_location.h"
#include "seq/shown_text.h"

void record_choice_begin(record_choice *choice, const char *selection) {
  const char *colon = selection ? strrchr(selection, ':') : NULL;
  *choice = (record_choice){.selection = selection, .prefix = colon ? colon - selection : -1};
}

record_fit record_choice_fit(const record_choice *choice, const char *name, int64_t number) {
  const char *selection = choice->selection;
  if (!selection) return number == 1 ? FIT_ONLY : FIT_NONE;
  if (strcmp(selection, name) == 0) return FIT_NAME;
  if (choice->prefix >= 0 && (int64_t)strlen(name) == choice->prefix &&
      memcmp(name, selection, (size_t)choice->prefix) == 0)
    return FIT_RANGE;
  return number == 1 && sequence_range_form(selection) ? FIT_ONLY : FIT_NONE;
}

void record_choice_list(record_choice *choice, const char *name, int64_t number) {
  char shown[LISTED_NAME_SIZE];
  if (number > LISTED_NAMES + 1) return;
  if (number > 1) strcat(choice->listed, ", ");
  strcat(choice->listed, number > LISTED_NAMES ? "..." : shown_text(shown, sizeof shown, name));
}

cla_status record_choice_verdict(const record_choice *choice, int64_t records, const char *name, char marker,
                                 const char *file, cla_error *error) {
  char selection[SHOWN_NAME_SIZE];
  if (records == 0)
    return error_set(error, CLA_ERROR_INPUT,
                     "%s is empty; give a FASTA or FASTQ file with at least one record", file);
  if (choice->fit == FIT_ONLY && records > 1)
    return error_set(error, CLA_ERROR_INPUT, "%s holds several records (%s); choose one as FILE:RECORD%s",
                     file, choice->listed, choice->selection ? ":FROM-TO" : "");
  if (choice->fit == FIT_NONE)
    return error_set(error, CLA_ERROR_INPUT,
                     "%s holds no record '%s'; it holds %s: choose one as FILE:RECORD or FILE:RECORD:FROM-TO",
                     file, shown_text(selection, sizeof selection, choice->selection), choice->listed);
  shown_text(selection, sizeof selection, name);
  if (choice->same > 1)
    return error_set(error, CLA_ERROR_INPUT,
                     "%s holds %lld records named '%s'; rename them, so that the choice is clear", file,
                     (long long)choice->same, selection);
  if (!*name)
    return error_set(error, CLA_ERROR_INPUT,
                     "the record of %s has no name; write one after the '%c' of its header", file, marker);
  return CLA_OK;
}

const char *record_choice_range(const record_choice *choice) {
  if (!choice->selection) return NULL;
  if (choice->fit == FIT_RANGE) return choice->selection + choice->prefix + 1;
  return choice->fit == FIT_ONLY ? choice->selection : NULL;
}
