package io.lazuli.server.analytics;

import io.lazuli.server.event.HeaderVisitor;

/** Adds up the length of headers. Mutable; used by one thread. */
final class HeaderBytes implements HeaderVisitor {
  /** The length of the colon, the space and the line end. */
  private static final int AROUND_HEADER_BYTES = 4;

  private long bytes;

  @Override
  public void visit(CharSequence name, CharSequence value) {
    bytes += name.length() + value.length() + AROUND_HEADER_BYTES;
  }

  long bytes() {
    return bytes;
  }
}
