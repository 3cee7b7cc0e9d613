#ifndef HOST_CLI_REPORT_PRIVATE_TEXT_H
#define HOST_CLI_REPORT_PRIVATE_TEXT_H

/* Returns a copy of `text` that a user can show to others. Only the last part of each path is left. "USER"
 * replaces the user's name, "HOST" the machine's. `hidden` lists further paths, which become "FILE" if they
 * name folders; NULL ends the list. The caller frees the copy; NULL if memory is short. */
char *public_text(const char *text, const char *const *hidden);

#endif
