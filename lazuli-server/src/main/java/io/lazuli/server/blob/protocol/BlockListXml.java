package io.lazuli.server.blob.protocol;

import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobLimits;
import io.lazuli.server.blob.model.BlockId;
import io.lazuli.server.blob.request.BlockListEntry;
import io.lazuli.server.blob.request.BlockListEntry.Source;
import io.lazuli.server.blob.service.BlobOutcome.BlocksFound;
import io.lazuli.server.blob.service.BlobOutcome.ListedBlock;
import io.lazuli.server.blob.service.BlobOutcome.ListedBlocks;
import io.lazuli.server.http.AnswerBuffer;
import io.lazuli.server.wire.InvalidXml;
import io.lazuli.server.wire.XmlElement;
import io.lazuli.server.wire.XmlWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads and writes block lists as XML (blob-rest 11.2 and 11.3). */
final class BlockListXml {
  /**
   * The maximum length of a document: enough for the maximum number of blocks, with the longest ids
   * and elements, and white space.
   */
  static final int BYTES_MAX = 8 << 20;

  private BlockListXml() {}

  static List<BlockListEntry> parse(byte[] document) {
    XmlElement root = XmlElement.parse(document, BYTES_MAX).require("BlockList");
    if (root.children().size() > BlobLimits.COMMITTED_BLOCKS_MAX) {
      throw BlobErrors.BLOCK_LIST_TOO_LONG.exception();
    }
    List<BlockListEntry> entries = new ArrayList<>(root.children().size());
    for (XmlElement element : root.children()) {
      entries.add(
          new BlockListEntry(source(element.name()), BlockId.requireListed(element.text())));
    }
    return entries;
  }

  private static Source source(String name) {
    return switch (name) {
      case "Latest" -> Source.LATEST;
      case "Uncommitted" -> Source.UNCOMMITTED;
      case "Committed" -> Source.COMMITTED;
      default -> throw InvalidXml.because("");
    };
  }

  static void write(BlocksFound found, AnswerBuffer answer) {
    XmlWriter out = new XmlWriter();
    out.element(
        "BlockList",
        () -> {
          write(out, "CommittedBlocks", found.committed(), answer);
          write(out, "UncommittedBlocks", found.uncommitted(), answer);
        });
    answer.add(out.take());
  }

  private static void write(
      XmlWriter out, String name, @Nullable ListedBlocks blocks, AnswerBuffer answer) {
    if (blocks != null) {
      out.element(
          name,
          () -> {
            for (ListedBlock block : blocks) {
              write(out, block);
              answer.addIfLong(out::length, out::take);
            }
          });
    }
  }

  private static void write(XmlWriter out, ListedBlock block) {
    out.element(
        "Block",
        () -> {
          out.text("Name", block.id().text());
          out.text("Size", Long.toString(block.length()));
        });
  }
}
