package io.lazuli.server.blob.protection;

/**
 * What a transaction keeps of the states that it replaces or deletes.
 *
 * @param versions true if they become previous versions
 * @param endTicks the time until which deleted states can be restored; 0 if they are not kept
 * @param announced true if the index of due removals has a row for {@code endTicks}, without which
 *     nothing may be kept
 */
public record Keep(boolean versions, long endTicks, boolean announced) {
  public static final Keep NOTHING = new Keep(false, 0, true);

  /** Returns true if deleted states can be restored. */
  public boolean deleted() {
    return endTicks != 0;
  }

  /** Returns the same without soft delete, for a change that keeps nothing but versions. */
  public Keep versionsOnly() {
    return new Keep(versions, 0, true);
  }

  public Keep asAnnounced() {
    return new Keep(versions, endTicks, true);
  }
}
