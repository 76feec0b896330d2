package io.lazuli.server.pipeline;

import io.lazuli.server.access.HostName;
import io.lazuli.server.error.ServiceError;
import io.lazuli.server.http.Endpoint;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Refuses requests whose Host header names a host that this server does not serve. A listener on
 * loopback needs this: a web page can make its own host name resolve to 127.0.0.1, and a browser
 * then treats the server as part of that page. Names of loopback are always allowed. Safe for use
 * by many threads.
 */
public final class AllowedHosts implements Step {
  /** Stands for all hosts. */
  public static final String ANY = "*";

  private static final ServiceError REFUSED =
      new ServiceError(
          "InvalidHeaderValue",
          400,
          "The server does not serve the host that the Host header names. The setting allowed-hosts"
              + " adds hosts.");

  private final @Nullable List<HostName> names;

  /** The header of the last request that was allowed. Most requests have the same. */
  private volatile String known = "";

  private AllowedHosts(@Nullable List<HostName> names) {
    this.names = names;
  }

  /**
   * Creates the step for one listener.
   *
   * @param listener the host on which the listener listens, which is allowed too
   * @param isLoopback whether the listener can be reached from this machine only; other listeners
   *     allow all hosts if none is given
   * @param given the allowed hosts; names below them are allowed too
   * @param domain the domain of the accounts' hosts, which is allowed in the same way
   */
  public static AllowedHosts of(
      String listener, boolean isLoopback, List<String> given, String domain) {
    if (given.contains(ANY) || (given.isEmpty() && !isLoopback)) {
      return new AllowedHosts(null);
    }
    List<HostName> names = new ArrayList<>(given.stream().map(HostName::of).toList());
    names.add(HostName.of(listener));
    names.add(HostName.of(domain));
    return new AllowedHosts(List.copyOf(names));
  }

  /**
   * A request without a host passes: it does not come from a browser, and addressing refuses an
   * empty header with an error of its own.
   */
  @Override
  public CompletionStage<Response> handle(Request request, Endpoint next) {
    String host = request.header("Host");
    if (names != null && host != null && !host.isEmpty() && !host.equals(known)) {
      if (!isAllowed(HostName.ofAuthority(host), names)) {
        throw REFUSED.exception().with("HeaderName", "Host").with("HeaderValue", host);
      }
      known = host;
    }
    return next.handle(request);
  }

  private static boolean isAllowed(HostName host, List<HostName> names) {
    return host.isLoopback() || names.stream().anyMatch(host::isWithin);
  }
}
