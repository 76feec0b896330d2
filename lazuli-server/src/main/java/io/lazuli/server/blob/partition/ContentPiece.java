package io.lazuli.server.blob.partition;

import io.lazuli.server.blob.model.Block;
import io.lazuli.server.blob.model.BlockPlace;
import io.lazuli.server.blob.request.ByteRange;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of the bytes at one place. A range of a blob is a list of pieces.
 *
 * @param place null for zeros that are stored nowhere
 */
public record ContentPiece(@Nullable BlockPlace place, long offset, long length) {
  /**
   * Returns the pieces of a range that lie in a segment, in order; empty if none do.
   *
   * @param start the offset of the segment's first byte
   */
  public static List<ContentPiece> of(long start, List<Block> blocks, ByteRange range) {
    List<ContentPiece> pieces = new ArrayList<>();
    long at = start;
    for (Block block : blocks) {
      long from = Math.max(range.from(), at);
      long end = Math.min(range.to() + 1, at + block.length());
      if (from < end) {
        pieces.add(new ContentPiece(block.place(), from - at, end - from));
      }
      at += block.length();
    }
    return pieces;
  }
}
