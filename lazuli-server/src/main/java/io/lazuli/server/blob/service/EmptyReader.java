package io.lazuli.server.blob.service;

import java.nio.ByteBuffer;

/** Reads nothing: the content of an empty blob. */
final class EmptyReader implements BlobReader {
  @Override
  public long length() {
    return 0;
  }

  @Override
  public void read(ByteBuffer target) {}

  @Override
  public void close() {}
}
