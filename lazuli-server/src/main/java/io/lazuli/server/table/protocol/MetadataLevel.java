package io.lazuli.server.table.protocol;

/** How much metadata a JSON answer has (table-rest 4.2). */
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

  /** The value of the parameter {@code odata} of a media type. */
  String word() {
    return word;
  }

  String contentType() {
    return contentType;
  }
}
