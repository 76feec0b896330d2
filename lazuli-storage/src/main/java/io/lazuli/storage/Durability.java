package io.lazuli.storage;

/** The point at which a write is acknowledged. */
public enum Durability {
  /** Once the log was synced to disk. */
  DISK,
  /** Once the log was handed to the operating system: survives a kill, not a power cut. */
  RELAXED,
  /**
   * Once the log is in the memory of all replicas: survives the loss of machines, not a power cut
   * of all of them. For engines that replicate.
   */
  REPLICATED
}
