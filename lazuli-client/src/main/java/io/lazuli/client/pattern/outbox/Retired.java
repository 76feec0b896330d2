package io.lazuli.client.pattern.outbox;

import reactor.core.publisher.Mono;

/**
 * A target that the table no longer has. Its copies stay as they are; the primaries forget them.
 */
record Retired<T>(String name) implements Target<T> {
  @Override
  public Mono<Void> update(Primary<T> primary) {
    return Mono.empty();
  }
}
