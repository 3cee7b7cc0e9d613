/* --preset: parses a preset's name and prints the list of presets. */

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/options/align_options.h"
#include "cli/report/report.h"

#define PRESETS_MOST 31

const char *const *cli_preset_names(void) {
  static const char *names[PRESETS_MOST + 1];
  for (int i = 0; i < PRESETS_MOST && cla_preset_describe(i); i++) names[i] = cla_preset_describe(i)->name;
  return names;
}

const cla_preset *cli_preset_find(const char *name) {
  const cla_preset *preset = NULL;
  for (int i = 0; (preset = cla_preset_describe(i)); i++)
    if (strcmp(preset->name, name) == 0) break;
  return preset;
}

cla_status cli_parse_preset(const cli_option *option, const char *value, cla_error *error) {
  cli_scoring *scoring = option->destination;
  cli_option with_words = *option;
  int place = 0;
  with_words.words = cli_preset_names();
  cla_status status = cli_find_word(&place, &with_words, value, error);
  if (status == CLA_OK) scoring->preset = cla_preset_describe(place);
  return status;
}

bool cli_preset_shows_ends(const cli_scoring *scoring) {
  return scoring->preset && scoring->preset->shows_free_ends;
}

void cli_preset_print(const cli_scoring *scoring) {
  if (scoring->preset) fprintf(stderr, "preset     %s: %s\n", scoring->preset->name, scoring->preset->users);
}

static cla_status print_scheme(const cla_preset *preset, cla_alphabet alphabet, cla_error *error) {
  char texts[2][CLA_SCORE_TEXT_SIZE];
  cla_scoring scoring;
  cla_status status = cla_scoring_init_preset(&scoring, preset->name, alphabet, error);
  if (status != CLA_OK) return status;
  cla_score_text(texts[0], scoring.match, &scoring);
  cla_score_text(texts[1], scoring.mismatch, &scoring);
  printf("%-11s%s: ", "", cla_alphabet_name(alphabet));
  if (scoring.matrix_size > 0)
    printf("matrix %s", scoring.matrix_name);
  else
    printf("match %s, mismatch %s", texts[0], texts[1]);
  for (int k = 0; k < CLA_GAP_PIECES && (k == 0 || scoring.gap[k].first > 0); k++) {
    cla_score_text(texts[0], scoring.gap[k].first, &scoring);
    cla_score_text(texts[1], scoring.gap[k].ext, &scoring);
    printf("%s %s + (k - 1) x %s", k == 0 ? ", gap of k letters" : " or", texts[0], texts[1]);
  }
  putchar('\n');
  return CLA_OK;
}

cla_status cli_presets_list(cla_error *error) {
  cla_status status = CLA_OK;
  for (int i = 0; cla_preset_describe(i) && status == CLA_OK; i++) {
    const cla_preset *preset = cla_preset_describe(i);
    printf("%-10s %s\n", preset->name, preset->users);
    if (preset->has_mode) printf("%-11smode %s\n", "", cla_mode_name(preset->mode));
    if (preset->dna) status = print_scheme(preset, CLA_ALPHABET_DNA, error);
    if (preset->protein && status == CLA_OK) status = print_scheme(preset, CLA_ALPHABET_PROTEIN, error);
  }
  puts(
      "\nSingle options override a preset, as in --preset genome --mismatch -4. A mode is set unless --mode "
      "is given.");
  return status;
}
