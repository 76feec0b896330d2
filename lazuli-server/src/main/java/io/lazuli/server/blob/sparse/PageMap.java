package io.lazuli.server.blob.sparse;

import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.server.blob.encoding.PageCodec;
import io.lazuli.server.blob.model.BlobLimits;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.page.ClearedRange;
import io.lazuli.server.blob.page.PageExtent;
import io.lazuli.server.blob.page.PageRun;
import io.lazuli.server.blob.partition.BlobRecords;
import io.lazuli.server.blob.partition.ContentPiece;
import io.lazuli.server.blob.request.ByteRange;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.LentRecord;
import io.lazuli.storage.Position;
import io.lazuli.storage.Visit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Reads the pages of one state of a page blob, outside of transactions. The state must be kept from
 * being removed for as long as it is read.
 */
public final class PageMap {
  /** Below every state: sees nothing. */
  private static final long NO_STATE = -1;

  private final BlobRecords records;
  private final long version;
  private final long state;
  private @Nullable List<ClearedRange> clears;

  public PageMap(BlobRecords records, BlobProperties blob) {
    this.records = records;
    this.version = blob.content().version();
    this.state = blob.changedTicks();
  }

  /** Receives the extents of a state, and of an older one if it was asked for. */
  public interface ExtentVisitor {
    /** Receives one extent with a row; returns false to stop. */
    boolean visit(long extent, PageExtent older, PageExtent pages);
  }

  /** Passes the extents between two indexes to a visitor, in order. */
  public CompletableFuture<@Nullable Void> visit(long from, long to, ExtentVisitor visitor) {
    return visit(from, to, NO_STATE, visitor);
  }

  /**
   * Passes the extents between two indexes to a visitor, in order, with their pages in this state
   * and in an older one of the same version.
   */
  CompletableFuture<@Nullable Void> visit(long from, long to, long older, ExtentVisitor visitor) {
    // The cleared ranges must be read before the extents. The collector removes a range once its
    // extents no longer need it.
    return clears()
        .thenCompose(
            known -> {
              Scan scan = new Scan(known, older, visitor);
              return records
                  .scan(
                      BlobRows.pageExtents(version, from),
                      BlobRows.pageExtents(version, to),
                      scan::visit)
                  .<@Nullable Void>thenApply(
                      scanned -> {
                        scan.end();
                        return null;
                      });
            });
  }

  private CompletableFuture<List<ClearedRange>> clears() {
    List<ClearedRange> known = clears;
    if (known != null) {
      return CompletableFuture.completedFuture(known);
    }
    List<ClearedRange> found = new ArrayList<>();
    return records
        .scan(
            BlobRows.pageClears(version),
            BlobRows.pageClears(version + 1),
            record -> {
              long write = BlobRows.clearWrite(Bytes.of(record.row().copy()));
              found.add(new ClearedRange(PageCodec.decodeRange(record.value().copy()), write));
              return Visit.CONTINUE;
            })
        .thenApply(
            scanned -> {
              clears = found;
              return found;
            });
  }

  /**
   * Returns the first pieces of a range; pages that are not written are pieces of zeros.
   *
   * @param max stops after the extent that reaches this number of pieces
   */
  public CompletableFuture<List<ContentPiece>> pieces(ByteRange range, int max) {
    Pieces pieces = new Pieces(range);
    return visit(
            range.from() / PageExtent.BYTES,
            range.to() / PageExtent.BYTES + 1,
            (extent, older, pages) -> {
              pieces.add(extent, pages);
              return pieces.found.size() < max;
            })
        .thenApply(
            visited -> {
              if (pieces.found.size() < max) {
                pieces.zerosUntil(range.to() + 1);
              }
              return pieces.found;
            });
  }

  /** Builds the pieces of a range from its extents; mutable. */
  private static final class Pieces {
    private final ByteRange range;
    private final List<ContentPiece> found = new ArrayList<>();
    private long next;

    Pieces(ByteRange range) {
      this.range = range;
      this.next = range.from();
    }

    void add(long extent, PageExtent pages) {
      for (PageRun run : pages.runs()) {
        long start = extent * PageExtent.BYTES + (long) run.page() * BlobLimits.PAGE_BYTES;
        long from = Math.max(start, range.from());
        long end = Math.min(start + (long) run.pages() * BlobLimits.PAGE_BYTES, range.to() + 1);
        if (from < end) {
          zerosUntil(from);
          long offset = (long) run.placePage() * BlobLimits.PAGE_BYTES + from - start;
          add(new ContentPiece(run.place(), offset, end - from));
          next = end;
        }
      }
    }

    void zerosUntil(long offset) {
      if (next < offset) {
        found.add(new ContentPiece(null, 0, offset - next));
        next = offset;
      }
    }

    /** Adds a piece, as one with the piece before if their bytes are consecutive. */
    private void add(ContentPiece piece) {
      ContentPiece last = found.isEmpty() ? null : found.get(found.size() - 1);
      boolean continues =
          last != null
              && piece.place() != null
              && piece.place().equals(last.place())
              && last.offset() + last.length() == piece.offset();
      if (last != null && continues) {
        found.set(
            found.size() - 1,
            new ContentPiece(last.place(), last.offset(), last.length() + piece.length()));
      } else {
        found.add(piece);
      }
    }
  }

  /**
   * One scan over extents, whose rows come newest first. The state sees the first row that is not
   * newer; the rows of an extent after the last one that is needed are passed over with a seek.
   */
  private final class Scan {
    private final List<ClearedRange> clears;
    private final long olderState;
    private final ExtentVisitor visitor;
    private long extent = -1;
    private @Nullable PageExtent pages;
    private @Nullable PageExtent older;
    private boolean stopped;

    Scan(List<ClearedRange> clears, long olderState, ExtentVisitor visitor) {
      this.clears = clears;
      this.olderState = olderState;
      this.visitor = visitor;
    }

    Visit visit(LentRecord record) {
      Bytes row = Bytes.of(record.row().copy());
      long at = BlobRows.extentIndex(row);
      if (at != extent) {
        end();
        extent = at;
      } else if (isComplete()) {
        return skipTo(BlobRows.pageExtents(version, at + 1));
      }
      if (stopped) {
        return Visit.STOP;
      }
      long write = BlobRows.extentWrite(row);
      if (write > state) {
        return skipTo(BlobRows.pageExtent(version, at, state));
      }
      PageExtent found = PageCodec.decodeExtent(record.value().copy());
      if (pages == null) {
        pages = seen(at, write, state, found);
      }
      if (older == null && write <= olderState) {
        older = seen(at, write, olderState, found);
      }
      return Visit.CONTINUE;
    }

    private boolean isComplete() {
      return pages != null && (older != null || olderState == NO_STATE);
    }

    private PageExtent seen(long at, long write, long inState, PageExtent found) {
      return ClearedRange.after(clears, at, write) <= inState ? PageExtent.EMPTY : found;
    }

    /** Passes the last extent on. */
    void end() {
      PageExtent found = pages;
      if (found != null && !stopped) {
        stopped = !visitor.visit(extent, older == null ? PageExtent.EMPTY : older, found);
      }
      pages = null;
      older = null;
    }

    private Visit skipTo(Bytes row) {
      return Visit.skipTo(new Position(records.partition().name(), row));
    }
  }
}
