/* A rank that is killed while it holds the guard of a deque in a window ends the job; the others,
 * which wait for that guard or look at the window's memory, do not hang. */
/* ranks: 2 3 4 */
/* args: lock killed */
/* args: swap killed */
/* expect: exit=nonzero */
/* output: (?i)signal:? 9|: Killed */
#include "window_work_stealing.c"
