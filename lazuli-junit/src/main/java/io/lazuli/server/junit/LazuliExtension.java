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
 * A Lazuli server for tests: in their process, on free ports, gone when they are done.
 *
 * <p>In a static field it runs as long as the tests of its class, those of nested classes included.
 * In an instance field every test has a server of its own.
 *
 * <pre>{@code
 * @RegisterExtension static final LazuliExtension LAZULI = new LazuliExtension();
 * }</pre>
 *
 * <p>{@code @ExtendWith(LazuliExtension.class)} on a class or a method serves those that take a
 * {@link LazuliServer} as parameter.
 *
 * <p>Unless told otherwise the server keeps its data in a temporary folder, which is removed with
 * it, and does not wait for the disk. Classes that inherit one static field and run at the same
 * time share one server. An extension does not change: {@link #data}, {@link #inMemory} and {@link
 * #durable} return another one.
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

  /** A server with a temporary folder. */
  public LazuliExtension() {
    this(new Storage("rocksdb", null, Durability.RELAXED));
  }

  private LazuliExtension(Storage storage) {
    this.storage = storage;
  }

  /** With this folder, which is made if it is missing and left as it is afterwards. */
  public LazuliExtension data(Path folder) {
    return new LazuliExtension(new Storage("rocksdb", folder, storage.durability()));
  }

  /** Keeps nothing: all data is in memory and gone when the server stops. */
  public LazuliExtension inMemory() {
    return new LazuliExtension(new Storage("memory", null, storage.durability()));
  }

  /** Answers a write after it was synced to disk, as a server in production does. */
  public LazuliExtension durable() {
    return new LazuliExtension(new Storage(storage.engine(), storage.folder(), Durability.DISK));
  }

  Storage storage() {
    return storage;
  }

  /** With this any SDK reaches the server. */
  public String connectionString() {
    return server().connectionString();
  }

  /** The URL of the account on the blob service. */
  public String blobEndpoint() {
    return server().blobEndpoint();
  }

  /** The URL of the account on the queue service. */
  public String queueEndpoint() {
    return server().queueEndpoint();
  }

  /** The URL of the account on the table service. */
  public String tableEndpoint() {
    return server().tableEndpoint();
  }

  /**
   * The server itself.
   *
   * @throws IllegalStateException if no test that it serves is running
   */
  public synchronized LazuliServer server() {
    if (running == null) {
      throw new IllegalStateException("the server runs while the tests that it serves run");
    }
    return running.server();
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    run(context);
  }

  /** Starts nothing where a context further out already did. */
  @Override
  public void beforeEach(ExtensionContext context) {
    run(context);
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == LazuliServer.class;
  }

  /** A constructor can be called before {@link #beforeAll}. */
  @Override
  public LazuliServer resolveParameter(ParameterContext parameter, ExtensionContext context) {
    run(context);
    return server();
  }

  /** JUnit looks for the use in the outer contexts too, and closes it with the one that made it. */
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

  /** JUnit closes the one kind before 5.13 and asks for the other since. */
  @FunctionalInterface
  private interface Use extends ExtensionContext.Store.CloseableResource, AutoCloseable {
    @Override
    void close();
  }
}
