package io.lazuli.server.http;

import io.lazuli.server.access.Caller;
import io.lazuli.server.access.CorsRule;
import io.lazuli.server.event.MaskedText;
import io.lazuli.server.event.RequestDetails;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * One request, immutable. A step of the pipeline adds information by making a copy.
 *
 * @param id new for each request; the answer's {@code x-ms-request-id}
 * @param method the method as sent
 * @param rawPath the path as sent, one character per byte
 * @param rawQuery the query as sent, without the question mark; empty if there is none
 * @param query the decoded query; {@link Query#UNREADABLE} if it cannot be decoded
 * @param scheme {@code http} or {@code https}
 * @param remoteAddress the peer's IP address as text
 * @param arrivedNanos {@link System#nanoTime} when the head was read
 * @param content the unread body
 * @param body the body, once the pipeline has read it; empty before
 * @param addressed the address, set by the addressing step
 * @param authenticated the caller, set by the authentication step
 * @param answers bounds the memory of answers; encoders of large answers charge them there
 * @param loop the event loop that writes the answer; answers that other threads complete are
 *     encoded there too
 * @param corsRules the rules of the addressed service, set by the step that loads its settings;
 *     null if they could not be read
 * @param details collected for the request's event; the only mutable part
 */
public record Request(
    String id,
    String method,
    String rawPath,
    String rawQuery,
    Query query,
    Headers headers,
    String scheme,
    String remoteAddress,
    long arrivedNanos,
    Content content,
    byte[] body,
    @Nullable Address addressed,
    @Nullable Caller authenticated,
    @Nullable List<CorsRule> corsRules,
    RequestDetails details,
    AnswerBudget answers,
    Executor loop) {

  /** Creates a request that was just received. */
  public Request(
      String id,
      String method,
      String rawPath,
      String rawQuery,
      Headers headers,
      String scheme,
      String remoteAddress,
      long arrivedNanos,
      Content content,
      AnswerBudget answers,
      Executor loop) {
    this(
        id,
        method,
        rawPath,
        rawQuery,
        Query.tryParse(rawQuery),
        headers,
        scheme,
        remoteAddress,
        arrivedNanos,
        content,
        NO_BODY,
        null,
        null,
        List.of(),
        new RequestDetails(),
        answers,
        loop);
  }

  private static final byte[] NO_BODY = new byte[0];

  /** Returns the first value of a header; null if it was not sent. */
  public @Nullable String header(String name) {
    return headers.first(name);
  }

  /** Returns the address. Available after the addressing step. */
  public Address address() {
    return Objects.requireNonNull(addressed, "the request is not addressed yet");
  }

  /** Returns the caller. Available after the authentication step. */
  public Caller caller() {
    return Objects.requireNonNull(authenticated, "the request is not authenticated yet");
  }

  /** Omits the query and the headers, because they may contain a signature. */
  @Override
  public String toString() {
    return id + " " + method + " " + MaskedText.of(rawPath);
  }

  public Request withAddress(Address address) {
    return copy(body, address, authenticated, corsRules);
  }

  public Request withCaller(Caller caller) {
    return copy(body, addressed, caller, corsRules);
  }

  public Request withBody(byte[] newBody) {
    return copy(newBody, addressed, authenticated, corsRules);
  }

  public Request withCorsRules(@Nullable List<CorsRule> rules) {
    return copy(body, addressed, authenticated, rules);
  }

  /** Returns a request without a body that is a part of this request, or made on its behalf. */
  public Request inner(String newMethod, String target, Headers newHeaders) {
    int query = target.indexOf('?');
    return new Request(
        RequestIds.next(),
        newMethod,
        query < 0 ? target : target.substring(0, query),
        query < 0 ? "" : target.substring(query + 1),
        newHeaders,
        scheme,
        remoteAddress,
        arrivedNanos,
        Content.NONE,
        answers,
        loop);
  }

  private Request copy(
      byte[] newBody,
      @Nullable Address newAddress,
      @Nullable Caller newCaller,
      @Nullable List<CorsRule> newRules) {
    return new Request(
        id,
        method,
        rawPath,
        rawQuery,
        query,
        headers,
        scheme,
        remoteAddress,
        arrivedNanos,
        content,
        newBody,
        newAddress,
        newCaller,
        newRules,
        details,
        answers,
        loop);
  }
}
