package io.lazuli.storage;

/**
 * Whether an engine takes writes, and whether all else is well with it.
 *
 * @param writable false while no write can succeed: once a log write failed, until a restart; or
 *     while the cluster that has the data is away or nobody knows its time
 * @param detail one line for an operator
 * @param fault one line about what works no more although requests are served; empty if nothing
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
