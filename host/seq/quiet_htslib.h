#ifndef HOST_SEQ_QUIET_HTSLIB_H
#define HOST_SEQ_QUIET_HTSLIB_H

/* htslib writes to stderr about what it also returns as an error, and its log level belongs to the whole
 * process. Between begin and end it is off; the calls nest and may come from several threads: the first
 * begin saves the application's level and the last end restores it, unless the application has set
 * another one in between. */
void quiet_htslib_begin(void);
void quiet_htslib_end(void);

#endif
