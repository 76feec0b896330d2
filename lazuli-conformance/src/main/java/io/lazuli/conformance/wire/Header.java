package io.lazuli.conformance.wire;

/** One header line, its name in the letter case that was sent or received. */
public record Header(String name, String value) {

  boolean isNamed(String other) {
    return name.equalsIgnoreCase(other);
  }
}
