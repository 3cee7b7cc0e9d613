/* clalign simulate: a seeded pair of sequences as two FASTA files. */

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clalign/simulate.h"
#include "cli/commands/command.h"
#include "cli/options/options.h"
#include "cli/report/outputs.h"
#include "cli/report/report.h"

/* A FASTA file that appears under its name when it is complete: written to a temporary file beside it. */
typedef struct fasta_file {
  const char *path; /* not owned */
  char *temporary;  /* NULL when `path` is no regular file and is written directly */
  FILE *file;
} fasta_file;

#define LINE_LETTERS 60
#define TEMPORARY_NAME ".clalign-XXXXXX" /* not longer with the name, which may be as long as allowed */

static cla_status failed(const char *path, cla_error *error) {
  cli_error(error, CLA_ERROR_OUTPUT, "cannot write %s: %s; free space or choose another file", path,
            strerror(errno));
  return CLA_ERROR_OUTPUT;
}

/* Whether `path` is a link to the very file that the shell opened, as /dev/stdout is: a new file in its place
 * would replace the link. */
static bool is_standard_output(const char *path, const struct stat *present) {
  struct stat link, standard;
  return lstat(path, &link) == 0 && S_ISLNK(link.st_mode) && fstat(STDOUT_FILENO, &standard) == 0 &&
         standard.st_dev == present->st_dev && standard.st_ino == present->st_ino;
}

static cla_status open_file(fasta_file *out, cla_error *error) {
  struct stat present;
  const bool exists = stat(out->path, &present) == 0,
             standard = exists && is_standard_output(out->path, &present);
  if (standard || (exists && !S_ISREG(present.st_mode))) {
    out->file = standard ? fdopen(dup(STDOUT_FILENO), "w") : fopen(out->path, "w");
    return out->file ? CLA_OK : failed(out->path, error);
  }
  const char *slash = strrchr(out->path, '/');
  size_t folder = slash ? (size_t)(slash - out->path) + 1 : 0;
  size_t size = folder + sizeof TEMPORARY_NAME;
  char *temporary = malloc(size);
  if (!temporary) {
    cli_error(error, CLA_ERROR_MEMORY, "out of memory for a file name; free some memory");
    return CLA_ERROR_MEMORY;
  }
  memcpy(temporary, out->path, folder);
  memcpy(temporary + folder, TEMPORARY_NAME, sizeof TEMPORARY_NAME);
  int descriptor = mkstemp(temporary);
  if (descriptor < 0) {
    free(temporary);
    return failed(out->path, error);
  }
  out->temporary = temporary;
  mode_t mask = umask(0); /* there is no other way to ask for it; the program has one thread here */
  umask(mask);
  out->file = fchmod(descriptor, 0666 & ~mask) == 0 ? fdopen(descriptor, "w") : NULL;
  if (out->file) return CLA_OK;
  cla_status status = failed(out->path, error);
  close(descriptor);
  return status;
}

/* Writes one record into a zeroed `out`; nothing stands under `path` yet. CLA_ERROR_OUTPUT names the path;
 * CLA_ERROR_INTERRUPTED after a signal. */
static cla_status fasta_file_write(fasta_file *out, const char *path, const char *name, const char *letters,
                                   int64_t length, cla_error *error) {
  out->path = path;
  cla_status status = open_file(out, error);
  if (status != CLA_OK) return status;
  bool written = fprintf(out->file, ">%s\n", name) >= 0;
  for (int64_t at = 0; at < length && written; at += LINE_LETTERS) {
    size_t letters_here = length - at < LINE_LETTERS ? (size_t)(length - at) : LINE_LETTERS;
    written =
        fwrite(letters + at, 1, letters_here, out->file) == letters_here && fputc('\n', out->file) != EOF;
    if (interrupt_requested()) return CLA_ERROR_INTERRUPTED;
  }
  if (!written || fflush(out->file) != 0) return failed(path, error);
  return CLA_OK;
}

/* Puts the complete file under its name. */
static cla_status fasta_file_commit(fasta_file *out, cla_error *error) {
  bool stored = !out->temporary || fsync(fileno(out->file)) == 0;
  bool closed = fclose(out->file) == 0;
  out->file = NULL;
  if (!stored || !closed) return failed(out->path, error);
  if (out->temporary && rename(out->temporary, out->path) != 0) return failed(out->path, error);
  free(out->temporary);
  out->temporary = NULL;
  return CLA_OK;
}

/* Removes what was not committed; a zeroed one is allowed. */
static void fasta_file_discard(fasta_file *out) {
  if (out->file) fclose(out->file);
  if (out->temporary) unlink(out->temporary);
  free(out->temporary);
  memset(out, 0, sizeof *out);
}

#define LENGTH_LIMIT (INT64_C(1) << 40)
#define COUNT_LIMIT 1000000
#define MEAN_LIMIT 1000000

typedef struct simulate_settings {
  cla_simulate_options simulate;
  int64_t seed;
  const char *query_path, *target_path;
  const char *query_name, *target_name;
} simulate_settings;

static simulate_settings settings = {.seed = 1, .query_name = "query", .target_name = "target"};

/* clang-format off */
static cli_option options[] = {
    {.name = "output-query", .argument = "FILE", CLI_TEXT(settings.query_path),
     .description = "where the first sequence goes, as FASTA; needed"},
    {.name = "output-target", .argument = "FILE", CLI_TEXT(settings.target_path),
     .description = "where the second one goes; needed"},
    {.name = "query-name", .argument = "NAME", CLI_TEXT(settings.query_name),
     .description = "the first record's name", .default_text = "query"},
    {.name = "target-name", .argument = "NAME", CLI_TEXT(settings.target_name),
     .description = "the second record's name", .default_text = "target"},
    {.name = "seed", .argument = "N", .parse = cli_parse_int64, .destination = &settings.seed,
     .maximum = INT64_MAX,
     .description = "the same seed and options give the same letters everywhere", .default_text = "1"},
    {.name = "length", .argument = "N", .parse = cli_parse_letters, .destination = &settings.simulate.length,
     .maximum = LENGTH_LIMIT, .description = "letters of the first sequence, also as 200k or 1M", .default_text = "10000"},
    {.name = "substitution-rate", .argument = "RATE", .parse = cli_parse_real,
     .destination = &settings.simulate.substitution_rate, .maximum = 1,
     .description = "substituted letters, as a part of all", .default_text = "0.05"},
    {.name = "indel-rate", .argument = "RATE", .parse = cli_parse_real,
     .destination = &settings.simulate.indel_rate, .maximum = 1,
     .description = "insertions and deletions per letter, half of each", .default_text = "0.005"},
    {.name = "indel-mean", .argument = "N", .parse = cli_parse_real,
     .destination = &settings.simulate.indel_mean, .minimum = 1, .maximum = MEAN_LIMIT,
     .description = "their mean length", .default_text = "3"},
    {.name = "long-insertions", .argument = "N", .parse = cli_parse_int64,
     .destination = &settings.simulate.long_insertions, .maximum = COUNT_LIMIT,
     .description = "number of long insertions in the second sequence", .default_text = "0"},
    {.name = "long-insertion-length", .argument = "N", .parse = cli_parse_letters,
     .destination = &settings.simulate.long_insertion_length, .maximum = LENGTH_LIMIT,
     .description = "letters of each", .default_text = "0"},
    {.name = "inversions", .argument = "N", .parse = cli_parse_int64,
     .destination = &settings.simulate.inversions, .maximum = COUNT_LIMIT,
     .description = "number of parts of the second sequence, evenly spread, that are on the other strand", .default_text = "0"},
    {.name = "inversion-length", .argument = "N", .parse = cli_parse_letters,
     .destination = &settings.simulate.inversion_length, .maximum = LENGTH_LIMIT,
     .description = "letters of each", .default_text = "0"},
    {.name = "protein", CLI_FLAG(settings.simulate.protein),
     .description = "amino acids instead of bases"},
    {.name = "unrelated", CLI_FLAG(settings.simulate.unrelated),
     .description = "a second sequence that has nothing to do with the first"},
    {.name = NULL},
};
/* clang-format on */

static const cli_example examples[] = {
    {"clalign simulate --length 1000000 --output-query q.fa --output-target t.fa",
     "a related pair of a million letters"},
    {"clalign simulate --length 1000000 --inversions 2 --inversion-length 50000 --long-insertions 1 "
     "--long-insertion-length 40000 --output-query q.fa --output-target t.fa",
     "one with rearrangements, to look at with 'clalign align --max-alignments 3 --strand both --plot'"},
    {NULL, NULL},
};

const cli_syntax simulate_syntax = {
    .command = "simulate",
    .positionals = "",
    .purpose = "Makes a pair of related (or unrelated) sequences for tests and benchmarks.",
    .examples = examples,
    .options = options,
};

static cla_status check_name(const char *option, const char *name, cla_error *error) {
  for (const char *letter = name; *letter; letter++)
    if (iscntrl((unsigned char)*letter) || *letter == ' ')
      return cli_error(error, CLA_ERROR_OPTION, "--%s takes one word without blanks, not '%s'", option, name);
  return CLA_OK;
}

static cla_status check_settings(cla_error *error) {
  if (!settings.query_path || !settings.target_path)
    return cli_error(error, CLA_ERROR_OPTION,
                     "'simulate' needs --output-query FILE and --output-target FILE");
  if (output_same_file(settings.query_path, settings.target_path))
    return cli_error(error, CLA_ERROR_OPTION,
                     "--output-query and --output-target are both %s; give two files", settings.query_path);
  cla_status status = check_name("query-name", settings.query_name, error);
  if (status == CLA_OK) status = check_name("target-name", settings.target_name, error);
  if (status == CLA_OK) status = output_path_check(settings.query_path, error);
  if (status == CLA_OK) status = output_path_check(settings.target_path, error);
  return status;
}

/* Both files are complete before either gets its name. */
static cla_status simulate(cla_error *error) {
  char *query = NULL, *target = NULL;
  int64_t query_length = 0, target_length = 0;
  fasta_file query_file = {0}, target_file = {0};
  settings.simulate.seed = (uint64_t)settings.seed;
  cla_status status = check_settings(error);
  if (status != CLA_OK) goto done;
  status = cla_simulate(&query, &query_length, &target, &target_length, &settings.simulate, error);
  if (status != CLA_OK) goto done;
  interrupt_defer();
  status =
      fasta_file_write(&query_file, settings.query_path, settings.query_name, query, query_length, error);
  if (status != CLA_OK) goto done;
  status = fasta_file_write(&target_file, settings.target_path, settings.target_name, target, target_length,
                            error);
  if (status == CLA_OK) status = fasta_file_commit(&query_file, error);
  if (status == CLA_OK) status = fasta_file_commit(&target_file, error);
done:
  fasta_file_discard(&query_file);
  fasta_file_discard(&target_file);
  free(query);
  free(target);
  return status;
}

int cmd_simulate(int count, char **arguments) {
  cla_error error = {.status = CLA_OK};
  cli_arguments parsed;
  int code;
  cla_simulate_options_init(&settings.simulate);
  if (!cli_begin(&parsed, &simulate_syntax, count, arguments, &code)) return code;
  return cli_finish(simulate(&error), &error);
}
