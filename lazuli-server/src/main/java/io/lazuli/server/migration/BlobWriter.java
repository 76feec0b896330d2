package io.lazuli.server.migration;

import io.lazuli.server.access.Access;
import io.lazuli.server.access.Caller;
import io.lazuli.server.blob.model.BlobTags;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.model.BlockId;
import io.lazuli.server.blob.model.HttpProperties;
import io.lazuli.server.blob.request.BlobAddress;
import io.lazuli.server.blob.request.BlobSettings;
import io.lazuli.server.blob.request.BlockListEntry;
import io.lazuli.server.blob.request.ExpectedChecksums;
import io.lazuli.server.blob.request.RequestTerms;
import io.lazuli.server.blob.service.BlobOperation;
import io.lazuli.server.blob.service.BlobService;
import io.lazuli.server.blob.service.BlobUpload;
import io.lazuli.server.blob.tier.AccessTier;
import io.lazuli.server.error.ServiceException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes imported blobs in the way that they were written to Azurite: whole, in blocks, or by
 * appending.
 */
final class BlobWriter {
  private final BlobService blobs;
  private final Extents contents;
  private final ImportReport report;

  BlobWriter(BlobService blobs, Extents contents, ImportReport report) {
    this.blobs = blobs;
    this.contents = contents;
    this.report = report;
  }

  /**
   * Writes a blob.
   *
   * @param title the blob's name in the report
   * @throws IOException if the content cannot be read
   * @throws io.lazuli.server.error.ServiceException if the service refuses the blob
   */
  void put(
      String account, BlobAddress at, LokiDocument blob, String title, Map<String, String> metadata)
      throws IOException {
    LokiDocument properties = blob.document("properties");
    String type = properties.text("blobType");
    if (!type.equals("BlockBlob") && !type.equals("AppendBlob")) {
      throw new IOException("blobs of type " + type + " are not supported");
    }
    BlobSettings settings = settings(blob, title, metadata);
    List<LokiDocument> blocks = blob.documents("committedBlocksInOrder");
    List<Extents.Part> parts = Extents.Part.allOf(blob);
    long length = parts.stream().mapToLong(Extents.Part::count).sum();
    if (length != properties.number("contentLength")) {
      throw new IOException("its length is not the sum of its blocks' lengths");
    }
    if (type.equals("AppendBlob")) {
      append(account, at, settings, parts, properties.flag("isSealed"));
    } else if (blocks.isEmpty() || !areDistinct(blocks)) {
      upload(account, whole(at, BlobType.BLOCK, settings, length), parts);
    } else {
      commit(account, at, settings, blocks);
    }
  }

  /** Writes an uncommitted block. */
  void putBlock(String account, BlobAddress at, LokiDocument block) throws IOException {
    Extents.Part part = Extents.Part.of(block.document("persistency"));
    BlockId id = BlockId.requireParameter(block.text("name"));
    upload(
        account,
        new BlobOperation.PutBlock(at, id, null, part.count(), ExpectedChecksums.NONE),
        List.of(part));
  }

  /**
   * Returns false if two different blocks have the same id, because they cannot be staged together.
   * A list may name one block twice.
   */
  private static boolean areDistinct(List<LokiDocument> blocks) {
    Map<String, Extents.Part> byId = new HashMap<>();
    for (LokiDocument block : blocks) {
      Extents.Part part = Extents.Part.of(block.document("persistency"));
      Extents.Part other = byId.putIfAbsent(block.text("name"), part);
      if (other != null && !other.equals(part)) {
        return false;
      }
    }
    return true;
  }

  private void commit(
      String account, BlobAddress at, BlobSettings settings, List<LokiDocument> blocks)
      throws IOException {
    List<BlockListEntry> entries = new ArrayList<>();
    Map<String, BlockId> staged = new HashMap<>();
    for (LokiDocument block : blocks) {
      String name = block.text("name");
      BlockId id = staged.get(name);
      if (id == null) {
        id = BlockId.requireListed(name);
        staged.put(name, id);
        putBlock(account, at, block);
      }
      entries.add(new BlockListEntry(BlockListEntry.Source.UNCOMMITTED, id));
    }
    execute(account, new BlobOperation.PutBlockList(at, entries, settings, RequestTerms.NONE));
  }

  private void append(
      String account,
      BlobAddress at,
      BlobSettings settings,
      List<Extents.Part> parts,
      boolean sealed)
      throws IOException {
    upload(account, whole(at, BlobType.APPEND, settings, 0), List.of());
    for (Extents.Part part : parts) {
      upload(
          account,
          new BlobOperation.AppendBlock(
              at, null, null, RequestTerms.NONE, part.count(), ExpectedChecksums.NONE),
          List.of(part));
    }
    if (sealed) {
      execute(account, new BlobOperation.Seal(at, null, RequestTerms.NONE));
    }
  }

  private static BlobOperation.PutBlob whole(
      BlobAddress at, BlobType type, BlobSettings settings, long length) {
    return new BlobOperation.PutBlob(
        at, type, settings, RequestTerms.NONE, length, ExpectedChecksums.NONE);
  }

  private void execute(String account, BlobOperation operation) {
    AzuriteImport.await(
        blobs.execute(operation, AzuriteImport.owner(account), AzuriteImport.deadline()));
  }

  /**
   * Uploads bytes as the server itself, so that the MD5 is not checked: the blob's MD5 in Azurite
   * may be missing or belong to other bytes.
   */
  private void upload(String account, BlobOperation.Upload operation, List<Extents.Part> parts)
      throws IOException {
    Caller server = new Caller(account, false, new Access.OfServer());
    BlobUpload upload =
        AzuriteImport.await(blobs.upload(operation, server, AzuriteImport.deadline()));
    try {
      for (Extents.Part part : parts) {
        contents.read(part, bytes -> AzuriteImport.await(upload.take(bytes)));
      }
      AzuriteImport.await(upload.end(AzuriteImport.deadline()));
    } finally {
      upload.abort();
    }
  }

  private BlobSettings settings(LokiDocument blob, String title, Map<String, String> metadata) {
    LokiDocument properties = blob.document("properties");
    HttpProperties http =
        new HttpProperties(
            properties.findText("contentType"),
            properties.findText("contentEncoding"),
            properties.findText("contentLanguage"),
            properties.findText("contentDisposition"),
            properties.findText("cacheControl"),
            md5(properties, title));
    return new BlobSettings(http, metadata, tags(blob), tier(properties));
  }

  /** Returns the tier; null if nobody set a tier. */
  private static @Nullable AccessTier tier(LokiDocument properties) {
    String tier = properties.findText("accessTier");
    return tier == null || properties.flag("accessTierInferred") ? null : AccessTier.require(tier);
  }

  private static BlobTags tags(LokiDocument blob) {
    return BlobTags.require(
        blob.document("blobTags").documents("blobTagSet").stream()
            .map(tag -> Map.entry(tag.text("key"), tag.text("value")))
            .toList());
  }

  /**
   * Returns the MD5 in Base64. Azurite stores bytes or text. Reports a value that is not an MD5 and
   * leaves it out.
   */
  private @Nullable String md5(LokiDocument properties, String title) {
    byte[] bytes = properties.bytes("contentMD5");
    String text =
        bytes == null
            ? properties.findText("contentMD5")
            : Base64.getEncoder().encodeToString(bytes);
    try {
      return text == null || text.isEmpty() ? null : ExpectedChecksums.requireMd5(text);
    } catch (ServiceException e) {
      report.leftOut("Content-MD5 of " + title, e);
      return null;
    }
  }
}
