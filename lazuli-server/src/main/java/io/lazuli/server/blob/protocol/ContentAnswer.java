package io.lazuli.server.blob.protocol;

import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobLimits;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.HttpProperties;
import io.lazuli.server.blob.request.BodyDigest;
import io.lazuli.server.blob.request.ByteRange;
import io.lazuli.server.blob.service.BlobOutcome.BlobFound;
import io.lazuli.server.blob.service.BlobOutcome.BlobOpened;
import io.lazuli.server.blob.service.BlobReader;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.Futures;
import io.lazuli.server.error.ServiceError;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.http.BodySource;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import io.lazuli.server.http.StreamedBody;
import io.lazuli.server.http.WorkerPool;
import io.lazuli.server.pipeline.ErrorRendering;
import io.lazuli.server.protocol.ApiVersion;
import io.lazuli.server.protocol.QueryParameters;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Answers GET and HEAD of a blob (blob-rest 10.2 and 10.3). Small content is read immediately,
 * other content as fast as the client takes it.
 */
final class ContentAnswer {
  private static final String RANGE_MD5 = "x-ms-range-get-content-md5";
  private static final String RANGE_CRC64 = "x-ms-range-get-content-crc64";

  /** The first version in which GET returns the tier (blob-features 4.5). */
  private static final String TIER_VERSION = "2026-10-06";

  private final Request request;
  private final QueryParameters parameters;
  private final BlobRequestHeaders headers;

  ContentAnswer(Request request) {
    this.request = request;
    this.parameters = new QueryParameters(request.query());
    this.headers = new BlobRequestHeaders(request.headers());
  }

  Response head(BlobFound found) {
    BlobProperties blob = found.properties();
    Response.Builder out = Response.of(200);
    HttpProperties http = common(out, blob, found.now());
    BlobAnswerHeaders more = new BlobAnswerHeaders(out);
    more.set("Content-MD5", http.contentMd5());
    more.tier(blob, found.now());
    return out.body(new StreamedBody.Announced(blob.shownLength())).build();
  }

  static ServiceException rangeNotThere(long length) {
    return BlobErrors.INVALID_RANGE
        .exception()
        .with(ErrorRendering.CONTENT_RANGE, ByteRange.unsatisfiedContentRange(length));
  }

  /**
   * Returns the answer with the content. The reader is closed after the content was sent, or when
   * the answer fails.
   */
  CompletionStage<Response> get(BlobOpened opened, WorkerPool workers) {
    try {
      return content(opened, workers);
    } catch (RuntimeException | Error e) {
      opened.content().close();
      throw e;
    }
  }

  private CompletionStage<Response> content(BlobOpened opened, WorkerPool workers) {
    BlobProperties blob = opened.properties();
    ByteRange range = opened.range();
    boolean md5Asked = headers.flag(RANGE_MD5);
    boolean crc64Asked = headers.flag(RANGE_CRC64);
    requireChecksumPossible(md5Asked, crc64Asked, range);
    Response.Builder out = Response.of(range == null ? 200 : 206);
    HttpProperties http = common(out, blob, opened.now());
    BlobAnswerHeaders more = new BlobAnswerHeaders(out);
    if (range == null) {
      more.set("Content-MD5", http.contentMd5());
    } else {
      out.header("Content-Range", range.contentRange(blob.content().length()));
      more.set("x-ms-blob-content-md5", http.contentMd5());
    }
    if (ApiVersion.isFrom(request, TIER_VERSION)) {
      more.tier(blob, opened.now());
    }
    BlobReader content = opened.content();
    if (md5Asked || crc64Asked) {
      return read(content)
          .thenApply(
              bytes -> {
                checksum(out, bytes, md5Asked, crc64Asked);
                return out.body(bytes).build();
              })
          .whenComplete((answer, failure) -> content.close());
    }
    return withBody(out, content, workers);
  }

  /** Returns the answer with the content, and closes the content after it was sent. */
  static CompletionStage<Response> withBody(
      Response.Builder out, BlobReader content, WorkerPool workers) {
    return isSmall(content)
        ? read(content)
            .thenApply(bytes -> out.body(bytes).build())
            .whenComplete((answer, failure) -> content.close())
        : CompletableFuture.completedFuture(
            out.body(new StreamedBody.Pulled(new Source(content), content.length(), workers))
                .build());
  }

  private static void requireChecksumPossible(
      boolean md5, boolean crc64, @Nullable ByteRange range) {
    ServiceError tooLarge = CommonErrors.INVALID_HEADER_VALUE;
    ServiceError refusal = ByteRange.checksumRefusal(md5, crc64, range, tooLarge);
    if (tooLarge.equals(refusal)) {
      throw BlobRequestHeaders.invalid(md5 ? RANGE_MD5 : RANGE_CRC64, "true");
    } else if (refusal != null) {
      throw refusal.exception();
    }
  }

  private static void checksum(
      Response.Builder out, byte[] bytes, boolean md5Asked, boolean crc64Asked) {
    if (md5Asked || crc64Asked) {
      BodyDigest digest = md5Asked ? BodyDigest.ofMd5() : BodyDigest.ofCrc64();
      digest.update(bytes, 0, bytes.length);
      OutcomeEncoder.bodyChecksum(out, digest.finish());
    }
  }

  /** Adds the headers that GET and HEAD share; returns the HTTP properties for this caller. */
  private HttpProperties common(Response.Builder out, BlobProperties blob, long now) {
    BlobAnswerHeaders answer = new BlobAnswerHeaders(out);
    answer.blob(blob, parameters.has("snapshot"), now);
    HttpProperties http = overridden(blob.http());
    answer.http(http);
    return http;
  }

  /** Applies the response headers that a service SAS may set. */
  private HttpProperties overridden(HttpProperties http) {
    if (!request.caller().access().setsHeaders()) {
      return http;
    }
    return new HttpProperties(
        or("rsct", http.contentType()),
        or("rsce", http.contentEncoding()),
        or("rscl", http.contentLanguage()),
        or("rscd", http.contentDisposition()),
        or("rscc", http.cacheControl()),
        http.contentMd5());
  }

  /**
   * Returns the value of a parameter, or the stored value if it is missing. The name must be in
   * lower case, because the signature covers that form only. A value with control characters is
   * ignored, because it could end the header line.
   */
  private @Nullable String or(String parameter, @Nullable String stored) {
    String value = request.query().first(parameter);
    boolean usable =
        value != null && !value.isEmpty() && value.chars().allMatch(c -> c >= ' ' && c < 0x7f);
    return usable ? value : stored;
  }

  private static boolean isSmall(BlobReader content) {
    return content.length() <= BlobLimits.RECORD_BYTES_MAX;
  }

  private static CompletableFuture<byte[]> read(BlobReader content) {
    ByteBuffer bytes = ByteBuffer.allocate((int) content.length());
    return Futures.repeat(
            () -> content.read(bytes).toCompletableFuture().thenApply(read -> bytes.hasRemaining()))
        .thenApply(done -> bytes.array());
  }

  /** Streams a reader as the body of an answer. */
  private record Source(BlobReader content) implements BodySource {
    @Override
    public CompletionStage<@Nullable Void> read(ByteBuffer target) {
      return content.read(target);
    }

    @Override
    public void close() {
      content.close();
    }
  }
}
