package io.lazuli.server.design;

/** Something that will hurt. */
public record Warning(Kind kind, String entity, String text) {
  /** What it is about. */
  public enum Kind {
    HOT_PARTITION("hot partition"),
    APPEND("append pattern"),
    LARGE_PARTITION("large partition"),
    LIMITS("over a limit"),
    NO_TRANSACTION("no transaction"),
    SCAN("scan"),
    SORT("sorted by the client"),
    KEY_CHANGES("key changes");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }
  }
}
