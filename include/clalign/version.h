#ifndef CLALIGN_VERSION_H
#define CLALIGN_VERSION_H

#ifdef __cplusplus
extern "C" {
#endif

/* The version of these headers. Before 1.0, the interface and the soname change with each minor version. */
#define CLA_VERSION_MAJOR 0
#define CLA_VERSION_MINOR 1        /* second number */
#define CLA_VERSION_PATCH 0        /* third number */
#define CLA_VERSION_STRING "0.1.0" /* all three numbers */

/* Returns the version of the loaded library, "MAJOR.MINOR.PATCH"; static. */
const char *cla_version(void);

/* A library that libclalign uses, and its loaded version. */
typedef struct cla_component {
  const char *name; /* static */
  char version[64]; /* the component's own version text */
} cla_component;

/* Fills `out` with up to `most` components. Returns the number of all components. */
int cla_components(cla_component *out, int most);

#ifdef __cplusplus
}
#endif

#endif
