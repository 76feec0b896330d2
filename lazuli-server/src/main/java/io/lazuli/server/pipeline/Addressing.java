package io.lazuli.server.pipeline;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceError;
import io.lazuli.server.http.Address;
import io.lazuli.server.http.Endpoint;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import java.util.Locale;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds the account that a request is addressed to (table-rest 2.1). The address is in host style
 * if the host has the form {@code account.service.anything} with an existing account, and in path
 * style otherwise. On a port that all services share, it is always in host style, and the host has
 * the form {@code account.service.domain}.
 */
public final class Addressing implements Step {
  private static final String SECONDARY = "-secondary";

  private static final ServiceError UNKNOWN_HOST =
      new ServiceError(
          "InvalidHeaderValue",
          400,
          "The Host header does not name an account and a service of this server. On this port, a"
              + " host is an account, one of blob, queue and table, and the domain that the setting"
              + " domain names, separated by dots.");

  private final @Nullable String hostLabel;
  private final @Nullable Pattern domain;
  private final Predicate<String> accountExists;

  /**
   * @param service the second label of the host in host style; null for path style only
   */
  public Addressing(@Nullable String service, Predicate<String> accountExists) {
    this(service, null, accountExists);
  }

  private Addressing(
      @Nullable String service, @Nullable Pattern domain, Predicate<String> accountExists) {
    this.hostLabel = service == null ? null : "." + service + ".";
    this.domain = domain;
    this.accountExists = accountExists;
  }

  /** Returns the step for a port that all services share. */
  public static Addressing inHosts(String service, String domain, Predicate<String> accountExists) {
    Pattern end =
        Pattern.compile(Pattern.quote(domain) + "\\.?(:\\d{0,5})?", Pattern.CASE_INSENSITIVE);
    return new Addressing(service, end, accountExists);
  }

  @Override
  public CompletionStage<Response> handle(Request request, Endpoint next) {
    String host = request.header("Host");
    if (host == null || !isHost(host)) {
      throw CommonErrors.HOST_INFORMATION_NOT_PRESENT.exception();
    }
    Address address = find(request);
    request.details().account(address.account());
    if (!accountExists.test(address.account())) {
      throw CommonErrors.RESOURCE_NOT_FOUND.exception();
    }
    return next.handle(request.withAddress(address));
  }

  /** Returns the account that a request is addressed to; null if it does not exist. */
  public @Nullable String findAccount(Request request) {
    Address address = request.header("Host") == null ? null : tryFind(request);
    return address != null && accountExists.test(address.account()) ? address.account() : null;
  }

  /**
   * Returns the address of a request, whether or not the account exists. Throws 400 if the host
   * must name an account and does not.
   */
  public Address find(Request request) {
    Address address = tryFind(request);
    if (address == null) {
      throw UNKNOWN_HOST
          .exception()
          .with("HeaderName", "Host")
          .with("HeaderValue", String.valueOf(request.header("Host")));
    }
    return address;
  }

  /**
   * Returns the address of a request, whether or not the account exists; null if the host must name
   * an account and does not.
   */
  public @Nullable Address tryFind(Request request) {
    String header = request.header("Host");
    String host = header == null ? "" : header;
    Address address = inHost(request, host);
    return address == null && domain == null ? inPath(request, host) : address;
  }

  private @Nullable Address inHost(Request request, String host) {
    int labelEnd = host.indexOf('.');
    if (hostLabel == null
        || labelEnd < 1
        || !host.regionMatches(true, labelEnd, hostLabel, 0, hostLabel.length())) {
      return null;
    }
    String name = host.substring(0, labelEnd).toLowerCase(Locale.ROOT);
    String account = withoutSuffix(name);
    boolean named =
        domain == null
            ? accountExists.test(account)
            : domain.matcher(host.substring(labelEnd + hostLabel.length())).matches();
    if (!named) {
      return null;
    }
    String base = request.scheme() + "://" + host;
    boolean secondary = account.length() < name.length();
    return new Address(account, secondary, pathInHost(request), base);
  }

  /**
   * Returns the path without a second slash at its beginning. At a host with a port, the Java SDK
   * expects the account in the path, and leaves its place empty in the URLs of blobs.
   */
  private String pathInHost(Request request) {
    String path = request.rawPath();
    return domain != null && path.startsWith("//") ? path.substring(1) : path;
  }

  private static Address inPath(Request request, String host) {
    String path = request.rawPath();
    int end = path.indexOf('/', 1);
    if (end < 0) {
      end = path.length();
    }
    String name = path.isEmpty() ? "" : path.substring(1, end);
    String account = withoutSuffix(name);
    String base = request.scheme() + "://" + host + "/" + name;
    boolean secondary = account.length() < name.length();
    return new Address(account, secondary, path.substring(end), base);
  }

  private static String withoutSuffix(String name) {
    return name.endsWith(SECONDARY) ? name.substring(0, name.length() - SECONDARY.length()) : name;
  }

  /**
   * Returns whether a host contains only characters of a host and port. This matters because the
   * host is copied into links.
   */
  private static boolean isHost(String host) {
    for (int i = 0; i < host.length(); i++) {
      char c = host.charAt(i);
      boolean letterOrDigit =
          (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      if (!letterOrDigit && ".-_:[]".indexOf(c) < 0) {
        return false;
      }
    }
    return !host.isEmpty();
  }
}
