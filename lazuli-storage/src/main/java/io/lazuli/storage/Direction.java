package io.lazuli.storage;

/** The direction of a scan. */
public enum Direction {
  FORWARD,
  BACKWARD
}
