package io.lazuli.server.blob.model;

/** What a blob is made of; fixed when it is created. */
public enum BlobType {
  BLOCK("BlockBlob"),
  APPEND("AppendBlob");

  private final String text;

  BlobType(String text) {
    this.text = text;
  }

  /** As {@code x-ms-blob-type} has it. */
  public String text() {
    return text;
  }
}
