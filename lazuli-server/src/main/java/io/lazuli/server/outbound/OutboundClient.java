package io.lazuli.server.outbound;

import io.lazuli.server.outbound.OutboundException.Kind;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientConnection;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpConnectOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.SocketAddress;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Calls servers that the operator listed. A URL is compared with the list before its host is looked
 * up. The host is looked up once, and the connection goes to the address that was checked; the name
 * is used for {@code Host} and for the certificate only. So a name that changes its address between
 * the check and the connection changes nothing (decision 0031).
 *
 * <p>Redirects are not followed, and proxies, cookies and the credentials of the caller are not
 * used. Has event loops of its own. Thread-safe.
 */
public final class OutboundClient implements AutoCloseable {
  private static final int HEADER_BYTES_MAX = 32 << 10;
  private static final int LOOKUP_THREADS = 4;
  private static final int CLOSE_SECONDS_MAX = 3;

  /**
   * The times after which a server is given up.
   *
   * @param connect the longest time for the lookup, and again for the connection and for TLS
   * @param idle the longest time without any bytes
   */
  public record Times(Duration connect, Duration idle) {}

  private final Vertx vertx;
  private final HttpClientAgent client;
  private final AllowedSources allowed;
  private final HostLookup lookup;
  private final BiPredicate<InetAddress, Integer> own;
  private final Times times;
  private final Semaphore slots;

  /**
   * Creates a client that trusts the certificates that the JVM trusts.
   *
   * @param own returns whether an address and port belong to this server, which is never called
   * @param callsMax the most calls at a time
   */
  public OutboundClient(
      AllowedSources allowed,
      HostLookup lookup,
      BiPredicate<InetAddress, Integer> own,
      Times times,
      int callsMax) {
    this(allowed, lookup, own, times, callsMax, null);
  }

  /**
   * Creates a client.
   *
   * @param authority PEM certificates that are trusted instead of those that the JVM trusts; null
   *     for none
   */
  public OutboundClient(
      AllowedSources allowed,
      HostLookup lookup,
      BiPredicate<InetAddress, Integer> own,
      Times times,
      int callsMax,
      @Nullable Path authority) {
    this.allowed = allowed;
    this.lookup = lookup;
    this.own = own;
    this.times = times;
    this.slots = new Semaphore(callsMax);
    FileSystemOptions noFiles =
        new FileSystemOptions().setClassPathResolvingEnabled(false).setFileCachingEnabled(false);
    this.vertx =
        Vertx.vertx(
            new VertxOptions()
                .setEventLoopPoolSize(1)
                .setWorkerPoolSize(LOOKUP_THREADS)
                .setInternalBlockingPoolSize(1)
                .setUseDaemonThread(true)
                .setFileSystemOptions(noFiles));
    this.client = vertx.httpClientBuilder().with(options(times, authority)).build();
  }

  private static HttpClientOptions options(Times times, @Nullable Path authority) {
    int connectMillis = (int) times.connect().toMillis();
    HttpClientOptions options =
        new HttpClientOptions()
            .setProtocolVersion(HttpVersion.HTTP_1_1)
            // A server that closes the connection early would cut off what is not read yet.
            .setKeepAlive(true)
            .setDecompressionSupported(false)
            .setMaxHeaderSize(HEADER_BYTES_MAX)
            .setConnectTimeout(connectMillis)
            .setSslHandshakeTimeout(connectMillis)
            .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS)
            .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
            .setReadIdleTimeout((int) times.idle().toMillis())
            .setVerifyHost(true);
    return authority == null
        ? options
        : options.setTrustOptions(new PemTrustOptions().addCertPath(authority.toString()));
  }

  /** Returns whether the list contains the server of a URL. Looks nothing up. */
  public boolean isAllowed(SourceUrl url) {
    return allowed.contains(url);
  }

  /**
   * Sends a GET and returns the answer, whatever its status. The stage fails with an {@link
   * OutboundException}.
   *
   * @param headers all headers but {@code Host}
   */
  public CompletionStage<OutboundAnswer> get(SourceUrl url, Map<String, String> headers) {
    return get(url, headers, allowed);
  }

  /** Like {@link #get(SourceUrl, Map)}, with a list for this call alone. */
  public CompletionStage<OutboundAnswer> get(
      SourceUrl url, Map<String, String> headers, AllowedSources allowed) {
    if (!allowed.contains(url)) {
      return CompletableFuture.failedFuture(
          new OutboundException(Kind.NOT_LISTED, "the host is not listed"));
    }
    if (!slots.tryAcquire()) {
      return CompletableFuture.failedFuture(
          new OutboundException(Kind.BUSY, "too many calls to other servers"));
    }
    CompletableFuture<OutboundAnswer> answer = new CompletableFuture<>();
    CompletableFuture<OutboundAnswer> unused =
        answer.whenComplete(
            (head, failure) -> {
              if (failure != null) {
                slots.release();
              }
            });
    vertx
        .executeBlocking(() -> address(url, allowed), false)
        .compose(address -> client.connect(target(url, address)))
        .compose(connection -> call(connection, request(url, headers), answer))
        .onFailure(failure -> answer.completeExceptionally(translated(failure)));
    Duration headTimeMax = times.connect().multipliedBy(2).plus(times.idle());
    long timer =
        vertx.setTimer(
            headTimeMax.toMillis(),
            late -> answer.completeExceptionally(unreachable("no answer in " + headTimeMax)));
    return answer.whenComplete((head, failure) -> vertx.cancelTimer(timer));
  }

  /**
   * Looks the host up and returns its address. All its addresses must be permitted: otherwise an
   * owner of the name could offer a permitted one and a forbidden one. Blocks.
   */
  private InetAddress address(SourceUrl url, AllowedSources allowed) {
    List<InetAddress> found;
    try {
      found = lookup.addresses(url.host());
    } catch (UnknownHostException e) {
      throw unreachable("the host is unknown");
    }
    if (found.isEmpty()) {
      throw unreachable("the host has no address");
    }
    for (InetAddress address : found) {
      if (!allowed.permits(url, address) || own.test(address, url.port())) {
        throw new OutboundException(
            Kind.FORBIDDEN_ADDRESS, "the host has an address that its entry does not permit");
      }
    }
    return found.get(0);
  }

  private static HttpConnectOptions target(SourceUrl url, InetAddress address) {
    return new HttpConnectOptions()
        .setServer(SocketAddress.inetSocketAddress(url.port(), address.getHostAddress()))
        .setHost(url.host())
        .setPort(url.port())
        .setSsl(url.isSecure());
  }

  private static RequestOptions request(SourceUrl url, Map<String, String> headers) {
    RequestOptions request =
        new RequestOptions()
            .setMethod(HttpMethod.GET)
            .setHost(url.host())
            .setPort(url.port())
            .setSsl(url.isSecure())
            .setURI(url.target())
            .setFollowRedirects(false);
    headers.forEach(request::putHeader);
    return request;
  }

  /** Sends the only request of a connection, which ends with the answer or with its failure. */
  private Future<?> call(
      HttpClientConnection connection,
      RequestOptions request,
      CompletableFuture<OutboundAnswer> answer) {
    CompletableFuture<OutboundAnswer> unused =
        answer.whenComplete(
            (head, failure) -> {
              if (failure != null) {
                connection.close();
              }
            });
    return connection
        .request(request)
        .compose(HttpClientRequest::send)
        .onSuccess(
            head -> answer.complete(new PulledAnswer(vertx, connection, head, slots::release)));
  }

  static OutboundException translated(Throwable failure) {
    return failure instanceof OutboundException known
        ? known
        : unreachable(failure.getClass().getSimpleName());
  }

  private static OutboundException unreachable(String text) {
    return new OutboundException(Kind.UNREACHABLE, text);
  }

  /** Ends all calls. Waits a bounded time. */
  @Override
  public void close() {
    CompletableFuture<?> closed = vertx.close().toCompletionStage().toCompletableFuture();
    CompletableFuture<?> unused = closed.orTimeout(CLOSE_SECONDS_MAX, TimeUnit.SECONDS);
  }
}
