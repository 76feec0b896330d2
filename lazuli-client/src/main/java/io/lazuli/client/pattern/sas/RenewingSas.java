package io.lazuli.client.pattern.sas;

import com.azure.core.credential.AzureSasCredential;
import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpPipelinePosition;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import io.lazuli.client.refresh.Freshness;
import io.lazuli.client.refresh.Refreshed;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import reactor.core.publisher.Mono;

/**
 * The client's side of a SAS broker: a credential that has a valid token for every request. It
 * provides the credential and is also a policy of the client that uses it. Thread-safe.
 *
 * <pre>{@code
 * RenewingSas sas = RenewingSas.of(askTheBroker);
 * new TableClientBuilder().endpoint(…).tableName(…).credential(sas.credential()).addPolicy(sas)
 * }</pre>
 *
 * <p>The first request asks the broker for a token. When a token expires within the margin, a
 * request uses it and starts to fetch the next token in the background. When the token expires
 * within half of the margin, requests wait for the next token. There is no thread and no timer: a
 * client that sends no requests does not call the broker.
 */
public final class RenewingSas implements HttpPipelinePolicy {
  private final AzureSasCredential credential = new AzureSasCredential("sig=none-yet");
  private final Refreshed<SasToken> token;

  private RenewingSas(Mono<SasToken> broker, Duration margin, Clock clock) {
    this.token =
        new Refreshed<>(
            broker.doOnNext(fresh -> credential.update(fresh.signature())),
            fresh -> freshness(fresh, margin),
            clock);
  }

  /**
   * Returns a credential that uses the tokens of a broker and renews them five minutes before they
   * expire.
   *
   * @param broker requests a token each time it is subscribed to
   */
  public static RenewingSas of(Mono<SasToken> broker) {
    return of(broker, Duration.ofMinutes(5), Clock.systemUTC());
  }

  /**
   * Returns a credential that uses the tokens of a broker.
   *
   * @param margin how long before its expiry a token is renewed; it must be shorter than the
   *     broker's margin
   */
  public static RenewingSas of(Mono<SasToken> broker, Duration margin, Clock clock) {
    return new RenewingSas(broker, margin, clock);
  }

  private static Freshness freshness(SasToken token, Duration margin) {
    Instant renewAt = token.expiresAt().minus(margin);
    return new Freshness(renewAt, renewAt.plus(margin.dividedBy(2)));
  }

  /** Returns the credential to give to the client's builder, in addition to this policy. */
  public AzureSasCredential credential() {
    return credential;
  }

  /** Runs once per call: before the credential is used, and before the retry policy. */
  @Override
  public HttpPipelinePosition getPipelinePosition() {
    return HttpPipelinePosition.PER_CALL;
  }

  /** Sends a request once the credential has a valid token. */
  @Override
  public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
    return token.value().flatMap(valid -> next.process());
  }
}
