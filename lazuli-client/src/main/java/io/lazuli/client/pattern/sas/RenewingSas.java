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
 * The client's side of a SAS broker: a credential that has a valid token whenever a request is
 * made. It is both the credential and a policy of the client that uses it. Thread-safe.
 *
 * <pre>{@code
 * RenewingSas sas = RenewingSas.of(askTheBroker);
 * new TableClientBuilder().endpoint(…).tableName(…).credential(sas.credential()).addPolicy(sas)
 * }</pre>
 *
 * <p>Before the first request the broker is asked for a token. When half of the margin before its
 * end is left, requests wait for the next; before that, one is fetched beside them. There is no
 * thread and no timer: a client that makes no requests asks for nothing.
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
   * Tokens of a broker, renewed five minutes before they expire.
   *
   * @param broker asks for a token each time it is subscribed to
   */
  public static RenewingSas of(Mono<SasToken> broker) {
    return of(broker, Duration.ofMinutes(5), Clock.systemUTC());
  }

  /**
   * Tokens of a broker.
   *
   * @param margin how long before its end a token is renewed; shorter than the broker's
   */
  public static RenewingSas of(Mono<SasToken> broker, Duration margin, Clock clock) {
    return new RenewingSas(broker, margin, clock);
  }

  private static Freshness freshness(SasToken token, Duration margin) {
    Instant renewAt = token.expiresAt().minus(margin);
    return new Freshness(renewAt, renewAt.plus(margin.dividedBy(2)));
  }

  /** What to give to the builder of the client, besides this policy. */
  public AzureSasCredential credential() {
    return credential;
  }

  /** Before the credential is used, and before what repeats requests. */
  @Override
  public HttpPipelinePosition getPipelinePosition() {
    return HttpPipelinePosition.PER_CALL;
  }

  /** Sends a request when the credential has a valid token. */
  @Override
  public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
    return token.value().flatMap(valid -> next.process());
  }
}
