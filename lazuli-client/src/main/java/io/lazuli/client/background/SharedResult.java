package io.lazuli.client.background;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * The result of work for which any number of callers wait. Each caller gets it, even if the code of
 * another caller throws an {@link Error} when it receives the result. Mutable, thread-safe.
 *
 * @param <V> the type of the result
 */
public final class SharedResult<V> {
  private final Object lock = new Object();

  @GuardedBy("lock")
  private final Set<MonoSink<V>> waiting = new LinkedHashSet<>();

  @GuardedBy("lock")
  private @Nullable Consumer<MonoSink<V>> outcome;

  /**
   * Returns the result of work that starts with the first subscription. A caller that cancels does
   * not end the work for the others.
   */
  public static <V> Mono<V> of(Mono<V> work) {
    SharedResult<V> result = new SharedResult<>();
    AtomicBoolean begun = new AtomicBoolean();
    return Mono.defer(
        () -> {
          if (!begun.getAndSet(true)) {
            work.subscribe(result::succeed, result::fail, () -> result.succeed(null));
          }
          return result.value();
        });
  }

  /** Returns the result, and waits for it if necessary. */
  public Mono<V> value() {
    return Mono.create(this::await);
  }

  /** Sets the result, unless there is one. Null means that the work has no value. */
  public void succeed(@Nullable V value) {
    settle(caller -> caller.success(value));
  }

  /** Sets the failure, unless there is a result. */
  public void fail(Throwable failure) {
    settle(caller -> caller.error(failure));
  }

  private void await(MonoSink<V> caller) {
    Consumer<MonoSink<V>> known;
    synchronized (lock) {
      known = outcome;
      if (known == null) {
        waiting.add(caller);
      }
    }
    if (known == null) {
      caller.onDispose(() -> leave(caller));
    } else {
      known.accept(caller);
    }
  }

  private void leave(MonoSink<V> caller) {
    synchronized (lock) {
      waiting.remove(caller);
    }
  }

  private void settle(Consumer<MonoSink<V>> result) {
    List<MonoSink<V>> callers;
    synchronized (lock) {
      if (outcome != null) {
        return;
      }
      outcome = result;
      callers = List.copyOf(waiting);
      waiting.clear();
    }
    callers.forEach(caller -> tell(caller, result));
  }

  private void tell(MonoSink<V> caller, Consumer<MonoSink<V>> result) {
    try {
      result.accept(caller);
    } catch (Throwable failure) {
      Operators.onErrorDropped(failure, Context.of(caller.contextView()));
    }
  }
}
