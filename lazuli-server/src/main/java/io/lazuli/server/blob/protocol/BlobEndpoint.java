package io.lazuli.server.blob.protocol;

import io.lazuli.server.access.Access;
import io.lazuli.server.access.Caller;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.LeaseId;
import io.lazuli.server.blob.model.PublicAccess;
import io.lazuli.server.blob.request.BlobAddress;
import io.lazuli.server.blob.request.BodyDigest;
import io.lazuli.server.blob.request.Checksums;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.blob.request.ExpectedChecksums;
import io.lazuli.server.blob.request.NamedState;
import io.lazuli.server.blob.request.RequestTerms;
import io.lazuli.server.blob.request.SourceAddress;
import io.lazuli.server.blob.service.BlobAction;
import io.lazuli.server.blob.service.BlobOperation;
import io.lazuli.server.blob.service.BlobOperation.AbortCopy;
import io.lazuli.server.blob.service.BlobOperation.ReplaceContainerAccess;
import io.lazuli.server.blob.service.BlobOperation.ReplaceTags;
import io.lazuli.server.blob.service.BlobOutcome;
import io.lazuli.server.blob.service.BlobOutcome.BlobOpened;
import io.lazuli.server.blob.service.BlobOutcome.RangeNotThere;
import io.lazuli.server.blob.service.BlobService;
import io.lazuli.server.blob.service.BlobUpload;
import io.lazuli.server.delegation.DelegationKeyEndpoint;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.Futures;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.event.KeyUse;
import io.lazuli.server.event.OperationKind;
import io.lazuli.server.event.OperationType;
import io.lazuli.server.http.BodyLimits;
import io.lazuli.server.http.BodySink;
import io.lazuli.server.http.Endpoint;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import io.lazuli.server.http.WorkerPool;
import io.lazuli.server.protocol.CutPath;
import io.lazuli.server.protocol.RequestDeadline;
import io.lazuli.server.settings.AccessPolicyXml;
import io.lazuli.server.settings.SettingsAction;
import io.lazuli.server.settings.SettingsEndpoint;
import io.lazuli.server.settings.SettingsRoute;
import io.lazuli.server.settings.SettingsService;
import io.lazuli.storage.Deadline;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP endpoint of the blob service. It routes a request, checks the caller's permission and
 * decodes the head before it asks for the body. A client that waits for {@code 100 Continue} learns
 * early what is wrong. Called on a worker thread; other workers transfer content.
 */
public final class BlobEndpoint implements Endpoint {
  /** The permissions that a stored access policy of a container may grant. */
  public static final String POLICY_LETTERS = "racwdxyltmeopif";

  private static final int SMALL_BODY_BYTES_MAX = 64 << 10;
  private static final long PACE_BYTES = 1 << 20;

  private final BlobService service;
  private final SettingsEndpoint settings;
  private final Pools pools;
  private final Duration mibTimeMax;
  private final InnerRequests inner;
  private final DelegationKeyEndpoint delegationKeys;

  /**
   * The worker threads.
   *
   * @param requests the threads that answer requests
   * @param content the threads that transfer the content of blobs
   * @param listings the threads that list containers, blobs and blocks
   */
  public record Pools(WorkerPool requests, WorkerPool content, WorkerPool listings) {}

  /**
   * @param inner addresses and authenticates requests inside of requests
   * @param mibTimeMax the longest time for one MiB of a body
   */
  public BlobEndpoint(
      BlobService service,
      SettingsService settings,
      Pools pools,
      InnerRequests inner,
      DelegationKeyEndpoint delegationKeys,
      Duration mibTimeMax) {
    this.service = service;
    this.settings = settings(settings);
    this.pools = pools;
    this.inner = inner;
    this.delegationKeys = delegationKeys;
    this.mibTimeMax = mibTimeMax;
  }

  /** Finds the operation of an addressed request; throws if the service has no such operation. */
  public static OperationType operation(Request request) {
    return request.method().equals("OPTIONS")
        ? BlobRoute.BLOB_PREFLIGHT_REQUEST
        : BlobRequest.of(request).route();
  }

  /** Returns the endpoint for the properties of the service, with the rules of the blob service. */
  static SettingsEndpoint settings(SettingsService service) {
    return new SettingsEndpoint(
        service, POLICY_LETTERS, CommonErrors.UNSUPPORTED_HTTP_VERB, true, true);
  }

  @Override
  public CompletionStage<Response> handle(Request request) {
    return handle(BlobRequest.of(request));
  }

  /** Answers a routed request, whether it was sent alone or in a batch. */
  CompletionStage<Response> handle(BlobRequest routed) {
    Request request = routed.request();
    request.details().operation(routed.route());
    CutPath path = routed.path();
    if (!path.first().isEmpty()) {
      String blob = path.rest();
      request.details().keys(KeyUse.of(path.first(), blob == null ? "" : blob, null));
    }
    Deadline deadline = RequestDeadline.of(request);
    return opened(routed.caller(), routed.path(), deadline)
        .thenCompose(caller -> routed.route().handle(this, routed.withCaller(caller), deadline));
  }

  /** Gives an anonymous caller the access that the container's public access level grants. */
  private CompletionStage<Caller> opened(Caller caller, CutPath path, Deadline deadline) {
    if (!(caller.access() instanceof Access.OfAnybody anybody)) {
      return CompletableFuture.completedFuture(caller);
    }
    return service
        .publicAccess(caller.account(), path.first(), deadline)
        .thenApply(
            level -> {
              boolean blobs = level != PublicAccess.NONE;
              boolean lists = level == PublicAccess.CONTAINER;
              Access access = new Access.OfAnybody(anybody.refusal(), blobs, lists);
              return new Caller(caller.account(), caller.readOnly(), access);
            });
  }

  /** Answers a request for an operation of the blob service. */
  CompletionStage<Response> answer(
      BlobRequest routed, BlobAction action, BlobRoute.Decoding decoding, Deadline deadline) {
    service.requireAllowed(routed.action(action), routed.resource(), routed.caller());
    for (BlobAction further : routed.furtherActions()) {
      service.requireAllowed(further, routed.resource(), routed.caller());
    }
    requireCommitted(routed);
    OperationDecoder decoder = new OperationDecoder(routed);
    requireOffered(routed);
    return decoding.answer(this, decoder, deadline);
  }

  /** Throws if the request needs a feature that the server or the account does not have. */
  private void requireOffered(BlobRequest routed) {
    boolean immutability = service.offersImmutability(routed.caller().account());
    if (routed.route().isOfImmutability() && !immutability) {
      throw CommonErrors.NOT_IMPLEMENTED.exception();
    }
    boolean taken = immutability && routed.route().takesImmutability();
    routed.headers().requireSupported(routed.route(), taken);
  }

  /** Throws if an anonymous caller asks for uncommitted blocks or blobs (blob-rest 7). */
  private static void requireCommitted(BlobRequest routed) {
    if (routed.caller().access() instanceof Access.OfAnybody anybody && routed.asksUncommitted()) {
      throw anybody.refusal().exception();
    }
  }

  /** Answers a request about properties or statistics of the service. */
  CompletionStage<Response> settings(BlobRequest routed, SettingsRoute route, Deadline deadline) {
    Request request = routed.request();
    if (route.kind() == OperationKind.READ) {
      return settings.handle(route, request, "", deadline);
    }
    SettingsService.requireAllowed(SettingsAction.CHANGE_SERVICE, "", routed.caller());
    return withBody(
        request,
        SMALL_BODY_BYTES_MAX,
        body -> settings.handle(route, request.withBody(body), "", deadline));
  }

  /** Refuses a request to read a setting that the service does not have. */
  CompletionStage<Response> refuseRead(BlobRequest routed, Deadline deadline) {
    return refuseSetting(routed);
  }

  static CompletionStage<Response> refuseSetting(BlobRequest routed) {
    SettingsRoute found =
        SettingsRoute.ofService(
            routed.request(), routed.parameters(), CommonErrors.UNSUPPORTED_HTTP_VERB);
    throw new IllegalStateException(found + " is an operation");
  }

  /**
   * Refuses a request to change a setting that the service does not have, after checking the
   * permission and reading the body.
   */
  CompletionStage<Response> refuseChange(BlobRequest routed, Deadline deadline) {
    SettingsService.requireAllowed(SettingsAction.CHANGE_SERVICE, "", routed.caller());
    return withBody(routed.request(), SMALL_BODY_BYTES_MAX, body -> refuseSetting(routed));
  }

  CompletionStage<Response> batch(BlobRequest routed, Deadline deadline) {
    return withBody(
        routed.request(),
        BatchParts.BYTES_MAX,
        body -> new Batch(this, inner, pools.requests(), routed).run(body));
  }

  CompletionStage<Response> delegationKey(BlobRequest routed, Deadline deadline) {
    DelegationKeyEndpoint.requireAllowed(routed.request());
    return withBody(
        routed.request(),
        SMALL_BODY_BYTES_MAX,
        body -> delegationKeys.handle(routed.request(), body));
  }

  CompletionStage<Response> accountInformation(BlobRequest routed, Deadline deadline) {
    return accountInformation(routed.caller());
  }

  /**
   * Answers Get Account Information. The addressed resource need not exist, and any permission is
   * enough (blob-rest 8.4).
   */
  static CompletionStage<Response> accountInformation(Caller caller) {
    if (caller.access() instanceof Access.OfAnybody anybody) {
      throw anybody.refusal().exception();
    }
    if (caller.access() instanceof Access.OfRoles roles && roles.grants().isEmpty()) {
      throw CommonErrors.AUTHORIZATION_PERMISSION_MISMATCH.exception();
    }
    return CompletableFuture.completedFuture(
        Response.of(200)
            .header("x-ms-sku-name", "Standard_LRS")
            .header("x-ms-account-kind", "StorageV2")
            .header("x-ms-is-hns-enabled", "false")
            .build());
  }

  CompletionStage<Response> get(OperationDecoder decoder, Deadline deadline) {
    Request request = decoder.request().request();
    return service
        .execute(decoder.getBlob(), request.caller(), deadline)
        .thenCompose(
            outcome -> {
              if (outcome instanceof RangeNotThere missing) {
                throw ContentAnswer.rangeNotThere(missing.length());
              }
              return new ContentAnswer(request).get((BlobOpened) outcome, pools.content());
            });
  }

  CompletionStage<Response> upload(
      BlobRequest routed, BlobOperation.Upload operation, Deadline deadline) {
    Request request = routed.request();
    BodyLimits limits = new BodyLimits(operation.length(), PACE_BYTES, mibTimeMax);
    return service
        .upload(operation, routed.caller(), deadline)
        .thenCompose(upload -> request.content().stream(limits, new Sink(upload), pools.content()))
        .thenCompose(stage -> stage)
        .thenApplyAsync(outcome -> new OutcomeEncoder(routed).encode(outcome), request.loop());
  }

  CompletionStage<Response> putBlob(OperationDecoder decoder, Deadline deadline) {
    BlobRequest routed = decoder.request();
    return PageDecoder.createsPageBlob(decoder.headers())
        ? execute(routed, new PageDecoder(decoder).create(), deadline)
        : upload(routed, new UploadDecoder(decoder).putBlob(), deadline);
  }

  CompletionStage<Response> putPages(OperationDecoder decoder, Deadline deadline) {
    return decoder.headers().text(CopySourceUrl.HEADER) == null
        ? upload(decoder.request(), new PageDecoder(decoder).put(), deadline)
        : copy(decoder, (copies, from) -> new PageDecoder(decoder).putFromUrl(from), deadline);
  }

  CompletionStage<Response> clearPages(OperationDecoder decoder, Deadline deadline) {
    return execute(decoder.request(), new PageDecoder(decoder).clear(), deadline);
  }

  CompletionStage<Response> pageRanges(OperationDecoder decoder, Deadline deadline) {
    return execute(decoder.request(), new PageDecoder(decoder).ranges(), deadline);
  }

  /** Passes a body on to an upload. */
  private record Sink(BlobUpload upload) implements BodySink<CompletionStage<BlobOutcome>> {
    @Override
    public CompletionStage<@Nullable Void> take(ByteBuffer bytes) {
      return upload.take(bytes);
    }

    @Override
    public CompletionStage<BlobOutcome> end() {
      return upload.end(RequestDeadline.afterBody());
    }

    @Override
    public void abort() {
      upload.abort();
    }
  }

  CompletionStage<Response> putBlockList(OperationDecoder decoder, Deadline deadline) {
    BlobRequest routed = decoder.request();
    decoder.requireBase();
    UploadDecoder uploads = new UploadDecoder(decoder);
    ExpectedChecksums expected = decoder.headers().bodyChecksums();
    uploads.length(BlockListXml.BYTES_MAX);
    return withBody(
        routed.request(),
        BlockListXml.BYTES_MAX,
        body -> {
          Checksums found = checksums(body, expected, BodyDigest.both());
          BlobOperation operation = uploads.decodeBlockList(BlockListXml.parse(body));
          return execute(routed, operation, RequestDeadline.afterBody())
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

  CompletionStage<Response> setTags(OperationDecoder decoder, Deadline deadline) {
    BlobRequest routed = decoder.request();
    // The tags of a snapshot cannot be set (blob-features 1.3).
    if (routed.parameters().has("snapshot")) {
      throw routed.parameters().invalid("snapshot", "");
    }
    NamedState version = decoder.state();
    ExpectedChecksums expected = decoder.headers().bodyChecksums();
    new UploadDecoder(decoder).length(TagsXml.BYTES_MAX);
    RequestTerms terms = decoder.headers().tagTerms(routed.request(), Conditions.Use.WRITE);
    return withBody(
        routed.request(),
        TagsXml.BYTES_MAX,
        body -> {
          checksums(body, expected, BodyDigest.answering(expected));
          BlobOperation operation =
              new ReplaceTags(
                  decoder.at(),
                  version == null ? null : version.ticks(),
                  TagsXml.parse(body),
                  terms);
          return execute(routed, operation, RequestDeadline.afterBody());
        });
  }

  CompletionStage<Response> setContainerAccess(OperationDecoder decoder, Deadline deadline) {
    BlobRequest routed = decoder.request();
    return withBody(
        routed.request(),
        SMALL_BODY_BYTES_MAX,
        body -> {
          BlobOperation operation =
              new ReplaceContainerAccess(
                  decoder.container(),
                  decoder.publicAccess(),
                  AccessPolicyXml.parse(body, POLICY_LETTERS),
                  decoder.headers().containerTerms());
          return execute(routed, operation, RequestDeadline.afterBody());
        });
  }

  CompletionStage<Response> copy(
      OperationDecoder decoder,
      BiFunction<CopyDecoder, SourceAddress, BlobOperation> operations,
      Deadline deadline) {
    Request request = decoder.request().request();
    Request source = inner.source(request, decoder.headers().require(CopySourceUrl.HEADER));
    CopyDecoder copies = new CopyDecoder(decoder);
    // The server transfers the bytes itself, which may take as long as an upload.
    Deadline whole = Deadline.after(mibTimeMax);
    CompletionStage<SourceAddress> from =
        source == null
            ? CompletableFuture.completedFuture(copies.external())
            : readable(decoder.request(), source, deadline)
                .thenApply(known -> CopyDecoder.source(source));
    return from.thenCompose(
            address -> {
              BlobOperation operation = operations.apply(copies, address);
              return pools
                  .content()
                  .call(() -> execute(decoder.request(), operation, whole), request.loop());
            })
        .exceptionally(
            failure -> {
              throw new CompletionException(CopySourceErrors.detailed(Futures.cause(failure)));
            });
  }

  /**
   * Checks that the source of a copy may be read, and returns the caller that reads it. A signature
   * in its URL or a token for it decides alone, even if the caller has the account key. Without
   * one, the account key or a role is enough within its account, and other callers need a source
   * with public access (blob-features 5.3).
   */
  private CompletionStage<Caller> readable(BlobRequest copy, Request source, Deadline deadline) {
    Request request = copy.request();
    Caller caller = request.caller();
    String account = source.address().account();
    boolean signed = source.query().first("sig") != null;
    boolean withToken = copy.headers().text(CopyDecoder.AUTHORIZATION) != null;
    boolean ofAccount = !signed && !withToken && account.equals(caller.account());
    if (ofAccount && caller.access() instanceof Access.Full) {
      return CompletableFuture.completedFuture(caller);
    }
    CutPath path = CutPath.ofBlobs(source);
    if (path == null) {
      return CompletableFuture.failedFuture(BlobErrors.COPY_SOURCE_NOT_FOUND.exception());
    }
    boolean byRoles = ofAccount && caller.access() instanceof Access.OfRoles;
    return (byRoles ? CompletableFuture.completedStage(caller) : inner.authenticated(source))
        .thenCompose(
            known ->
                pools
                    .requests()
                    .call(
                        () ->
                            opened(known, path, deadline)
                                .thenApply(reader -> requireReader(reader, copy, path)),
                        request.loop()))
        .exceptionally(
            failure -> {
              Throwable cause = Futures.cause(failure);
              if (!(cause instanceof ServiceException refusal) || refusal.error().status() >= 500) {
                throw new CompletionException(cause);
              }
              throw signed
                  ? CopySourceErrors.refused(refusal)
                  : BlobErrors.COPY_SOURCE_NOT_AUTHORISED.exception();
            });
  }

  private Caller requireReader(Caller reader, BlobRequest copy, CutPath path) {
    String resource = path.first() + "/" + path.rest();
    service.requireAllowed(BlobAction.READ_BLOB, resource, reader);
    if (copy.headers().takesSourceTags() || copy.headers().hasSourceIfTags()) {
      service.requireAllowed(BlobAction.READ_TAGS, resource, reader);
    }
    return reader;
  }

  CompletionStage<Response> abortCopy(OperationDecoder decoder, Deadline deadline) {
    BlobAddress at = decoder.at();
    String id = decoder.parameters().require("copyid");
    String action = decoder.headers().require("x-ms-copy-action");
    if (!action.equalsIgnoreCase("abort")) {
      throw BlobRequestHeaders.invalid("x-ms-copy-action", action);
    }
    UUID copyId;
    try {
      copyId = LeaseId.require("copyid", id);
    } catch (ServiceException e) {
      throw decoder.parameters().invalid("copyid", "copyid needs to be valid Guid.");
    }
    AbortCopy abort = new AbortCopy(at, copyId, decoder.headers().leaseId());
    return execute(decoder.request(), abort, deadline);
  }

  CompletionStage<Response> execute(
      BlobRequest routed, BlobOperation operation, Deadline deadline) {
    OutcomeEncoder encoder = new OutcomeEncoder(routed);
    if (routed.route().isListing()) {
      WorkerPool listings = pools.listings();
      return listings.callBounded(
          () ->
              Futures.thenApply(
                  service.execute(operation, routed.caller(), deadline),
                  listings.orElse(Runnable::run),
                  encoder::encode),
          Runnable::run);
    }
    CompletionStage<BlobOutcome> outcome = service.execute(operation, routed.caller(), deadline);
    return routed.route().kind() == OperationKind.READ
        ? outcome.thenApply(encoder::encode)
        : outcome.thenApplyAsync(encoder::encode, routed.request().loop());
  }

  /** Reads a small body, and passes it to the work on a worker thread. */
  private CompletionStage<Response> withBody(
      Request request, int bytesMax, Function<byte[], CompletionStage<Response>> work) {
    return request
        .content()
        .read(bytesMax)
        .thenCompose(body -> pools.requests().call(() -> work.apply(body), request.loop()));
  }
}
