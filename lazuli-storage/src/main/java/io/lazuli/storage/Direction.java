package io.lazuli.storage;

/** Which way a scan runs. */
public enum Direction {
  FORWARD,
  BACKWARD
}
