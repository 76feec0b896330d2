/**
 * Pieces that engines share: the queue of a commit lane, the clock, the set of dropped spaces, the
 * rules of a view, and threads.
 */
@NullMarked
package io.lazuli.storage.engine;

import org.jspecify.annotations.NullMarked;
