package io.lazuli.storage.history;

import org.jspecify.annotations.Nullable;

/**
 * The effect of one request on an object, together with the answer that the client got. The state
 * of an object is an array of cells; a cell is the number of the request that wrote it, or zero.
 */
public interface Step {
  /** The result of {@link #seen} for a cell that the answer does not show. */
  long UNSEEN = -1;

  /**
   * Returns the state after the request. The array must not be changed.
   *
   * @return null if a correct server cannot give the answer in this state
   */
  long @Nullable [] apply(long[] state);

  /** Returns true if the request may have changed the object. */
  boolean changes();

  /** Returns true if the request wrote, showed or depended on a cell. */
  boolean touches(int cell);

  /** Returns the content of a cell as the answer shows it, or {@link #UNSEEN}. */
  default long seen(int cell) {
    return UNSEEN;
  }

  /** Returns the number that the request wrote; zero if it writes nothing. */
  long number();
}
