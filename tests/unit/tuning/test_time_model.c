#include <math.h>

#include "seq/random_stream.h"
#include "support/test.h"
#include "tuning/time_model.h"

#define SEED 53

/* A CPU of some 30 GCUPS: what a launch, a strip and a tile cost shows at small sizes. */
static const time_model truth = {
    .constant = 2e-3, .per_row = 4e-8, .per_column = 1.5e-7, .per_cell = 1.0 / 30e9};

static time_sample sample_of(const time_model *model, int64_t rows, int64_t columns) {
  return (time_sample){.rows = rows, .columns = columns, .seconds = time_model_seconds(model, rows, columns)};
}

static void expect_near(double got, double want, double relative, const char *what) {
  cr_expect(fabs(got - want) <= relative * fabs(want), "%s is %.10g instead of %.10g", what, got, want);
}

static void expect_model(const time_model *got, const time_model *want, double relative) {
  expect_near(got->constant, want->constant, relative, "c1");
  expect_near(got->per_row, want->per_row, relative, "c2");
  expect_near(got->per_column, want->per_column, relative, "c3");
  expect_near(got->per_cell, want->per_cell, relative, "c4");
}

static double noise(random_stream *stream) { /* within 5 % */
  return 0.95 + (double)random_stream_below(stream, 1001) / 10000;
}

Test(time_model, adds_up_its_four_terms) {
  const time_model model = {.constant = 1, .per_row = 2, .per_column = 3, .per_cell = 4};
  cr_assert_eq(time_model_seconds(&model, 10, 100), 1 + 20 + 300 + 4000);
  cr_assert_eq(time_model_seconds(&model, 3000000000, 3000000000), 1 + 6e9 + 9e9 + 36e18);
}

Test(time_model, recovers_the_coefficients_of_exact_samples) {
  const int64_t sizes[][2] = {{1000, 1000}, {2000, 9000}, {9000, 2000}, {30000, 30000}, {5000, 5000}};
  time_sample samples[5];
  time_model got;
  for (int i = 0; i < 5; i++) samples[i] = sample_of(&truth, sizes[i][0], sizes[i][1]);
  time_model_fit(&got, samples, 5);
  expect_model(&got, &truth, 1e-6);
  time_model_fit(&got, samples, 4);
  expect_model(&got, &truth, 1e-6);
}

Test(time_model, recovers_terms_that_are_zero_as_zero) {
  const time_model models[] = {{.per_cell = 1e-11},
                               {.constant = 1e-3, .per_cell = 1e-11},
                               {.per_row = 1e-7, .per_cell = 1e-11},
                               {.constant = 1e-3, .per_column = 1e-7}};
  const int64_t sizes[][2] = {{1000, 1000}, {2000, 9000}, {9000, 2000}, {30000, 30000}, {5000, 700}};
  for (int m = 0; m < 4; m++) {
    time_sample samples[5];
    time_model got;
    for (int i = 0; i < 5; i++) samples[i] = sample_of(&models[m], sizes[i][0], sizes[i][1]);
    time_model_fit(&got, samples, 5);
    expect_model(&got, &models[m], 1e-6);
  }
}

Test(time_model, predicts_between_noisy_samples) {
  random_stream stream;
  time_sample samples[40];
  time_model got;
  random_stream_init(&stream, SEED, 0);
  for (int i = 0; i < 40; i++) {
    samples[i] = sample_of(&truth, 2000 + 1500 * (i % 7), 2000 + 1500 * (i % 5));
    samples[i].seconds *= noise(&stream);
  }
  time_model_fit(&got, samples, 40);
  expect_near(time_model_seconds(&got, 5000, 5000), time_model_seconds(&truth, 5000, 5000), 0.03, "seconds");
  expect_near(time_model_seconds(&got, 3000, 8000), time_model_seconds(&truth, 3000, 8000), 0.05, "seconds");
}

Test(time_model, has_no_negative_coefficient_whatever_the_samples) {
  random_stream stream;
  random_stream_init(&stream, SEED, 1);
  for (int turn = 0; turn < 200; turn++) {
    time_sample samples[7];
    time_model got;
    const int count = 1 + turn % 7;
    for (int i = 0; i < count; i++)
      samples[i] = (time_sample){.rows = 1 + (int64_t)random_stream_below(&stream, 1000000),
                                 .columns = 1 + (int64_t)random_stream_below(&stream, 1000000),
                                 .seconds = 1e-6 * (double)(1 + random_stream_below(&stream, 1000000))};
    time_model_fit(&got, samples, count);
    const double terms[] = {got.constant, got.per_row, got.per_column, got.per_cell};
    double sum = 0;
    for (int t = 0; t < 4; t++) {
      cr_assert(isfinite(terms[t]) && terms[t] >= 0, "turn %d: c%d is %g", turn, t + 1, terms[t]);
      sum += terms[t];
    }
    cr_assert_gt(sum, 0, "turn %d: all is 0", turn);
  }
}

Test(time_model, takes_one_sample_for_a_rate) {
  const time_sample sample = {.rows = 1000, .columns = 2000, .seconds = 0.5};
  time_model got;
  time_model_fit(&got, &sample, 1);
  expect_near(got.per_cell, 0.5 / 2e6, 1e-9, "c4");
  cr_assert(got.constant == 0 && got.per_row == 0 && got.per_column == 0);
}

Test(time_model, squares_alone_give_rows_and_columns_the_same_share) {
  const time_model even = {.constant = 1e-3, .per_row = 1e-7, .per_column = 1e-7, .per_cell = 1e-10};
  time_sample samples[4];
  time_model got;
  for (int i = 0; i < 4; i++) samples[i] = sample_of(&even, 1000 << (2 * i), 1000 << (2 * i));
  time_model_fit(&got, samples, 4);
  expect_model(&got, &even, 1e-6);
}

Test(time_model, one_size_measured_often_gives_its_mean) {
  time_sample samples[6];
  time_model got;
  for (int i = 0; i < 6; i++)
    samples[i] = (time_sample){.rows = 5000, .columns = 7000, .seconds = i % 2 ? 1.01 : 0.99};
  time_model_fit(&got, samples, 6);
  expect_near(time_model_seconds(&got, 5000, 7000), 1, 0.02, "seconds");
}
