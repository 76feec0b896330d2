package io.lazuli.server.requestlog;

import io.lazuli.server.event.HeaderVisitor;

/**
 * The request headers that a log line needs, collected in one pass over all headers. They do not
 * change after that pass. Empty text stands for a missing header.
 */
final class PickedHeaders implements HeaderVisitor {
  /**
   * The length to which values are truncated, so that a client cannot make log lines arbitrarily
   * long.
   */
  static final int VALUE_CHARS_MAX = 4_096;

  /** The length of the colon, the space and the line end. */
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

  /**
   * Returns the value if the header has the wanted name and no earlier header gave a value;
   * otherwise returns the old value.
   */
  private static String pick(CharSequence name, String wanted, CharSequence value, String old) {
    String text = name.toString();
    // Equality is checked first: it is faster, and most names match in case.
    boolean found = text.equals(wanted) || text.equalsIgnoreCase(wanted);
    return found && old.isEmpty() ? cut(value.toString()) : old;
  }

  static String cut(String value) {
    return value.length() <= VALUE_CHARS_MAX ? value : value.substring(0, VALUE_CHARS_MAX);
  }
}
