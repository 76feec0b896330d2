package io.lazuli.server.blob.protocol;

import io.lazuli.server.access.Caller;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.error.Futures;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.event.RequestEvent.Transfer;
import io.lazuli.server.event.RequestPart;
import io.lazuli.server.http.Address;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import io.lazuli.server.http.WorkerPool;
import io.lazuli.server.protocol.ApiVersion;
import io.lazuli.server.protocol.CutPath;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Runs the parts of one batch, one after the other (blob-rest 8.5). Each part is authorised and may
 * fail by itself. All parts delete blobs, or all set tiers.
 */
final class Batch {
  private final BlobEndpoint endpoint;
  private final InnerRequests inner;
  private final WorkerPool workers;
  private final Request request;
  private final String container;
  private final List<RequestPart> answered = new ArrayList<>();
  private @Nullable BlobRoute kind;

  /**
   * @param batch the batch, sent to the account or to the container of all its parts
   */
  Batch(BlobEndpoint endpoint, InnerRequests inner, WorkerPool workers, BlobRequest batch) {
    this.endpoint = endpoint;
    this.inner = inner;
    this.workers = workers;
    this.request = batch.request();
    this.container = batch.path().first();
  }

  CompletionStage<Response> run(byte[] body) {
    List<BatchParts.Part> parts = BatchParts.parse(request, body);
    String boundary = "batchresponse_" + UUID.randomUUID();
    CompletionStage<List<Response>> answers =
        CompletableFuture.completedFuture(new ArrayList<>(parts.size()));
    for (BatchParts.Part part : parts) {
      answers =
          answers.thenCompose(
              done ->
                  workers
                      .call(() -> answer(part.request()), request.loop())
                      .thenApply(
                          answer -> {
                            done.add(answer);
                            return done;
                          }));
    }
    return answers.thenApply(
        done -> {
          request.details().parts(answered);
          return Response.of(202)
              .body(
                  "multipart/mixed; boundary=" + boundary, BatchParts.write(boundary, parts, done))
              .build();
        });
  }

  private CompletionStage<Response> answer(Request part) {
    CompletionStage<Response> answer;
    try {
      BlobRequest routed = requireFitting(addressed(part));
      answer = inner.authenticated(routed.request()).thenCompose(caller -> handle(routed, caller));
    } catch (ServiceException e) {
      answer = CompletableFuture.failedFuture(e);
    }
    return answer
        .exceptionally(failure -> refusal(part, failure))
        .thenApply(
            found -> {
              answered.add(
                  new RequestPart(
                      part.rawPath(),
                      part.details().ended(part.id(), found.status(), Transfer.NONE)));
              return complete(part, found);
            });
  }

  /**
   * Addresses a part. In path style, a part may begin with the container instead of the account
   * (blob-rest 8.5).
   */
  private Request addressed(Request part) {
    Request found = inner.addressed(part);
    Address batch = request.address();
    boolean withoutAccount =
        !container.isEmpty()
            && !container.equals(batch.account())
            && container.equals(found.address().account());
    return withoutAccount
        ? part.withAddress(
            new Address(batch.account(), batch.secondary(), part.rawPath(), batch.base()))
        : found;
  }

  private CompletionStage<Response> handle(BlobRequest part, Caller caller) {
    return workers.call(() -> endpoint.handle(part.withCaller(caller)), part.request().loop());
  }

  private BlobRequest requireFitting(Request part) {
    CutPath path = CutPath.ofBlobs(part);
    if (path == null) {
      throw BlobErrors.INVALID_INPUT.exception();
    }
    BlobRequest routed = BlobRequest.of(part, path);
    BlobRoute route = routed.route();
    boolean possible = route == BlobRoute.DELETE_BLOB || route == BlobRoute.SET_BLOB_TIER;
    boolean inside = container.isEmpty() || container.equals(path.first());
    boolean sameAccount = part.address().account().equals(request.address().account());
    if (!possible || !inside || !sameAccount || (kind != null && kind != route)) {
      throw BlobErrors.INVALID_INPUT.exception();
    }
    kind = route;
    part.details().operation(route);
    return routed;
  }

  private static Response refusal(Request part, Throwable failure) {
    Throwable cause = Futures.cause(failure);
    if (cause instanceof ServiceException expected) {
      part.details().errorCode(expected.error().code());
      return BatchParts.refusal(part, expected, Instant.now());
    }
    throw new CompletionException(cause);
  }

  private Response complete(Request part, Response answer) {
    Response.Builder out = answer.toBuilder();
    inner.commonHeaders().identify(part, ApiVersion.of(request), out);
    return out.build();
  }
}
