/* Options of `clalign align` and `clalign batch` that exclude each other. The library also refuses most of
 * these combinations, but later: after the sequences have been read, and without naming the options. */

#include <stdio.h>

#include "cli/options/align_options.h"
#include "cli/report/report.h"

#define TOGETHER "%1$s and %2$s do not go together: "
#define ONE_OUT "; leave one out"

/* In each text, %1$s and %2$s are replaced by the two options. Only the first row that applies is
 * reported. */
static const struct {
  unsigned step; /* bits of the cli_steps that check the row */
  cli_demand first, second;
  const char *text;
} conflicts[] = {
    {STEP_BATCH_FILES, DEMAND_ALL_VS_ALL, DEMAND_PAIRWISE,
     "--all-vs-all and --pairwise do not go together; leave one out"},
    {STEP_BATCH_FILES, DEMAND_REGIONS, DEMAND_ALL_VS_ALL,
     TOGETHER "the PAF file says what is aligned with what" ONE_OUT},
    {STEP_BATCH_FILES, DEMAND_REGIONS, DEMAND_PAIRWISE,
     TOGETHER "the PAF file says what is aligned with what" ONE_OUT},
    {STEP_BATCH_FILES, DEMAND_REGIONS, DEMAND_STRAND, TOGETHER "each line of PAF has its strand" ONE_OUT},
    {STEP_BATCH_FILES, DEMAND_REGIONS, DEMAND_CIRCULAR, TOGETHER "a region is no circle" ONE_OUT},
    {STEP_BATCH_FILES, DEMAND_PAIRWISE, DEMAND_ONE_FILE, "--pairwise needs two files: --pairwise A B"},
    {STEP_BATCH_FILES, DEMAND_LIST, DEMAND_TWO_FILES,
     "a list of pairs is one file; for two files of sequences say --all-vs-all, "
     "--pairwise or --regions"},
    {STEP_BATCH_FILES, DEMAND_PAIRWISE, DEMAND_TOP,
     "--top chooses among a query's pairs, and --pairwise has one of each; leave one out"},
    {STEP_BATCH_FILES, DEMAND_ONLY_STDIN, DEMAND_ONLY_STDIN,
     "both files cannot be standard input; name a file for one of them"},

    {STEP_BATCH, DEMAND_SEVERAL, DEMAND_OTHER_MODE, "%1$s is for local alignments; leave it out, or --mode"},
    {STEP_BATCH, DEMAND_SEVERAL, DEMAND_SCORE_ONLY,
     "%1$s needs the alignments, and --score-only makes none; leave one out"},
    {STEP_BATCH, DEMAND_SEVERAL, DEMAND_GAP_PLACEMENT,
     "--gap-placement may move a gap onto a pair of another one of %1$s; leave one out"},
    {STEP_BATCH, DEMAND_SCORE_ONLY, DEMAND_GAP_PLACEMENT,
     "--gap-placement is for an alignment's gaps, and --score-only makes none; leave one out"},

    {STEP_ALIGN, DEMAND_ONLY_STDIN, DEMAND_ONLY_STDIN,
     "QUERY and TARGET cannot both be standard input; name a file for one of them"},
    {STEP_ALIGN, DEMAND_DISK, DEMAND_NO_RUN_DIR, "--disk is for the folder of --run-dir; give both"},
    {STEP_ALIGN | STEP_BATCH, DEMAND_RUN_DIR, DEMAND_STDIN,
     "--run-dir needs files that can be read again, not standard input"},
    {STEP_BATCH, DEMAND_RUN_DIR, DEMAND_TOP_AS_FINISHED,
     "--run-dir with --top keeps queries in their order; leave out --as-finished"},

    {STEP_ALIGN, DEMAND_RUN_DIR, DEMAND_SEVERAL, TOGETHER "a run keeps one alignment" ONE_OUT},
    {STEP_ALIGN, DEMAND_RUN_DIR, DEMAND_CIRCULAR,
     TOGETHER "a run keeps no search for the best rotation" ONE_OUT},
    {STEP_ALIGN, DEMAND_RUN_DIR, DEMAND_BAND, TOGETHER "a band is computed in one go" ONE_OUT},
    {STEP_ALIGN, DEMAND_SEVERAL, DEMAND_OTHER_MODE,
     TOGETHER "in other modes than local the best one is the answer" ONE_OUT},
    {STEP_ALIGN, DEMAND_SEVERAL, DEMAND_SCORE_ONLY,
     TOGETHER "a further alignment is what the paths of those before leave" ONE_OUT},
    {STEP_ALIGN, DEMAND_SEVERAL, DEMAND_GAP_PLACEMENT,
     TOGETHER "a gap that is moved may take a pair of another alignment" ONE_OUT},
    {STEP_ALIGN | STEP_BATCH, DEMAND_SEVERAL, DEMAND_CIRCULAR,
     TOGETHER "of a circle one alignment is found" ONE_OUT},
    {STEP_ALIGN, DEMAND_CERTIFY, DEMAND_BAND, TOGETHER "within a band nothing is proven" ONE_OUT},
    {STEP_ALIGN | STEP_BATCH, DEMAND_CERTIFY, DEMAND_SCORE_ONLY,
     TOGETHER "a score alone has no columns" ONE_OUT},
    {STEP_ALIGN | STEP_BATCH, DEMAND_CERTIFY, DEMAND_SEVERAL,
     TOGETHER "only the best alignment is better than all others" ONE_OUT},
    {STEP_ALIGN, DEMAND_STABLE, DEMAND_SPLIT, TOGETHER "a piece is no best alignment of the pair" ONE_OUT},
    {STEP_ALIGN, DEMAND_OPTIMAL, DEMAND_SPLIT, TOGETHER "pieces are parts of one alignment" ONE_OUT},
    {STEP_ALIGN, DEMAND_SEVERAL, DEMAND_BAND, TOGETHER "of a band one alignment is found" ONE_OUT},
    {STEP_ALIGN | STEP_BATCH, DEMAND_SPLIT_DROP, DEMAND_NO_SPLIT,
     "--split-drop says where --split cuts; give both"},
    {STEP_BATCH, DEMAND_SPLIT, DEMAND_TOP,
     TOGETHER "a query's best pairs are chosen by whole alignments; 'clalign show --split' cuts those of "
              "--save" ONE_OUT},
    {STEP_ALIGN | STEP_BATCH, DEMAND_SPLIT, DEMAND_SEVERAL,
     TOGETHER "one alignment is cut into pieces" ONE_OUT},
    {STEP_ALIGN | STEP_BATCH, DEMAND_SPLIT, DEMAND_SCORE_ONLY,
     TOGETHER "a score alone has no path to cut" ONE_OUT},
    {STEP_ALIGN, DEMAND_CIRCULAR, DEMAND_BOUND,
     TOGETHER "what is known of linear sequences says nothing of other rotations" ONE_OUT},
    {STEP_ALIGN, DEMAND_ROTATED, DEMAND_NO_CIRCULAR,
     "--rotated writes the record that --circular names; give both"},
    {STEP_ALIGN, DEMAND_ROTATED, DEMAND_SCORE_ONLY, TOGETHER "a score alone has no first letter" ONE_OUT},
    {STEP_ALIGN, DEMAND_CIRCULAR, DEMAND_BAND, TOGETHER "every rotation has other diagonals" ONE_OUT},
    {STEP_ALIGN, DEMAND_SCORE_ONLY, DEMAND_GAP_PLACEMENT, TOGETHER "a score alone has no gaps" ONE_OUT},
    {STEP_ALIGN, DEMAND_BAND, DEMAND_BOUND,
     TOGETHER "what the whole matrix reaches says nothing of a band" ONE_OUT},
    {STEP_ALIGN, DEMAND_BAND, DEMAND_EXPLAIN, TOGETHER "the plan is of the whole matrix" ONE_OUT},
    {STEP_ALIGN, DEMAND_BAND, DEMAND_KERNEL, TOGETHER "a band is computed without the device" ONE_OUT},
    {STEP_ALIGN, DEMAND_BAND, DEMAND_SETTING, TOGETHER "a band is computed without the device" ONE_OUT},
};

void cli_demand_set(cli_demands *demands, cli_demand demand, bool asked, const char *option) {
  if (asked) demands->options[demand] = option;
}

void cli_demands_of(cli_demands *demands, const cla_align_options *how, int64_t most,
                    const cli_option *options) {
  const bool other = how->mode != CLA_MODE_LOCAL;
  if (cli_option_given(options, "free-ends"))
    snprintf(demands->mode, sizeof demands->mode, "--free-ends");
  else if (!cli_option_given(options, "mode"))
    snprintf(demands->mode, sizeof demands->mode, "--preset with mode %s", cla_mode_name(how->mode));
  else
    snprintf(demands->mode, sizeof demands->mode, "--mode %s", cla_mode_name(how->mode));
  cli_demand_set(demands, DEMAND_OTHER_MODE, other, demands->mode);
  cli_demand_set(demands, DEMAND_SEVERAL, most > 1, "--max-alignments");
  cli_demand_set(demands, DEMAND_SCORE_ONLY, how->score_only, "--score-only");
  cli_demand_set(demands, DEMAND_GAP_PLACEMENT, how->gap_placement != CLA_GAPS_CANONICAL, "--gap-placement");
}

void cli_demands_of_inputs(cli_demands *demands, const cli_arguments *parsed) {
  int count = 0;
  for (int i = 0; i < parsed->count; i++)
    count +=
        parsed->positionals[i][0] == '-' && (!parsed->positionals[i][1] || parsed->positionals[i][1] == ':');
  cli_demand_set(demands, DEMAND_STDIN, count > 0, "-");
  cli_demand_set(demands, DEMAND_ONLY_STDIN, count > 1, "-");
}

cla_status cli_demands_check(const cli_demands *demands, cli_step step, cla_error *error) {
  for (size_t i = 0; i < sizeof conflicts / sizeof *conflicts; i++) {
    const char *first = demands->options[conflicts[i].first];
    const char *second = demands->options[conflicts[i].second];
    if ((conflicts[i].step & (unsigned)step) && first && second)
      return cli_error(error, CLA_ERROR_OPTION, conflicts[i].text, first, second);
  }
  return CLA_OK;
}
