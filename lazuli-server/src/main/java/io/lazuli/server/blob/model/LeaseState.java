package io.lazuli.server.blob.model;

/** The state of a lease at a moment, with the words of the protocol (blob-rest 5.1). */
public enum LeaseState {
  AVAILABLE("available", false),
  LEASED("leased", true),
  BREAKING("breaking", true),
  BROKEN("broken", false),
  EXPIRED("expired", false);

  private final String text;
  private final boolean locked;

  LeaseState(String text, boolean locked) {
    this.text = text;
    this.locked = locked;
  }

  /** Returns the value of {@code x-ms-lease-state}. */
  public String text() {
    return text;
  }

  public boolean isLocked() {
    return locked;
  }

  /** Returns the value of {@code x-ms-lease-status}. */
  public String status() {
    return locked ? "locked" : "unlocked";
  }
}
