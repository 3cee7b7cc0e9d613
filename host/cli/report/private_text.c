#include "cli/report/private_text.h"

#include <ctype.h>
#include <limits.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAME_SIZE 256

/* True if the path has folders of its own: "/" is in every path, and a bare name is also a word. */
static bool names_folders(const char *path) {
  return path && path[0] && strchr(path + 1, '/');
}

static bool in_word(char letter) {
  return isalnum((unsigned char)letter) || letter == '_';
}

/* Replaces every `part` of the text by `by`. `words`: only where letters before and after it end a word.
 * Takes the text, and returns the new one; NULL if memory is short or `text` is NULL. */
static char *replace(char *text, const char *part, const char *by, bool words) {
  const size_t length = part ? strlen(part) : 0, size = strlen(by);
  if (!text || length == 0) return text;
  char *out = malloc(strlen(text) * (size > length ? size : 1) + size + 1), *to = out;
  for (const char *at = text; out && *at;) {
    const bool whole = !words || ((at == text || !in_word(at[-1])) && !in_word(at[length]));
    if (strncmp(at, part, length) == 0 && whole) {
      memcpy(to, by, size);
      to += size;
      at += length;
    } else {
      *to++ = *at++;
    }
  }
  if (out) *to = '\0';
  free(text);
  return out;
}

/* Leaves of every absolute path only what follows its last slash. */
static void shorten_paths(char *text) {
  static const char ends[] = " \t\n'\"`:,;()<>";
  char *to = text;
  for (char *at = text; *at;) {
    const bool begins =
        *at == '/' && at[1] && !strchr(ends, at[1]) && (at == text || strchr(" \t\n'\"`:,;()<>=", at[-1]));
    if (!begins) {
      *to++ = *at++;
      continue;
    }
    const size_t length = strcspn(at, ends);
    const char *last = at;
    for (const char *c = at; c + 1 < at + length; c++)
      if (*c == '/') last = c + 1;
    const size_t left = (size_t)(at + length - last);
    memmove(to, last, left);
    to += left;
    at += length;
  }
  *to = '\0';
}

char *public_text(const char *text, const char *const *hidden) {
  static const char *const folders[] = {
      "HOME",   "XDG_CONFIG_HOME", "XDG_CACHE_HOME",  "XDG_RUNTIME_DIR",
      "TMPDIR", "POCL_CACHE_DIR",  "CLALIGN_CL_PATH", "CLALIGN_TUNING_PATH"};
  static const char *const names[] = {"USER", "LOGNAME", "SUDO_USER"};
  char host[NAME_SIZE] = "", here[PATH_MAX] = "", cut[NAME_SIZE] = "";
  const struct passwd *own = getpwuid(getuid());
  char *out = strdup(text);
  for (; hidden && *hidden; hidden++)
    if (names_folders(*hidden)) out = replace(out, *hidden, "FILE", false);
  for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
    const char *folder = getenv(folders[i]);
    if (names_folders(folder)) out = replace(out, folder, "/FOLDER", false);
  }
  if (getcwd(here, sizeof here) && names_folders(here)) out = replace(out, here, "/FOLDER", false);
  if (out) shorten_paths(out);
  if (own) out = replace(out, own->pw_name, "USER", true);
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    out = replace(out, getenv(names[i]), "USER", true);
  if (gethostname(host, sizeof host - 1) == 0) {
    out = replace(out, host, "HOST", true);
    memcpy(cut, host, strcspn(host, "."));
    out = replace(out, cut, "HOST", true);
  }
  return out;
}
