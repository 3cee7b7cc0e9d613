/* Seeds of command lines, and the dictionary: from the commands' own tables. */

#include <stdlib.h>
#include <string.h>

#include "cli/commands/command.h"
#include "seeds.h"

static const char *const *words_of(const cli_option *option) {
  return option->hints ? option->hints() : option->words;
}

static void put_words(FILE *dictionary, const cli_syntax *syntax) {
  for (const cli_option *option = syntax->options; option->name; option++) {
    fprintf(dictionary, "\"--%s%s\"\n", option->name, option->argument ? "=" : "");
    for (const char *const *word = words_of(option); word && *word; word++)
      fprintf(dictionary, "\"%s\"\n", *word);
  }
}

static void put_line(int command, const cli_option *option, const char *value) {
  char head[8], text[512];
  (void)snprintf(head, sizeof head, "%02x", (unsigned)command);
  (void)snprintf(text, sizeof text, "a.fa\n--%s%s%s\n%s", option->name, option->argument ? "\n" : "",
                 option->argument ? value : "", command % 2 ? "--\nb.fa" : "b.fa");
  seeds_put_text("options", head, text);
}

void seeds_of_options(void) {
  static const char *const values[] = {"1", "2.5", "10k", "0", "x,y"};
  char *kept = NULL, *arguments[] = {"--mode", "global", "--gap-first=2.5", "q.fa", "--", "t.fa"};
  FILE *dictionary = fopen(seeds_path("options.dict"), "w");
  int command = 0, turn = 0;
  fuzz_demand(dictionary != NULL, "cannot write the dictionary");
  for (; commands[command]; command++) {
    put_words(dictionary, commands[command]->syntax);
    for (const cli_option *option = commands[command]->syntax->options; option->name; option++)
      put_line(command, option, words_of(option) ? words_of(option)[0] : values[turn++ % 5]);
  }
  for (const cli_option *option = align_command.syntax->options; option->name; option++)
    put_line(command, option, words_of(option) ? words_of(option)[0] : values[turn++ % 5]);
  fprintf(dictionary,
          "\"\\x0a\"\n\"query-start,target-end\"\n\"BLOSUM62\"\n\"lanes=32\"\n\"launch=persistent\"\n");
  fclose(dictionary);
  char head[8];
  (void)snprintf(head, sizeof head, "%02x", (unsigned)command);
  seeds_put_text("options", head, "--matrix\nblosum62\n--gap-open=10.5\n--gap-extend=0.5");
  seeds_put_text("options", head,
                 "--match=2\n--mismatch=-3.125\n--gap-first=5\n--gap-ext=2\n--gap-first2=20\n--gap-ext2=1");
  seeds_put_text("options", head,
                 "--free-ends=query-start,query-end\n--set=lanes=32\n--set\nlaunch=persistent,groups=4");
  fuzz_demand(run_arguments_text(&kept, NULL, "clalign align q.fa", 6, arguments, NULL) == CLA_OK,
              "no text for a seed");
  (void)snprintf(head, sizeof head, "%02x", (unsigned)command + 1);
  seeds_put_text("options", head, kept);
  free(kept);
  (void)snprintf(head, sizeof head, "%02x", (unsigned)command + 2);
  seeds_put_text("options", head, "algin");
}
