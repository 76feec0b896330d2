package io.lazuli.server.load.rule;

/** How bad a diagnosis is, from mild to bad. */
public enum Level {
  /** It would hurt on Azure or under more load. */
  ADVICE("advice"),
  /** It is near a target, or costs much of the server's time. */
  WARNING("warning"),
  /** Requests are refused, or data will be lost. */
  FAILING("failing");

  private final String text;

  Level(String text) {
    this.text = text;
  }

  public String text() {
    return text;
  }

  static Level of(String text) {
    for (Level level : values()) {
      if (level.text.equals(text)) {
        return level;
      }
    }
    return ADVICE;
  }

  Level orWorse(Level other) {
    return compareTo(other) >= 0 ? this : other;
  }
}
