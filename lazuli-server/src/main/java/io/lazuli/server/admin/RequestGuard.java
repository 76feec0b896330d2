package io.lazuli.server.admin;

import io.lazuli.server.access.HostName;
import io.lazuli.server.http.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Refuses requests that web pages of others send. A page can make its own host name resolve to
 * loopback, and can send requests to any port of this machine. So every request must name a host of
 * this server, and what changes something must come from the server's own page.
 */
public final class RequestGuard {
  public static final String COOKIE = "lazuli";
  static final String SECURE_COOKIE = "__Host-lazuli";

  private static final String HEADER = "X-Lazuli-Console";

  private final List<HostName> hosts;
  private final List<HostName> allowed;
  private final boolean anyHost;
  private final boolean loopback;
  private final BooleanSupplier trusted;

  /**
   * @param admin the host on which the admin port listens
   * @param more further names under which the server is reached
   * @param allowed the setting {@code allowed-hosts}: hosts under which health and metrics answer,
   *     with all names below them
   * @param domain the domain of the accounts' hosts, which is allowed in the same way
   * @param loopback whether only this machine can reach the port
   * @param trusted returns whether an administrator and TLS protect the port beyond loopback
   */
  public RequestGuard(
      String admin,
      List<String> more,
      List<String> allowed,
      String domain,
      boolean loopback,
      BooleanSupplier trusted) {
    this.allowed = Stream.concat(allowed.stream(), Stream.of(domain)).map(HostName::of).toList();
    this.anyHost = allowed.contains("*") || (allowed.isEmpty() && !loopback);
    this.loopback = loopback;
    this.trusted = trusted;
    List<HostName> all = new ArrayList<>(more.stream().map(HostName::of).toList());
    all.add(HostName.of(admin));
    this.hosts = List.copyOf(all);
  }

  /**
   * Throws unless the request names a host of this server. A request without a host passes: no
   * browser sends one.
   */
  public void requireHost(Request request) {
    String host = request.header("Host");
    if (host != null && !host.isEmpty() && !isOwn(HostName.ofAuthority(host))) {
      throw AdminErrors.WRONG_HOST.exception();
    }
  }

  private boolean isOwn(HostName host) {
    return host.isLoopback() || hosts.stream().anyMatch(each -> host.equals(each));
  }

  /**
   * Checks a request for health or metrics. Beyond loopback these answer under any name unless
   * {@code allowed-hosts} is set, because probes use the address of the machine.
   */
  void checkPublic(Request request) {
    String host = request.header("Host");
    boolean allowedName =
        anyHost
            || (host != null && allowed.stream().anyMatch(HostName.ofAuthority(host)::isWithin));
    if (!allowedName) {
      requireHost(request);
    }
    String origin = request.header("Origin");
    if (origin != null && !origin.equals(own(request))) {
      throw AdminErrors.FOREIGN_ORIGIN.exception();
    }
  }

  /**
   * Checks a command. Beyond loopback it must come from this machine, unless an administrator and
   * TLS are configured: its secret must not cross a network in the clear.
   */
  void checkCommand(Request request) {
    requireHost(request);
    if (!isOn() && !isFromLoopback(request)) {
      throw AdminErrors.BEYOND_LOOPBACK.exception();
    }
  }

  /** Throws if the console is off because other machines could reach it in the clear. */
  public void requireOn() {
    if (!isOn()) {
      throw AdminErrors.BEYOND_LOOPBACK.exception();
    }
  }

  private boolean isOn() {
    return loopback || trusted.getAsBoolean();
  }

  private static boolean isFromLoopback(Request request) {
    return HostName.of(request.remoteAddress()).isLoopback();
  }

  /** Throws if a page of another origin sent the request. */
  public void requireNotForeign(Request request) {
    if ("same-origin".equals(request.header("Sec-Fetch-Site"))) {
      return;
    }
    String origin = request.header("Origin");
    if (origin != null && !origin.equals(own(request))) {
      throw AdminErrors.FOREIGN_ORIGIN.exception();
    }
    String site = request.header("Sec-Fetch-Site");
    if (site != null && (site.equals("cross-site") || site.equals("same-site"))) {
      throw AdminErrors.FOREIGN_ORIGIN.exception();
    }
  }

  /** Throws unless the console's own page sent a request that may change something. */
  public void requireOwnPage(Request request) {
    requireNotForeign(request);
    boolean own =
        own(request).equals(request.header("Origin"))
            || "same-origin".equals(request.header("Sec-Fetch-Site"));
    if (!own) {
      throw AdminErrors.FOREIGN_ORIGIN.exception();
    }
  }

  /** Throws unless a script of the console sent the request: a form or a link cannot set this. */
  public void requireHeader(Request request) {
    if (!"1".equals(request.header(HEADER))) {
      throw AdminErrors.HEADER_MISSING.exception();
    }
  }

  private static String own(Request request) {
    String host = request.header("Host");
    return request.scheme() + "://" + (host == null ? "" : host.toLowerCase(Locale.ROOT));
  }

  /** Returns the secret in the cookie of a request; null if there is none. */
  public static @Nullable String secret(Request request) {
    String name = request.scheme().equals("https") ? SECURE_COOKIE : COOKIE;
    for (String header : request.headers().all("Cookie")) {
      for (String pair : header.split(";", -1)) {
        String trimmed = pair.strip();
        if (trimmed.startsWith(name + "=")) {
          return trimmed.substring(name.length() + 1);
        }
      }
    }
    return null;
  }

  /** Returns the value of {@code Set-Cookie} for a session; an empty secret ends it. */
  public static String cookie(Request request, String secret) {
    boolean secure = request.scheme().equals("https");
    return (secure ? SECURE_COOKIE : COOKIE)
        + "="
        + secret
        + "; Path=/; HttpOnly; SameSite=Strict"
        + (secure ? "; Secure" : "")
        + (secret.isEmpty() ? "; Max-Age=0" : "");
  }
}
