package io.lazuli.server.blob.service;

import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.model.HttpProperties;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The content of a source on another server, while it is read. Must be closed. */
public interface ExternalContent extends AutoCloseable {
  BlobType type();

  /** Returns the number of bytes that {@link #read} returns in all. */
  long length();

  HttpProperties http();

  Map<String, String> metadata();

  /** Returns the tag of the content without quotes; null if it has none, or only a weak one. */
  @Nullable String etag();

  /** Returns the next bytes; null at the end. Called again when the stage is complete. */
  CompletionStage<@Nullable ByteBuffer> read();

  @Override
  void close();
}
