/* make_seeds FOLDER TUNING: writes the first inputs of every fuzz target into FOLDER/TARGET, and a dictionary
 * of options into FOLDER/options.dict. TUNING is the folder of the shipped tuning records. */

#include "seeds.h"

int main(int count, char **arguments) {
  fuzz_demand(count == 3, "make_seeds takes FOLDER and TUNING");
  seeds_begin(arguments[1]);
  seeds_of_text(arguments[2]);
  seeds_of_alignments();
  seeds_of_run_directories();
  seeds_of_options();
  return 0;
}
