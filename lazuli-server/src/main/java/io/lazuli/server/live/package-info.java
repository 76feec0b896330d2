/**
 * Requests as they happen: recent ones, dear shapes of queries, errors, and why one was refused.
 */
@NullMarked
package io.lazuli.server.live;

import org.jspecify.annotations.NullMarked;
