/** Explains queries: what a filter reads, what Azure would do, and what would be better. */
@NullMarked
package io.lazuli.server.table.explain;

import org.jspecify.annotations.NullMarked;
