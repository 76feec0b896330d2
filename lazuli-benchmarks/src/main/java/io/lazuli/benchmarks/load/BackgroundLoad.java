package io.lazuli.benchmarks.load;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;

/** A load on a thread of its own that runs beside a measured one until it is stopped. */
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

  /** Waits for the answers under way and says what was done; fails if the load failed. */
  public LoadResult stop() {
    stopped.set(true);
    try {
      return result.join();
    } catch (CompletionException e) {
      throw new LoadFailedException("in the background: " + e.getCause());
    }
  }

  /** The root of the thread: whatever ends the load reaches the one who stops it. */
  private void run(InetSocketAddress server, List<? extends Script> scripts) {
    try {
      result.complete(Load.run(server, scripts, () -> 0, () -> !stopped.get()));
    } catch (Exception e) {
      result.completeExceptionally(e);
    }
  }
}
