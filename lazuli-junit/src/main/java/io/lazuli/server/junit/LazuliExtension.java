package io.lazuli.server.junit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.server.LazuliServer;
import io.lazuli.storage.Durability;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * A Lazuli server for tests: it runs in the process of the tests, on free ports, and stops when
 * they are done.
 *
 * <p>In a static field it runs as long as the tests of its class, including those of nested
 * classes. In an instance field every test has its own server.
 *
 * <pre>{@code
 * @RegisterExtension static final LazuliExtension LAZULI = new LazuliExtension();
 * }</pre>
 *
 * <p>{@code @ExtendWith(LazuliExtension.class)} on a class or a method provides a server to methods
 * with a {@link LazuliServer} parameter.
 *
 * <p>By default the server keeps its data in a temporary folder, which is deleted when it stops,
 * and does not wait for the disk. Classes that inherit one static field and run at the same time
 * share one server. An extension is immutable: {@link #data}, {@link #inMemory} and {@link
 * #durable} return a new extension.
 */
public final class LazuliExtension
    implements BeforeAllCallback, BeforeEachCallback, ParameterResolver {
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(LazuliExtension.class);

  private final Storage storage;

  @GuardedBy("this")
  private int uses;

  @GuardedBy("this")
  private @Nullable TestServer running;

  /** Creates an extension whose server uses a temporary folder. */
  public LazuliExtension() {
    this(new Storage("rocksdb", null, Durability.RELAXED));
  }

  private LazuliExtension(Storage storage) {
    this.storage = storage;
  }

  /**
   * Returns an extension whose server uses this folder, which is created if it is missing and kept
   * afterwards.
   */
  public LazuliExtension data(Path folder) {
    return new LazuliExtension(new Storage("rocksdb", folder, storage.durability()));
  }

  /**
   * Returns an extension whose server stores nothing: all data is in memory and is lost when the
   * server stops.
   */
  public LazuliExtension inMemory() {
    return new LazuliExtension(new Storage("memory", null, storage.durability()));
  }

  /**
   * Returns an extension whose server acknowledges a write only after it was synced to disk, like a
   * server in production.
   */
  public LazuliExtension durable() {
    return new LazuliExtension(new Storage(storage.engine(), storage.folder(), Durability.DISK));
  }

  Storage storage() {
    return storage;
  }

  /** Returns the connection string with which any SDK reaches the server. */
  public String connectionString() {
    return server().connectionString();
  }

  /** Returns the URL of the account on the blob service. */
  public String blobEndpoint() {
    return server().blobEndpoint();
  }

  /** Returns the URL of the account on the queue service. */
  public String queueEndpoint() {
    return server().queueEndpoint();
  }

  /** Returns the URL of the account on the table service. */
  public String tableEndpoint() {
    return server().tableEndpoint();
  }

  /**
   * Returns the server itself.
   *
   * @throws IllegalStateException if none of its tests is running
   */
  public synchronized LazuliServer server() {
    if (running == null) {
      throw new IllegalStateException("the server runs only while its tests run");
    }
    return running.server();
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    run(context);
  }

  /** Starts the server, unless an outer context has already started it. */
  @Override
  public void beforeEach(ExtensionContext context) {
    run(context);
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == LazuliServer.class;
  }

  /**
   * Returns the server and starts it if necessary, because a constructor can be called before
   * {@link #beforeAll}.
   */
  @Override
  public LazuliServer resolveParameter(ParameterContext parameter, ExtensionContext context) {
    run(context);
    return server();
  }

  /**
   * Registers a use of the server in the context. JUnit also searches the outer contexts, and
   * closes the use with the context that created it.
   */
  private void run(ExtensionContext context) {
    context
        .getStore(NAMESPACE)
        .getOrComputeIfAbsent(this, extension -> extension.begin(), Use.class);
  }

  private synchronized Use begin() {
    if (running == null) {
      running = TestServer.start(storage);
    }
    uses++;
    return this::end;
  }

  private synchronized void end() {
    uses--;
    if (uses == 0 && running != null) {
      TestServer last = running;
      running = null;
      last.close();
    }
  }

  /**
   * Implements both interfaces: JUnit before 5.13 closes the first kind, later versions expect the
   * second.
   */
  @FunctionalInterface
  private interface Use extends ExtensionContext.Store.CloseableResource, AutoCloseable {
    @Override
    void close();
  }
}
