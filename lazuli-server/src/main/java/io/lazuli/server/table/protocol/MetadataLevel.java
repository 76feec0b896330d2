package io.lazuli.server.table.protocol;

/** The amount of metadata in a JSON answer (table-rest 4.2). */
enum MetadataLevel {
  NONE("nometadata"),
  MINIMAL("minimalmetadata"),
  FULL("fullmetadata");

  private final String word;
  private final String contentType;

  MetadataLevel(String word) {
    this.word = word;
    this.contentType = "application/json;odata=" + word + ";streaming=true;charset=utf-8";
  }

  /** Returns the value of the media type's parameter {@code odata}. */
  String word() {
    return word;
  }

  String contentType() {
    return contentType;
  }
}
