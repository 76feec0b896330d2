package io.lazuli.server.http;

import java.nio.channels.FileChannel;

/** The body of an answer that is not in memory. */
public sealed interface StreamedBody {
  /** The answer's {@code Content-Length}. */
  long length();

  /** Gives back what the body holds; called once, on any thread, sent or not. */
  void close();

  /**
   * No body, only its length: the answer to HEAD.
   *
   * @param length what the body of GET would have
   */
  record Announced(long length) implements StreamedBody {
    @Override
    public void close() {}
  }

  /**
   * A part of a file, sent without a copy.
   *
   * @param onClose called when the file is not needed any more
   */
  record OfFile(FileChannel file, long offset, long length, Runnable onClose)
      implements StreamedBody {
    @Override
    public void close() {
      onClose.run();
    }
  }

  /**
   * Bytes that are pulled as the client takes them.
   *
   * @param workers where the source runs
   */
  record Pulled(BodySource source, long length, WorkerPool workers) implements StreamedBody {
    @Override
    public void close() {
      if (!workers.tryExecute(source::close)) {
        source.close();
      }
    }
  }
}
