package io.lazuli.server.migration;

import io.lazuli.server.blob.model.AccessTier;
import io.lazuli.server.blob.model.BlobTags;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.model.BlockId;
import io.lazuli.server.blob.model.ExpectedChecksums;
import io.lazuli.server.blob.model.HttpProperties;
import io.lazuli.server.blob.service.BlobAddress;
import io.lazuli.server.blob.service.BlobOperation;
import io.lazuli.server.blob.service.BlobService;
import io.lazuli.server.blob.service.BlobSettings;
import io.lazuli.server.blob.service.BlobUpload;
import io.lazuli.server.blob.service.BlockListEntry;
import io.lazuli.server.blob.service.RequestTerms;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Puts blobs of Azurite in place as they were made there: whole, by blocks, or by appending. */
final class BlobWriter {
  private static final int MD5_BYTES = 16;

  private final BlobService blobs;
  private final Extents contents;

  BlobWriter(BlobService blobs, Extents contents) {
    this.blobs = blobs;
    this.contents = contents;
  }

  /**
   * Puts a blob.
   *
   * @throws IOException if its content cannot be read
   * @throws io.lazuli.server.error.ServiceException if it is refused
   */
  void put(String account, BlobAddress at, LokiDocument blob, Map<String, String> metadata)
      throws IOException {
    LokiDocument properties = blob.document("properties");
    String type = properties.text("blobType");
    if (!type.equals("BlockBlob") && !type.equals("AppendBlob")) {
      throw new IOException("blobs of the type " + type + " are not known here");
    }
    BlobSettings settings = settings(blob, properties, metadata);
    List<LokiDocument> blocks = blob.documents("committedBlocksInOrder");
    List<Extents.Part> parts = parts(blob, blocks);
    long length = parts.stream().mapToLong(Extents.Part::count).sum();
    if (length != properties.number("contentLength")) {
      throw new IOException("its blocks do not make up its length");
    }
    if (type.equals("AppendBlob")) {
      append(account, at, settings, parts, properties.flag("isSealed"));
    } else if (blocks.isEmpty() || !areDistinct(blocks)) {
      upload(account, whole(at, BlobType.BLOCK, settings, length), parts);
    } else {
      commit(account, at, settings, blocks);
    }
  }

  /** Puts a block that waits to be committed. */
  void putBlock(String account, BlobAddress at, LokiDocument block) throws IOException {
    Extents.Part part = Extents.Part.of(block.document("persistency"));
    BlockId id = BlockId.requireParameter(block.text("name"));
    upload(
        account,
        new BlobOperation.PutBlock(at, id, null, part.count(), ExpectedChecksums.NONE),
        List.of(part));
  }

  private static List<Extents.Part> parts(LokiDocument blob, List<LokiDocument> blocks) {
    if (blocks.isEmpty()) {
      return blob.has("persistency")
          ? List.of(Extents.Part.of(blob.document("persistency")))
          : List.of();
    }
    return blocks.stream().map(each -> Extents.Part.of(each.document("persistency"))).toList();
  }

  /** A list may name a block twice, but two blocks of one id cannot be put one by one. */
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

  private void upload(String account, BlobOperation.Upload operation, List<Extents.Part> parts)
      throws IOException {
    BlobUpload upload =
        blobs.upload(operation, AzuriteImport.owner(account), AzuriteImport.deadline());
    try {
      for (Extents.Part part : parts) {
        contents.read(part, upload::take);
      }
      AzuriteImport.await(upload.end(AzuriteImport.deadline()));
    } finally {
      upload.abort();
    }
  }

  private static BlobSettings settings(
      LokiDocument blob, LokiDocument properties, Map<String, String> metadata) {
    HttpProperties http =
        new HttpProperties(
            properties.findText("contentType"),
            properties.findText("contentEncoding"),
            properties.findText("contentLanguage"),
            properties.findText("contentDisposition"),
            properties.findText("cacheControl"),
            md5(properties));
    return new BlobSettings(http, metadata, tags(blob), tier(properties));
  }

  /** A tier that nobody set is not told. */
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

  /** Bytes as JSON has them: an object with their indexes as names, or a text in Base64. */
  private static @Nullable String md5(LokiDocument properties) {
    String text = properties.findText("contentMD5");
    LokiDocument bytes = properties.document("contentMD5");
    if (text != null || bytes.members().size() != MD5_BYTES) {
      return text;
    }
    byte[] md5 = new byte[MD5_BYTES];
    for (int i = 0; i < MD5_BYTES; i++) {
      md5[i] = (byte) bytes.number(Integer.toString(i));
    }
    return Base64.getEncoder().encodeToString(md5);
  }
}
