package io.lazuli.client.background;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxOperator;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoOperator;
import reactor.core.publisher.MonoSink;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * Runs code of others such that each of its failures, even an {@link Error}, is the error of a
 * {@link Mono}.
 *
 * <p>Reactor alone does not do that. If the function of an operator throws a {@link
 * VirtualMachineError} or a {@link LinkageError}, the operator throws it again. The error then ends
 * on whatever thread runs the operator, and the subscriber waits forever.
 *
 * <p>An error that is thrown while the work is created or subscribed to is caught here. Later parts
 * of the work run on the threads of its sources, often those of the SDK. There the error is caught
 * at the nearest {@linkplain #boundary boundary}, which finds the work in the context of its
 * subscriber. The tables of this library are boundaries. An error that is thrown after another
 * asynchronous source, such as {@link Mono#delay}, is not caught.
 */
public final class ContainedWork {
  private static final Object KEY = ContainedWork.class;

  private ContainedWork() {}

  /**
   * Returns the result of some work, which starts when the result is subscribed to.
   *
   * @param work creates the work; may throw
   */
  public static <T> Mono<T> of(Supplier<Mono<T>> work) {
    return Mono.create(sink -> new Run<>(sink).begin(work));
  }

  /**
   * Returns a source whose signals can be used by contained work: an error that is thrown by the
   * operators after the source becomes the failure of that work. Elsewhere the source is unchanged.
   */
  public static <T> Mono<T> boundary(Mono<T> source) {
    return new MonoOperator<T, T>(source) {
      @Override
      public void subscribe(CoreSubscriber<? super T> actual) {
        this.source.subscribe(guarded(actual));
      }
    };
  }

  /** Returns a source with several values whose signals can be used by contained work. */
  public static <T> Flux<T> boundary(Flux<T> source) {
    return new FluxOperator<T, T>(source) {
      @Override
      public void subscribe(CoreSubscriber<? super T> actual) {
        this.source.subscribe(guarded(actual));
      }
    };
  }

  private static <T> CoreSubscriber<? super T> guarded(CoreSubscriber<? super T> actual) {
    Run<?> work = actual.currentContext().getOrDefault(KEY, null);
    return work == null ? actual : new Boundary<>(actual, work);
  }

  /** The subscriber of the work. The value is passed on when the work is complete. */
  private static final class Run<T> extends BaseSubscriber<T> {
    private final MonoSink<T> sink;
    private final Context context;
    private volatile @Nullable T value;

    Run(MonoSink<T> sink) {
      this.sink = sink;
      this.context = Context.of(sink.contextView()).put(KEY, this);
    }

    void begin(Supplier<Mono<T>> work) {
      sink.onDispose(this::end);
      try {
        work.get().subscribe(this);
      } catch (Throwable failure) {
        sink.error(failure);
      }
    }

    void fail(Throwable failure) {
      sink.error(failure);
    }

    /** Cancels the work, unless it is complete. */
    private void end() {
      try {
        cancel();
      } catch (Throwable failure) {
        Operators.onErrorDropped(failure, context);
      }
    }

    @Override
    public Context currentContext() {
      return context;
    }

    @Override
    protected void hookOnNext(T next) {
      value = next;
    }

    @Override
    protected void hookOnError(Throwable failure) {
      sink.error(failure);
    }

    @Override
    protected void hookOnComplete() {
      sink.success(value);
    }
  }

  /** Passes signals in both directions, and catches what the receiver throws. */
  private static final class Boundary<T> implements CoreSubscriber<T>, Subscription {
    private final CoreSubscriber<? super T> actual;
    private final Run<?> work;
    private @Nullable Subscription source;

    Boundary(CoreSubscriber<? super T> actual, Run<?> work) {
      this.actual = actual;
      this.work = work;
    }

    @Override
    public Context currentContext() {
      return actual.currentContext();
    }

    /** Hides the source's subscription, so that no operator bypasses this boundary. */
    @Override
    public void onSubscribe(Subscription subscription) {
      source = subscription;
      contain(() -> actual.onSubscribe(this));
    }

    @Override
    public void onNext(T value) {
      contain(() -> actual.onNext(value));
    }

    @Override
    public void onError(Throwable failure) {
      contain(() -> actual.onError(failure));
    }

    @Override
    public void onComplete() {
      contain(actual::onComplete);
    }

    private void contain(Runnable signal) {
      try {
        signal.run();
      } catch (Throwable failure) {
        work.fail(failure);
      }
    }

    @Override
    public void request(long count) {
      if (source != null) {
        source.request(count);
      }
    }

    @Override
    public void cancel() {
      if (source != null) {
        source.cancel();
      }
    }
  }
}
