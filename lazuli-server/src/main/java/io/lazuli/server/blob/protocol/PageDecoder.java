package io.lazuli.server.blob.protocol;

import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobLimits;
import io.lazuli.server.blob.model.BlobTags;
import io.lazuli.server.blob.model.HttpProperties;
import io.lazuli.server.blob.model.SnapshotTime;
import io.lazuli.server.blob.page.SequenceChange;
import io.lazuli.server.blob.page.SequenceConditions;
import io.lazuli.server.blob.request.BlobAddress;
import io.lazuli.server.blob.request.BlobSettings;
import io.lazuli.server.blob.request.ByteRange;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.blob.request.RequestTerms;
import io.lazuli.server.blob.request.SourceAddress;
import io.lazuli.server.blob.service.BlobOperation;
import io.lazuli.server.blob.service.BlobOperation.ChangePageBlob;
import io.lazuli.server.blob.service.BlobOperation.ClearPages;
import io.lazuli.server.blob.service.BlobOperation.CreatePageBlob;
import io.lazuli.server.blob.service.BlobOperation.FindPageRanges;
import io.lazuli.server.blob.service.BlobOperation.PutPages;
import io.lazuli.server.blob.service.BlobOperation.PutPagesFromUrl;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.protocol.QueryParameters;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Decodes the requests that only page blobs have (blob-features 7). */
final class PageDecoder {
  static final String LENGTH = "x-ms-blob-content-length";
  static final String SEQUENCE_ACTION = "x-ms-sequence-number-action";
  private static final String SEQUENCE_NUMBER = "x-ms-blob-sequence-number";
  private static final String PAGE_WRITE = "x-ms-page-write";
  private static final String TIER = "x-ms-access-tier";

  private final OperationDecoder decoder;
  private final BlobRequestHeaders headers;

  PageDecoder(OperationDecoder decoder) {
    this.decoder = decoder;
    this.headers = decoder.headers();
  }

  /** Returns whether a Put Blob creates a page blob. */
  static boolean createsPageBlob(BlobRequestHeaders headers) {
    return "PageBlob".equalsIgnoreCase(headers.text("x-ms-blob-type"));
  }

  BlobOperation create() {
    BlobAddress at = decoder.base();
    requireNoBody();
    long length = length(headers.require(LENGTH));
    Long number = headers.number(SEQUENCE_NUMBER);
    if (headers.text(TIER) != null) {
      throw BlobErrors.TIER_NOT_SUPPORTED.exception();
    }
    BlobTags tags = headers.tags();
    BlobSettings settings =
        new BlobSettings(
            headers.httpWithFallback(),
            headers.metadata(),
            tags == null ? BlobTags.NONE : tags,
            null,
            headers.immutability());
    return new CreatePageBlob(
        at, settings, headers.terms(Conditions.Use.CREATE), length, number == null ? 0 : number);
  }

  /**
   * Decodes Set Blob Properties with a new length or sequence number. Without HTTP properties the
   * old ones stay.
   */
  BlobOperation change() {
    BlobAddress at = decoder.base();
    String length = headers.text(LENGTH);
    HttpProperties http = headers.replacedHttp();
    return new ChangePageBlob(
        at,
        length == null ? null : length(length),
        sequenceChange(),
        http.equals(HttpProperties.NONE) ? null : http,
        headers.terms(Conditions.Use.WRITE));
  }

  private @Nullable SequenceChange sequenceChange() {
    String action = headers.text(SEQUENCE_ACTION);
    if (action == null) {
      return null;
    }
    return switch (action.toLowerCase(Locale.ROOT)) {
      case "max" -> new SequenceChange(SequenceChange.Action.MAX, givenNumber());
      case "update" -> new SequenceChange(SequenceChange.Action.UPDATE, givenNumber());
      case "increment" -> {
        String number = headers.text(SEQUENCE_NUMBER);
        if (number != null) {
          throw BlobRequestHeaders.invalid(SEQUENCE_NUMBER, number);
        }
        yield new SequenceChange(SequenceChange.Action.INCREMENT, 0);
      }
      default -> throw BlobRequestHeaders.invalid(SEQUENCE_ACTION, action);
    };
  }

  private long givenNumber() {
    Long number = headers.number(SEQUENCE_NUMBER);
    if (number == null) {
      throw BlobRequestHeaders.invalid(SEQUENCE_NUMBER, "");
    }
    return number;
  }

  private static long length(String text) {
    try {
      long length = Long.parseLong(text);
      boolean whole = length % BlobLimits.PAGE_BYTES == 0;
      if (whole && length >= 0 && length <= BlobLimits.PAGE_BLOB_BYTES_MAX) {
        return length;
      }
    } catch (NumberFormatException e) {
      throw BlobRequestHeaders.invalid(LENGTH, text);
    }
    throw BlobRequestHeaders.invalid(LENGTH, text);
  }

  PutPages put() {
    BlobAddress at = decoder.base();
    requireUpdate();
    ByteRange range = range();
    UploadDecoder uploads = new UploadDecoder(decoder);
    long length = uploads.length(PutPages.LENGTH_MAX);
    if (length != range.length()) {
      throw BlobErrors.INVALID_PAGE_RANGE.exception();
    }
    return new PutPages(at, range, sequence(), write(), length, uploads.checksums());
  }

  BlobOperation clear() {
    BlobAddress at = decoder.base();
    requireNoBody();
    return new ClearPages(at, range(), sequence(), write());
  }

  BlobOperation putFromUrl(SourceAddress from) {
    BlobAddress at = decoder.base();
    requireUpdate();
    requireNoBody();
    ByteRange range = range();
    headers.require(CopyDecoder.SOURCE_RANGE);
    CopyDecoder copies = new CopyDecoder(decoder);
    BlobOperation.Source source = copies.part(from);
    ByteRange part = source.range();
    if (part == null || part.length() != range.length()) {
      throw BlobErrors.INVALID_PAGE_RANGE.exception();
    } else if (range.length() > PutPages.LENGTH_MAX) {
      BlobOperation.Upload.requireLength(range.length(), PutPages.LENGTH_MAX);
    }
    return new PutPagesFromUrl(at, source, range, sequence(), copies.checksums(), write());
  }

  BlobOperation ranges() {
    QueryParameters parameters = decoder.parameters();
    BlobAddress at = decoder.at();
    String url = headers.text("x-ms-previous-snapshot-url");
    if (url != null) {
      throw BlobRequestHeaders.invalid("x-ms-previous-snapshot-url", url);
    }
    String previous = parameters.text("prevsnapshot");
    String marker = parameters.text("marker");
    long max = parameters.number("maxresults", BlobLimits.PAGE_RANGES_MAX);
    if (max <= 0) {
      throw parameters.outOfRange("maxresults", 1, BlobLimits.PAGE_RANGES_MAX);
    }
    return new FindPageRanges(
        at,
        decoder.state(),
        previous.isEmpty() ? null : SnapshotTime.requireParameter(previous),
        ByteRange.parse(rangeText()),
        marker.isEmpty() ? 0 : offset(marker),
        (int) Math.min(max, BlobLimits.PAGE_RANGES_MAX),
        headers.terms(Conditions.Use.READ));
  }

  private static long offset(String marker) {
    try {
      long offset = Long.parseLong(marker);
      if (offset >= 0 && offset % BlobLimits.PAGE_BYTES == 0) {
        return offset;
      }
    } catch (NumberFormatException e) {
      throw CommonErrors.OUT_OF_RANGE_INPUT.exception();
    }
    throw CommonErrors.OUT_OF_RANGE_INPUT.exception();
  }

  private void requireUpdate() {
    String write = headers.require(PAGE_WRITE);
    if (!write.equalsIgnoreCase("update")) {
      throw BlobRequestHeaders.invalid(PAGE_WRITE, write);
    }
  }

  private void requireNoBody() {
    long length = decoder.request().request().content().length();
    if (length > 0) {
      throw BlobRequestHeaders.invalid("Content-Length", Long.toString(length));
    }
  }

  private RequestTerms write() {
    return headers.terms(Conditions.Use.WRITE);
  }

  private SequenceConditions sequence() {
    return new SequenceConditions(
        headers.number("x-ms-if-sequence-number-le"),
        headers.number("x-ms-if-sequence-number-lt"),
        headers.number("x-ms-if-sequence-number-eq"));
  }

  /** Returns the range of a write, which must be whole pages. */
  private ByteRange range() {
    String text = rangeText();
    if (text == null) {
      throw CommonErrors.MISSING_REQUIRED_HEADER.exception().with("HeaderName", "x-ms-range");
    }
    ByteRange range = ByteRange.parse(text);
    if (range == null) {
      boolean reversed = text.strip().matches("bytes=\\d+-\\d+");
      throw reversed
          ? BlobErrors.INVALID_PAGE_RANGE.exception()
          : BlobRequestHeaders.invalid("x-ms-range", text);
    } else if (range.to() == Long.MAX_VALUE) {
      throw BlobErrors.INVALID_PAGE_RANGE.exception();
    }
    boolean whole =
        range.from() % BlobLimits.PAGE_BYTES == 0 && (range.to() + 1) % BlobLimits.PAGE_BYTES == 0;
    if (!whole) {
      throw BlobErrors.INVALID_PAGE_RANGE.exception();
    }
    return range;
  }

  private @Nullable String rangeText() {
    String text = headers.text("x-ms-range");
    return text == null ? headers.text("Range") : text;
  }
}
