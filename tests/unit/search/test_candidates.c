
#include "search/candidates.h"
#include "search/measurement.h"
#include "seq/sequence.h"
#include "support/test.h"

#define GIB (INT64_C(1) << 30)

typedef struct fixture {
  cla_device_info device;
  cla_scoring scoring;
  score_table table;
  candidate_space space;
} fixture;

static void set_up(fixture *x, cla_device_kind kind, int64_t length) {
  memset(x, 0, sizeof *x);
  x->device = (cla_device_info){.kind = kind,
                                .name = "a device",
                                .compute_units = kind == CLA_DEVICE_CPU ? 4 : 132,
                                .native_short_lanes = 16,
                                .memory_bytes = 64 * GIB,
                                .max_allocation_bytes = 16 * GIB,
                                .local_memory_bytes = 48 << 10,
                                .max_group_size = 1024,
                                .counters = kind == CLA_DEVICE_CPU ? CLA_COUNTERS_ATOMICS : CLA_COUNTERS_PTX,
                                .packed_pairs = kind == CLA_DEVICE_GPU};
  cla_scoring_init(&x->scoring);
  score_table_build(&x->table, &x->scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
  x->space = (candidate_space){
      .device = &x->device,
      .scheme = {.scoring = &x->scoring, .table = &x->table, .ends = path_ends_make(CLA_MODE_LOCAL, 0)},
      .length = length};
}

/* Calls `visit` for every variant's default at several lengths on a CPU and on a GPU. */
static int each_default(void (*visit)(const candidate_space *space, const kernel_config *config)) {
  static const int64_t lengths[] = {64, 1000, 10000, 300000, 10000000};
  int visited = 0;
  for (int kind = CLA_DEVICE_CPU; kind <= CLA_DEVICE_GPU; kind++)
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
      for (int v = 0; v < kernel_variant_count; v++) {
        fixture x;
        kernel_config config;
        set_up(&x, (cla_device_kind)kind, lengths[i]);
        if (!candidate_variant_allowed(&x.space, kernel_variants[v])) continue;
        assert_ok(candidate_default(&config, &x.space, kernel_variants[v], &why));
        visit(&x.space, &config);
        visited++;
      }
  return visited;
}

static void is_legal(const candidate_space *space, const kernel_config *config) {
  char text[CANDIDATE_TEXT_SIZE];
  cr_assert(candidate_legal(space, config), "%s", candidate_text(text, config));
}

Test(candidates, every_default_is_legal) {
  cr_assert_geq(each_default(is_legal), 3 * 5);
}

/* Every axis, every reach: legal, different from where they come from, and from each other. */
static void has_legal_neighbours(const candidate_space *space, const kernel_config *config) {
  char text[CANDIDATE_TEXT_SIZE];
  for (int axis = 0; axis < CANDIDATE_AXES; axis++) {
    int before = 0;
    for (int reach = 1; reach <= CANDIDATES_MOST; reach *= 2) {
      kernel_config found[CANDIDATES_MOST];
      const int count = candidates_along(found, space, config, (candidate_axis)axis, reach);
      cr_assert_geq(count, before, "a longer reach finds less");
      before = count;
      for (int i = 0; i < count; i++) {
        is_legal(space, &found[i]);
        cr_assert_eq(found[i].variant, config->variant);
        cr_assert(found[i].launch == KERNEL_PERSISTENT || found[i].groups == 0, "%s",
                  candidate_text(text, &found[i]));
        cr_assert_not(kernel_same_config(&found[i], config), "%s", candidate_text(text, &found[i]));
        for (int k = 0; k < i; k++)
          cr_assert_not(kernel_same_config(&found[i], &found[k]), "%s", candidate_text(text, &found[i]));
      }
    }
  }
}

Test(candidates, neighbours_are_legal_and_different) {
  each_default(has_legal_neighbours);
}

Test(candidates, the_widest_reach_finds_every_legal_alpha_and_lanes) {
  fixture x;
  kernel_config config, found[CANDIDATES_MOST];
  set_up(&x, CLA_DEVICE_CPU, 1000000);
  assert_ok(candidate_default(&config, &x.space, &kernel_vector16, &why));
  for (int lanes = 0; lanes <= 1; lanes++) {
    const int count = candidates_along(found, &x.space, &config, lanes ? CANDIDATE_LANES : CANDIDATE_ALPHA,
                                       CANDIDATES_MOST);
    const int *list = lanes ? config.variant->lanes : config.variant->alphas;
    int legal = 0;
    for (; *list; list++) legal++;
    cr_assert_eq(count, legal - 1);
  }
}

Test(candidates, both_launch_styles_are_tried_where_the_device_has_them) {
  fixture x;
  kernel_config config, found[CANDIDATES_MOST];
  set_up(&x, CLA_DEVICE_GPU, 1000000);
  assert_ok(candidate_default(&config, &x.space, &kernel_nvidia16, &why));
  config.launch = KERNEL_DIAGONALS;
  config.groups = 0;
  cr_assert_geq(candidates_along(found, &x.space, &config, CANDIDATE_LAUNCH, 1), 2);
  for (int i = 0; i < 2; i++) cr_assert_eq(found[i].groups % x.device.compute_units, 0);
  config = found[0];
  const int count = candidates_along(found, &x.space, &config, CANDIDATE_LAUNCH, 1);
  cr_assert_geq(count, 2);
  cr_assert_eq(found[0].launch, KERNEL_DIAGONALS);
  x.device.counters = CLA_COUNTERS_NONE;
  config.launch = KERNEL_DIAGONALS;
  config.groups = 0;
  cr_assert_eq(candidates_along(found, &x.space, &config, CANDIDATE_LAUNCH, CANDIDATES_MOST), 0);
}

Test(candidates, kernels_for_other_devices_are_no_candidates) {
  fixture x;
  set_up(&x, CLA_DEVICE_GPU, 10000);
  cr_assert_not(candidate_variant_allowed(&x.space, &kernel_vector16));
  cr_assert(candidate_variant_allowed(&x.space, &kernel_nvidia16));
  x.device.packed_pairs = false;
  cr_assert_not(candidate_variant_allowed(&x.space, &kernel_nvidia16));
  cr_assert(candidate_variant_allowed(&x.space, &kernel_wave32));
}

Test(measurement, requests_and_answers_survive_the_way) {
  measurement_request back, request = {.local = true,
                                       .length = 123456789,
                                       .rows = 1234,
                                       .columns = 123456789,
                                       .repeats = 3,
                                       .seconds = 0.1,
                                       .config = {.variant = &kernel_vector16,
                                                  .lanes = 16,
                                                  .alpha = 8,
                                                  .tile_columns = 512,
                                                  .launch = KERNEL_PERSISTENT,
                                                  .groups = 8}};
  char line[MEASUREMENT_LINE_SIZE];
  measurement_print_request(line, &request);
  cr_assert(measurement_parse_request(&back, line), "%s", line);
  cr_assert(kernel_same_config(&back.config, &request.config));
  cr_assert_eq(back.local, request.local);
  cr_assert_eq(back.length, request.length);
  cr_assert_eq(back.rows, request.rows);
  cr_assert_eq(back.columns, request.columns);
  cr_assert_eq(back.repeats, request.repeats);
  cr_assert_float_eq(back.seconds, request.seconds, 0);
  measurement got, answer = {.outcome = MEASUREMENT_WRONG, .result = 0xfedcba9876543210, .message = "a\nb"};
  measurement_print(line, sizeof line, &answer);
  cr_assert_null(strchr(line, '\n'));
  cr_assert(measurement_parse(&got, line), "%s", line);
  cr_assert_eq(got.outcome, MEASUREMENT_WRONG);
  cr_assert_eq(got.result, answer.result);
  cr_assert_str_eq(got.message, "a b");
}

Test(measurement, lines_of_others_are_refused) {
  measurement_request request;
  measurement answer;
  static const char *const requests[] = {"",
                                         "measure",
                                         "measure local 10 10 10 1 0 nosuch 16 8 128 diagonals 0",
                                         "measure nowhere 10 10 10 1 0 vector16 16 8 128 diagonals 0",
                                         "measure local 10 10 10 1 0 vector16 16 8 128 somehow 0",
                                         "measure local 10 0 10 1 0 vector16 16 8 128 diagonals 0",
                                         "measure local 10 10 10 0 0 vector16 16 8 128 diagonals 0"};
  for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++)
    cr_assert_not(measurement_parse_request(&request, requests[i]), "%s", requests[i]);
  static const char *const answers[] = {"", "done", "done 0 0", "fine 1 0", "hung 1 0", "done x 0"};
  for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++)
    cr_assert_not(measurement_parse(&answer, answers[i]), "%s", answers[i]);
}
