package io.lazuli.server.blob.model;

/** How far a copy is, with the words of the wire. */
public enum CopyStatus {
  PENDING("pending"),
  SUCCESS("success"),
  ABORTED("aborted"),
  FAILED("failed");

  private final String text;

  CopyStatus(String text) {
    this.text = text;
  }

  public String text() {
    return text;
  }
}
