package io.lazuli.storage;

/** When a write is acknowledged. */
public enum Durability {
  /** After the log was synced to disk. */
  DISK,
  /** After the log was handed to the operating system: survives a kill, not a power cut. */
  RELAXED
}
