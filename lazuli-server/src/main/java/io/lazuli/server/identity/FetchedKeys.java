package io.lazuli.server.identity;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.nimbusds.jose.util.JSONObjectUtils;
import java.text.ParseException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys of an issuer that is asked for them. They stay in force while the issuer cannot be
 * reached. Strangers can send tokens with unknown keys, so the issuer is asked once in {@link
 * #PAUSE_MIN} at most, whoever wants it. No thread waits for the issuer.
 */
final class FetchedKeys implements IssuerKeys {
  private static final Logger LOG = LoggerFactory.getLogger(FetchedKeys.class);

  /** The least time between two calls of an issuer. */
  static final Duration PAUSE_MIN = Duration.ofSeconds(30);

  /** The time after which keys are fetched again although no token needs new ones. */
  static final Duration REFRESH_PERIOD = Duration.ofHours(1);

  /** Fetches a document of the issuer. */
  @FunctionalInterface
  interface Documents {
    CompletionStage<String> get(String url, String issuer);
  }

  private final Issuer issuer;
  private final Documents documents;
  private final LongSupplier nanoTime;
  private volatile KeySet keys = KeySet.NONE;
  private volatile String problem = "";

  @GuardedBy("this")
  private @Nullable CompletableFuture<KeySet> running;

  @GuardedBy("this")
  private long begun;

  @GuardedBy("this")
  private boolean asked;

  FetchedKeys(Issuer issuer, Documents documents, LongSupplier nanoTime) {
    this.issuer = issuer;
    this.documents = documents;
    this.nanoTime = nanoTime;
  }

  @Override
  public KeySet current() {
    return keys;
  }

  @Override
  public CompletionStage<KeySet> newer() {
    return afterPause(PAUSE_MIN);
  }

  /** Fetches the keys if that is due. */
  void refresh() {
    CompletionStage<KeySet> unused = afterPause(problem.isEmpty() ? REFRESH_PERIOD : PAUSE_MIN);
  }

  private CompletionStage<KeySet> afterPause(Duration pause) {
    CompletableFuture<KeySet> fetched;
    synchronized (this) {
      if (running != null) {
        return running;
      } else if (asked && nanoTime.getAsLong() - begun < pause.toNanos()) {
        return CompletableFuture.completedFuture(keys);
      }
      asked = true;
      begun = nanoTime.getAsLong();
      fetched = new CompletableFuture<>();
      running = fetched;
    }
    CompletionStage<?> unused =
        fetch()
            .whenComplete(
                (fresh, failure) -> {
                  ended(fresh, failure);
                  fetched.complete(keys);
                });
    return fetched;
  }

  private CompletionStage<KeySet> fetch() {
    return documents
        .get(issuer.documentUrl(), issuer.url())
        .thenCompose(document -> documents.get(keysUrl(document), issuer.url()))
        .thenApply(FetchedKeys::parsed);
  }

  private static KeySet parsed(String json) {
    try {
      KeySet keys = KeySet.parse(json);
      if (keys.isEmpty()) {
        throw new KeysException("there are none");
      }
      return keys;
    } catch (KeysException e) {
      throw new CompletionException(e);
    }
  }

  /** Returns the address of the keys in the issuer's document (OpenID Connect Discovery, 4.3). */
  private String keysUrl(String document) {
    try {
      Map<String, Object> members = JSONObjectUtils.parse(document, IssuerDocuments.BYTES_MAX);
      String name = JSONObjectUtils.getString(members, "issuer");
      String url = JSONObjectUtils.getString(members, "jwks_uri");
      if (name == null || !issuer.isNamed(name)) {
        throw new CompletionException(
            new KeysException("its document has another issuer: " + shown(name)));
      }
      return String.valueOf(url);
    } catch (ParseException e) {
      throw new CompletionException(new KeysException("its document is not the expected JSON"));
    }
  }

  private static String shown(@Nullable String name) {
    return name == null || !name.matches("[\\x21-\\x7e]{1,300}") ? "none" : name;
  }

  private void ended(@Nullable KeySet fresh, @Nullable Throwable failure) {
    if (fresh != null && !fresh.equals(keys)) {
      keys = fresh;
    }
    String before = problem;
    problem = failure == null ? "" : reason(failure);
    synchronized (this) {
      running = null;
    }
    if (!problem.isEmpty() && !problem.equals(before)) {
      LOG.warn(trouble());
    } else if (problem.isEmpty() && !before.isEmpty()) {
      LOG.info("the keys of the issuer {} were fetched", issuer.url());
    }
  }

  private static String reason(Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause instanceof KeysException known ? known.getMessage() : cause.toString();
  }

  @Override
  public String trouble() {
    String found = problem;
    if (found.isEmpty()) {
      return "";
    }
    return "the keys of the issuer "
        + issuer.url()
        + " cannot be fetched: "
        + found
        + (keys.isEmpty() ? "; its tokens are refused" : "; the last ones stay in use");
  }
}
