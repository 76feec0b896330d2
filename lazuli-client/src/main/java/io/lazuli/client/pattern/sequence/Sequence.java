package io.lazuli.client.pattern.sequence;

import com.azure.data.tables.TableAsyncClient;
import io.lazuli.client.waiting.Waiting;

/**
 * Unique numbers for any number of processes. Each call waits for its result. {@link AsyncSequence}
 * describes each method in more detail. Mutable, thread-safe. Do not call it on a Reactor thread.
 */
public final class Sequence {
  private final AsyncSequence async;

  Sequence(AsyncSequence async) {
    this.async = async;
  }

  /** Returns the sequence with a name, which starts at 1: see {@link AsyncSequence#of}. */
  public static Sequence of(TableAsyncClient table, String name) {
    return AsyncSequence.of(table, name).blocking();
  }

  /** Returns the same sequence with other options and without a reserved range. */
  public Sequence with(SequenceOptions options) {
    return async.with(options).blocking();
  }

  /** Returns this sequence with asynchronous calls. */
  public AsyncSequence async() {
    return async;
  }

  /** Returns a unique number, greater than all numbers that this object returned before. */
  public long next() {
    return Waiting.result(async.next());
  }
}
