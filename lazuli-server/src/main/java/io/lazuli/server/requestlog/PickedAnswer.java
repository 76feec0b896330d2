package io.lazuli.server.requestlog;

import io.lazuli.server.event.HeaderVisitor;

/** The response headers that a log line needs. Mutable until all headers were visited. */
final class PickedAnswer implements HeaderVisitor {
  int bytes;
  String etag = "";
  String lastModified = "";
  String contentMd5 = "";

  /** Compares names with their case, because the server always writes them in the same case. */
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
