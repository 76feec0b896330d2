package io.lazuli.storage;

/**
 * The state of an engine: whether it accepts writes, and whether it has other faults.
 *
 * @param writable false while no write can succeed: from a failed write to the log until a restart,
 *     or while the cluster does not answer or its time is unknown
 * @param detail one line for an operator
 * @param fault one line about something that has stopped working while requests are still served;
 *     empty if there is nothing
 */
public record EngineState(boolean writable, String detail, String fault) {
  /** A state without faults. */
  public EngineState(boolean writable, String detail) {
    this(writable, detail, "");
  }

  public EngineState withFault(String newFault) {
    return newFault.equals(fault) ? this : new EngineState(writable, detail, newFault);
  }
}
