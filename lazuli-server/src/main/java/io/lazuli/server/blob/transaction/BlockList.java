package io.lazuli.server.blob.transaction;

import io.lazuli.server.blob.model.BlobLimits;
import io.lazuli.server.blob.model.Block;
import io.lazuli.server.blob.model.BlockId;
import io.lazuli.server.blob.model.UncommittedBlock;
import io.lazuli.server.blob.request.BlockListEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The blocks of a block list, divided into the segments that are stored. */
public record BlockList(List<Segment> segments, long length, int blocks) {
  /**
   * Consecutive blocks, at most {@link BlobLimits#SEGMENT_BLOCKS_MAX}, and the offset of the first
   * one.
   */
  public record Segment(long start, List<Block> blocks) {}

  /** Finds every block of a list. Returns empty if a block does not exist (blob-rest 11.2). */
  public static Optional<BlockList> resolve(
      List<BlockListEntry> entries,
      Map<BlockId, Block> committed,
      Map<BlockId, UncommittedBlock> uncommitted) {
    List<Block> blocks = new ArrayList<>(entries.size());
    for (BlockListEntry entry : entries) {
      Block block = find(entry, committed.get(entry.id()), uncommitted.get(entry.id()));
      if (block == null) {
        return Optional.empty();
      }
      blocks.add(block);
    }
    return Optional.of(of(blocks));
  }

  public static BlockList of(List<Block> blocks) {
    List<Segment> segments = new ArrayList<>();
    long start = 0;
    for (int at = 0; at < blocks.size(); at += BlobLimits.SEGMENT_BLOCKS_MAX) {
      int end = Math.min(blocks.size(), at + BlobLimits.SEGMENT_BLOCKS_MAX);
      List<Block> part = List.copyOf(blocks.subList(at, end));
      segments.add(new Segment(start, part));
      start += part.stream().mapToLong(Block::length).sum();
    }
    return new BlockList(segments, start, blocks.size());
  }

  private static @Nullable Block find(
      BlockListEntry entry, @Nullable Block committed, @Nullable UncommittedBlock uncommitted) {
    Block fresh =
        uncommitted == null
            ? null
            : new Block(entry.id(), uncommitted.length(), uncommitted.place());
    return switch (entry.source()) {
      case COMMITTED -> committed;
      case UNCOMMITTED -> fresh;
      case LATEST -> fresh == null ? committed : fresh;
    };
  }
}
