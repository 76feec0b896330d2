package io.lazuli.conformance.wire;

/** One header line. The name keeps the letter case in which it was sent or received. */
public record Header(String name, String value) {

  boolean isNamed(String other) {
    return name.equalsIgnoreCase(other);
  }
}
