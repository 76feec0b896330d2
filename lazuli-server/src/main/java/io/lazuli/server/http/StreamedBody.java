package io.lazuli.server.http;

/** The body of an answer that is sent piece by piece. */
public sealed interface StreamedBody
    permits AnswerBuffer, StreamedBody.Announced, StreamedBody.Pulled {
  /** Returns the answer's {@code Content-Length}. */
  long length();

  /**
   * Releases the resources of the body. Called once, on any thread, whether or not the body was
   * sent.
   */
  void close();

  /**
   * The length alone, without a body, for an answer to HEAD.
   *
   * @param length the length that the body of GET would have
   */
  record Announced(long length) implements StreamedBody {
    @Override
    public void close() {}
  }

  /**
   * Bytes that are read from a source as fast as the client takes them.
   *
   * @param workers the threads that run the source
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
