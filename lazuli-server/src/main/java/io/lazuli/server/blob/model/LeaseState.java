package io.lazuli.server.blob.model;

/** What a lease is in at a moment, with the words of the wire (blob-rest 5.1). */
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

  /** As {@code x-ms-lease-state} has it. */
  public String text() {
    return text;
  }

  public boolean isLocked() {
    return locked;
  }

  /** As {@code x-ms-lease-status} has it. */
  public String status() {
    return locked ? "locked" : "unlocked";
  }
}
