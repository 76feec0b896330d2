package io.lazuli.conformance.wire;

import io.lazuli.conformance.Account;
import io.lazuli.conformance.AccountUnderTest;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.net.SocketFactory;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Sends raw requests to one account over persistent connections. Safe for use by many threads: no
 * two requests share a connection at the same time.
 */
public final class WireClient {

  private static final int IDLE_CONNECTIONS_MAX = 64;
  private static final int BUSY_RETRIES_MAX = 5;
  private static final long BUSY_PAUSE_SECONDS_MAX = 30;

  private final Account account;
  private final SocketFactory sockets;
  private final Deque<Connection> idle = new ConcurrentLinkedDeque<>();

  public WireClient(Account account) {
    this(account, account.isSecure() ? SSLSocketFactory.getDefault() : SocketFactory.getDefault());
  }

  /** Creates a client whose connections come from a factory, which knows whom to trust. */
  public WireClient(Account account, SocketFactory sockets) {
    this.account = account;
    this.sockets = sockets;
  }

  public Account account() {
    return account;
  }

  /** Creates a request for a resource path below the account. The path is sent as given. */
  public WireRequest request(String method, String resource) {
    return new WireRequest(this, method, account.pathPrefix() + resource);
  }

  /** Creates a request whose target, including the account, is sent as given. */
  public WireRequest requestTarget(String method, String target) {
    return new WireRequest(this, method, target);
  }

  public WireRequest get(String resource) {
    return request("GET", resource);
  }

  public WireRequest post(String resource, String json) {
    return request("POST", resource).body(json);
  }

  public WireRequest put(String resource, String json) {
    return request("PUT", resource).body(json);
  }

  public WireRequest patch(String resource, String json) {
    return request("PATCH", resource).body(json);
  }

  /** Sends the preflight request that a browser sends before a cross-origin request. */
  public WireAnswer preflight(
      String resource, @Nullable String origin, @Nullable String method, @Nullable String headers) {
    WireRequest request = request("OPTIONS", resource).signing(Signing.NONE);
    request.without("x-ms-date").without("x-ms-version");
    if (origin != null) {
      request.header("Origin", origin);
    }
    if (method != null) {
      request.header("Access-Control-Request-Method", method);
    }
    if (headers != null) {
      request.header("Access-Control-Request-Headers", headers);
    }
    return request.send();
  }

  public WireRequest delete(String resource) {
    return request("DELETE", resource);
  }

  /** Creates a request for a batch. */
  public WireRequest batch(BatchText batch) {
    return request("POST", "/$batch")
        .header("Content-Type", "multipart/mixed; boundary=" + batch.boundary())
        .body(batch.text());
  }

  /** Sends bytes that need not be a valid request. */
  public WireAnswer sendRaw(byte[] bytes) {
    try (Connection connection = Connection.open(account, sockets)) {
      return connection.exchange(bytes, new byte[0], "RAW");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Sends a request. If a service other than the packed server throttles us, the request is
   * repeated, because throttling is unrelated to the case.
   */
  WireAnswer send(String verb, String head, byte[] body) {
    WireAnswer answer = sendOnce(verb, head, body);
    int retriesMax = AccountUnderTest.isElsewhere() ? BUSY_RETRIES_MAX : 0;
    for (int retry = 0; isBusy(answer) && retry < retriesMax; retry++) {
      LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(pauseSeconds(answer, retry)));
      answer = sendOnce(verb, head, body);
    }
    return answer;
  }

  private static boolean isBusy(WireAnswer answer) {
    return answer.status() == 503 || answer.status() == 429;
  }

  private static long pauseSeconds(WireAnswer answer, int retry) {
    long asked =
        answer
            .header("Retry-After")
            .filter(text -> text.matches("\\d{1,6}"))
            .map(Long::parseLong)
            .orElse(0L);
    return Math.min(BUSY_PAUSE_SECONDS_MAX, Math.max(asked, 1L << retry));
  }

  /**
   * Sends a request once. If the server has closed an idle connection, the request is sent over a
   * new one.
   */
  private WireAnswer sendOnce(String verb, String head, byte[] body) {
    byte[] headBytes = head.getBytes(StandardCharsets.UTF_8);
    Connection kept = idle.pollFirst();
    try {
      if (kept != null) {
        try {
          return exchange(kept, verb, headBytes, body);
        } catch (EOFException | SocketException e) {
          kept.close();
        }
      }
      return exchange(Connection.open(account, sockets), verb, headBytes, body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private WireAnswer exchange(Connection connection, String verb, byte[] head, byte[] body)
      throws IOException {
    WireAnswer answer = connection.exchange(head, body, verb);
    if (connection.isReusable() && idle.size() < IDLE_CONNECTIONS_MAX) {
      idle.addFirst(connection);
    } else {
      connection.close();
    }
    return answer;
  }
}
