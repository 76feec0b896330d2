package io.lazuli.server.requestlog;

import io.lazuli.server.event.HeaderVisitor;

/** What a log line tells of the headers of an answer. Mutable until they were passed. */
final class PickedAnswer implements HeaderVisitor {
  int bytes;
  String etag = "";
  String lastModified = "";
  String contentMd5 = "";

  /** The server writes its own headers always alike. */
  @Override
  public void visit(CharSequence name, CharSequence value) {
    bytes += name.length() + value.length() + 4;
    switch (name.toString()) {
      case "ETag" -> etag = value.toString();
      case "Last-Modified" -> lastModified = value.toString();
      case "Content-MD5" -> contentMd5 = value.toString();
      default -> {}
    }
  }
}
