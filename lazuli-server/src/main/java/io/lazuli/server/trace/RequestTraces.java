package io.lazuli.server.trace;

import io.lazuli.server.event.OperationType;
import io.lazuli.server.event.RequestEvent;
import io.lazuli.server.event.RequestListener;
import io.lazuli.server.event.RequestSource;
import io.lazuli.storage.metrics.MetricVisitor;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanLimits;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Makes a span of each finished request and sends it to a collector (OTLP over HTTP). A request
 * with the header {@code traceparent} joins the trace of its client, and is left out if the client
 * does not record that trace. Spans name operations, never paths, because keys are parts of paths.
 * Thread-safe.
 */
public final class RequestTraces implements AutoCloseable {
  private static final Duration SEND_TIME_MAX = Duration.ofSeconds(5);
  private static final Set<String> CONTEXT = Set.of("traceparent", "tracestate");

  /** Longer values are cut; the tables of an account have shorter names. */
  private static final int VALUE_LENGTH_MAX = 256;

  private final SpanQueue queue;
  private final SdkTracerProvider provider;
  private final Tracer tracer;
  private final Clock clock;

  /**
   * @param endpoint the address of a collector, such as {@code http://127.0.0.1:4318}
   */
  public RequestTraces(URI endpoint, String version, Clock clock) {
    this.clock = clock;
    this.queue =
        new SpanQueue(
            OtlpHttpSpanExporter.builder()
                .setEndpoint(endpoint.toString().replaceFirst("/*$", "") + "/v1/traces")
                .setTimeout(SEND_TIME_MAX)
                .setRetryPolicy(null)
                .build());
    this.provider =
        SdkTracerProvider.builder()
            .addSpanProcessor(queue)
            .setSampler(Sampler.parentBased(Sampler.alwaysOn()))
            .setSpanLimits(
                SpanLimits.builder().setMaxAttributeValueLength(VALUE_LENGTH_MAX).build())
            .setResource(
                Resource.builder()
                    .put("service.name", "lazuli")
                    .put("service.version", version)
                    .build())
            .build();
    this.tracer = provider.get("io.lazuli.server");
    queue.start();
  }

  /** Traces the requests to a service. */
  public RequestListener of(String service) {
    return (event, source) -> ended(service, event, source);
  }

  private void ended(String service, RequestEvent event, RequestSource source) {
    OperationType known = event.operation();
    OperationType operation = known == null ? source.operationByLine() : known;
    long end = nanos(clock.instant());
    Span span =
        tracer
            .spanBuilder(service + " " + operation.documentedName())
            .setParent(parent(source))
            .setSpanKind(SpanKind.SERVER)
            .setStartTimestamp(end - event.transfer().nanos(), TimeUnit.NANOSECONDS)
            .startSpan();
    if (span.isRecording()) {
      describe(span, service, operation, event, source);
    }
    span.end(end, TimeUnit.NANOSECONDS);
  }

  private static void describe(
      Span span,
      String service,
      OperationType operation,
      RequestEvent event,
      RequestSource source) {
    span.setAttribute("http.request.method", source.method());
    span.setAttribute("url.scheme", source.scheme());
    span.setAttribute("http.response.status_code", event.status());
    span.setAttribute("lazuli.service", service);
    span.setAttribute("lazuli.operation", operation.documentedName());
    span.setAttribute("lazuli.account", event.account());
    span.setAttribute("lazuli.request_id", event.requestId());
    span.setAttribute("lazuli.server_nanos", event.transfer().serverNanos());
    span.setAttribute("lazuli.bytes_in", event.transfer().bytesIn());
    span.setAttribute("lazuli.bytes_out", event.transfer().bytesOut());
    if (!event.table().isEmpty()) {
      span.setAttribute("lazuli.table", event.table());
    }
    if (!event.planKind().isEmpty()) {
      span.setAttribute("lazuli.plan", event.planKind());
      span.setAttribute("lazuli.entities_read", event.entitiesRead());
      span.setAttribute("lazuli.entities_returned", event.entitiesReturned());
    }
    if (!event.errorCode().isEmpty()) {
      span.setAttribute("error.type", event.errorCode());
    }
    if (event.status() >= 500) {
      span.setStatus(StatusCode.ERROR);
    }
  }

  private static Context parent(RequestSource source) {
    Map<String, String> found = new HashMap<>();
    source.visitHeaders(
        (name, value) -> {
          if (name.length() == 11 || name.length() == 10) {
            String lower = name.toString().toLowerCase(Locale.ROOT);
            if (CONTEXT.contains(lower)) {
              found.put(lower, value.toString());
            }
          }
        });
    return found.isEmpty()
        ? Context.root()
        : W3CTraceContextPropagator.getInstance().extract(Context.root(), found, new Getter());
  }

  private static final class Getter implements TextMapGetter<Map<String, String>> {
    @Override
    public Iterable<String> keys(Map<String, String> headers) {
      return headers.keySet();
    }

    @Override
    public @Nullable String get(@Nullable Map<String, String> headers, String key) {
      return headers == null ? null : headers.get(key);
    }
  }

  private static long nanos(Instant time) {
    return TimeUnit.SECONDS.toNanos(time.getEpochSecond()) + time.getNano();
  }

  /** Shows how many spans were sent and lost. */
  public void metrics(MetricVisitor visitor) {
    queue.metrics(visitor);
  }

  /** Returns one line if spans cannot be sent; empty otherwise. */
  public String trouble() {
    return queue.trouble();
  }

  /** Sends the spans that wait, for a bounded time. */
  @Override
  public void close() {
    queue.close();
    provider.close();
  }
}
