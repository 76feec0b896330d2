/** Threads of servers and engines, and what happens when one of them runs out of memory. */
@NullMarked
package io.lazuli.storage.thread;

import org.jspecify.annotations.NullMarked;
