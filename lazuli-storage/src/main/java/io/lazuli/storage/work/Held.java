package io.lazuli.storage.work;

/** A shard that this server does. {@link WorkLeases} guards what is not volatile. */
final class Held {
  final ShardKey key;
  final long session;

  /** The state that this server has reached; stored from time to time. */
  volatile ShardState state;

  /** The state that is stored. */
  volatile ShardState stored;

  /** True while a piece is under way. */
  boolean busy;

  /** True if the shard is about to be given up. */
  boolean leaving;

  Held(ShardKey key, long session, ShardState state) {
    this.key = key;
    this.session = session;
    this.state = state;
    this.stored = state;
  }

  ShardKey key() {
    return key;
  }

  ShardState state() {
    return state;
  }

  ShardState stored() {
    return stored;
  }
}
