/* A database of proteins and an exhaustive search of it by parasail, one thread.
 *
 *   protein_search make RESIDUES SEED QUERY.fa DATABASE.fa
 *   protein_search score MATRIX GAP_FIRST GAP_EXT QUERY.fa DATABASE.fa
 *
 * `make` writes a query of 500 residues, and proteins of RESIDUES in all. Lengths are log-normal with a mean
 * of 360 and a median of 294, as in Swiss-Prot. Residues are drawn by their frequencies (Robinson and
 * Robinson 1991). One protein in 64 is a part of the query with more and more changes; some of these come
 * twice, so that scores are equal. `score` prints each protein's name and best local score, and on stderr the
 * seconds of the search. */

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <parasail.h>
#include <parasail/io.h>

#define QUERY_LETTERS 500
#define RELATED_EACH 64
#define LETTERS_MOST 100000

static const char residues[] = "ARNDCQEGHILKMFPSTWYV";
static const double per_thousand[] = {78, 51, 45, 54, 19, 43, 63, 74, 22, 51,
                                      91, 57, 22, 39, 52, 71, 58, 13, 32, 64};

static uint64_t state;

/* In [0, 1): xorshift64*. */
static double draw(void) {
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return (double)(state * UINT64_C(2685821657736338717) >> 11) / 9007199254740992.0;
}

static char draw_residue(void) {
  double place = 0;
  int at = 0;
  for (int i = 0; i < 20; i++) place += per_thousand[i];
  place *= draw();
  while (at < 19 && place >= per_thousand[at]) place -= per_thousand[at++];
  return residues[at];
}

static int64_t draw_length(void) {
  const double pi = 3.14159265358979323846, spread = sqrt(2 * log(360.0 / 294));
  const double normal = sqrt(-2 * log(1 - draw())) * cos(2 * pi * draw());
  const double length = 294 * exp(spread * normal);
  return length < 20 ? 20 : length > LETTERS_MOST ? LETTERS_MOST : (int64_t)length;
}

/* A part of the query in the middle of other letters, of which so large a part is changed. */
static void relate(char *letters, int64_t length, const char *query, double changed) {
  int64_t from = (int64_t)(draw() * QUERY_LETTERS / 2);
  for (int64_t at = length / 8; at < length && from < QUERY_LETTERS; at++) {
    const double event = draw();
    if (event >= changed) letters[at] = query[from];
    if (event < changed / 20) from += (int64_t)(draw() * 6);
    from += event >= changed / 20 && event < changed / 10 ? 0 : 1;
  }
}

static bool make(int64_t wanted, const char *query_file, const char *database_file) {
  static char query[QUERY_LETTERS], letters[LETTERS_MOST];
  FILE *file = fopen(query_file, "w");
  if (!file) return false;
  for (int i = 0; i < QUERY_LETTERS; i++) query[i] = draw_residue();
  fprintf(file, ">query\n%.*s\n", QUERY_LETTERS, query);
  if (fclose(file) != 0 || !(file = fopen(database_file, "w"))) return false;
  for (int64_t number = 1, made = 0, length = 0; made < wanted; number++, made += length) {
    const bool related = number % RELATED_EACH == 0, again = number % RELATED_EACH == 1 && number > 1;
    if (!again) {
      length = draw_length();
      for (int64_t i = 0; i < length; i++) letters[i] = draw_residue();
    }
    if (related) relate(letters, length, query, 0.2 + 0.7 * draw());
    fprintf(file, ">protein%lld\n%.*s\n", (long long)number, (int)length, letters);
  }
  return fclose(file) == 0;
}

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool score(const char *matrix_name, int first, int ext, const char *query_file,
                  const char *database_file) {
  const parasail_matrix_t *matrix = parasail_matrix_lookup(matrix_name);
  parasail_sequences_t *queries = parasail_sequences_from_file(query_file);
  parasail_sequences_t *database = parasail_sequences_from_file(database_file);
  if (!matrix || !queries || !database || queries->l < 1) return false;
  const parasail_sequence_t *query = &queries->seqs[0];
  int *scores = calloc(database->l, sizeof *scores);
  if (!scores) return false;
  const double began = seconds_now();
  parasail_profile_t *profile = parasail_profile_create_sat(query->seq.s, (int)query->seq.l, matrix);
  for (size_t i = 0; i < database->l; i++) {
    const parasail_string_t *target = &database->seqs[i].seq;
    parasail_result_t *result =
        parasail_sw_striped_profile_sat(profile, target->s, (int)target->l, first, ext);
    if (parasail_result_is_saturated(result)) return false;
    scores[i] = result->score;
    parasail_result_free(result);
  }
  const double seconds = seconds_now() - began;
  for (size_t i = 0; i < database->l; i++) printf("%s\t%d\n", database->seqs[i].name.s, scores[i]);
  fprintf(stderr, "%zu proteins of %zu residues: %.3f s, %.2f GCUPS\n", database->l, database->characters,
          seconds, (double)query->seq.l * (double)database->characters / seconds / 1e9);
  free(scores);
  parasail_profile_free(profile);
  parasail_sequences_free(queries);
  parasail_sequences_free(database);
  return true;
}

int main(int count, char **arguments) {
  bool done = false;
  if (count == 6 && strcmp(arguments[1], "make") == 0) {
    state = UINT64_C(0x9e3779b97f4a7c15) * (uint64_t)(atoll(arguments[3]) + 1);
    done = make(atoll(arguments[2]), arguments[4], arguments[5]);
  } else if (count == 7 && strcmp(arguments[1], "score") == 0) {
    done = score(arguments[2], atoi(arguments[3]), atoi(arguments[4]), arguments[5], arguments[6]);
  }
  if (!done) fprintf(stderr, "protein_search: wrong arguments, or a file that cannot be used\n");
  return done ? 0 : 1;
}
