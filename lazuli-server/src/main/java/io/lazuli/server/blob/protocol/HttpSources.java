package io.lazuli.server.blob.protocol;

import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.model.HttpProperties;
import io.lazuli.server.blob.request.ByteRange;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.blob.request.ETagCondition;
import io.lazuli.server.blob.request.ExternalSource;
import io.lazuli.server.blob.service.BlobOperation.Source;
import io.lazuli.server.blob.service.ExternalContent;
import io.lazuli.server.blob.service.ExternalSources;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.Futures;
import io.lazuli.server.error.ServiceError;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.http.HttpDate;
import io.lazuli.server.outbound.OutboundAnswer;
import io.lazuli.server.outbound.OutboundClient;
import io.lazuli.server.outbound.OutboundException;
import io.lazuli.server.outbound.SourceUrl;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads sources of copies with GET. Of the request of the caller, only the conditions on the
 * source, the range and the credentials for the source are passed on. Of an answer that is not a
 * success, only the status and the code are shown (blob-features 5.5).
 */
public final class HttpSources implements ExternalSources {
  /** The version of the protocol, for sources that speak it. */
  private static final String VERSION = "2021-12-02";

  private static final Pattern CONTENT_RANGE =
      Pattern.compile("bytes ([0-9]{1,18})-([0-9]{1,18})/([0-9]{1,18}|\\*)");

  private static final String CODE = "[A-Za-z0-9]{1,64}";
  private static final String SOURCE_TEXT = "Could not verify the copy source.";

  private final OutboundClient client;

  public HttpSources(OutboundClient client) {
    this.client = client;
  }

  @Override
  public CompletionStage<ExternalContent> open(Source source) {
    ExternalSource from = (ExternalSource) source.from();
    SourceUrl url = SourceUrl.parse(from.url());
    if (url == null) {
      return CompletableFuture.failedFuture(
          BlobRequestHeaders.invalid(
              CopySourceUrl.HEADER, CopySourceUrl.withoutSignature(from.url())));
    }
    return client
        .get(url, headers(source, from))
        .handle(
            (answer, failure) -> {
              if (failure != null) {
                throw translated(failure);
              }
              return opened(answer, source);
            });
  }

  private static Map<String, String> headers(Source source, ExternalSource from) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Accept", "*/*");
    headers.put("Accept-Encoding", "identity");
    headers.put("User-Agent", "Lazuli");
    headers.put("x-ms-version", VERSION);
    if (from.authorization() != null) {
      headers.put("Authorization", from.authorization());
    }
    Conditions conditions = source.conditions();
    putTag(headers, "If-Match", conditions.ifMatch());
    putTag(headers, "If-None-Match", conditions.ifNoneMatch());
    putDate(headers, "If-Modified-Since", conditions.ifModifiedSince());
    putDate(headers, "If-Unmodified-Since", conditions.ifUnmodifiedSince());
    ByteRange range = source.range();
    if (range != null) {
      String end = range.to() == Long.MAX_VALUE ? "" : Long.toString(range.to());
      headers.put("Range", "bytes=" + range.from() + "-" + end);
    }
    return headers;
  }

  private static void putTag(
      Map<String, String> headers, String name, @Nullable ETagCondition condition) {
    if (condition != null) {
      String tags =
          condition.tags().stream().map(tag -> "\"" + tag + "\"").collect(Collectors.joining(", "));
      headers.put(name, condition.any() ? "*" : tags);
    }
  }

  private static void putDate(Map<String, String> headers, String name, @Nullable Instant time) {
    if (time != null) {
      headers.put(name, HttpDate.format(time));
    }
  }

  private static ExternalContent opened(OutboundAnswer answer, Source source) {
    ServiceException refusal = refusal(answer, source);
    Opened opened = refusal == null ? Opened.of(answer, source.range()) : null;
    if (opened == null) {
      answer.close();
      throw refusal == null ? unusable(answer) : refusal;
    }
    return opened;
  }

  private static @Nullable ServiceException refusal(OutboundAnswer answer, Source source) {
    int status = answer.status();
    if (status == (source.range() == null ? 200 : 206)) {
      return null;
    }
    boolean condition = status == 304 || status == 412;
    if (condition && source.use() == Conditions.Use.COPY_SOURCE) {
      return BlobErrors.SOURCE_CONDITION_NOT_MET.exception();
    } else if (status == 416) {
      return BlobErrors.INVALID_RANGE.exception();
    } else if (status < 300 || (status < 400 && status != 304)) {
      return unusable(answer);
    }
    String text = status == 404 ? BlobErrors.BLOB_NOT_FOUND.message() : SOURCE_TEXT;
    return detailed(new ServiceError("CannotVerifyCopySource", status, text), answer);
  }

  private static ServiceException unusable(OutboundAnswer answer) {
    return detailed(BlobErrors.COPY_SOURCE_UNUSABLE, answer);
  }

  private static ServiceException detailed(ServiceError error, OutboundAnswer answer) {
    ServiceException exception =
        error.exception().with("CopySourceStatusCode", Integer.toString(answer.status()));
    String code = answer.header("x-ms-error-code");
    return code != null && code.matches(CODE)
        ? exception.with("CopySourceErrorCode", code)
        : exception;
  }

  private static CompletionException translated(Throwable failure) {
    Throwable cause = Futures.cause(failure);
    if (!(cause instanceof OutboundException outbound)) {
      return new CompletionException(cause);
    }
    return switch (outbound.kind()) {
      case NOT_LISTED, FORBIDDEN_ADDRESS ->
          BlobErrors.COPY_SOURCE_NOT_LISTED.exception().with("CopySourceStatusCode", "403");
      case UNREACHABLE -> BlobErrors.COPY_SOURCE_UNREACHABLE.exception();
      case BUSY -> CommonErrors.SERVER_BUSY.exception();
    };
  }

  /** A source that answered with content. */
  private record Opened(OutboundAnswer answer, BlobType type, long length)
      implements ExternalContent {
    /**
     * Returns null if the answer cannot be copied. Of page blobs, only parts can: a whole one would
     * become a blob of another type.
     */
    static @Nullable Opened of(OutboundAnswer answer, @Nullable ByteRange part) {
      String length = answer.header("Content-Length");
      String kind = answer.header("x-ms-blob-type");
      BlobType type =
          part != null || kind == null || kind.equals(BlobType.BLOCK.text())
              ? BlobType.BLOCK
              : kind.equals(BlobType.APPEND.text()) ? BlobType.APPEND : null;
      boolean known = length != null && length.matches("[0-9]{1,18}");
      boolean encoded = answer.header("Transfer-Encoding") != null;
      if (type == null || length == null || !known || encoded) {
        return null;
      }
      Opened opened = new Opened(answer, type, Long.parseLong(length));
      return part == null || opened.isPart(part) ? opened : null;
    }

    /**
     * Returns whether the source sent the bytes that it was asked for. A source may send fewer at
     * the end of its content.
     */
    private boolean isPart(ByteRange asked) {
      String sent = answer.header("Content-Range");
      Matcher range = CONTENT_RANGE.matcher(sent == null ? "" : sent);
      if (!range.matches()) {
        return false;
      }
      long from = Long.parseLong(range.group(1));
      long to = Long.parseLong(range.group(2));
      return from == asked.from() && to <= asked.to() && length == to - from + 1;
    }

    @Override
    public HttpProperties http() {
      String md5 = answer.header("x-ms-blob-content-md5");
      return new HttpProperties(
          text("Content-Type"),
          text("Content-Encoding"),
          text("Content-Language"),
          text("Content-Disposition"),
          text("Cache-Control"),
          md5 == null ? text("Content-MD5") : md5);
    }

    /** Returns a header, unless it is longer than a property may be. */
    private @Nullable String text(String name) {
      String value = answer.header(name);
      return value == null || value.length() > 8 << 10 ? null : value;
    }

    @Override
    public Map<String, String> metadata() {
      return answer.headersWith("x-ms-meta-");
    }

    @Override
    public @Nullable String etag() {
      String tag = answer.header("ETag");
      boolean strong = tag != null && tag.matches("\"[\\x21\\x23-\\x7e]{1,200}\"");
      return tag == null || !strong ? null : tag.substring(1, tag.length() - 1);
    }

    @Override
    public CompletionStage<@Nullable ByteBuffer> read() {
      return answer
          .read()
          .exceptionally(
              failure -> {
                throw translated(failure);
              });
    }

    @Override
    public void close() {
      answer.close();
    }
  }
}
