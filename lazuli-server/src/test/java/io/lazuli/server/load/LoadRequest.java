package io.lazuli.server.load;

import io.lazuli.server.event.Authentication;
import io.lazuli.server.event.HeaderVisitor;
import io.lazuli.server.event.KeyUse;
import io.lazuli.server.event.OperationKind;
import io.lazuli.server.event.OperationType;
import io.lazuli.server.event.QueryShape;
import io.lazuli.server.event.RequestEvent;
import io.lazuli.server.event.RequestEvent.Transfer;
import io.lazuli.server.event.RequestListener;
import io.lazuli.server.event.RequestSource;
import io.lazuli.server.event.UnknownOperation;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A finished request for tests of load. Mutable while a test describes it. */
public final class LoadRequest implements RequestSource {
  private record Operation(String documentedName, OperationKind kind) implements OperationType {}

  private record Shape(String text, int partitions) implements QueryShape {
    @Override
    public String example() {
      return text.replace("?", "'x'");
    }
  }

  private static final Map<String, OperationKind> KINDS =
      Map.of("DeleteEntity", OperationKind.DELETE, "DeleteMessage", OperationKind.DELETE);

  private final Operation operation;
  public String account = "acme";
  public String resource = "Events";
  public String partition = "p";
  public @Nullable String row = "r";
  public int writes;
  public int inserts;
  public int worn;
  public @Nullable String shape;
  public int partitions;
  public String plan = "";
  public long read;
  public long returned;
  public long bytesIn;
  public long bytesOut = 500;
  public long nanos = 200_000;
  public int status = 200;
  public String code = "";
  public String peer = "192.0.2.7";
  public String target = "/acme/Events";
  public String method = "GET";
  public String id = "id";
  public final Map<String, String> headers = new java.util.LinkedHashMap<>();

  private LoadRequest(String name, OperationKind kind) {
    this.operation = new Operation(name, KINDS.getOrDefault(name, kind));
  }

  /** A point read. */
  public static LoadRequest get(String table, String partition, String row) {
    LoadRequest request = new LoadRequest("QueryEntity", OperationKind.READ);
    request.resource = table;
    request.partition = partition;
    request.row = row;
    return request;
  }

  /** A write of one entity. */
  public static LoadRequest write(String name, String table, String partition, String row) {
    LoadRequest request = new LoadRequest(name, OperationKind.WRITE);
    request.resource = table;
    request.partition = partition;
    request.row = row;
    request.writes = 1;
    request.inserts = name.startsWith("Insert") ? 1 : 0;
    request.bytesIn = 300;
    request.status = 204;
    return request;
  }

  public static LoadRequest insert(String table, String partition, String row) {
    return write("InsertEntity", table, partition, row);
  }

  /** A transaction. */
  public static LoadRequest batch(String table, String partition, int writes) {
    LoadRequest request = write("EntityGroupTransaction", table, partition, "r");
    request.row = writes == 1 ? "r" : null;
    request.writes = writes;
    request.inserts = writes;
    request.status = 202;
    return request;
  }

  /** A page of a query. */
  public static LoadRequest query(
      String table, String plan, String shape, String partition, long read, long returned) {
    LoadRequest request = new LoadRequest("QueryEntities", OperationKind.READ);
    request.resource = table;
    request.plan = plan;
    request.shape = shape;
    request.partition = partition;
    request.row = null;
    request.read = read;
    request.returned = returned;
    return request;
  }

  /** A request to a queue. */
  public static LoadRequest message(String name, String queue, int returned) {
    LoadRequest request = new LoadRequest(name, OperationKind.WRITE);
    request.resource = queue;
    request.partition = "";
    request.row = null;
    request.read = returned;
    request.returned = returned;
    return request;
  }

  /** A request to a blob, or with an empty name to its container. */
  public static LoadRequest blob(String name, String container, String blob) {
    boolean isRead = name.startsWith("Get") || name.startsWith("List");
    LoadRequest request = new LoadRequest(name, isRead ? OperationKind.READ : OperationKind.WRITE);
    request.resource = container;
    request.partition = blob;
    request.row = null;
    return request;
  }

  public LoadRequest answered(int newStatus) {
    status = newStatus;
    return this;
  }

  public void end(RequestListener listener) {
    listener.requestEnded(event(), this);
  }

  /** Returns the event. */
  public RequestEvent event() {
    String condition = shape;
    KeyUse keys =
        new KeyUse(
            resource,
            partition,
            row,
            writes,
            inserts,
            worn,
            condition == null ? null : new Shape(condition, partitions));
    return new RequestEvent(
        id,
        operation,
        account,
        resource,
        0,
        plan,
        read,
        returned,
        new Transfer(bytesIn, bytesOut, nanos, nanos, true),
        status,
        code,
        Authentication.KEY,
        null,
        null,
        resource.isEmpty() ? null : keys,
        null,
        List.of());
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
    return "127.0.0.1:10002";
  }

  @Override
  public String target() {
    return target;
  }

  @Override
  public String peerAddress() {
    return peer;
  }

  @Override
  public int peerPort() {
    return 1;
  }

  @Override
  public long contentLength() {
    return 0;
  }

  @Override
  public void visitHeaders(HeaderVisitor visitor) {
    headers.forEach(visitor::visit);
  }

  @Override
  public void visitAnswerHeaders(HeaderVisitor visitor) {}

  @Override
  public OperationType operationByLine() {
    return UnknownOperation.of(method);
  }
}
