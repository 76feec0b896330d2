package io.lazuli.server.requestlog;

/** Receives the writes that the server makes for its request logs, on the thread that made them. */
@FunctionalInterface
public interface LogWrites {
  /** Ignores all writes. */
  LogWrites IGNORED = (account, operation, bytes, nanos) -> {};

  /**
   * Called after a write succeeded. May block.
   *
   * @param operation the documented name, such as {@code AppendBlock}
   */
  void written(String account, String operation, long bytes, long nanos);
}
