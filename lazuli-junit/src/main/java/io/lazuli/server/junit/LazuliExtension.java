package io.lazuli.server.junit;

import static org.junit.platform.commons.support.AnnotationSupport.findAnnotatedFieldValues;
import static org.junit.platform.commons.support.AnnotationSupport.findRepeatableAnnotations;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.server.LazuliServer;
import io.lazuli.server.development.DevelopmentAccess;
import io.lazuli.server.development.DevelopmentConfig;
import io.lazuli.server.development.DevelopmentIdentity;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.extension.TestInstanceFactoryContext;
import org.junit.jupiter.api.extension.TestInstancePreConstructCallback;

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
 * <p>By default the server keeps its data in memory. {@link #onDisk}, {@link #data} and {@link
 * #durable} need RocksDB: add the dependency {@code io.lazuli:lazuli-storage-rocksdb}.
 *
 * <p>Classes that inherit one static field and run at the same time share one server. If Spring
 * runs the tests, the server of a static field stays until the JVM ends, because Spring keeps the
 * application context, which has the server's addresses, for the next class. {@link #perJvm} does
 * this for any tests.
 *
 * <p>An extension is immutable: its options return a new extension.
 */
public final class LazuliExtension
    implements BeforeAllCallback,
        BeforeEachCallback,
        TestInstancePreConstructCallback,
        ParameterResolver {
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(LazuliExtension.class);

  /** Named, because only the tests of some users have Spring. */
  private static final String SPRING =
      "org.springframework.test.context.junit.jupiter.SpringExtension";

  private final Options options;
  private final boolean perJvm;

  @GuardedBy("this")
  private int uses;

  @GuardedBy("this")
  private boolean kept;

  @GuardedBy("this")
  private @Nullable TestServer running;

  /** Creates an extension whose server keeps its data in memory. */
  public LazuliExtension() {
    this(Options.DEFAULT, false);
  }

  private LazuliExtension(Options options, boolean perJvm) {
    this.options = options;
    this.perJvm = perJvm;
  }

  /**
   * Returns an extension whose server stores nothing: all data is in memory and is lost when the
   * server stops. This is the default. Data may take up to half of the heap.
   */
  public LazuliExtension inMemory() {
    return with(options.with(Storage.IN_MEMORY));
  }

  /**
   * Returns an extension whose server uses RocksDB and a temporary folder, which is deleted when
   * the server stops. The server does not wait for the disk.
   */
  public LazuliExtension onDisk() {
    return with(options.with(storage().onDisk()));
  }

  /**
   * Returns an extension whose server uses RocksDB and this folder, which is created if it is
   * missing and kept afterwards.
   */
  public LazuliExtension data(Path folder) {
    return with(options.with(storage().in(folder)));
  }

  /**
   * Returns an extension whose server uses RocksDB and acknowledges a write only after it was
   * synced to disk, like a server in production.
   */
  public LazuliExtension durable() {
    return with(options.with(storage().durable()));
  }

  /** Returns an extension whose server has its blob service at this port. */
  public LazuliExtension blobPort(int port) {
    Ports ports = options.ports();
    return with(options.with(new Ports(port, ports.queue(), ports.table())));
  }

  /** Returns an extension whose server has its queue service at this port. */
  public LazuliExtension queuePort(int port) {
    Ports ports = options.ports();
    return with(options.with(new Ports(ports.blob(), port, ports.table())));
  }

  /** Returns an extension whose server has its table service at this port. */
  public LazuliExtension tablePort(int port) {
    Ports ports = options.ports();
    return with(options.with(new Ports(ports.blob(), ports.queue(), port)));
  }

  /**
   * Returns an extension whose server gives tokens to programs, and uses https with a certificate
   * of its own. {@link #identity} says how to get one.
   */
  public LazuliExtension devIdentity() {
    return with(options.with(options.development().withOn(true)));
  }

  /**
   * Like {@link #devIdentity()}, with further identities.
   *
   * @param identities a comma-separated list of names with roles, such as {@code
   *     reader=storage-blob-data-reader}
   */
  public LazuliExtension devIdentity(String identities) {
    List<DevelopmentIdentity> more = DevelopmentConfig.parseIdentities(identities);
    if (more == null) {
      throw new IllegalArgumentException("not a list of identities: " + identities);
    }
    return with(options.with(options.development().withOn(true).withMore(more)));
  }

  /**
   * Returns an extension whose server starts when it is first needed and runs until the JVM ends.
   * All extensions with this option and otherwise the same options have the same server, with the
   * same data: tests need tables, queues and containers of their own. The server can be used
   * anywhere, for example in a static initializer.
   */
  public LazuliExtension perJvm() {
    return new LazuliExtension(options, true);
  }

  private LazuliExtension with(Options other) {
    return new LazuliExtension(other, perJvm);
  }

  Storage storage() {
    return options.storage();
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
   * Returns the addresses, the secret and the certificate of the development identity.
   *
   * @throws IllegalStateException if the server has none
   */
  public DevelopmentAccess identity() {
    DevelopmentAccess access = server().developmentIdentity();
    if (access == null) {
      throw new IllegalStateException("the server has no identity: use devIdentity()");
    }
    return access;
  }

  /**
   * Returns the server itself.
   *
   * @throws IllegalStateException if none of its tests is running, unless the server is that of the
   *     JVM
   */
  public LazuliServer server() {
    return perJvm ? SharedServers.get(options).server() : ownServer();
  }

  private synchronized LazuliServer ownServer() {
    if (running == null) {
      throw new IllegalStateException(
          "the server runs only while its tests run; with perJvm() it starts when it is needed");
    }
    return running.server();
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    run(context);
  }

  /**
   * Starts the server of a class that has one instance for all tests. JUnit creates the instance
   * before {@link #beforeAll}, and Spring creates the application context with it.
   */
  @Override
  public void preConstructTestInstance(
      TestInstanceFactoryContext factory, ExtensionContext context) {
    if (context.getTestInstanceLifecycle().equals(Optional.of(Lifecycle.PER_CLASS))) {
      run(context);
    }
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
    if (perJvm) {
      SharedServers.get(options);
      return;
    }
    context
        .getStore(NAMESPACE)
        .getOrComputeIfAbsent(this, extension -> extension.begin(), Use.class);
    if (isNeededBySpring(context.getRequiredTestClass())) {
      keep();
    }
  }

  private synchronized Use begin() {
    if (running == null) {
      running = TestServer.start(options);
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

  /** Returns whether Spring runs the class, and the class has this extension in a static field. */
  private boolean isNeededBySpring(Class<?> tests) {
    return findRepeatableAnnotations(tests, ExtendWith.class).stream()
            .flatMap(with -> Stream.of(with.value()))
            .anyMatch(extension -> extension.getName().equals(SPRING))
        && findAnnotatedFieldValues(tests, RegisterExtension.class, LazuliExtension.class)
            .contains(this);
  }

  /** Adds a use that does not end before the JVM. */
  private synchronized void keep() {
    if (!kept && running != null) {
      kept = true;
      uses++;
      SharedServers.closeAtTheEnd(running, storage());
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
