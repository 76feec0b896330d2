package io.lazuli.benchmarks.load;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;

/** A load that runs on its own thread, in parallel to a measured one, until it is stopped. */
public final class BackgroundLoad {
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final CompletableFuture<LoadResult> result = new CompletableFuture<>();

  private BackgroundLoad() {}

  public static BackgroundLoad start(InetSocketAddress server, List<? extends Script> scripts) {
    BackgroundLoad load = new BackgroundLoad();
    Thread thread = new Thread(() -> load.run(server, scripts), "background-load");
    thread.setDaemon(true);
    thread.start();
    return load;
  }

  /**
   * Stops the load, waits for pending responses and returns the result; fails if the load failed.
   */
  public LoadResult stop() {
    stopped.set(true);
    try {
      return result.join();
    } catch (CompletionException e) {
      throw new LoadFailedException("in the background: " + e.getCause());
    }
  }

  /** Runs on the load's thread and passes any failure on to the caller of {@link #stop}. */
  private void run(InetSocketAddress server, List<? extends Script> scripts) {
    try {
      result.complete(Load.run(server, scripts, () -> 0, () -> !stopped.get()));
    } catch (Exception e) {
      result.completeExceptionally(e);
    }
  }
}
