package io.lazuli.server.admin;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.Futures;
import io.lazuli.server.http.Endpoint;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import io.lazuli.server.http.WorkerPool;
import io.lazuli.storage.PartitionMap;
import io.lazuli.storage.StorageException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * {@code /partitions} on the admin listener: which server has which range of partitions, the load,
 * and what the balancer did. The answer is JSON, or text for people if the request accepts {@code
 * text/plain}.
 */
public final class PartitionsEndpoint implements Endpoint {
  public static final String PATH = "/partitions";
  static final String TEXT = "text/plain";

  private static final PartitionMap ONE_NODE =
      new PartitionMap(
          "one node holds everything",
          List.of(),
          List.of(),
          List.of(),
          List.of(),
          PartitionMap.Totals.NONE);

  private final Supplier<CompletableFuture<Optional<PartitionMap>>> map;
  private final WorkerPool workers;

  /**
   * @param map reads the partition map; called on a worker, because a local engine may block
   */
  public PartitionsEndpoint(
      Supplier<CompletableFuture<Optional<PartitionMap>>> map, WorkerPool workers) {
    this.map = map;
    this.workers = workers;
  }

  @Override
  public CompletionStage<Response> handle(Request request) {
    if (!request.method().equals("GET")) {
      throw CommonErrors.METHOD_NOT_ALLOWED.exception();
    }
    String accepted = request.header("Accept");
    boolean text = accepted != null && accepted.contains(TEXT);
    return workers.callBounded(
        () ->
            map.get()
                .thenApply(found -> answer(found.orElse(ONE_NODE), text))
                .exceptionally(PartitionsEndpoint::refusal),
        request.loop());
  }

  private static Response answer(PartitionMap found, boolean text) {
    return text
        ? response(200, TEXT + "; charset=utf-8", PartitionsText.of(found))
        : response(200, "application/json", PartitionsJson.of(found));
  }

  private static Response refusal(Throwable failure) {
    Throwable cause = Futures.cause(failure);
    if (cause instanceof StorageException) {
      return response(503, TEXT + "; charset=utf-8", "the cluster does not answer\n");
    }
    throw new CompletionException(cause);
  }

  private static Response response(int status, String type, String body) {
    return Response.of(status).body(type, body.getBytes(StandardCharsets.UTF_8)).build();
  }
}
