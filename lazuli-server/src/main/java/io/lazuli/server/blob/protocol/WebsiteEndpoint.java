package io.lazuli.server.blob.protocol;

import io.lazuli.server.access.Access;
import io.lazuli.server.access.Caller;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobName;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.ContainerName;
import io.lazuli.server.blob.request.BlobAddress;
import io.lazuli.server.blob.request.ByteRange;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.blob.request.RequestTerms;
import io.lazuli.server.blob.service.BlobOperation.GetBlob;
import io.lazuli.server.blob.service.BlobOperation.ReadProperties;
import io.lazuli.server.blob.service.BlobOutcome;
import io.lazuli.server.blob.service.BlobOutcome.BlobFound;
import io.lazuli.server.blob.service.BlobOutcome.BlobOpened;
import io.lazuli.server.blob.service.BlobOutcome.RangeNotThere;
import io.lazuli.server.blob.service.BlobService;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.Futures;
import io.lazuli.server.error.ServiceError;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.event.OperationKind;
import io.lazuli.server.event.OperationType;
import io.lazuli.server.event.UnknownOperation;
import io.lazuli.server.http.Endpoint;
import io.lazuli.server.http.PercentEncoding;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import io.lazuli.server.http.StreamedBody;
import io.lazuli.server.http.WorkerPool;
import io.lazuli.server.protocol.RequestDeadline;
import io.lazuli.server.settings.StaticWebsite;
import io.lazuli.storage.Deadline;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Serves the static websites of accounts (blob-features 4.2): the blobs of {@code $web}, to
 * anybody, for GET and HEAD. It has a listener of its own, because pages run in the origin of their
 * server and must not share it with the API. The query, credentials and headers of the API mean
 * nothing here. Called on a worker thread.
 */
public final class WebsiteEndpoint implements Endpoint {
  private static final ServiceError NOT_FOUND =
      new ServiceError("WebContentNotFound", 404, "The requested content does not exist.");
  private static final ServiceError DISABLED =
      new ServiceError("WebsiteDisabled", 404, "The account has no static website.");

  private static final List<String> CONDITIONS =
      List.of("If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since");

  /** The errors of a blob that is not there. */
  private static final Set<ServiceError> MISSING =
      Set.of(BlobErrors.BLOB_NOT_FOUND, BlobErrors.CONTAINER_NOT_FOUND);

  /** The one operation of a website, by the name that it has in Azure's logs. */
  private static final OperationType GET_WEB_CONTENT =
      new OperationType() {
        @Override
        public String documentedName() {
          return "GetWebContent";
        }

        @Override
        public OperationKind kind() {
          return OperationKind.READ;
        }
      };

  private final BlobService service;
  private final Websites websites;
  private final WorkerPool content;

  /** Finds the settings of websites. */
  @FunctionalInterface
  public interface Websites {
    /** Returns the website of an account, which may be off. */
    CompletionStage<StaticWebsite> find(String account, Deadline deadline);
  }

  /**
   * @param content the threads that transfer the content of blobs
   */
  public WebsiteEndpoint(BlobService service, Websites websites, WorkerPool content) {
    this.service = service;
    this.websites = websites;
    this.content = content;
  }

  /** Finds the operation of a request. */
  public static OperationType operation(Request request) {
    return isRead(request) ? GET_WEB_CONTENT : UnknownOperation.of(request.method());
  }

  private static boolean isRead(Request request) {
    return request.method().equals("GET") || request.method().equals("HEAD");
  }

  @Override
  public CompletionStage<Response> handle(Request request) {
    request.details().operation(operation(request));
    if (!isRead(request)) {
      throw CommonErrors.UNSUPPORTED_HTTP_VERB.exception();
    }
    String path = request.address().path();
    String name = PercentEncoding.decode(path.isEmpty() ? "" : path.substring(1));
    if (name == null) {
      throw CommonErrors.INVALID_URI.exception();
    }
    Deadline deadline = RequestDeadline.afterBody();
    return websites
        .find(request.address().account(), deadline)
        .thenCompose(
            website ->
                website.enabled()
                    ? page(request, website, name, deadline)
                    : CompletableFuture.completedFuture(builtIn(request, DISABLED)));
  }

  private CompletionStage<Response> page(
      Request request, StaticWebsite website, String name, Deadline deadline) {
    boolean directory = name.isEmpty() || name.endsWith("/");
    String first = directory ? website.index(name) : name;
    // A directory may be written without its slash.
    boolean mayBeDirectory = !directory && website.indexDocument() != null;
    String second = mayBeDirectory ? website.index(name + "/") : null;
    return find(request, first, deadline)
        .thenCompose(
            page ->
                page == null
                    ? find(request, second, deadline)
                    : CompletableFuture.completedFuture(page))
        .thenCompose(
            page ->
                page == null
                    ? error(request, website, deadline)
                    : CompletableFuture.completedFuture(page));
  }

  /** Returns the answer with a blob; null if there is no such blob. */
  private CompletionStage<@Nullable Response> find(
      Request request, @Nullable String name, Deadline deadline) {
    BlobAddress at = name == null ? null : address(name);
    if (at == null) {
      return CompletableFuture.completedFuture(null);
    }
    RequestTerms terms =
        new RequestTerms(conditions(request).conditions(Conditions.Use.READ), null);
    return nullIfMissing(
        request.method().equals("HEAD")
            ? head(request, at, terms, 200, deadline)
            : get(request, at, ByteRange.parse(request.header("Range")), terms, 200, deadline));
  }

  /** Returns the answer for a path without a blob: the error document, or a page of our own. */
  private CompletionStage<Response> error(
      Request request, StaticWebsite website, Deadline deadline) {
    String path = website.errorPath();
    BlobAddress at = path == null ? null : address(path);
    if (at == null) {
      return CompletableFuture.completedFuture(builtIn(request, NOT_FOUND));
    }
    CompletionStage<Response> document =
        request.method().equals("HEAD")
            ? head(request, at, RequestTerms.NONE, NOT_FOUND.status(), deadline)
            : get(request, at, null, RequestTerms.NONE, NOT_FOUND.status(), deadline);
    return nullIfMissing(document)
        .thenApply(
            answer ->
                answer == null
                    ? builtIn(request, NOT_FOUND)
                    : answer.toBuilder().header("x-ms-error-code", NOT_FOUND.code()).build());
  }

  private CompletionStage<Response> head(
      Request request, BlobAddress at, RequestTerms terms, int status, Deadline deadline) {
    return service
        .execute(new ReadProperties(at, null, terms), reader(request), deadline)
        .thenApply(
            outcome -> {
              BlobProperties blob = ((BlobFound) outcome).properties();
              return described(blob, status)
                  .body(new StreamedBody.Announced(blob.content().length()))
                  .build();
            });
  }

  private CompletionStage<Response> get(
      Request request,
      BlobAddress at,
      @Nullable ByteRange range,
      RequestTerms terms,
      int status,
      Deadline deadline) {
    return service
        .execute(new GetBlob(at, null, range, terms), reader(request), deadline)
        .thenCompose(outcome -> opened(outcome, status));
  }

  private CompletionStage<Response> opened(BlobOutcome outcome, int status) {
    if (outcome instanceof RangeNotThere missing) {
      throw ContentAnswer.rangeNotThere(missing.length());
    }
    BlobOpened opened = (BlobOpened) outcome;
    BlobProperties blob = opened.properties();
    ByteRange range = opened.range();
    Response.Builder out = described(blob, range == null ? status : 206);
    if (range != null) {
      out.header("Content-Range", range.contentRange(blob.content().length()));
    }
    return ContentAnswer.withBody(out, opened.content(), content);
  }

  /** Returns an answer with the headers that browsers know. */
  private static Response.Builder described(BlobProperties blob, int status) {
    Response.Builder out = Response.of(status).header("Accept-Ranges", "bytes");
    BlobAnswerHeaders headers = new BlobAnswerHeaders(out).changed(blob.changedTicks());
    headers.http(blob.http());
    if (status != 206) {
      headers.set("Content-MD5", blob.http().contentMd5());
    }
    return out;
  }

  /** Returns a page of our own, for an account without one. */
  private static Response builtIn(Request request, ServiceError error) {
    request.details().errorCode(error.code());
    String text =
        "<!DOCTYPE html><html><head><title>404</title></head><body><h1>404</h1><p>"
            + error.message()
            + "</p></body></html>\n";
    byte[] page = text.getBytes(StandardCharsets.UTF_8);
    Response.Builder out = Response.of(error.status()).header("x-ms-error-code", error.code());
    return request.method().equals("HEAD")
        ? out.build()
        : out.body("text/html; charset=utf-8", page).build();
  }

  /** Returns the address of a page; null if no blob can have the name. */
  private static @Nullable BlobAddress address(String name) {
    try {
      return new BlobAddress(ContainerName.WEB, BlobName.require(name));
    } catch (ServiceException e) {
      return null;
    }
  }

  /** Returns the conditions of HTTP, without the headers of the API. */
  private static BlobRequestHeaders conditions(Request request) {
    Map<String, String> headers = new HashMap<>();
    for (String name : CONDITIONS) {
      String value = request.header(name);
      if (value != null) {
        headers.put(name.toLowerCase(Locale.ROOT), value);
      }
    }
    return new BlobRequestHeaders(new InnerHeaders(headers));
  }

  /** Returns a caller that may read blobs and nothing else. */
  private static Caller reader(Request request) {
    Access access = new Access.OfAnybody(CommonErrors.RESOURCE_NOT_FOUND, true, false);
    return new Caller(request.address().account(), true, access);
  }

  private static CompletionStage<@Nullable Response> nullIfMissing(
      CompletionStage<Response> answer) {
    return answer
        .<@Nullable Response>thenApply(found -> found)
        .exceptionally(
            failure -> {
              Throwable cause = Futures.cause(failure);
              if (cause instanceof ServiceException refusal && MISSING.contains(refusal.error())) {
                return null;
              }
              throw new CompletionException(cause);
            });
  }
}
