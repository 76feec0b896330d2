package io.lazuli.server.pipeline;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.http.Address;
import io.lazuli.server.http.Endpoint;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import java.util.Locale;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds the account that a request is addressed to (table-rest 2.1). The address is in host style
 * if the host has the form {@code account.service.anything} with an existing account, and in path
 * style otherwise.
 */
public final class Addressing implements Step {
  private static final String SECONDARY = "-secondary";

  private final @Nullable String hostLabel;
  private final Predicate<String> accountExists;

  /**
   * @param service the second label of the host in host style; null for path style only
   */
  public Addressing(@Nullable String service, Predicate<String> accountExists) {
    this.hostLabel = service == null ? null : "." + service + ".";
    this.accountExists = accountExists;
  }

  @Override
  public CompletionStage<Response> handle(Request request, Endpoint next) {
    String host = request.header("Host");
    if (host == null || !isHost(host)) {
      throw CommonErrors.HOST_INFORMATION_NOT_PRESENT.exception();
    }
    Address address = address(request, host);
    request.details().account(address.account());
    if (!accountExists.test(address.account())) {
      throw CommonErrors.RESOURCE_NOT_FOUND.exception();
    }
    return next.handle(request.withAddress(address));
  }

  /** Returns the account that a request is addressed to; null if it does not exist. */
  public @Nullable String findAccount(Request request) {
    String host = request.header("Host");
    if (host == null) {
      return null;
    }
    String account = address(request, host).account();
    return accountExists.test(account) ? account : null;
  }

  /** Returns the address of a request, whether or not the account exists. */
  public Address find(Request request) {
    String host = request.header("Host");
    return address(request, host == null ? "" : host);
  }

  private Address address(Request request, String host) {
    Address address = inHost(request, host);
    return address == null ? inPath(request, host) : address;
  }

  private @Nullable Address inHost(Request request, String host) {
    int labelEnd = host.indexOf('.');
    if (hostLabel == null || labelEnd < 0 || !host.startsWith(hostLabel, labelEnd)) {
      return null;
    }
    String name = host.substring(0, labelEnd).toLowerCase(Locale.ROOT);
    String account = withoutSuffix(name);
    if (!accountExists.test(account)) {
      return null;
    }
    String base = request.scheme() + "://" + host;
    boolean secondary = account.length() < name.length();
    return new Address(account, secondary, request.rawPath(), base);
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
