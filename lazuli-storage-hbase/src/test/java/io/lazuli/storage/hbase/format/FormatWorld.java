package io.lazuli.storage.hbase.format;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** A stored row, and servers that renew it. Each server has a clock with a rate of its own. */
final class FormatWorld {
  static final Duration LEASE = Duration.ofMinutes(10);

  FormatRow row = FormatRow.OF_OLD_STORE;
  final List<String> reports = new ArrayList<>();
  final List<Server> servers = new ArrayList<>();
  private long nanos = 1L << 40;

  /** A server; its answers may be held back, as if it were paused. */
  final class Server {
    final int newest;
    final StoreFormat format;
    private final double rate;
    private final Deque<Runnable> heldBack = new ArrayDeque<>();
    private boolean paused;

    private Server(int newest, int max, double rate) {
      this.newest = newest;
      this.rate = rate;
      this.format =
          new StoreFormat(
              this::change,
              new FormatSettings(max, LEASE),
              newest,
              () -> (long) (FormatWorld.this.nanos * this.rate),
              reports::add);
    }

    /** Carries the change out at once; the answer may come later. */
    private CompletableFuture<FormatRow> change(
        Duration timeMax, Function<FormatRow, FormatRow> change) {
      row = change.apply(row);
      FormatRow answer = row;
      CompletableFuture<FormatRow> future = new CompletableFuture<>();
      if (paused) {
        heldBack.add(() -> future.complete(answer));
      } else {
        future.complete(answer);
      }
      return future;
    }

    void pause() {
      paused = true;
    }

    void wake() {
      paused = false;
      while (!heldBack.isEmpty()) {
        heldBack.remove().run();
      }
    }
  }

  Server server(int newest) {
    return server(newest, newest, 1);
  }

  Server server(int newest, int max, double rate) {
    Server made = new Server(newest, max, rate);
    servers.add(made);
    return made;
  }

  void pass(Duration time) {
    nanos += time.toNanos();
  }
}
