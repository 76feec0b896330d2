package io.lazuli.server.auth;

import io.lazuli.server.account.Account;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.http.Address;
import io.lazuli.server.http.HttpDate;
import io.lazuli.server.http.PercentEncoding;
import io.lazuli.server.http.Request;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Verifies the schemes SharedKey and SharedKeyLite for one service. What differs between services
 * is the text that is signed; see {@link SignedText}.
 */
public final class SharedKey {
  private final SignedText text;
  private final SignedText liteText;
  private final Clock clock;
  private final Duration dateWindow;

  /**
   * @param dateWindow how far a request's date may be off; zero for no check
   */
  public SharedKey(SignedText text, SignedText liteText, Clock clock, Duration dateWindow) {
    this.text = text;
    this.liteText = liteText;
    this.clock = clock;
    this.dateWindow = dateWindow;
  }

  /** For the table service. */
  public static SharedKey ofTables(Clock clock, Duration dateWindow) {
    return new SharedKey(
        TableSignedText::sharedKey, TableSignedText::sharedKeyLite, clock, dateWindow);
  }

  /** Passes if the credentials, {@code account:signature}, fit the request; throws otherwise. */
  void verify(Request request, Account account, String credentials) {
    verify(text, request, account, credentials);
  }

  /** The same for SharedKeyLite. */
  void verifyLite(Request request, Account account, String credentials) {
    verify(liteText, request, account, credentials);
  }

  private void verify(SignedText form, Request request, Account account, String credentials) {
    int colon = credentials.lastIndexOf(':');
    if (colon < 0) {
      throw CommonErrors.INVALID_AUTHENTICATION_INFO.exception();
    }
    boolean named = credentials.substring(0, colon).equals(account.name());
    if (!named || !isSigned(form, request, account, credentials.substring(colon + 1))) {
      throw CommonErrors.AUTHENTICATION_FAILED.exception();
    }
  }

  private boolean isSigned(SignedText form, Request request, Account account, String signature) {
    String date = date(request);
    String path = request.rawPath().isEmpty() ? "/" : request.rawPath();
    if (fits(form.of(request, account.name(), date, path), account, signature)) {
      return true;
    }
    for (String other : otherPaths(request.address(), path)) {
      if (fits(form.of(request, account.name(), date, other), account, signature)) {
        return true;
      }
    }
    return false;
  }

  /** The text has one character per byte. */
  private static boolean fits(String text, Account account, String signature) {
    return Signature.fits(text, StandardCharsets.ISO_8859_1, account, signature);
  }

  /**
   * What else may have been signed (auth.md 3.1): the path before an intermediary encoded it, and
   * for the secondary in path style the path of the primary.
   */
  private static Set<String> otherPaths(Address address, String path) {
    Set<String> paths = new LinkedHashSet<>();
    paths.add(decoded(path));
    if (address.secondary() && !path.equals(address.path())) {
      String primary = "/" + address.account() + address.path();
      paths.add(primary);
      paths.add(decoded(primary));
    }
    paths.remove(path);
    return paths;
  }

  private static String decoded(String path) {
    String decoded = PercentEncoding.decode(path);
    return decoded == null
        ? path
        : new String(decoded.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
  }

  /** The date that was signed; it is near enough, or the request fails. */
  private String date(Request request) {
    String own = request.header("x-ms-date");
    String date = own != null ? own : request.header("Date");
    Instant time = date == null ? null : HttpDate.parse(date);
    if (date == null || time == null || !isNear(time)) {
      throw CommonErrors.AUTHENTICATION_FAILED.exception();
    }
    return date;
  }

  private boolean isNear(Instant time) {
    return dateWindow.isZero()
        || Duration.between(time, clock.instant()).abs().compareTo(dateWindow) <= 0;
  }
}
