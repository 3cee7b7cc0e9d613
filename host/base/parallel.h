#ifndef HOST_BASE_PARALLEL_H
#define HOST_BASE_PARALLEL_H

/* Calls work(user, index) for the indices below `threads` at once, index 0 on the caller's thread, and
 * returns when all have. Where the system gives fewer threads the last indices are left out: work is to be
 * shared out while it goes on. Signals go to the caller's threads. */
void parallel_run(int threads, void (*work)(void *user, int index), void *user);

#endif
