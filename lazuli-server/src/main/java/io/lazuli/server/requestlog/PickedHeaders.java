package io.lazuli.server.requestlog;

import io.lazuli.server.event.HeaderVisitor;

/**
 * What a log line tells of the headers of a request, picked while each is passed once. Mutable
 * until then; empty texts stand for headers that were not there.
 */
final class PickedHeaders implements HeaderVisitor {
  /** A longer value is cut; the lines of a log are no place to store things. */
  static final int VALUE_CHARS_MAX = 4_096;

  /** Colon, space and the end of the line. */
  private static final int AROUND_HEADER_BYTES = 4;

  int bytes;
  String version = "";
  String contentMd5 = "";
  String ifMatch = "";
  String ifNoneMatch = "";
  String ifModifiedSince = "";
  String ifUnmodifiedSince = "";
  String userAgent = "";
  String referrer = "";
  String clientRequestId = "";
  String copySource = "";

  @Override
  public void visit(CharSequence name, CharSequence value) {
    bytes += name.length() + value.length() + AROUND_HEADER_BYTES;
    switch (name.length()) {
      case 7 -> referrer = pick(name, "referer", value, referrer);
      case 8 -> ifMatch = pick(name, "if-match", value, ifMatch);
      case 10 -> userAgent = pick(name, "user-agent", value, userAgent);
      case 11 -> contentMd5 = pick(name, "content-md5", value, contentMd5);
      case 12 -> version = pick(name, "x-ms-version", value, version);
      case 13 -> ifNoneMatch = pick(name, "if-none-match", value, ifNoneMatch);
      case 16 -> copySource = pick(name, "x-ms-copy-source", value, copySource);
      case 17 -> ifModifiedSince = pick(name, "if-modified-since", value, ifModifiedSince);
      case 19 -> ifUnmodifiedSince = pick(name, "if-unmodified-since", value, ifUnmodifiedSince);
      case 22 -> clientRequestId = pick(name, "x-ms-client-request-id", value, clientRequestId);
      default -> {}
    }
  }

  boolean isConditional() {
    return !ifMatch.isEmpty()
        || !ifNoneMatch.isEmpty()
        || !ifModifiedSince.isEmpty()
        || !ifUnmodifiedSince.isEmpty();
  }

  /** The first of several headers counts. */
  private static String pick(CharSequence name, String wanted, CharSequence value, String old) {
    String text = name.toString();
    // Equal as it is, which most are, is quicker to see.
    boolean found = text.equals(wanted) || text.equalsIgnoreCase(wanted);
    return found && old.isEmpty() ? cut(value.toString()) : old;
  }

  static String cut(String value) {
    return value.length() <= VALUE_CHARS_MAX ? value : value.substring(0, VALUE_CHARS_MAX);
  }
}
