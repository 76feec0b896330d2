package io.lazuli.server.blob.protocol;

import io.lazuli.server.access.Access;
import io.lazuli.server.access.Caller;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.LeaseId;
import io.lazuli.server.blob.model.PublicAccess;
import io.lazuli.server.blob.request.BodyDigest;
import io.lazuli.server.blob.request.Checksums;
import io.lazuli.server.blob.request.ExpectedChecksums;
import io.lazuli.server.blob.service.BlobAction;
import io.lazuli.server.blob.service.BlobOperation;
import io.lazuli.server.blob.service.BlobOperation.ReplaceContainerAccess;
import io.lazuli.server.blob.service.BlobOperation.ReplaceTags;
import io.lazuli.server.blob.service.BlobOutcome;
import io.lazuli.server.blob.service.BlobOutcome.BlobOpened;
import io.lazuli.server.blob.service.BlobOutcome.RangeNotThere;
import io.lazuli.server.blob.service.BlobService;
import io.lazuli.server.blob.service.BlobUpload;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.http.BodyLimits;
import io.lazuli.server.http.BodySink;
import io.lazuli.server.http.Endpoint;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import io.lazuli.server.http.WorkerPool;
import io.lazuli.server.protocol.CutPath;
import io.lazuli.server.protocol.QueryParameters;
import io.lazuli.server.protocol.RequestDeadline;
import io.lazuli.server.settings.AccessPolicyXml;
import io.lazuli.server.settings.SettingsAction;
import io.lazuli.server.settings.SettingsEndpoint;
import io.lazuli.server.settings.SettingsService;
import io.lazuli.storage.Deadline;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * The HTTP face of the blob service. A request is routed, its caller judged, its head decoded; only
 * then is its body asked for, so that a client which waits with it is told early what is wrong.
 * Called on a worker; content passes on workers of its own.
 */
public final class BlobEndpoint implements Endpoint {
  /** What a policy of a container may permit. */
  private static final String POLICY_LETTERS = "racwdxyltmeopif";

  private static final int SMALL_BODY_BYTES_MAX = 64 << 10;
  private static final long PACE_BYTES = 1 << 20;

  private final BlobService service;
  private final SettingsEndpoint settings;
  private final Pools pools;
  private final Duration mibTimeMax;
  private final InnerRequests inner;

  /**
   * Where the work is done.
   *
   * @param requests the threads on which requests are answered
   * @param content the threads on which the content of blobs passes
   */
  public record Pools(WorkerPool requests, WorkerPool content) {}

  /**
   * @param inner finds out who sent the requests inside of requests
   * @param mibTimeMax a body brings a MiB in this time, or is given up
   */
  public BlobEndpoint(
      BlobService service,
      SettingsService settings,
      Pools pools,
      InnerRequests inner,
      Duration mibTimeMax) {
    this.service = service;
    this.settings = settings(settings);
    this.pools = pools;
    this.inner = inner;
    this.mibTimeMax = mibTimeMax;
  }

  /** What a request is about to do, as request logs call it; refuses what cannot be read. */
  public static String operationName(Request request) {
    if (request.method().equals("OPTIONS")) {
      return "BlobPreflightRequest";
    }
    QueryParameters parameters = new QueryParameters(request.query());
    return BlobRoute.of(request, path(request), parameters).operation(request);
  }

  /** How properties of the service and access lists of containers are written. */
  static SettingsEndpoint settings(SettingsService service) {
    return new SettingsEndpoint(
        service, POLICY_LETTERS, CommonErrors.UNSUPPORTED_HTTP_VERB, true, true);
  }

  static CutPath path(Request request) {
    CutPath path = CutPath.of(request.address().path());
    if (path == null) {
      throw CommonErrors.INVALID_URI.exception();
    }
    return path;
  }

  @Override
  public CompletionStage<Response> handle(Request request) {
    CutPath path = path(request);
    BlobRoute route = BlobRoute.of(request, path, new QueryParameters(request.query()));
    request.details().operation(route.operation(request));
    Deadline deadline = RequestDeadline.of(request);
    Caller caller = opened(request.caller(), path, deadline);
    return answer(request.withCaller(caller), route, path, deadline);
  }

  /** Who has no credentials may do what the owner of the container opened to anybody. */
  private Caller opened(Caller caller, CutPath path, Deadline deadline) {
    if (!(caller.access() instanceof Access.OfAnybody anybody)) {
      return caller;
    }
    PublicAccess level = service.publicAccess(caller.account(), path.first(), deadline);
    Access access =
        new Access.OfAnybody(
            anybody.refusal(), level != PublicAccess.NONE, level == PublicAccess.CONTAINER);
    return new Caller(caller.account(), caller.readOnly(), access);
  }

  private CompletionStage<Response> answer(
      Request request, BlobRoute route, CutPath path, Deadline deadline) {
    return switch (route) {
      case SERVICE_SETTINGS -> onSettings(request, deadline);
      case ACCOUNT_INFORMATION -> accountInformation(request);
      case BATCH ->
          withBody(
              request,
              BatchParts.BYTES_MAX,
              body -> new Batch(this, inner, pools.requests(), request, path).run(body));
      default -> {
        judge(request, route, path);
        OperationDecoder decoder = new OperationDecoder(request, path);
        decoder.headers().requireSupported();
        yield answer(request, route, decoder, deadline);
      }
    };
  }

  private void judge(Request request, BlobRoute route, CutPath path) {
    BlobAction action = route.action(request);
    Caller caller = request.caller();
    String rest = path.rest();
    if (action != null) {
      String resource = rest == null ? path.first() : path.first() + "/" + rest;
      service.requireAllowed(action, resource, caller);
    }
    // What is not committed yet is nobody's but the owner's (blob-rest 7).
    String type = new QueryParameters(request.query()).text("blocklisttype");
    boolean committed = type.isEmpty() || type.equalsIgnoreCase("committed");
    if (route == BlobRoute.BLOCK_LIST
        && !committed
        && caller.access() instanceof Access.OfAnybody anybody) {
      throw anybody.refusal().exception();
    }
  }

  private CompletionStage<Response> answer(
      Request request, BlobRoute route, OperationDecoder decoder, Deadline deadline) {
    return switch (route) {
      case PUT_BLOB, PUT_BLOCK, APPEND_BLOCK -> upload(request, route, decoder, deadline);
      case PUT_BLOCK_LIST -> putBlockList(request, decoder);
      case SET_TAGS -> setTags(request, decoder);
      case SET_CONTAINER_ACCESS -> setContainerAccess(request, decoder);
      case COPY_BLOB, PUT_BLOB_FROM_URL, PUT_BLOCK_FROM_URL, APPEND_BLOCK_FROM_URL ->
          copy(request, route, decoder, deadline);
      case ABORT_COPY -> abortCopy(decoder);
      case GET_BLOB -> get(request, decoder, deadline);
      default -> execute(request, route, decoder.decode(route), deadline);
    };
  }

  private CompletionStage<Response> onSettings(Request request, Deadline deadline) {
    QueryParameters parameters = new QueryParameters(request.query());
    String method = request.method().equals("HEAD") ? "GET" : request.method();
    if (method.equals("GET")) {
      return settings.onService(request, method, parameters, deadline);
    }
    SettingsService.requireAllowed(SettingsAction.CHANGE_SERVICE, request.caller());
    return withBody(
        request,
        SMALL_BODY_BYTES_MAX,
        body -> settings.onService(request.withBody(body), method, parameters, deadline));
  }

  /** Nothing needs to exist, and any permission is enough (blob-rest 8.4). */
  static CompletionStage<Response> accountInformation(Request request) {
    if (request.caller().access() instanceof Access.OfAnybody anybody) {
      throw anybody.refusal().exception();
    }
    return CompletableFuture.completedFuture(
        Response.of(200)
            .header("x-ms-sku-name", "Standard_LRS")
            .header("x-ms-account-kind", "StorageV2")
            .header("x-ms-is-hns-enabled", "false")
            .build());
  }

  private CompletionStage<Response> get(
      Request request, OperationDecoder decoder, Deadline deadline) {
    return service
        .execute(decoder.decode(BlobRoute.GET_BLOB), request.caller(), deadline)
        .thenApply(
            outcome -> {
              if (outcome instanceof RangeNotThere missing) {
                throw ContentAnswer.rangeNotThere(missing.length());
              }
              return new ContentAnswer(request).get((BlobOpened) outcome, pools.content());
            });
  }

  private CompletionStage<Response> upload(
      Request request, BlobRoute route, OperationDecoder decoder, Deadline deadline) {
    BlobOperation.Upload operation = new UploadDecoder(request, decoder).decode(route);
    BlobUpload upload = service.upload(operation, request.caller(), deadline);
    BodyLimits limits = new BodyLimits(operation.length(), PACE_BYTES, mibTimeMax);
    return request.content().stream(limits, new Sink(upload), pools.content())
        .thenCompose(stage -> stage)
        .thenApplyAsync(
            outcome -> new OutcomeEncoder(route, request).encode(operation, outcome),
            request.loop());
  }

  /** An upload as the place where a body goes. */
  private record Sink(BlobUpload upload) implements BodySink<CompletionStage<BlobOutcome>> {
    @Override
    public void take(ByteBuffer bytes) {
      upload.take(bytes);
    }

    @Override
    public CompletionStage<BlobOutcome> end() {
      return upload.end(RequestDeadline.behindBody());
    }

    @Override
    public void abort() {
      upload.abort();
    }
  }

  private CompletionStage<Response> putBlockList(Request request, OperationDecoder decoder) {
    decoder.requireBase();
    UploadDecoder uploads = new UploadDecoder(request, decoder);
    ExpectedChecksums expected = decoder.headers().bodyChecksums();
    uploads.length(BlockListXml.BYTES_MAX);
    BlobRoute route = BlobRoute.PUT_BLOCK_LIST;
    return withBody(
        request,
        BlockListXml.BYTES_MAX,
        body -> {
          Checksums found = checksums(body, expected, BodyDigest.both());
          BlobOperation operation = uploads.decodeBlockList(BlockListXml.parse(body));
          return execute(request, route, operation, RequestDeadline.behindBody())
              .thenApply(
                  answer -> {
                    Response.Builder out = answer.toBuilder();
                    out.header("x-ms-content-crc64", found.requireCrc64());
                    if (expected.md5() != null) {
                      out.header("Content-MD5", found.requireMd5());
                    }
                    return out.build();
                  });
        });
  }

  private static Checksums checksums(byte[] body, ExpectedChecksums expected, BodyDigest digest) {
    digest.update(body, 0, body.length);
    Checksums found = digest.finish();
    ServiceException refusal = expected.refusal(found);
    if (refusal != null) {
      throw refusal;
    }
    return found;
  }

  private CompletionStage<Response> setTags(Request request, OperationDecoder decoder) {
    decoder.requireBase();
    ExpectedChecksums expected = decoder.headers().bodyChecksums();
    return withBody(
        request,
        TagsXml.BYTES_MAX,
        body -> {
          checksums(body, expected, BodyDigest.answering(expected));
          BlobOperation operation =
              new ReplaceTags(decoder.at(), TagsXml.parse(body), decoder.headers().leaseId());
          return execute(request, BlobRoute.SET_TAGS, operation, RequestDeadline.behindBody());
        });
  }

  private CompletionStage<Response> setContainerAccess(Request request, OperationDecoder decoder) {
    return withBody(
        request,
        SMALL_BODY_BYTES_MAX,
        body -> {
          BlobOperation operation =
              new ReplaceContainerAccess(
                  decoder.container(),
                  decoder.publicAccess(),
                  AccessPolicyXml.parse(body, POLICY_LETTERS),
                  decoder.headers().containerTerms());
          return execute(
              request, BlobRoute.SET_CONTAINER_ACCESS, operation, RequestDeadline.behindBody());
        });
  }

  private CompletionStage<Response> copy(
      Request request, BlobRoute route, OperationDecoder decoder, Deadline deadline) {
    Request source = inner.source(request, decoder.headers().require(CopySourceUrl.HEADER));
    CopyDecoder copies = new CopyDecoder(request, decoder);
    // The bytes pass here instead of over the wire, and may take as long.
    Deadline whole = Deadline.after(mibTimeMax);
    return readable(request, source, deadline)
        .thenCompose(
            known -> {
              BlobOperation operation = copies.decode(route, CopyDecoder.source(source));
              return pools
                  .content()
                  .call(() -> execute(request, route, operation, whole), request.loop());
            });
  }

  /**
   * Who holds a key of the account may read all of it; who does not shows what allows the read with
   * the source's URL, or the source is open to anybody (blob-rest 10.8).
   */
  private CompletionStage<Caller> readable(Request request, Request source, Deadline deadline) {
    Caller caller = request.caller();
    String account = source.address().account();
    if (caller.access() instanceof Access.Full && account.equals(caller.account())) {
      return CompletableFuture.completedFuture(caller);
    }
    CutPath path = CutPath.of(source.address().path());
    if (path == null) {
      throw BlobErrors.COPY_SOURCE_NOT_FOUND.exception();
    }
    return inner
        .authenticated(source)
        .thenCompose(
            known ->
                pools
                    .requests()
                    .call(
                        () -> {
                          Caller reader = opened(known, path, deadline);
                          String resource = path.first() + "/" + path.rest();
                          service.requireAllowed(BlobAction.READ_BLOB, resource, reader);
                          return CompletableFuture.completedFuture(reader);
                        },
                        request.loop()))
        .exceptionally(
            failure -> {
              throw BlobErrors.COPY_SOURCE_NOT_AUTHORISED.exception();
            });
  }

  /** A copy is done before it is answered, so there is never one to abort. */
  private static CompletionStage<Response> abortCopy(OperationDecoder decoder) {
    decoder.at();
    String id = decoder.parameters().require("copyid");
    String action = decoder.headers().require("x-ms-copy-action");
    if (!action.equalsIgnoreCase("abort")) {
      throw BlobRequestHeaders.invalid("x-ms-copy-action", action);
    }
    try {
      LeaseId.require("copyid", id);
    } catch (ServiceException e) {
      throw decoder.parameters().invalid("copyid", "copyid needs to be valid Guid.");
    }
    throw BlobErrors.NO_PENDING_COPY.exception();
  }

  private CompletionStage<Response> execute(
      Request request, BlobRoute route, BlobOperation operation, Deadline deadline) {
    return service
        .execute(operation, request.caller(), deadline)
        .thenApplyAsync(
            outcome -> new OutcomeEncoder(route, request).encode(operation, outcome),
            request.loop());
  }

  /** Reads a small body and goes on with it on a worker. */
  private CompletionStage<Response> withBody(
      Request request, int bytesMax, Function<byte[], CompletionStage<Response>> work) {
    return request
        .content()
        .read(bytesMax)
        .thenCompose(body -> pools.requests().call(() -> work.apply(body), request.loop()));
  }
}
