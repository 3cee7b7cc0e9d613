#include "cli/options/align_options.h"

#include <string.h>
#include <unistd.h>

#include "cli/report/report.h"

const char *const cli_type_words[] = {"dna", "protein", NULL};

cla_status cli_parse_type(const cli_option *option, const char *value, cla_error *error) {
  cli_scoring *scoring = option->destination;
  int place = 0;
  cla_status status = cli_find_word(&place, option, value, error);
  if (status != CLA_OK) return status;
  scoring->known = true;
  scoring->alphabet = place == 0 ? CLA_ALPHABET_DNA : CLA_ALPHABET_PROTEIN;
  return CLA_OK;
}

const char *const cli_ambiguity_words[] = {"mismatch", "neutral", "expected",
                                           NULL}; /* in the order of cla_ambiguity */

/* Returns the first option of `names` that was given, or NULL. */
static const char *first_given(const cli_option *options, const char *const *names) {
  while (*names && !cli_option_given(options, *names)) names++;
  return *names;
}

/* A scheme whose units are thousandths, like the numbers in options. It is used until the real units are
 * known. */
static const cla_scoring thousandths = {.units = CLA_UNITS_LIMIT};

/* Checks the options of the second piece. */
static cla_status check_second_piece(const cli_scoring *scoring, const cli_option *options,
                                     cla_error *error) {
  const bool open = cli_option_given(options, "gap-open2"), extend = cli_option_given(options, "gap-extend2");
  const bool first = cli_option_given(options, "gap-first2"), ext = cli_option_given(options, "gap-ext2");
  const cli_costs *given = &scoring->given;
  if (!open && !extend && !first && !ext) return CLA_OK;
  const bool one_form = scoring->preset || cli_option_given(options, "gap-open");
  if ((open || extend) && (first || ext || !one_form))
    return cli_error(error, CLA_ERROR_OPTION,
                     "--gap-open2 and --gap-extend2 go with --gap-open and --gap-extend, --gap-first2 and "
                     "--gap-ext2 with --gap-first and --gap-ext; use one form");
  if ((first || ext) && cli_option_given(options, "gap-open"))
    return cli_error(error, CLA_ERROR_OPTION,
                     "--gap-first2 and --gap-ext2 do not mix with --gap-open and --gap-extend; use one form");
  if (open != extend || first != ext)
    return cli_error(error, CLA_ERROR_OPTION, "--gap-%s2 and --gap-%s2 need each other; give both",
                     first || ext ? "first" : "open", first || ext ? "ext" : "extend");
  if (open && given->gap_open2 + given->gap_extend2 > CLA_SCORE_LIMIT * (int64_t)CLA_UNITS_LIMIT)
    return cli_error(error, CLA_ERROR_OPTION,
                     "--gap-open2 and --gap-extend2 add up to more than %d; lower one", CLA_SCORE_LIMIT);
  if ((open ? given->gap_open2 + given->gap_extend2 : given->gap_first2) == 0)
    return cli_error(
        error, CLA_ERROR_OPTION,
        "a second piece that costs 0 for the first letter makes every gap free; leave it out and "
        "give --gap-first 0 --gap-ext 0");
  return CLA_OK;
}

static cla_status check_gap_forms(const cli_scoring *scoring, const cli_option *options, cla_error *error) {
  const cli_costs *given = &scoring->given;
  bool open = cli_option_given(options, "gap-open"), extend = cli_option_given(options, "gap-extend");
  bool first = cli_option_given(options, "gap-first"), ext = cli_option_given(options, "gap-ext");
  if ((open || extend) && (first || ext))
    return cli_error(error, CLA_ERROR_OPTION,
                     "--gap-open and --gap-extend do not mix with --gap-first and --gap-ext; use one form");
  if (open != extend)
    return cli_error(error, CLA_ERROR_OPTION, "--gap-open and --gap-extend need each other; give both");
  if (open && given->gap_open + given->gap_extend > CLA_SCORE_LIMIT * (int64_t)CLA_UNITS_LIMIT)
    return cli_error(error, CLA_ERROR_OPTION, "--gap-open and --gap-extend add up to more than %d; lower one",
                     CLA_SCORE_LIMIT);
  if (first && ext && given->gap_ext > given->gap_first) {
    char texts[2][CLA_SCORE_TEXT_SIZE];
    cla_score_text(texts[0], given->gap_first, &thousandths);
    cla_score_text(texts[1], given->gap_ext, &thousandths);
    return cli_error(error, CLA_ERROR_OPTION,
                     "--gap-first %s is below --gap-ext %s; the first letter costs at least "
                     "as much as a further one",
                     texts[0], texts[1]);
  }
  return check_second_piece(scoring, options, error);
}

/* Finds the built-in matrix nearest to `word`, ignoring case. */
static const char *nearest_name(const char *word) {
  char upper[32] = "";
  if (strlen(word) >= sizeof upper) return NULL;
  for (int i = 0; word[i]; i++)
    upper[i] = (char)(word[i] >= 'a' && word[i] <= 'z' ? word[i] - 'a' + 'A' : word[i]);
  return cli_nearest(upper, cla_matrix_names());
}

/* Reads the matrix of --matrix: a file, if one with that name exists, or else a built-in matrix. */
static cla_status load_matrix(const cli_scoring *scoring, cla_scoring *out, cla_error *error) {
  if (access(scoring->matrix, F_OK) == 0)
    return cla_scoring_read_matrix(out, scoring->matrix, scoring->asymmetric, error);
  if (cla_scoring_set_matrix(out, scoring->matrix, NULL) == CLA_OK) return CLA_OK;
  const char *nearest = nearest_name(scoring->matrix);
  if (nearest)
    return cli_error(error, CLA_ERROR_INPUT,
                     "--matrix %.256s: there is no such file, and no matrix of that name; did you mean %s?",
                     scoring->matrix, nearest);
  return cli_error(error, CLA_ERROR_INPUT,
                   "--matrix %.256s: there is no such file, and no matrix of that name; there are BLOSUM45, "
                   "BLOSUM50, BLOSUM62, BLOSUM80, BLOSUM90, PAM30, PAM70, PAM250 and EDNAFULL",
                   scoring->matrix);
}

/* Completes the preset. If the preset's scores are for one alphabet, it also sets the alphabet. */
static cla_status settle_preset(cli_scoring *scoring, const cli_option *options, cla_error *error) {
  const cla_preset *preset = scoring->preset;
  if (!preset) return CLA_OK;
  const bool dna = scoring->known ? scoring->alphabet == CLA_ALPHABET_DNA : preset->dna;
  if (scoring->known && !(dna ? preset->dna : preset->protein))
    return cli_error(error, CLA_ERROR_OPTION, "--preset %s is for %s, not for %s; choose another preset",
                     preset->name, preset->dna ? "DNA" : "proteins",
                     dna ? "DNA" : cla_alphabet_name(scoring->alphabet));
  if (!scoring->known && preset->dna != preset->protein) {
    scoring->known = true;
    scoring->alphabet = dna ? CLA_ALPHABET_DNA : CLA_ALPHABET_PROTEIN;
  }
  const bool match = cli_option_given(options, "match"), mismatch = cli_option_given(options, "mismatch");
  if (preset->dna && preset->protein && match != mismatch)
    return cli_error(error, CLA_ERROR_OPTION,
                     "--%s alone does not go with --preset %s, whose scores are a matrix; give --match and "
                     "--mismatch",
                     match ? "match" : "mismatch", preset->name);
  return CLA_OK;
}

cla_status cli_scoring_begin(cli_scoring *scoring, cla_scoring *out, const cli_option *options,
                             cla_error *error) {
  static const char *const of_no_matrix[] = {"match", "mismatch", "ambiguity", NULL};
  cla_scoring_init(out);
  const char *other = first_given(options, of_no_matrix);
  if (scoring->matrix && other)
    return cli_error(error, CLA_ERROR_OPTION,
                     "--%s does not go with --matrix, which says what every pair scores; leave one out",
                     other);
  if (scoring->asymmetric && !scoring->matrix)
    return cli_error(error, CLA_ERROR_OPTION, "--asymmetric is for the file of --matrix; give both");
  if (scoring->known && scoring->alphabet != CLA_ALPHABET_DNA && cli_option_given(options, "ambiguity"))
    return cli_error(error, CLA_ERROR_OPTION, "--ambiguity is for DNA, not for --type protein; leave it out");
  cla_status status = check_gap_forms(scoring, options, error);
  if (status == CLA_OK && scoring->matrix) status = load_matrix(scoring, out, error);
  if (status == CLA_OK && scoring->matrix && !scoring->known) {
    scoring->known = true;
    scoring->alphabet = cla_scoring_alphabet(out);
  }
  return status == CLA_OK ? settle_preset(scoring, options, error) : status;
}

/* Sets the gap costs of `out`, in thousandths. */
static cla_status set_gap_costs(const cli_scoring *scoring, cla_scoring *out, const cli_option *options,
                                cla_error *error) {
  const bool first = cli_option_given(options, "gap-first"), ext = cli_option_given(options, "gap-ext");
  const cli_costs *given = &scoring->given;
  char texts[2][CLA_SCORE_TEXT_SIZE];
  if (first) out->gap_first = (int32_t)given->gap_first;
  if (ext) out->gap_ext = (int32_t)given->gap_ext;
  if (cli_option_given(options, "gap-open")) {
    out->gap_first = (int32_t)(given->gap_open + given->gap_extend);
    out->gap_ext = (int32_t)given->gap_extend;
  }
  if (cli_option_given(options, "gap-first2") || cli_option_given(options, "gap-open2")) {
    /* one of the two forms was given; the costs of the other form are 0 */
    out->gap_first2 = (int32_t)(given->gap_first2 + given->gap_open2 + given->gap_extend2);
    out->gap_ext2 = (int32_t)(given->gap_ext2 + given->gap_extend2);
  }
  if (out->gap_ext <= out->gap_first) return CLA_OK;
  cla_score_text(texts[0], out->gap_first, out);
  cla_score_text(texts[1], out->gap_ext, out);
  return cli_error(
      error, CLA_ERROR_OPTION,
      "--gap-%s %s is %s --gap-%s %s, the default for these sequences; the first letter costs at "
      "least as much as a further one: give both",
      first ? "first" : "ext", texts[first ? 0 : 1], first ? "below" : "above", first ? "ext" : "first",
      texts[first ? 1 : 0]);
}

/* Applies the preset, but keeps scores that were set by single options: the matrix of --matrix, or with
 * `plain` the scores of equal and unequal letters. */
static cla_status apply_preset(const cli_scoring *scoring, cla_scoring *out, cla_alphabet alphabet,
                               bool plain, cla_error *error) {
  cla_scoring preset;
  cla_status status = cla_scoring_init_preset(&preset, scoring->preset->name, alphabet, error);
  if (status == CLA_OK) status = cla_scoring_set_units(&preset, CLA_UNITS_LIMIT, error);
  if (status != CLA_OK) return status;
  if (!scoring->matrix && !(plain && preset.matrix_size > 0)) {
    *out = preset;
    return CLA_OK;
  }
  memcpy(out->gap, preset.gap, sizeof out->gap);
  return CLA_OK;
}

cla_status cli_scoring_finish(const cli_scoring *scoring, cla_scoring *out, cla_alphabet alphabet,
                              const cli_option *options, cla_error *error) {
  const bool match = cli_option_given(options, "match"), mismatch = cli_option_given(options, "mismatch");
  if (alphabet != CLA_ALPHABET_DNA && cli_option_given(options, "ambiguity"))
    return cli_error(error, CLA_ERROR_OPTION, "--ambiguity is for DNA, and these are proteins; leave it out");
  if (!scoring->matrix && (match || mismatch))
    cla_scoring_init(out);
  else if (!scoring->matrix)
    cla_scoring_init_for(out, alphabet);
  cla_status status = cla_scoring_set_units(out, CLA_UNITS_LIMIT, error);
  if (status == CLA_OK && scoring->preset)
    status = apply_preset(scoring, out, alphabet, match && mismatch, error);
  if (status != CLA_OK) return status;
  if (match) out->match = (int32_t)scoring->given.match;
  if (mismatch) out->mismatch = (int32_t)scoring->given.mismatch;
  out->ambiguity = scoring->ambiguity;
  status = set_gap_costs(scoring, out, options, error);
  if (status == CLA_OK) status = cla_scoring_set_units(out, 0, error);
  return status == CLA_OK ? cla_scoring_check(out, error) : status;
}

cla_status cli_scoring_units(int64_t *out, int64_t value, const cla_scoring *scoring, const char *option_name,
                             cla_error *error) {
  const int64_t units = scoring->units > 1 ? scoring->units : 1;
  int64_t part = value % CLA_UNITS_LIMIT * units, whole = value / CLA_UNITS_LIMIT;
  part = part / CLA_UNITS_LIMIT + (part > 0 && part % CLA_UNITS_LIMIT != 0);
  if (!__builtin_mul_overflow(whole, units, &whole) && !__builtin_add_overflow(whole, part, out))
    return CLA_OK;
  return cli_error(error, CLA_ERROR_OPTION, "--%s is more than any score can be; give a smaller number",
                   option_name);
}

static cla_status read_one(cla_sequence **out, const char *location, const cli_scoring *scoring,
                           const cla_scoring *matrix, bool range_alone, cla_error *error) {
  const cla_sequence_options how = {.known = scoring->known,
                                    .alphabet = scoring->alphabet,
                                    .own = matrix->letters,
                                    .allow_empty = scoring->allow_empty,
                                    .qualities = scoring->qualities,
                                    .keep_case = scoring->keep_case,
                                    .range_alone = range_alone};
  return cla_sequence_read_with(out, location, &how, error);
}

/* Gives an empty record the alphabet of the other record. */
static cla_status follow_other(cla_sequence *pair[2], const char *const locations[2], cla_error *error) {
  for (int i = 0; i < 2; i++) {
    const cla_alphabet other = cla_sequence_alphabet(pair[1 - i]);
    const bool is_stdin = strcmp(locations[i], "-") == 0 || strncmp(locations[i], "-:", 2) == 0;
    if (cla_sequence_length(pair[i]) > 0 || cla_sequence_alphabet(pair[i]) == other || is_stdin) continue;
    const cla_sequence_options how = {.known = true, .alphabet = other, .allow_empty = true};
    cla_sequence_free(pair[i]);
    pair[i] = NULL;
    return cla_sequence_read_with(&pair[i], locations[i], &how, error);
  }
  return CLA_OK;
}

cla_status cli_scoring_read_pair(cla_sequence *pair[2], const char *const locations[2],
                                 const cli_scoring *scoring, cla_scoring *out, const cli_option *options,
                                 cla_error *error) {
  cla_status status = read_one(&pair[0], locations[0], scoring, out, scoring->range_alone[0], error);
  if (status == CLA_OK)
    status = read_one(&pair[1], locations[1], scoring, out, scoring->range_alone[1], error);
  if (status == CLA_OK && scoring->allow_empty && !scoring->known)
    status = follow_other(pair, locations, error);
  if (status != CLA_OK) return status;
  const cla_alphabet first = cla_sequence_alphabet(pair[0]), second = cla_sequence_alphabet(pair[1]);
  if (first != second)
    return cli_error(error, CLA_ERROR_INPUT,
                     "%.512s is %s, %.512s is %s, by their letters; give two of a kind, or say --type dna or "
                     "--type protein",
                     locations[0], first == CLA_ALPHABET_DNA ? "DNA" : "a protein", locations[1],
                     second == CLA_ALPHABET_DNA ? "DNA" : "a protein");
  return cli_scoring_finish(scoring, out, first, options, error);
}
