package io.lazuli.server.requestlog;

import io.lazuli.server.event.Authentication;
import io.lazuli.server.event.DocumentedOperation;
import io.lazuli.server.event.HeaderVisitor;
import io.lazuli.server.event.LogSelection;
import io.lazuli.server.event.MetricsSelection;
import io.lazuli.server.event.OperationType;
import io.lazuli.server.event.RequestEvent;
import io.lazuli.server.event.RequestEvent.Transfer;
import io.lazuli.server.event.RequestSource;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A finished request, built by hand. Mutable while a test describes it. */
public final class TestRequest implements RequestSource {
  static final LogSelection ALL = new LogSelection("1.0", true, true, true);

  public String service = "table";
  public String account = "acme";
  public String operation = "QueryEntities";
  public String method = "GET";
  public String host = "127.0.0.1:10002";
  public String target = "/acme/Employees()?$top=10";
  public String errorCode = "";
  public int status = 200;
  public long returned;
  public Authentication authentication = Authentication.KEY;
  LogSelection selection = ALL;
  public @Nullable MetricsSelection metrics;
  public Transfer transfer = new Transfer(0, 1024, 39_000_000, 22_000_000, true);
  public long contentLength;
  public int port = 4362;
  public String address = "192.0.2.7";
  public String requestId = "668a4744-7eb3-4e8f-b8d3-fbfd3829715b";
  public final Map<String, String> headers = new LinkedHashMap<>();
  public final Map<String, String> answer = new LinkedHashMap<>();

  public RequestEvent event() {
    return new RequestEvent(
        requestId,
        operation.isEmpty() ? null : new DocumentedOperation(operation),
        account,
        "",
        0,
        "",
        returned,
        returned,
        transfer,
        status,
        errorCode,
        authentication,
        selection,
        metrics,
        null,
        null,
        List.of());
  }

  /** Returns the request as it would be queued if it began at that time. */
  LoggedRequest startedAt(String time) {
    Instant start = Instant.parse(time);
    long ticks = start.getEpochSecond() * 10_000_000 + start.getNano() / 100;
    return LoggedRequest.of(
        service,
        event(),
        selection,
        ticks + transfer.nanos() / 100,
        new DocumentedOperation(operation),
        new DocumentedOperation(operation).kind(returned),
        this);
  }

  String line(String time) {
    return text(new LogLineWriter().line(startedAt(time)));
  }

  static String text(LineBytes line) {
    byte[] bytes = new byte[line.length()];
    line.copyTo(bytes, 0);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @Override
  public String method() {
    return method;
  }

  @Override
  public String scheme() {
    return "http";
  }

  @Override
  public String host() {
    return host;
  }

  @Override
  public String target() {
    return target;
  }

  @Override
  public String peerAddress() {
    return address;
  }

  @Override
  public int peerPort() {
    return port;
  }

  @Override
  public long contentLength() {
    return contentLength;
  }

  @Override
  public void visitHeaders(HeaderVisitor visitor) {
    headers.forEach(visitor::visit);
  }

  @Override
  public void visitAnswerHeaders(HeaderVisitor visitor) {
    answer.forEach(visitor::visit);
  }

  @Override
  public OperationType operationByLine() {
    return new DocumentedOperation("ByLine");
  }
}
