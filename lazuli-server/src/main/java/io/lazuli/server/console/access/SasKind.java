package io.lazuli.server.console.access;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The kinds of shared access signatures that the server knows. */
public enum SasKind {
  ACCOUNT("", "", "rwdxylacuptfi"),
  TABLE("table", "", "raud"),
  QUEUE("queue", "", "raup"),
  CONTAINER("blob", "c", "racwdxyltfi"),
  DIRECTORY("blob", "d", "racwdl"),
  BLOB("blob", "b", "racwdxti"),
  SNAPSHOT("blob", "bs", "rd"),
  VERSION("blob", "bv", "rdxt");

  private final String service;
  private final String letter;
  private final String letters;

  SasKind(String service, String letter, String letters) {
    this.service = service;
    this.letter = letter;
    this.letters = letters;
  }

  static @Nullable SasKind find(String text) {
    for (SasKind kind : values()) {
      if (kind.text().equals(text)) {
        return kind;
      }
    }
    return null;
  }

  String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the service; empty for an account. */
  public String service() {
    return service;
  }

  String letter() {
    return letter;
  }

  /** Returns the permissions, in the order in which Azure wants them. */
  String letters() {
    return letters;
  }

  boolean isInContainer() {
    return service.equals("blob") && this != CONTAINER;
  }

  boolean hasTime() {
    return this == SNAPSHOT || this == VERSION;
  }

  String form() {
    return isInContainer()
        ? "The name must be a container, a slash and the rest."
        : "The name must not have a slash.";
  }
}
