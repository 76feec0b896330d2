package io.lazuli.client.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.storage.queue.QueueAsyncClient;
import io.lazuli.client.TestAccount;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.fault.TestClient;
import io.lazuli.client.pattern.outbox.Outbox;
import io.lazuli.client.pattern.outbox.OutboxMessage;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Mono;

/** Workers need no Micrometer: here it is absent, and the library is loaded without it. */
class NoMicrometerTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  private static final String OUTBOX = "io.lazuli.client.pattern.outbox.";

  private final ClassLoader without = new WithoutMicrometer();

  /** Defines the classes of the library again and finds no class of Micrometer. */
  private static final class WithoutMicrometer extends ClassLoader {
    WithoutMicrometer() {
      super(NoMicrometerTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        if (name.startsWith("io.micrometer.")) {
          throw new ClassNotFoundException(name);
        }
        Class<?> known = findLoadedClass(name);
        if (known != null) {
          return known;
        }
        return name.startsWith("io.lazuli.client.") ? define(name) : super.loadClass(name, resolve);
      }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      String file = name.replace('.', '/') + ".class";
      try (InputStream in = getParent().getResourceAsStream(file)) {
        if (in == null) {
          throw new ClassNotFoundException(name);
        }
        byte[] code = in.readAllBytes();
        return defineClass(name, code, 0, code.length);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Test
  void thereAreNoMetricsThen() throws ReflectiveOperationException {
    Class<?> metrics = without.loadClass(WorkerMetrics.class.getName());
    assertThat(metrics.getMethod("usual").invoke(null))
        .isSameAs(metrics.getField("NONE").get(null));
    assertThat(WorkerMetrics.usual()).isInstanceOf(MicrometerMetrics.class);
    assertThatThrownBy(
            () -> without.loadClass(MicrometerMetrics.class.getName()).getDeclaredMethods())
        .as("the class loader hides Micrometer")
        .isInstanceOf(NoClassDefFoundError.class);
  }

  /** Frameworks look at all methods of a class. */
  @Test
  void theMethodsOfAWorkerCanBeListed() throws ReflectiveOperationException {
    assertThat(without.loadClass(OUTBOX + "OutboxWorker").getDeclaredMethods()).isNotEmpty();
  }

  @Test
  void aWorkerWorks() throws Exception {
    TestClient client = TestClient.of(ACCOUNT);
    QueueAsyncClient queue = client.queue(client.newQueue());
    Outbox.of(queue).send(new OutboxMessage("kind", new EntityKey("p", "r"))).block();
    CountDownLatch done = new CountDownLatch(1);
    try (AutoCloseable worker = worker(queue, Mono.fromRunnable(done::countDown))) {
      assertThat(worker.getClass().getClassLoader()).isSameAs(without);
      worker.getClass().getMethod("start").invoke(worker);
      Awaitility.await().until(() -> done.getCount() == 0);
    }
  }

  /** Creates a worker of the classes without Micrometer, whose step does some work. */
  private AutoCloseable worker(QueueAsyncClient queue, Mono<Void> work)
      throws ReflectiveOperationException {
    Class<?> poisons = without.loadClass(OUTBOX + "PoisonQueue");
    Class<?> steps = without.loadClass(OUTBOX + "IdempotentStep");
    Object poison = poisons.getMethod("of", QueueAsyncClient.class).invoke(null, queue);
    Object step =
        Proxy.newProxyInstance(without, new Class<?>[] {steps}, (self, method, in) -> work);
    return (AutoCloseable)
        without
            .loadClass(OUTBOX + "OutboxWorker")
            .getMethod("of", QueueAsyncClient.class, poisons, steps)
            .invoke(null, queue, poison, step);
  }
}
