/** Collects where the load is, keeps it, and answers questions about it. */
@NullMarked
package io.lazuli.server.load;

import org.jspecify.annotations.NullMarked;
