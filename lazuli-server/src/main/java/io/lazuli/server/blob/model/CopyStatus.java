package io.lazuli.server.blob.model;

/** The state of a copy, with the words of the protocol. */
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
