package io.lazuli.server.identity;

import io.lazuli.server.outbound.AllowedSource;
import io.lazuli.server.outbound.AllowedSources;
import io.lazuli.server.outbound.OutboundAnswer;
import io.lazuli.server.outbound.OutboundClient;
import io.lazuli.server.outbound.OutboundException;
import io.lazuli.server.outbound.SourceUrl;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Fetches the documents of an issuer. The operator named the issuer, so its host may have any
 * address. Its document may name another host for the keys, which must then be public: an issuer
 * must not make this server call into its own network. Redirects are not followed.
 */
final class IssuerDocuments {
  /** The most bytes of a document. */
  static final int BYTES_MAX = 512 << 10;

  /** The most time for one document, from the lookup of the host to the last byte. */
  static final Duration TIME_MAX = Duration.ofSeconds(15);

  /** The most calls at a time. */
  static final int CALLS_MAX = 8;

  /** The times of the client for these calls. */
  static final OutboundClient.Times TIMES =
      new OutboundClient.Times(Duration.ofSeconds(5), Duration.ofSeconds(5));

  private static final Map<String, String> HEADERS = Map.of("Accept", "application/json");

  private final OutboundClient client;
  private final Duration timeMax;

  IssuerDocuments(OutboundClient client, Duration timeMax) {
    this.client = client;
    this.timeMax = timeMax;
  }

  /**
   * Returns the text of a document. The stage fails with a {@link KeysException}.
   *
   * @param issuer the URL of the issuer
   */
  CompletionStage<String> get(String url, String issuer) {
    SourceUrl target = SourceUrl.parse(url);
    SourceUrl home = SourceUrl.parse(issuer.endsWith("/") ? issuer : issuer + "/");
    AllowedSource entry = target == null || home == null ? null : entry(target, home);
    if (target == null || entry == null) {
      return CompletableFuture.failedFuture(new KeysException("its address is not an https URL"));
    }
    return client
        .get(target, HEADERS, new AllowedSources(List.of(entry)))
        .thenCompose(this::whole)
        .exceptionally(
            failure -> {
              throw new CompletionException(translated(failure));
            });
  }

  /** Returns the permission to call a host; null if it must not be called. */
  private static @Nullable AllowedSource entry(SourceUrl target, SourceUrl home) {
    boolean sameHost =
        target.scheme().equals(home.scheme())
            && target.host().equals(home.host())
            && target.port() == home.port();
    if (sameHost) {
      return target.scheme().equals("https")
          ? AllowedSource.atAnyAddress(target)
          : AllowedSource.onLoopback(target);
    }
    return target.scheme().equals("https") ? AllowedSource.atPublicAddress(target) : null;
  }

  private CompletionStage<String> whole(OutboundAnswer answer) {
    CompletableFuture<String> text = new CompletableFuture<>();
    if (answer.status() == 200) {
      read(answer, new ByteArrayOutputStream(), text);
    } else {
      text.completeExceptionally(new KeysException("the answer has status " + answer.status()));
    }
    return text.orTimeout(timeMax.toMillis(), TimeUnit.MILLISECONDS)
        .whenComplete((done, failure) -> answer.close());
  }

  private static void read(
      OutboundAnswer answer, ByteArrayOutputStream held, CompletableFuture<String> text) {
    CompletionStage<?> unused =
        answer
            .read()
            .whenComplete(
                (bytes, failure) -> {
                  if (failure != null) {
                    text.completeExceptionally(failure);
                  } else if (bytes == null) {
                    text.complete(held.toString(StandardCharsets.UTF_8));
                  } else if (held.size() + bytes.remaining() > BYTES_MAX) {
                    text.completeExceptionally(new KeysException("the answer is too large"));
                  } else if (!text.isDone()) {
                    held.write(array(bytes), 0, bytes.remaining());
                    read(answer, held, text);
                  }
                });
  }

  private static byte[] array(ByteBuffer bytes) {
    byte[] copy = new byte[bytes.remaining()];
    bytes.duplicate().get(copy);
    return copy;
  }

  private static KeysException translated(Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof KeysException known) {
      return known;
    }
    return new KeysException(
        cause instanceof OutboundException outbound
            ? String.valueOf(outbound.getMessage())
            : "no answer in time");
  }
}
