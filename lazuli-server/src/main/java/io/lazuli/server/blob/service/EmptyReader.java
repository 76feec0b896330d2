package io.lazuli.server.blob.service;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Reads nothing: the content of an empty blob. */
final class EmptyReader implements BlobReader {
  @Override
  public long length() {
    return 0;
  }

  @Override
  public void read(ByteBuffer target) {}

  @Override
  public @Nullable FileRegion file() {
    return null;
  }

  @Override
  public void close() {}
}
