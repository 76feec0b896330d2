package io.lazuli.server.auth;

import io.lazuli.server.account.Account;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.http.Address;
import io.lazuli.server.http.HttpDate;
import io.lazuli.server.http.Request;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Verifies the schemes SharedKey and SharedKeyLite for one service. Services differ in the text
 * that is signed; see {@link SignedText}.
 */
public final class SharedKey {
  private final List<SignedText> texts;
  private final List<SignedText> liteTexts;
  private final Clock clock;
  private final Duration dateWindow;

  /**
   * @param texts the texts that may have been signed, the most likely first
   * @param liteTexts the same for SharedKeyLite
   * @param dateWindow the maximum difference between a request's date and the clock; zero for no
   *     check
   */
  private SharedKey(
      List<SignedText> texts, List<SignedText> liteTexts, Clock clock, Duration dateWindow) {
    this.texts = texts;
    this.liteTexts = liteTexts;
    this.clock = clock;
    this.dateWindow = dateWindow;
  }

  /** Returns the verifier of the table service. */
  public static SharedKey ofTables(Clock clock, Duration dateWindow) {
    return new SharedKey(
        List.of(TableSignedText::sharedKey),
        List.of(TableSignedText::sharedKeyLite),
        clock,
        dateWindow);
  }

  /** Returns the verifier of the blob and queue services. */
  public static SharedKey ofBlobsAndQueues(Clock clock, Duration dateWindow) {
    List<BlobAndQueueSignedText> orders = BlobAndQueueSignedText.ORDERS;
    return new SharedKey(
        orders.stream().<SignedText>map(order -> order::sharedKey).toList(),
        orders.stream().<SignedText>map(order -> order::sharedKeyLite).toList(),
        clock,
        dateWindow);
  }

  /**
   * Returns the number of the key that signed the request; throws unless the credentials, {@code
   * account:signature}, are valid for it.
   */
  int verify(Request request, Account account, String credentials) {
    return verify(texts, request, account, credentials);
  }

  /** Does the same as {@link #verify} for SharedKeyLite. */
  int verifyLite(Request request, Account account, String credentials) {
    return verify(liteTexts, request, account, credentials);
  }

  private int verify(List<SignedText> forms, Request request, Account account, String credentials) {
    int colon = credentials.lastIndexOf(':');
    if (colon < 0) {
      throw CommonErrors.INVALID_AUTHENTICATION_INFO.exception();
    }
    boolean named = credentials.substring(0, colon).equals(account.name());
    int key = named ? key(forms, request, account, credentials.substring(colon + 1)) : 0;
    if (key == 0) {
      throw CommonErrors.AUTHENTICATION_FAILED.exception();
    }
    return key;
  }

  /** Returns the number of the key that signed one of the texts; 0 if none did. */
  private int key(List<SignedText> forms, Request request, Account account, String signature) {
    String date = date(request);
    String path = request.rawPath().isEmpty() ? "/" : request.rawPath();
    String primary = primaryPath(request.address(), path);
    int key = key(forms, request, account, date, path, signature);
    return key == 0 && primary != null
        ? key(forms, request, account, date, primary, signature)
        : key;
  }

  private static int key(
      List<SignedText> forms,
      Request request,
      Account account,
      String date,
      String path,
      String signature) {
    for (SignedText form : forms) {
      // The text has one character per byte.
      String text = form.of(request, account.name(), date, path);
      int key = Signature.key(text, StandardCharsets.ISO_8859_1, account, signature);
      if (key > 0) {
        return key;
      }
    }
    return 0;
  }

  /**
   * Returns the path of the primary, which a client of the secondary in path style may have signed;
   * null if there is none. The path is never decoded: a signature for {@code /c/a%20b} would then
   * also open {@code /c/a%2520b}, which is another blob (auth 3.1).
   */
  private static @Nullable String primaryPath(Address address, String path) {
    return address.secondary() && !path.equals(address.path())
        ? "/" + address.account() + address.path()
        : null;
  }

  /**
   * Returns the date that was signed. Throws if there is none, or if it is too far from the clock.
   */
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
