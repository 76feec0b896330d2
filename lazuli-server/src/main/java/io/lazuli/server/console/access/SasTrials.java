package io.lazuli.server.console.access;

import io.lazuli.server.access.Access;
import io.lazuli.server.access.Permission;
import io.lazuli.server.blob.service.BlobAction;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.Futures;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.http.AnswerBudget;
import io.lazuli.server.http.Content;
import io.lazuli.server.http.Headers;
import io.lazuli.server.http.PercentEncoding;
import io.lazuli.server.http.Request;
import io.lazuli.server.queue.service.QueueAction;
import io.lazuli.server.table.model.EntityKey;
import io.lazuli.server.table.service.TableAccess;
import io.lazuli.server.table.service.TableAction;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Tries a shared access signature: the server's own rules verify it in four telling requests and
 * check its permissions. Nothing is carried out.
 */
public final class SasTrials {
  private static final String ANY = "any-name";

  /** Returns the access that a request with a signature has; fails with the refusal. */
  @FunctionalInterface
  public interface Verifier {
    CompletionStage<Access> access(String service, Request request);
  }

  /**
   * The outcome of one request.
   *
   * @param why the code of the refusal; null if it is allowed
   */
  public record Outcome(String what, @Nullable String why) {}

  /** A request of which the answer tells something. */
  private record Trial(
      String what,
      String service,
      String path,
      Permission permission,
      String resource,
      @Nullable EntityKey key) {}

  private final Verifier verifier;

  public SasTrials(Verifier verifier) {
    this.verifier = verifier;
  }

  /**
   * Tries a signature.
   *
   * @param like a request of the person who asks; the trials come from the same address
   * @param https whether clients reach the services over https
   */
  public CompletionStage<List<Outcome>> run(
      SasOrder order, String account, String token, Request like, boolean https) {
    String scheme = https ? "https" : "http";
    CompletionStage<List<Outcome>> all = CompletableFuture.completedFuture(List.of());
    for (Trial trial : trials(order)) {
      all =
          all.thenCombine(
              one(trial, order, account, token, like, scheme),
              (done, next) -> Stream.concat(done.stream(), Stream.of(next)).toList());
    }
    return all;
  }

  private CompletionStage<Outcome> one(
      Trial trial, SasOrder order, String account, String token, Request like, String scheme) {
    String at =
        switch (order.kind()) {
          case SNAPSHOT -> "snapshot=" + PercentEncoding.encode(order.at()) + "&";
          case VERSION -> "versionid=" + PercentEncoding.encode(order.at()) + "&";
          default -> "";
        };
    Request request =
        new Request(
            like.id(),
            "GET",
            "/" + account + trial.path,
            at + token,
            new NoHeaders(),
            scheme,
            like.remoteAddress(),
            0,
            Content.NONE,
            AnswerBudget.unbounded(),
            like.loop());
    CompletionStage<Access> access;
    try {
      access = verifier.access(trial.service, request);
    } catch (ServiceException refusal) {
      access = CompletableFuture.failedFuture(refusal);
    }
    return access
        .thenApply(
            granted -> {
              granted.require(trial.permission, trial.resource);
              if (trial.key != null && !TableAccess.isWithin(trial.key, granted)) {
                throw CommonErrors.AUTHORIZATION_FAILURE.exception();
              }
              return new Outcome(trial.what, null);
            })
        .exceptionally(
            failure -> {
              if (Futures.cause(failure) instanceof ServiceException refusal) {
                return new Outcome(trial.what, refusal.error().code());
              }
              throw new IllegalStateException(failure);
            });
  }

  private static List<Trial> trials(SasOrder order) {
    return switch (order.kind()) {
      case ACCOUNT ->
          List.of(
              table("List the tables", "/Tables", TableAction.QUERY_TABLES, "", null),
              table("Read an entity", "/x", TableAction.READ, "x", null),
              blob("Write a blob", ANY + "/x", BlobAction.CREATE_BLOB),
              queue("Delete a queue", ANY, QueueAction.DELETE_QUEUE));
      case TABLE -> ofTable(order);
      case QUEUE ->
          List.of(
              queue("Look at messages", order.resource(), QueueAction.PEEK_MESSAGES),
              queue("Put a message", order.resource(), QueueAction.PUT_MESSAGE),
              queue("Take a message", order.resource(), QueueAction.GET_MESSAGES),
              queue("Clear the queue", order.resource(), QueueAction.CLEAR_MESSAGES));
      case CONTAINER ->
          List.of(
              blob("List the blobs", order.resource(), BlobAction.LIST_BLOBS),
              blob("Read a blob", order.resource() + "/x", BlobAction.READ_BLOB),
              blob("Write a blob", order.resource() + "/x", BlobAction.CREATE_BLOB),
              blob("Delete the container", order.resource(), BlobAction.DELETE_CONTAINER));
      case DIRECTORY ->
          List.of(
              blob("Read a blob in it", order.resource() + "/x", BlobAction.READ_BLOB),
              blob("Write a blob in it", order.resource() + "/x", BlobAction.CREATE_BLOB),
              blob("Delete a blob in it", order.resource() + "/x", BlobAction.DELETE_BLOB),
              blob("Read a blob elsewhere", other(order), BlobAction.READ_BLOB));
      case BLOB, SNAPSHOT, VERSION ->
          List.of(
              blob("Read it", order.resource(), BlobAction.READ_BLOB),
              blob("Write it", order.resource(), BlobAction.CHANGE_BLOB),
              blob("Delete it", order.resource(), BlobAction.DELETE_BLOB),
              blob("Read another blob", other(order), BlobAction.READ_BLOB));
    };
  }

  private static List<Trial> ofTable(SasOrder order) {
    String table = order.signedName();
    String path = "/" + PercentEncoding.encode(order.resource());
    SasOrder.Keys keys = order.keys();
    String partition = keys.fromPartition().isEmpty() ? keys.toPartition() : keys.fromPartition();
    EntityKey inside =
        keys.fromPartition().isEmpty()
            ? new EntityKey(partition, keys.toRow())
            : new EntityKey(partition, keys.fromRow());
    EntityKey outside =
        keys.toPartition().isEmpty()
            ? new EntityKey("", "")
            : new EntityKey(keys.toPartition() + "~", "");
    String of = keys.isAll() ? "" : " of partition ‘" + partition + "’";
    return List.of(
        table("Read an entity" + of, path, TableAction.READ, table, inside),
        table("Add an entity" + of, path, TableAction.INSERT, table, inside),
        table("Delete an entity" + of, path, TableAction.DELETE, table, inside),
        keys.isAll()
            ? table("List the tables", "/Tables", TableAction.QUERY_TABLES, "", null)
            : table(
                "Read an entity of partition ‘" + outside.partitionKey() + "’",
                path,
                TableAction.READ,
                table,
                outside));
  }

  private static String other(SasOrder order) {
    String container = order.resource().substring(0, order.resource().indexOf('/'));
    return container + "/" + ANY + order.resource().length();
  }

  private static Trial table(
      String what, String path, TableAction action, String table, @Nullable EntityKey key) {
    return new Trial(what, "table", path, action.permission(), table.toLowerCase(Locale.ROOT), key);
  }

  private static Trial queue(String what, String queue, QueueAction action) {
    String path = "/" + PercentEncoding.encode(queue);
    return new Trial(what, "queue", path, action.permission(), queue, null);
  }

  private static Trial blob(String what, String name, BlobAction action) {
    String path = "/" + PercentEncoding.encode(name).replace("%2F", "/");
    return new Trial(what, "blob", path, action.permission(), name, null);
  }

  /** A request with a signature in its query needs no headers. */
  private static final class NoHeaders implements Headers {
    @Override
    public @Nullable String first(String name) {
      return null;
    }

    @Override
    public List<String> all(String name) {
      return List.of();
    }

    @Override
    public Set<String> names() {
      return Set.of();
    }
  }
}
