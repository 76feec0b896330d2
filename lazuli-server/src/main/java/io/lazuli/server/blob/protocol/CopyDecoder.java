package io.lazuli.server.blob.protocol;

import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobName;
import io.lazuli.server.blob.model.BlobTags;
import io.lazuli.server.blob.model.ContainerName;
import io.lazuli.server.blob.request.BlobAddress;
import io.lazuli.server.blob.request.ByteRange;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.blob.request.CopySource;
import io.lazuli.server.blob.request.ExpectedChecksums;
import io.lazuli.server.blob.request.ExternalSource;
import io.lazuli.server.blob.request.SourceAddress;
import io.lazuli.server.blob.service.BlobOperation;
import io.lazuli.server.blob.service.BlobOperation.AppendBlockFromUrl;
import io.lazuli.server.blob.service.BlobOperation.CopyBlob;
import io.lazuli.server.blob.service.BlobOperation.PutBlobFromUrl;
import io.lazuli.server.blob.service.BlobOperation.PutBlockFromUrl;
import io.lazuli.server.blob.service.BlobOperation.Source;
import io.lazuli.server.blob.tier.RehydratePriority;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.http.Request;
import io.lazuli.server.protocol.CutPath;
import io.lazuli.server.protocol.QueryParameters;
import org.jspecify.annotations.Nullable;

/** Decodes requests that take content from another blob. */
final class CopyDecoder {
  static final String SOURCE_RANGE = "x-ms-source-range";

  /** The credentials for the source. */
  static final String AUTHORIZATION = "x-ms-copy-source-authorization";

  private final Request request;
  private final OperationDecoder decoder;
  private final BlobRequestHeaders headers;

  CopyDecoder(OperationDecoder decoder) {
    this.request = decoder.request().request();
    this.decoder = decoder;
    this.headers = decoder.headers();
  }

  /**
   * Returns the blob that the URL of a source names; throws {@code CannotVerifyCopySource} if it
   * does not name a blob.
   *
   * @param source the URL as an addressed request
   */
  static CopySource source(Request source) {
    CutPath path = CutPath.ofBlobs(source);
    String blob = path == null ? null : path.rest();
    if (path == null || blob == null) {
      throw BlobErrors.COPY_SOURCE_NOT_FOUND.exception();
    }
    QueryParameters parameters = new QueryParameters(source.query());
    return new CopySource(
        source.address().account(),
        ContainerName.require(path.first()),
        BlobName.require(blob),
        OperationDecoder.state(parameters));
  }

  /** Returns the source that a URL names on another server. */
  SourceAddress external() {
    if (headers.takesSourceTags()) {
      throw BlobRequestHeaders.invalid(BlobRequestHeaders.TAG_OPTION, "COPY");
    }
    String authorization = headers.text(AUTHORIZATION);
    if (authorization != null && !authorization.matches("[\\x20-\\x7e]+")) {
      throw BlobRequestHeaders.invalid(AUTHORIZATION, "");
    }
    return new ExternalSource(headers.require(CopySourceUrl.HEADER), authorization);
  }

  BlobOperation putBlock(SourceAddress from) {
    BlobAddress at = withoutBody();
    return new PutBlockFromUrl(
        at, new UploadDecoder(decoder).blockId(), part(from), checksums(), headers.leaseId());
  }

  BlobOperation appendBlock(SourceAddress from) {
    BlobAddress at = withoutBody();
    return new AppendBlockFromUrl(
        at,
        part(from),
        headers.number("x-ms-blob-condition-appendpos"),
        headers.number("x-ms-blob-condition-maxsize"),
        checksums(),
        headers.terms(Conditions.Use.WRITE));
  }

  /**
   * Returns the blob of a request without a body. A body is refused, because the server would
   * ignore it.
   */
  private BlobAddress withoutBody() {
    decoder.requireBase();
    long length = request.content().length();
    if (length > 0) {
      throw BlobRequestHeaders.invalid("Content-Length", Long.toString(length));
    }
    return decoder.at();
  }

  BlobOperation copyBlob(SourceAddress from) {
    decoder.requireBase();
    BlobAddress at = decoder.at();
    boolean synchronous = headers.flag("x-ms-requires-sync");
    if (!synchronous && headers.text(AUTHORIZATION) != null) {
      throw BlobErrors.UNSUPPORTED_HEADER.exception().with("HeaderName", AUTHORIZATION);
    }
    String seal = headers.text("x-ms-seal-blob");
    RehydratePriority priority = headers.rehydratePriority();
    return new CopyBlob(
        at,
        whole(from, synchronous ? Conditions.Use.URL_SOURCE : Conditions.Use.COPY_SOURCE),
        CopySourceUrl.withoutSignature(headers.require(CopySourceUrl.HEADER)),
        headers.metadataIfAny(),
        tags(),
        headers.tier(),
        headers.immutability(),
        priority == null ? RehydratePriority.STANDARD : priority,
        seal == null ? null : headers.flag("x-ms-seal-blob"),
        synchronous,
        synchronous ? checksums() : ExpectedChecksums.NONE,
        headers.terms(synchronous ? Conditions.Use.CREATE : Conditions.Use.COPY_TARGET));
  }

  BlobOperation putBlob(SourceAddress from) {
    BlobAddress at = withoutBody();
    String type = headers.require("x-ms-blob-type");
    if (!type.equalsIgnoreCase("BlockBlob")) {
      throw BlobRequestHeaders.invalid("x-ms-blob-type", type);
    }
    String taken = headers.text("x-ms-copy-source-blob-properties");
    boolean takesHttp = taken == null || taken.equalsIgnoreCase("true");
    return new PutBlobFromUrl(
        at,
        whole(from, Conditions.Use.COPY_SOURCE),
        takesHttp ? headers.http() : headers.httpOfNewBlob(),
        takesHttp,
        headers.metadataIfAny(),
        tags(),
        headers.tier(),
        checksums(),
        headers.terms(Conditions.Use.URL_TARGET));
  }

  /** Returns the tags of the copy; null if the request asks for the tags of the source. */
  private @Nullable BlobTags tags() {
    BlobTags given = headers.tags();
    if (headers.takesSourceTags() && given != null) {
      throw BlobErrors.TAGS_GIVEN_TWICE.exception();
    }
    if (headers.takesSourceTags()) {
      return null;
    }
    return given == null ? BlobTags.NONE : given;
  }

  ExpectedChecksums checksums() {
    return headers
        .sourceChecksums()
        .answeringBoth(BlobRequestHeaders.answersBothChecksums(request));
  }

  /** Returns a source that is copied whole. Copy Blob From URL ignores conditions on its tags. */
  private Source whole(SourceAddress from, Conditions.Use use) {
    Conditions conditions =
        use == Conditions.Use.COPY_SOURCE
            ? headers.sourceConditionsWithTags()
            : headers.sourceConditions();
    if (conditions.ifTags() != null && from instanceof ExternalSource) {
      // Other servers do not know tags, so the condition would be ignored.
      throw BlobErrors.UNSUPPORTED_HEADER
          .exception()
          .with("HeaderName", BlobRequestHeaders.SOURCE_IF_TAGS);
    }
    return new Source(from, conditions, use, headers.sourceLeaseId(), null);
  }

  Source part(SourceAddress from) {
    String text = headers.text(SOURCE_RANGE);
    ByteRange range = ByteRange.parse(text);
    if (text != null && range == null) {
      throw invalidRange(text);
    }
    Conditions conditions = headers.sourceConditions();
    return new Source(from, conditions, Conditions.Use.URL_SOURCE, headers.sourceLeaseId(), range);
  }

  private static ServiceException invalidRange(String text) {
    return BlobRequestHeaders.invalid(SOURCE_RANGE, text);
  }
}
