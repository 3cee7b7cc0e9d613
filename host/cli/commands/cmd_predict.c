/* clalign predict: predicts the time, memory and disk space of an alignment. */

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clalign/cluster.h"
#include "cli/commands/command.h"
#include "cli/options/align_options.h"
#include "cli/options/device_options.h"
#include "cli/options/options.h"
#include "cli/report/certificates.h"
#include "cli/report/outputs.h"
#include "cli/report/progress_bar.h"
#include "cli/report/report.h"

#define BOUND_SHOWN 0.001 /* seconds; a shorter search for the lower bound is not printed */

/* Options of 'clalign align' that do not change the prediction, and the options of the lower bound. */
typedef struct align_only {
  cli_outputs outputs;
  cli_lower_bound lower_bound;
  cla_circular circular;
  cla_gap_placement gap_placement;
  cli_certify certify;
  int64_t most, split_drop, min_score, band, disk_bytes;
  bool split, explain;
  const char *run_directory;
} align_only;

typedef struct predict_settings {
  cli_align_settings how;
  int64_t lengths[2]; /* lengths of query and target; 0: taken from the files */
  align_only asked;
  int64_t ranks;     /* largest number of ranks of the cluster; 0: no cluster */
  double latency;    /* seconds */
  int64_t bandwidth; /* bits per second */
  bool json, quiet;
} predict_settings;

static predict_settings settings;

/* Reads a length of at least 1 at the start of `text`, such as 5000, 10k, 2.5M or 2G. Returns false if there
 * is none. */
static bool read_length(int64_t *out, const char *text, const char **rest) {
  static const char units[] = "kMG", digits[] = "0123456789";
  char *end = NULL;
  errno = 0;
  if (!isdigit((unsigned char)text[0])) return false;
  long long number = strtoll(text, &end, 10);
  const char *part = end; /* the digits after the decimal point */
  if (*end == '.') {
    part++;
    end += 1 + strspn(part, digits);
    if (part == end) return false;
  }
  const char *unit = *end ? strchr(units, *end == 'K' ? 'k' : *end) : NULL;
  for (const char *each = units; unit && each <= unit; each++) {
    if (number > INT64_MAX / 1000 - 1) return false;
    number *= 1000;
    for (int place = 100; place > 0 && part < end; place /= 10) number += (*part++ - '0') * place;
  }
  if (errno != 0 || number < 1 || part < end) return false;
  *out = number;
  *rest = unit ? end + 1 : end;
  return true;
}

static cla_status parse_lengths(const cli_option *option, const char *value, cla_error *error) {
  int64_t *lengths = option->destination;
  const char *rest = value;
  if (read_length(&lengths[0], value, &rest) && *rest == ',' && read_length(&lengths[1], rest + 1, &rest) &&
      !*rest)
    return CLA_OK;
  return cli_error(error, CLA_ERROR_OPTION,
                   "--lengths takes the letters of query and target as in 5000,3M, not '%s'", value);
}

#define LATENCY 5e-6
#define BANDWIDTH INT64_C(25000000000)

/* Parses a time with a unit, such as 5us, to seconds. */
static cla_status parse_latency(const cli_option *option, const char *value, cla_error *error) {
  static const struct {
    const char *name;
    double seconds;
  } units[] = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}};
  char *end = NULL;
  const double number = isdigit((unsigned char)value[0]) ? strtod(value, &end) : 0;
  for (size_t i = 0; end && i < sizeof units / sizeof units[0]; i++) {
    if (strcmp(end, units[i].name) != 0) continue;
    *(double *)option->destination = number * units[i].seconds;
    return CLA_OK;
  }
  return cli_error(error, CLA_ERROR_OPTION, "--latency takes a time with s, ms, us or ns as in 5us, not '%s'",
                   value);
}

/* Parses bits per second, such as 25G. */
static cla_status parse_bandwidth(const cli_option *option, const char *value, cla_error *error) {
  const char *rest = value;
  if (read_length(option->destination, value, &rest) && !*rest) return CLA_OK;
  return cli_error(error, CLA_ERROR_OPTION,
                   "--bandwidth takes bits a second, or with k, M or G as in 25G, not '%s'", value);
}

/* Parses a format of 'clalign align'; all but json are ignored. */
static cla_status parse_format(const cli_option *option, const char *value, cla_error *error) {
  bool *json = option->destination;
  cli_option of_align = *option;
  of_align.destination = &settings.asked.outputs;
  *json = strcmp(value, "json") == 0;
  return *json || strcmp(value, "text") == 0 ? CLA_OK : outputs_parse_format(&of_align, value, error);
}

/* clang-format off */
static cli_option options[] = {
    {.name = "lengths", .argument = "M,N", .parse = parse_lengths, .destination = settings.lengths,
     .description = "letters of query and target, instead of files, as in 500k,2.5M"},
    CLI_SCORING_OPTIONS(settings.how),
    CLI_STRAND_OPTION(settings.how.align.strand),
    {.name = "score-only", CLI_FLAG(settings.how.align.score_only),
     .description = "score and end cell without the alignment"},
    CLI_RESOURCE_OPTIONS(settings.how),
    {.name = "lower-bound", .heading = "as for 'clalign align'", .argument = "SCORE|auto|off|FILE", .parse = cli_parse_lower_bound,
     .destination = &settings.asked.lower_bound, .description = "what the score is known to reach; with files", .default_text = "auto"},
    {.name = "circular", .argument = "WORD", .parse = cli_parse_word, .minimum = CLA_CIRCULAR_QUERY, .words = cli_circular_words,
     .destination = &settings.asked.circular, .description = "not in the times, which are of one rotation"},
    {.name = "max-alignments", .argument = "K", .parse = cli_parse_int64, .minimum = 1, .maximum = INT32_MAX,
     .destination = &settings.asked.most, .description = "not in the times, which are of the best one", .default_text = "1"},
    CLI_SPLIT_OPTIONS(settings.asked.split, settings.asked.split_drop,
                      "the cut takes no time; with --strand both what is inverted is looked for, which is not in the times"),
    {.name = "band", .argument = "N", .parse = cli_parse_int64, .maximum = INT64_MAX / 4, .destination = &settings.asked.band,
     .description = "not in the times, which are of the whole matrix"},
    {.name = "min-score", .argument = "N", .parse = cli_parse_thousandths, .destination = &settings.asked.min_score,
     .minimum = INT64_MIN / CLA_UNITS_LIMIT, .maximum = INT64_MAX / CLA_UNITS_LIMIT, .description = "changes nothing here"},
    CLI_GAP_PLACEMENT_OPTION(settings.asked.gap_placement),
    CLI_CERTIFY_PAIR_OPTIONS(settings.asked.certify),
    {.name = "allow-empty", CLI_FLAG(settings.how.scoring.allow_empty), .description = "records without letters are no error to read"},
    {.name = "run-dir", .argument = "DIR", CLI_TEXT(settings.asked.run_directory), .description = "is not made; what it would take is always said"},
    {.name = "disk", CLI_SIZE(settings.asked.disk_bytes), .description = "changes nothing here", .default_text = "half of what is free"},
    {.name = "explain", .letters = "v", CLI_FLAG(settings.asked.explain), .description = "changes nothing here"},
    {.name = "output", .letters = "o", .argument = "FILE", .parse = outputs_parse_output, .destination = &settings.asked.outputs,
     .repeatable = true, .description = "nor is this, nor the next ones, written"},
    CLI_WRITE_OPTIONS(settings.asked.outputs),
    CLI_SAVE_OPTIONS(settings.asked.outputs),
    {.name = "rotated", .argument = "FILE", CLI_TEXT(settings.asked.outputs.rotated),
     .description = "changes nothing here"},
    CLI_PLOT_OPTIONS(settings.asked.outputs.plot),
    {.name = "ranks", .heading = "ranks of clalign-mpi", .argument = "N", .parse = cli_parse_int64, .destination = &settings.ranks,
     .minimum = 1, .maximum = CLA_CLUSTER_RANKS, .description = "also predict sweep and traceback on 1, 2, 4 and so on up to N such devices, a rank each"},
    {.name = "latency", .argument = "TIME", .parse = parse_latency, .destination = &settings.latency,
     .description = "of a message between two ranks", .default_text = "5us"},
    {.name = "bandwidth", .argument = "BITS", .parse = parse_bandwidth, .destination = &settings.bandwidth,
     .description = "a second between two ranks", .default_text = "25G"},
    {.name = "format", .argument = "FORMAT", .parse = parse_format, .destination = &settings.json, .repeatable = true,
     .description = "text, or json with one object a line; other formats of 'clalign align' change nothing", .default_text = "text"},
    {.name = "quiet", .letters = "q", CLI_FLAG(settings.quiet),
     .description = "no progress, and no warnings of stale records"},
    {.name = NULL},
};
/* clang-format on */

static const cli_example examples[] = {
    {"clalign predict chr1.fa other.fa", "what 'clalign align chr1.fa other.fa' will take"},
    {"clalign predict --lengths 50M,50M --device NVIDIA",
     "50 by 50 million letters on that device, all cells computed"},
    {"clalign predict --lengths 250M,250M --ranks 1024 --latency 2us --bandwidth 100G",
     "the same on clusters of up to 1,024 such devices"},
    {NULL, NULL},
};

static const cli_syntax predict_syntax = {
    .command = "predict",
    .positionals = "QUERY TARGET",
    .purpose =
        "Predicts what 'clalign align' with the same options will take of time, memory and disk, without "
        "doing it.",
    .notes =
        "The times are those of the forward sweep, from the tuning record of the device ('clalign tune'),\n"
        "and of the traceback, which depends on the alignment and is an estimate. Without a record the "
        "device\n"
        "computes a sample of a tenth of a second or so, and the times are rough. With files, the lower\n"
        "bound is looked for and what it spares is taken off; of --lengths nothing is known, and all cells\n"
        "count. Levels of bounds, which spare most of a long sweep, are not in the times: a line says where\n"
        "'clalign align' makes some. Reading the files and compiling the kernels is not in the times.",
    .examples = examples,
    .options = options,
    .most_positionals = 2,
};

static cla_status predict_files(cla_prediction *out, cla_device *device, const char *const *locations,
                                cla_error *error) {
  cla_sequence *pair[2] = {NULL, NULL};
  cla_status status = cli_scoring_read_pair(pair, locations, &settings.how.scoring,
                                            &settings.how.align.scoring, options, error);
  if (status == CLA_OK)
    status = cli_check_strand(settings.how.align.strand, cla_sequence_alphabet(pair[0]), error);
  for (int i = 0; i < 2 && status == CLA_OK; i++)
    settings.lengths[i] = cla_sequence_end(pair[i]) - cla_sequence_begin(pair[i]);
  if (status == CLA_OK)
    status =
        cli_lower_bound_settle(&settings.asked.lower_bound, pair[0], pair[1], &settings.how.align, error);
  settings.how.align.lower_bound = settings.asked.lower_bound.bound;
  if (status == CLA_OK) status = cla_predict_pair(out, device, pair[0], pair[1], &settings.how.align, error);
  cla_path_free(&settings.asked.lower_bound.path);
  for (int i = 0; i < 2; i++) cla_sequence_free(pair[i]);
  return status;
}

/* Completes the scoring. Without files the alphabet is that of the options, or DNA. */
static cla_status finish_scoring(cla_error *error) {
  const cli_scoring *scoring = &settings.how.scoring;
  const cla_alphabet alphabet = scoring->known ? scoring->alphabet : CLA_ALPHABET_DNA;
  cla_status status = cli_scoring_finish(scoring, &settings.how.align.scoring, alphabet, options, error);
  return status == CLA_OK ? cli_check_strand(settings.how.align.strand, alphabet, error) : status;
}

/* Prints a time such as "12.3 s"; from one minute on, in minutes, hours or days. `rough` adds "roughly", for
 * predictions without a tuning record. */
static void print_seconds(const char *label, double seconds, bool rough, const char *suffix) {
  char duration[64];
  if (seconds < 60)
    snprintf(duration, sizeof duration, "%.3g s", seconds);
  else
    progress_duration(duration, sizeof duration, seconds);
  printf("%-10s %s%s%s\n", label, rough ? "roughly " : "", duration, suffix);
}

/* Prints the budget that is needed and the smaller one that is given. */
static void print_need(const char *what, int64_t need, int64_t budget, const char *option) {
  char needed[CLI_BYTES_SIZE], had[CLI_BYTES_SIZE];
  cli_bytes_text(needed, need);
  cli_bytes_text(had, budget);
  printf("%-10s %s of %s", what, needed, had);
  if (need > budget) printf(": too little, 'clalign align' needs %s %" PRId64, option, need);
  printf("\n");
}

static void print_memory(const cla_prediction *prediction) {
  char disk[CLI_BYTES_SIZE], host[CLI_BYTES_SIZE];
  cli_bytes_text(disk, prediction->run_dir_bytes);
  cli_bytes_text(host, prediction->run_dir_host_bytes);
  print_need("memory", prediction->host_bytes, prediction->host_budget_bytes, "--memory");
  print_need("on device", prediction->device_bytes, prediction->device_budget_bytes, "--device-memory");
  printf("disk       none; with --run-dir up to %s, and then %s of memory\n", disk, host);
}

static double all_seconds(const cla_prediction *prediction) {
  return prediction->bound_seconds + prediction->sweep_seconds + prediction->traceback_seconds;
}

static bool on_host(const cla_prediction *prediction) {
  return strcmp(prediction->kernel, "host") == 0;
}

/* Returns the number of ranks for the next line: twice `ranks`, but at most the largest number asked for; 0
 * after the last line. */
static int next_ranks(int ranks) {
  if (ranks == settings.ranks) return 0;
  return 2 * ranks < settings.ranks ? 2 * ranks : (int)settings.ranks;
}

/* The predicted times with a given number of ranks. */
typedef struct ranks_time {
  cla_cluster_time model;
  double sweep;
  double trace; /* seconds of the traceback, including the work of rank 0 */
} ranks_time;

static cla_status predict_ranks(ranks_time *out, const cla_prediction *prediction, int ranks,
                                cla_error *error) {
  cla_cluster_time *time = &out->model;
  const cla_cluster cluster = {.ranks = ranks,
                               .sweep_seconds = prediction->sweep_seconds,
                               .rows = settings.lengths[0],
                               .columns = settings.lengths[1],
                               .least_rows = prediction->least_rows,
                               .border_bytes = prediction->border_bytes,
                               .border_late = prediction->border_late,
                               .trace_seconds = prediction->band_seconds,
                               .bands = prediction->bands,
                               .band_bytes = prediction->band_bytes,
                               .latency = settings.latency,
                               .bandwidth = (double)settings.bandwidth / 8};
  cla_status status = cla_cluster_predict(time, &cluster, error);
  const double alone = prediction->traceback_seconds - prediction->band_seconds;
  out->sweep = time->seconds - time->trace;
  out->trace = time->trace + alone;
  time->efficiency =
      (prediction->sweep_seconds + prediction->traceback_seconds) / ranks / (time->seconds + alone);
  return status;
}

/* Prints the predicted time for each number of ranks. */
static cla_status print_ranks(const cla_prediction *prediction, cla_error *error) {
  cla_status status = CLA_OK;
  if (settings.ranks == 0) return CLA_OK;
  printf("ranks      sweep s    trace s    efficiency   blocks   computing   waiting   filling\n");
  for (int ranks = 1; ranks > 0 && status == CLA_OK; ranks = next_ranks(ranks)) {
    ranks_time time;
    status = predict_ranks(&time, prediction, ranks, error);
    const cla_cluster_time *model = &time.model;
    if (status == CLA_OK)
      printf("%-10d %-10.4g %-10.4g %6.1f %%     %-8d %-11.4g %-9.3g %.3g\n", ranks, time.sweep, time.trace,
             100 * model->efficiency, model->turns * ranks, model->computation, model->waiting, model->fill);
  }
  return status;
}

/* Makes a JSON array of the predicted times, one entry per number of ranks. */
static cla_status ranks_json(json_t **out, const cla_prediction *prediction, cla_error *error) {
  json_t *list = json_array();
  cla_status status = CLA_OK;
  *out = list;
  for (int ranks = settings.ranks > 0; ranks > 0 && status == CLA_OK; ranks = next_ranks(ranks)) {
    ranks_time time;
    status = predict_ranks(&time, prediction, ranks, error);
    json_array_append_new(
        list, json_pack("{si sf sf sf si}", "ranks", ranks, "sweep_seconds", time.sweep, "traceback_seconds",
                        time.trace, "efficiency", time.model.efficiency, "turns", time.model.turns));
  }
  return status;
}

/* Options of 'clalign align' that change its time but not the prediction. */
static const char *const not_predicted[] = {"circular", "max-alignments", "split", "band", "certify", NULL};

static bool leaves_out(const char *name) {
  const bool one_strand = settings.how.align.strand != CLA_STRAND_BOTH;
  return cli_option_given(options, name) && !(one_strand && strcmp(name, "split") == 0);
}

static void print_left_out(void) {
  for (const char *const *name = not_predicted; *name; name++)
    if (leaves_out(*name)) printf("left out   what --%s changes is not in these times\n", *name);
}

static void print_text(const cla_prediction *prediction, const char *device) {
  const bool whole = !settings.how.align.score_only;
  const bool rough = prediction->rough;
  char share[96] = "";
  if (prediction->computed_share < 1)
    snprintf(share, sizeof share, ", an estimate: about %.2g %% of the cells, the rest cannot matter",
             100 * prediction->computed_share);
  static const char *const strands[] = {"", ", reverse strand", ", both strands"};
  printf("pair       %" PRId64 " x %" PRId64 ", %s%s%s\n", settings.lengths[0], settings.lengths[1],
         cla_mode_name(settings.how.align.mode), strands[settings.how.align.strand],
         whole ? "" : ", score only");
  printf("device     %s\n", device);
  printf("kernel     %s (%s)\n", prediction->kernel, prediction->reason);
  if (prediction->bound_seconds >= BOUND_SHOWN)
    print_seconds("bound", prediction->bound_seconds, false, ", as it took now");
  print_seconds("sweep", prediction->sweep_seconds, rough, share);
  if (whole) print_seconds("traceback", prediction->traceback_seconds, rough, ", an estimate");
  if (whole) print_seconds("in all", all_seconds(prediction), rough, ", an estimate");
  if (rough && !on_host(prediction))
    printf("           by a sample: no tuning record has timed this kernel; 'clalign tune' makes one\n");
  if (prediction->bounds)
    printf("bounds     not in these times: 'clalign align' makes some, and may take far less\n");
  print_left_out();
  print_memory(prediction);
}

static cla_status print_json(const cla_prediction *prediction, const char *device, cla_error *error) {
  static const char *const words[] = {"forward", "reverse", "both"}; /* in the order of cla_strand */
  const cla_strand strand = settings.how.align.strand;
  json_t *ranks = NULL;
  cla_status status = ranks_json(&ranks, prediction, error);
  if (status != CLA_OK) {
    json_decref(ranks);
    return status;
  }
  const int64_t strands = strand == CLA_STRAND_BOTH ? 2 : 1;
  json_t *object = json_pack(
      "{ss ss sI sI sI sf sf sf sf sf sb sb sb sI sI sI sI sI sI ss so so}", "mode",
      cla_mode_name(settings.how.align.mode), "strand", words[strand], "query_length",
      (json_int_t)settings.lengths[0], "target_length", (json_int_t)settings.lengths[1], "cells",
      (json_int_t)(strands * settings.lengths[0] * settings.lengths[1]), "sweep_seconds",
      prediction->sweep_seconds, "traceback_seconds", prediction->traceback_seconds, "seconds",
      all_seconds(prediction), "bound_seconds", prediction->bound_seconds, "computed_share",
      prediction->computed_share, "bounds", (int)prediction->bounds, "rough", (int)prediction->rough,
      "score_only", (int)settings.how.align.score_only, "host_bytes", (json_int_t)prediction->host_bytes,
      "host_budget_bytes", (json_int_t)prediction->host_budget_bytes, "device_bytes",
      (json_int_t)prediction->device_bytes, "device_budget_bytes",
      (json_int_t)prediction->device_budget_bytes, "run_dir_bytes", (json_int_t)prediction->run_dir_bytes,
      "run_dir_host_bytes", (json_int_t)prediction->run_dir_host_bytes, "kernel", prediction->kernel,
      "reason", json_driver_text(prediction->reason), "device", json_driver_text(device));
  if (settings.ranks > 0)
    json_object_set_new(object, "ranks", ranks);
  else
    json_decref(ranks);
  json_t *left_out = json_array();
  for (const char *const *name = not_predicted; *name; name++)
    if (leaves_out(*name)) json_array_append_new(left_out, json_string(*name));
  json_object_set_new(object, "not_predicted", left_out);
  char *line = object ? json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(6)) : NULL;
  if (line) puts(line);
  free(line);
  json_decref(object);
  return line ? CLA_OK
              : cli_error(error, CLA_ERROR_MEMORY, "out of memory for the prediction; free some memory");
}

/* Checks that lengths come either from files or from the option. */
static cla_status check_lengths(const cli_arguments *arguments, cla_error *error) {
  const bool given = settings.lengths[0] > 0;
  if (given && arguments->count > 0)
    return cli_error(error, CLA_ERROR_OPTION, "--lengths takes the place of QUERY and TARGET; leave '%s' out",
                     arguments->positionals[0]);
  if (!given && arguments->count != 2)
    return cli_error(error, CLA_ERROR_OPTION,
                     "'predict' needs QUERY TARGET or --lengths M,N; 'clalign predict --help' says more");
  return CLA_OK;
}

static cla_status predict(command_call *call, cla_error *error) {
  const cli_arguments *arguments = call->parsed;
  cla_device *device = NULL;
  cla_tuning *tuning = NULL;
  cla_prediction prediction;
  progress_bar bar;
  cla_status status = check_lengths(arguments, error);
  if (status == CLA_OK) status = cli_align_settings_settle(&settings.how, options, error);
  if (status == CLA_OK && arguments->count < 2) status = finish_scoring(error);
  if (status == CLA_OK) status = cli_device_open(&device, &settings.how.device, error);
  if (status == CLA_OK) status = cli_tuning_load(&tuning, device, settings.quiet, error);
  if (status != CLA_OK) goto done;
  settings.how.align.tuning = tuning;
  if (!settings.how.device.select && !cli_device_has_own_kernels())
    settings.how.align.host_cells = CLA_HOST_CELLS;
  /* The callback opens no device here. It only tells the plan that 'clalign align' opens one when needed. */
  settings.how.align.callbacks.device = cli_late_device_open;
  progress_bar_init(&bar, settings.quiet);
  settings.how.align.callbacks.progress = progress_bar_update;
  settings.how.align.callbacks.progress_user = &bar;
  if (arguments->count == 2)
    status = predict_files(&prediction, device, arguments->positionals, error);
  else
    status = cla_predict(&prediction, device, settings.lengths[0], settings.lengths[1], &settings.how.align,
                         error);
  progress_bar_clear(&bar);
  if (status != CLA_OK) goto done;
  const char *name = on_host(&prediction) ? "one thread of the host" : cla_device_describe(device)->name;
  if (settings.json)
    status = print_json(&prediction, name, error);
  else {
    print_text(&prediction, name);
    status = print_ranks(&prediction, error);
  }
  if (status == CLA_OK) status = cli_flush_stdout(error);
done:
  cla_tuning_free(tuning);
  cla_device_close(device);
  return status;
}

static void begin(void) {
  cli_align_settings_init(&settings.how);
  settings.latency = LATENCY;
  settings.bandwidth = BANDWIDTH;
}

const command predict_command = {.syntax = &predict_syntax,
                                 .purpose = "say how long an alignment will take",
                                 .begin = begin,
                                 .run = predict};
