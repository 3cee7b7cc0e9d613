/* cla_simulate makes a pair of related sequences from a seed.
 *
 * At each position of the first sequence, these events may happen, in this order:
 * - a long insertion, if one was drawn for the place before the position
 * - with probability indel_rate, an indel of geometric length: an insertion before the letter, or a
 *   deletion that starts with the letter
 * - a substitution by another letter, unless the letter is deleted
 *
 * The letters of the first sequence, the letters of insertions, and the events have separate random streams
 * (random_stream.h). All probabilities are thresholds of 53 bits, to which a double converts exactly.
 *
 * A satellite array starts as one unit of similar monomers. Until the array is long enough, runs of
 * neighbouring units are copied and inserted directly after the originals. Some letters of the copies are
 * substituted. For the second sequence, units of the same array are copied and deleted before its letters
 * are mutated. */

#include "clalign/simulate.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "seq/random_stream.h"

#define LENGTH_LIMIT (INT64_C(1) << 40)
#define INDEL_MEAN_LIMIT 1e9
#define PROBABILITY_BITS 53
#define AMINO_ACIDS 20
#define MONOMER_LETTERS 171
#define MONOMER_RATE 0.25 /* probability that a letter of a unit's monomer differs from the first monomer */
#define UNIT_MONOMERS 12
#define UNIT_LETTERS (MONOMER_LETTERS * UNIT_MONOMERS)
#define COPY_UNITS 20         /* maximum number of units that are copied or deleted together */
#define COPY_RATE 0.003       /* probability that a letter of a copied unit is substituted */
#define FLANK_PART 20         /* each of the two flanks has length / FLANK_PART letters */
#define SATELLITE_LEAST 10000 /* minimum letters of an array with its flanks */
#define UNITS_BY_CHANGE 100   /* number of the array's units per change in the second sequence */

typedef enum simulate_stream {
  STREAM_FIRST = 1,
  STREAM_SECOND,
  STREAM_EVENTS,
  STREAM_PLACES,
  STREAM_ARRAY
} simulate_stream;

/* Frequency of each amino acid per 10,000 letters, rounded from release statistics of UniProtKB/Swiss-Prot.
 * Changing a number would change simulated sequences. */
static const struct {
  char letter;
  int16_t weight;
} amino_acids[AMINO_ACIDS] = {
    {'A', 825}, {'R', 553}, {'N', 406}, {'D', 546}, {'C', 138}, {'Q', 393}, {'E', 672},
    {'G', 707}, {'H', 227}, {'I', 591}, {'L', 965}, {'K', 580}, {'M', 241}, {'F', 386},
    {'P', 474}, {'S', 665}, {'T', 536}, {'W', 110}, {'Y', 292}, {'V', 686},
};

typedef struct simulation {
  const cla_simulate_options *options;
  random_stream first, second, events, places, array;
  uint64_t substitution, indel, lengthen; /* probabilities as thresholds of PROBABILITY_BITS bits */
  char *letters;                          /* letters of the second sequence */
  int64_t length, capacity;
} simulation;

void cla_simulate_options_init(cla_simulate_options *options) {
  *options = (cla_simulate_options){
      .seed = 1, .length = 10000, .substitution_rate = 0.05, .indel_rate = 0.005, .indel_mean = 3};
}

static cla_status check_rate(double rate, const char *name, cla_error *error) {
  if (rate >= 0 && rate <= 1) return CLA_OK;
  return error_set(error, CLA_ERROR_OPTION, "%s %g is outside 0 to 1", name, rate);
}

static int64_t flank_letters(const cla_simulate_options *options) {
  return options->length / FLANK_PART;
}

/* Returns the number of units in the first sequence's array. */
static int64_t array_units(const cla_simulate_options *options) {
  return (options->length - 2 * flank_letters(options)) / UNIT_LETTERS;
}

static cla_status check_satellite(const cla_simulate_options *options, cla_error *error) {
  if (!options->satellite) return CLA_OK;
  if (options->protein || options->unrelated)
    return error_set(
        error, CLA_ERROR_OPTION,
        "a satellite array is of DNA, and the second sequence is related to it; leave it out, or "
        "protein and unrelated");
  if (options->length < SATELLITE_LEAST)
    return error_set(error, CLA_ERROR_OPTION,
                     "a satellite array with its flanks takes %d letters at least, not %lld; ask for more",
                     SATELLITE_LEAST, (long long)options->length);
  return CLA_OK;
}

static cla_status check_options(const cla_simulate_options *options, cla_error *error) {
  if (options->length < 0 || options->length > LENGTH_LIMIT)
    return error_set(error, CLA_ERROR_OPTION, "length %lld is outside 0 to %lld", (long long)options->length,
                     (long long)LENGTH_LIMIT);
  cla_status status = check_rate(options->substitution_rate, "substitution rate", error);
  if (!status) status = check_rate(options->indel_rate, "indel rate", error);
  if (status) return status;
  if (!(options->indel_mean >= 1 && options->indel_mean <= INDEL_MEAN_LIMIT))
    return error_set(error, CLA_ERROR_OPTION, "mean length %g of an indel is outside 1 to %g",
                     options->indel_mean, INDEL_MEAN_LIMIT);
  if (options->long_insertion_length < 0 || options->long_insertion_length > LENGTH_LIMIT)
    return error_set(error, CLA_ERROR_OPTION, "length %lld of a long insertion is outside 0 to %lld",
                     (long long)options->long_insertion_length, (long long)LENGTH_LIMIT);
  /* There are length + 1 places, and each gets at most one insertion. */
  if (options->long_insertions < 0 || options->long_insertions > options->length + 1)
    return error_set(error, CLA_ERROR_OPTION,
                     "%lld long insertions are outside 0 to %lld, the places in a sequence of %lld letters",
                     (long long)options->long_insertions, (long long)options->length + 1,
                     (long long)options->length);
  if (options->long_insertions > 0 &&
      options->long_insertion_length > LENGTH_LIMIT / options->long_insertions)
    return error_set(error, CLA_ERROR_OPTION,
                     "%lld long insertions of %lld letters are more than %lld in all",
                     (long long)options->long_insertions, (long long)options->long_insertion_length,
                     (long long)LENGTH_LIMIT);
  if (options->inversions < 0 || options->inversion_length < 0)
    return error_set(error, CLA_ERROR_OPTION, "%lld inversions of %lld letters cannot be; give 0 or more",
                     (long long)options->inversions, (long long)options->inversion_length);
  if (options->inversions > 0 && options->protein)
    return error_set(error, CLA_ERROR_OPTION, "inversions are of DNA; leave them or protein out");
  return check_satellite(options, error);
}

/* Returns the probability times 2^53, rounded down; 0 <= probability <= 1. */
static uint64_t threshold(double probability) {
  return (uint64_t)(probability * (double)(UINT64_C(1) << PROBABILITY_BITS));
}

static bool happens(random_stream *stream, uint64_t threshold_value) {
  return random_stream_next(stream) >> (64 - PROBABILITY_BITS) < threshold_value;
}

static char random_letter(random_stream *stream, bool protein) {
  if (!protein) return "ACGT"[random_stream_next(stream) >> 62];
  uint64_t total = 0;
  for (int i = 0; i < AMINO_ACIDS; i++) total += (uint64_t)amino_acids[i].weight;
  uint64_t drawn = random_stream_below(stream, total);
  int i = 0;
  while (drawn >= (uint64_t)amino_acids[i].weight) drawn -= (uint64_t)amino_acids[i++].weight;
  return amino_acids[i].letter;
}

static char other_letter(random_stream *stream, bool protein, char letter) {
  char drawn;
  do drawn = random_letter(stream, protein);
  while (drawn == letter);
  return drawn;
}

static cla_status append(simulation *made, char letter, cla_error *error) {
  if (made->length + 1 >= made->capacity) { /* plus 1 for the terminating zero */
    void *letters = made->letters;
    cla_status status =
        allocate_grow(&letters, &made->capacity, made->length + 2, 1, "the second sequence", error);
    made->letters = letters;
    if (status) return status;
  }
  made->letters[made->length++] = letter;
  return CLA_OK;
}

static cla_status append_random(simulation *made, int64_t count, cla_error *error) {
  cla_status status = CLA_OK;
  for (int64_t i = 0; i < count && !status; i++)
    status = append(made, random_letter(&made->second, made->options->protein), error);
  return status;
}

/* Draws the length of an indel: geometric with mean indel_mean, at most `limit`. */
static int64_t indel_length(simulation *made, int64_t limit) {
  int64_t length = 1;
  while (length < limit && happens(&made->events, made->lengthen)) length++;
  return length;
}

/* Makes the second sequence by mutating the `length` letters of `first`. */
static cla_status mutate(simulation *made, const char *first, int64_t length, cla_error *error) {
  const cla_simulate_options *options = made->options;
  int64_t deleted = 0, insertions = options->long_insertions;
  cla_status status = CLA_OK;
  for (int64_t place = 0; place <= length && !status; place++) {
    const int64_t left = length - place;
    /* Each of the left + 1 remaining places is equally likely to get one of the remaining insertions. */
    if (insertions > 0 && random_stream_below(&made->places, (uint64_t)left + 1) < (uint64_t)insertions) {
      insertions--;
      status = append_random(made, options->long_insertion_length, error);
    }
    if (left == 0 || status) break;
    if (deleted == 0 && happens(&made->events, made->indel)) {
      if (random_stream_next(&made->events) >> 63)
        deleted = indel_length(made, left);
      else
        status = append_random(made, indel_length(made, LENGTH_LIMIT), error);
    }
    if (deleted > 0) {
      deleted--;
      continue;
    }
    char letter = first[place];
    if (happens(&made->events, made->substitution))
      letter = other_letter(&made->events, options->protein, letter);
    if (!status) status = append(made, letter, error);
  }
  return status;
}

static char complement(char letter) {
  return letter == 'A' ? 'T' : letter == 'C' ? 'G' : letter == 'G' ? 'C' : 'A';
}

/* Divides the second sequence into as many equal parts as there are inversions, and inverts the middle of
 * each part. */
static cla_status invert(const simulation *made, cla_error *error) {
  const int64_t count = made->options->inversions, length = made->options->inversion_length;
  if (count > 0 && length > made->length / count)
    return error_set(error, CLA_ERROR_OPTION,
                     "%lld inversions of %lld letters do not fit in a sequence of %lld; ask for less",
                     (long long)count, (long long)length, (long long)made->length);
  for (int64_t i = 0; i < count; i++) {
    char *part = made->letters + made->length / count * i + (made->length / count - length) / 2;
    for (int64_t left = 0, right = length - 1; left <= right; left++, right--) {
      const char turned = complement(part[left]);
      part[left] = complement(part[right]);
      part[right] = turned;
    }
  }
  return CLA_OK;
}

/* Copies letters; each is replaced by another letter with probability `rate`. */
static void copy_with_changes(random_stream *stream, char *to, const char *from, int64_t count, double rate) {
  const uint64_t changed = threshold(rate);
  for (int64_t i = 0; i < count; i++)
    to[i] = happens(stream, changed) ? other_letter(stream, false, from[i]) : from[i];
}

/* Draws a run of neighbouring units. Sets *at to the first unit, and returns the number of units: 1 to
 * COPY_UNITS, but at most `most`. */
static int64_t draw_units(random_stream *stream, int64_t *at, int64_t units, int64_t most) {
  const int64_t count = smaller(1 + (int64_t)random_stream_below(stream, COPY_UNITS), most);
  *at = (int64_t)random_stream_below(stream, (uint64_t)(units - count + 1));
  return count;
}

/* Copies a run of at most `most` neighbouring units, with changes, and inserts the copies directly after the
 * run. Returns the new number of units. */
static int64_t duplicate_units(random_stream *stream, char *array, int64_t units, int64_t most) {
  int64_t at;
  const int64_t count = draw_units(stream, &at, units, smaller(units, most));
  char *from = array + at * UNIT_LETTERS, *to = from + count * UNIT_LETTERS;
  memmove(to + count * UNIT_LETTERS, to, (size_t)((units - at - count) * UNIT_LETTERS));
  copy_with_changes(stream, to, from, count * UNIT_LETTERS, COPY_RATE);
  return units + count;
}

static int64_t delete_units(random_stream *stream, char *array, int64_t units) {
  int64_t at;
  const int64_t count = draw_units(stream, &at, units, units - 1);
  char *to = array + at * UNIT_LETTERS;
  memmove(to, to + count * UNIT_LETTERS, (size_t)((units - at - count) * UNIT_LETTERS));
  return units - count;
}

/* Writes the satellite array of the first sequence. */
static void grow_array(simulation *made, char *array) {
  random_stream *stream = &made->array;
  const int64_t wanted = array_units(made->options);
  for (int64_t i = 0; i < MONOMER_LETTERS; i++) array[i] = random_letter(stream, false);
  for (int64_t at = MONOMER_LETTERS; at < UNIT_LETTERS; at += MONOMER_LETTERS)
    copy_with_changes(stream, array + at, array, MONOMER_LETTERS, MONOMER_RATE);
  for (int64_t units = 1; units < wanted;) units = duplicate_units(stream, array, units, wanted - units);
}

static int64_t array_changes(const cla_simulate_options *options) {
  return 1 + array_units(options) / UNITS_BY_CHANGE;
}

/* Copies and deletes units of the array, which must have room for all copies. Returns the new number of
 * letters. */
static int64_t change_array(simulation *made, char *array) {
  int64_t units = array_units(made->options);
  for (int64_t i = array_changes(made->options); i > 0; i--)
    units = random_stream_next(&made->array) >> 63 ? delete_units(&made->array, array, units)
                                                   : duplicate_units(&made->array, array, units, COPY_UNITS);
  return units * UNIT_LETTERS;
}

/* Makes the second sequence from the first one: changes units of its satellite array, then mutates all
 * letters. */
static cla_status mutate_satellite(simulation *made, const char *first, cla_error *error) {
  const cla_simulate_options *options = made->options;
  const int64_t flank = flank_letters(options), array = array_units(options) * UNIT_LETTERS;
  const int64_t room = options->length + array_changes(options) * COPY_UNITS * UNIT_LETTERS;
  char *changed = NULL;
  cla_status status = ALLOCATE_ARRAY(&changed, room, "the second sequence", error);
  if (status) return status;
  memcpy(changed, first, (size_t)(flank + array));
  char *behind = changed + flank + change_array(made, changed + flank);
  const int64_t after = options->length - flank - array;
  memcpy(behind, first + flank + array, (size_t)after);
  status = mutate(made, changed, behind + after - changed, error);
  free(changed);
  return status;
}

static cla_status make_second(simulation *made, const char *first, cla_error *error) {
  const cla_simulate_options *options = made->options;
  if (options->unrelated) return append_random(made, options->length, error);
  return options->satellite ? mutate_satellite(made, first, error)
                            : mutate(made, first, options->length, error);
}

static void prepare(simulation *made, const cla_simulate_options *options) {
  *made = (simulation){.options = options};
  random_stream_init(&made->first, options->seed, STREAM_FIRST);
  random_stream_init(&made->second, options->seed, STREAM_SECOND);
  random_stream_init(&made->events, options->seed, STREAM_EVENTS);
  random_stream_init(&made->places, options->seed, STREAM_PLACES);
  random_stream_init(&made->array, options->seed, STREAM_ARRAY);
  made->substitution = threshold(options->substitution_rate);
  made->indel = threshold(options->indel_rate);
  /* `volatile` rounds the quotient to double before the conversion, whatever precision the machine computes
   * in. */
  const volatile double again = (options->indel_mean - 1) / options->indel_mean;
  made->lengthen = threshold(again);
}

cla_status cla_simulate(char **first, int64_t *first_length, char **second, int64_t *second_length,
                        const cla_simulate_options *options, cla_error *error) {
  void *letters = NULL, *mutant = NULL;
  simulation made = {0};
  *first = *second = NULL;
  cla_status status = check_options(options, error);
  if (status) return status;
  prepare(&made, options);
  status = allocate_array(&letters, options->length + 1, 1, "the first sequence", error);
  if (status) goto done;
  for (int64_t i = 0; i < options->length; i++)
    ((char *)letters)[i] = random_letter(&made.first, options->protein);
  ((char *)letters)[options->length] = '\0';
  if (options->satellite) grow_array(&made, (char *)letters + flank_letters(options));
  status = allocate_array(&mutant, options->length + 1, 1, "the second sequence", error);
  if (status) goto done;
  made.letters = mutant;
  made.capacity = options->length + 1;
  status = make_second(&made, letters, error);
  if (!status) status = invert(&made, error);
  if (status) goto done;
  made.letters[made.length] = '\0';
  *first = letters;
  *first_length = options->length;
  *second = made.letters;
  *second_length = made.length;
  letters = made.letters = NULL;
done:
  free(letters);
  free(made.letters);
  return status;
}
