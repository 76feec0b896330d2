package io.lazuli.client.fault;

import java.util.function.IntConsumer;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Lets several clients act at the same time. */
public final class Concurrently {
  private Concurrently() {}

  /** Runs the act for 0, 1 and so on, each on its own thread; fails if one fails. */
  public static void run(int actors, IntConsumer act) {
    Flux.range(0, actors)
        .flatMap(
            actor -> Mono.fromRunnable(() -> act.accept(actor)).subscribeOn(BlockingThreads.get()),
            actors)
        .blockLast();
  }
}
