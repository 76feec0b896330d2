package io.lazuli.client.table;

import com.azure.core.util.Contexts;
import com.azure.core.util.FluxUtil;
import com.azure.core.util.ProgressReporter;
import reactor.core.publisher.Mono;

/**
 * Observes how often the body of one request is sent, whichever policy repeats it. The HTTP clients
 * of the SDK report each piece of a body that they send to the progress reporter in the context of
 * a call. Thread-safe.
 */
final class Sends {
  private int pieces;
  private boolean begunAgain;
  private long bytes;

  /** Returns the request with this observer. Requests are observed once. */
  <R> Mono<R> observing(Mono<R> request) {
    ProgressReporter reporter = ProgressReporter.withProgressListener(this::report);
    return request.contextWrite(
        FluxUtil.toReactorContext(
            Contexts.empty().setHttpRequestProgressReporter(reporter).getContext()));
  }

  private synchronized void report(long total) {
    if (total > bytes) {
      pieces++;
    } else if (total < bytes) {
      begunAgain = true;
    }
    bytes = total;
  }

  /**
   * Returns whether the body was certainly sent only once. It is not certain if a client sends a
   * body in several pieces, or reports nothing.
   */
  synchronized boolean once() {
    return pieces == 1 && !begunAgain;
  }
}
