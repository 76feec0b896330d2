package io.lazuli.server.blob.model;

/** The type of a blob; fixed when the blob is created. */
public enum BlobType {
  BLOCK("BlockBlob"),
  APPEND("AppendBlob"),
  PAGE("PageBlob");

  private final String text;

  BlobType(String text) {
    this.text = text;
  }

  /** Returns the value of {@code x-ms-blob-type}. */
  public String text() {
    return text;
  }
}
