package io.lazuli.storage.hbase;

import io.lazuli.storage.EngineState;
import java.util.ArrayList;
import java.util.List;

/**
 * The faults of the parts of an engine, a line each; an empty text means no fault.
 *
 * @param away the cluster does not answer, or this server may not use the store
 * @param timeless the time of the cluster is not known
 * @param login the login cannot be renewed
 * @param overloaded a region server has too many calls
 * @param unreclaimed dropped spaces are not freed
 * @param filesStay files of deleted chunks are not removed
 */
record EngineFaults(
    String away,
    String timeless,
    String login,
    String overloaded,
    String unreclaimed,
    String filesStay) {
  /**
   * Returns the state of the engine. Without the cluster nothing works, and without its time
   * messages and leases do not work, so both make the engine read-only. A login that cannot be
   * renewed may be the reason.
   *
   * @param detail shown if the engine works
   */
  EngineState state(String detail) {
    String fault = away.isEmpty() ? timeless : away;
    if (!fault.isEmpty()) {
      return new EngineState(false, joined(List.of(fault, login)));
    }
    String dropped = unreclaimed.isEmpty() ? "" : "deleted tables are not freed: " + unreclaimed;
    String files = filesStay.isEmpty() ? "" : "files of deleted chunks stay: " + filesStay;
    return new EngineState(true, detail, joined(List.of(login, overloaded, dropped, files)));
  }

  private static String joined(List<String> lines) {
    List<String> found = new ArrayList<>(lines);
    found.removeIf(String::isEmpty);
    return String.join("; ", found);
  }
}
