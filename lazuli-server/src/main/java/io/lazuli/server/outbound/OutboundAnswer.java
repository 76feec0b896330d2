package io.lazuli.server.outbound;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The answer of another server: its head, and a body that is pulled. Must be closed once. */
public interface OutboundAnswer extends AutoCloseable {
  int status();

  /** Returns the first value of a header; null if it is missing. */
  @Nullable String header(String name);

  /** Returns all headers whose names begin with a prefix, without the prefix. */
  Map<String, String> headersWith(String prefix);

  /**
   * Returns the next bytes of the body; null at its end. Called again when the stage is complete.
   * The stage fails with an {@link OutboundException} if the body breaks off.
   */
  CompletionStage<@Nullable ByteBuffer> read();

  /** Ends the connection. Any thread may call it, also while a read is under way. */
  @Override
  void close();
}
