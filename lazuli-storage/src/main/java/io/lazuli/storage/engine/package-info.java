/**
 * Pieces that engines share: the queue of a commit lane, the clock, the set of dropped spaces, and
 * the rules of a view.
 */
@NullMarked
package io.lazuli.storage.engine;

import org.jspecify.annotations.NullMarked;
