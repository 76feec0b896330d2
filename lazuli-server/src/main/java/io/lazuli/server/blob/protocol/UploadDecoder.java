package io.lazuli.server.blob.protocol;

import io.lazuli.server.blob.model.BlobTags;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.model.BlockId;
import io.lazuli.server.blob.model.HttpProperties;
import io.lazuli.server.blob.request.BlobAddress;
import io.lazuli.server.blob.request.BlobSettings;
import io.lazuli.server.blob.request.BlockListEntry;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.blob.request.ExpectedChecksums;
import io.lazuli.server.blob.service.BlobOperation.AppendBlock;
import io.lazuli.server.blob.service.BlobOperation.PutBlob;
import io.lazuli.server.blob.service.BlobOperation.PutBlock;
import io.lazuli.server.blob.service.BlobOperation.PutBlockList;
import io.lazuli.server.blob.service.BlobOperation.Upload;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.http.Request;
import java.util.List;

/** Decodes requests with content, before their bodies are read. */
final class UploadDecoder {
  private final Request request;
  private final OperationDecoder decoder;
  private final BlobRequestHeaders headers;

  UploadDecoder(OperationDecoder decoder) {
    this.request = decoder.request().request();
    this.decoder = decoder;
    this.headers = decoder.headers();
  }

  /** Returns the Put Block List operation with the entries that were read from the body. */
  PutBlockList decodeBlockList(List<BlockListEntry> entries) {
    return new PutBlockList(
        decoder.at(),
        entries,
        settings(headers.httpOfNewBlob()),
        headers.terms(Conditions.Use.CREATE));
  }

  /**
   * Returns the parameter {@code blockid} with its plus signs. The query parser turned unescaped
   * plus signs into spaces, and Base64 contains no spaces.
   */
  BlockId blockId() {
    return BlockId.requireParameter(decoder.parameters().require("blockid").replace(' ', '+'));
  }

  /** Returns the length of the body; throws if the request does not state it. */
  long length(long bytesMax) {
    long length = request.content().length();
    if (length < 0) {
      throw CommonErrors.MISSING_CONTENT_LENGTH_HEADER.exception();
    }
    Upload.requireLength(length, bytesMax);
    return length;
  }

  Upload putBlob() {
    BlobAddress at = decoder.base();
    BlobType type = type();
    long length = length(PutBlob.LENGTH_MAX);
    if (type == BlobType.APPEND && length > 0) {
      throw wrongLength(length);
    }
    return new PutBlob(
        at,
        type,
        settings(headers.httpWithFallback()),
        headers.terms(Conditions.Use.CREATE),
        length,
        checksums());
  }

  private BlobType type() {
    String text = headers.require("x-ms-blob-type");
    for (BlobType type : BlobType.values()) {
      if (type.text().equalsIgnoreCase(text)) {
        return type;
      }
    }
    throw BlobRequestHeaders.invalid("x-ms-blob-type", text);
  }

  Upload putBlock() {
    BlobAddress at = decoder.base();
    BlockId id = blockId();
    long length = someLength(PutBlock.LENGTH_MAX);
    return new PutBlock(at, id, headers.leaseId(), length, checksums());
  }

  Upload appendBlock() {
    return new AppendBlock(
        decoder.base(),
        headers.number("x-ms-blob-condition-appendpos"),
        headers.number("x-ms-blob-condition-maxsize"),
        headers.terms(Conditions.Use.WRITE),
        someLength(AppendBlock.LENGTH_MAX),
        checksums());
  }

  private long someLength(long bytesMax) {
    long length = length(bytesMax);
    if (length == 0) {
      throw wrongLength(length);
    }
    return length;
  }

  private static ServiceException wrongLength(long length) {
    return BlobRequestHeaders.invalid("Content-Length", Long.toString(length));
  }

  ExpectedChecksums checksums() {
    return headers.bodyChecksums().answeringBoth(BlobRequestHeaders.answersBothChecksums(request));
  }

  private BlobSettings settings(HttpProperties http) {
    BlobTags tags = headers.tags();
    return new BlobSettings(
        http,
        headers.metadata(),
        tags == null ? BlobTags.NONE : tags,
        headers.tier(),
        headers.immutability());
  }
}
