package io.lazuli.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpClient;
import com.azure.core.http.netty.NettyAsyncHttpClientBuilder;
import com.azure.core.http.policy.FixedDelayOptions;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.core.http.policy.RetryOptions;
import com.azure.data.tables.TableServiceAsyncClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.storage.blob.BlobServiceAsyncClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.queue.QueueServiceAsyncClient;
import com.azure.storage.queue.QueueServiceClientBuilder;
import io.lazuli.client.query.Segment;
import io.lazuli.client.query.Token;
import io.lazuli.server.LazuliServer;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.junit.LazuliExtension;
import io.lazuli.server.rehearsal.Rehearsal;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.platform.commons.support.AnnotationSupport;
import org.opentest4j.TestAbortedException;
import reactor.netty.resources.ConnectionProvider;

/**
 * The account that the tests of a class use. The configuration parameter {@code client.account},
 * which may be a system property, chooses it:
 *
 * <ul>
 *   <li>empty: on a server in the process of the tests, which all classes share;
 *   <li>{@code rehearsed}: the same, and the server causes faults ({@code --rehearse all}, or those
 *       of the parameter {@code client.rehearsal});
 *   <li>{@code azurite}: on Azurite; the tests are skipped if it is not installed;
 *   <li>a connection string: any account, also on Azure.
 * </ul>
 */
public final class TestAccount
    implements BeforeAllCallback, AfterAllCallback, InvocationInterceptor {
  /** The name of the configuration parameter. */
  public static final String SETTING = "client.account";

  /** The configuration parameter with the faults, as after {@code --rehearse}. */
  static final String FAULTS = "client.rehearsal";

  /** Retries that outlast the faults of a rehearsal and do not wait. */
  public static final RetryOptions QUICK_RETRIES =
      new RetryOptions(new FixedDelayOptions(12, Duration.ofMillis(1)));

  /**
   * Closes connections that were idle for two seconds. Azurite does it after five, sometimes while
   * a request is on its way, which then fails.
   */
  public static final HttpClient HTTP =
      new NettyAsyncHttpClientBuilder(
              reactor.netty.http.client.HttpClient.create(
                  ConnectionProvider.builder("tests")
                      .maxConnections(500)
                      .pendingAcquireMaxCount(-1)
                      .maxIdleTime(Duration.ofSeconds(2))
                      .build()))
          .build();

  /** Faults make everything slower. */
  private static final Duration WAIT_MAX = Duration.ofMinutes(2);

  private static final Duration WAIT_WITHOUT_FAULTS_MAX = Duration.ofSeconds(10);

  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(TestAccount.class);

  private final LazuliExtension lazuli = new LazuliExtension().onDisk().perJvm();
  private final AmbiguousRepetitions ambiguousRepetitions = new AmbiguousRepetitions();

  /** The run that uses this account now. */
  private final AtomicReference<@Nullable ExtensionContext> user = new AtomicReference<>();

  private volatile String connection = "";
  private volatile boolean rehearsed;
  private volatile boolean azurite;
  private volatile boolean local;

  @Override
  public void beforeAll(ExtensionContext context) {
    reserve(context.getRoot());
    String setting = context.getConfigurationParameter(SETTING).orElse("");
    rehearsed = setting.equals("rehearsed");
    azurite = setting.equals("azurite");
    local = azurite || setting.isEmpty();
    Awaitility.setDefaultTimeout(rehearsed ? WAIT_MAX : WAIT_WITHOUT_FAULTS_MAX);
    connection =
        switch (setting) {
          case "" -> {
            lazuli.beforeAll(context);
            yield lazuli.connectionString();
          }
          case "rehearsed" -> rehearsing(context).connectionString();
          case "azurite" -> Azurite.running().connectionString();
          default -> setting;
        };
  }

  /**
   * Refuses a second run of the same class at the same time. The accounts of test classes are
   * static, so both runs would use the server of the later one.
   */
  private void reserve(ExtensionContext run) {
    if (!user.compareAndSet(null, run) && user.get() != run) {
      throw new IllegalStateException("another run uses the account of this class");
    }
  }

  @Override
  public void afterAll(ExtensionContext context) {
    user.compareAndSet(context.getRoot(), null);
  }

  /** Starts a server that causes faults and stops after the tests of the class. */
  private static LazuliServer rehearsing(ExtensionContext context) {
    String faults = context.getConfigurationParameter(FAULTS).orElse("all");
    Rehearsal rehearsal = Objects.requireNonNull(Rehearsal.parse(faults));
    return context
        .getStore(NAMESPACE)
        .computeIfAbsent(
            context.getUniqueId(),
            id ->
                LazuliServer.start(
                    ServerConfig.builder()
                        .freePorts()
                        .engine("memory")
                        .rehearsal(rehearsal)
                        .build()),
            LazuliServer.class);
  }

  public String connectionString() {
    return connection;
  }

  /** Returns whether the server of this account causes faults. */
  public boolean isRehearsed() {
    return rehearsed;
  }

  /** Returns whether clients must repeat requests: Azurite closes connections that are in use. */
  public boolean needsRetries() {
    return rehearsed || azurite;
  }

  /**
   * Returns all values of a query whose entities fit into one segment. Azure may cut segments, and
   * so may a server that causes faults. The others must not.
   */
  public <T> List<T> valuesOf(Function<@Nullable Token, Segment<T>> fetch) {
    List<T> values = new ArrayList<>();
    Segment<T> segment = fetch.apply(null);
    values.addAll(segment.values());
    while (segment.next() != null) {
      assertThat(local).as("the segment is cut").isFalse();
      segment = fetch.apply(segment.next());
      values.addAll(segment.values());
    }
    return values;
  }

  /** Returns the policy that all clients of an account on a rehearsing server must have. */
  public AmbiguousRepetitions ambiguousRepetitions() {
    return ambiguousRepetitions;
  }

  /** Returns a client. The policies see every attempt of a request, including retries. */
  public TableServiceAsyncClient tables(HttpPipelinePolicy... policies) {
    TableServiceClientBuilder builder =
        new TableServiceClientBuilder().httpClient(HTTP).connectionString(connectionString());
    add(policies, builder::addPolicy, builder::retryOptions);
    return builder.buildAsyncClient();
  }

  public QueueServiceAsyncClient queues(HttpPipelinePolicy... policies) {
    QueueServiceClientBuilder builder =
        new QueueServiceClientBuilder().httpClient(HTTP).connectionString(connectionString());
    add(policies, builder::addPolicy, builder::retryOptions);
    return builder.buildAsyncClient();
  }

  public BlobServiceAsyncClient blobs(HttpPipelinePolicy... policies) {
    BlobServiceClientBuilder builder =
        new BlobServiceClientBuilder().httpClient(HTTP).connectionString(connectionString());
    add(policies, builder::addPolicy, builder::retryOptions);
    return builder.buildAsyncClient();
  }

  private void add(
      HttpPipelinePolicy[] policies,
      Consumer<HttpPipelinePolicy> adding,
      Consumer<RetryOptions> retrying) {
    List.of(policies).forEach(adding);
    if (rehearsed) {
      adding.accept(ambiguousRepetitions);
      retrying.accept(QUICK_RETRIES);
    }
  }

  /** Returns a name that no table, queue or container of another test has. */
  public static String uniqueName(String prefix) {
    return prefix + UUID.randomUUID().toString().replace("-", "").substring(0, 12);
  }

  @Override
  public void interceptBeforeAllMethod(
      Invocation<Void> method, ReflectiveInvocationContext<Method> called, ExtensionContext context)
      throws Throwable {
    excused(method, context);
  }

  @Override
  public void interceptBeforeEachMethod(
      Invocation<Void> method, ReflectiveInvocationContext<Method> called, ExtensionContext context)
      throws Throwable {
    excused(method, context);
  }

  @Override
  public <T> T interceptTestClassConstructor(
      Invocation<T> constructor,
      ReflectiveInvocationContext<Constructor<T>> called,
      ExtensionContext context)
      throws Throwable {
    return excused(constructor, context);
  }

  @Override
  public void interceptTestMethod(
      Invocation<Void> method, ReflectiveInvocationContext<Method> called, ExtensionContext context)
      throws Throwable {
    excused(method, context);
    ambiguousRepetitions.drain();
  }

  @Override
  public void interceptTestTemplateMethod(
      Invocation<Void> method, ReflectiveInvocationContext<Method> called, ExtensionContext context)
      throws Throwable {
    interceptTestMethod(method, called, context);
  }

  /**
   * Aborts a test that failed, if the SDK repeated a request whose first attempt may have been
   * made. A plain insert then finds its own entity, for example, or a message is sent twice, and
   * that is what the library documents. The test has to run again. There is no excuse for the tests
   * of operations that promise more.
   */
  private <T> T excused(Invocation<T> part, ExtensionContext context) throws Throwable {
    try {
      return part.proceed();
    } catch (Throwable failure) {
      List<String> repeated = ambiguousRepetitions.drain();
      if (repeated.isEmpty() || promisesMore(context)) {
        throw failure;
      }
      throw new TestAbortedException("requests were made twice, or rejected: " + repeated, failure);
    }
  }

  private static boolean promisesMore(ExtensionContext context) {
    return AnnotationSupport.isAnnotated(context.getElement(), MadeOnce.class)
        || AnnotationSupport.isAnnotated(context.getTestClass(), MadeOnce.class);
  }
}
