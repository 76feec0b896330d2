package io.lazuli.server.blob.service;

import io.lazuli.server.blob.garbage.PartitionUse;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobLimits;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.partition.BlobRecords;
import io.lazuli.server.blob.partition.NewContent;
import io.lazuli.server.blob.request.BlobAddress;
import io.lazuli.server.blob.request.BlobSettings;
import io.lazuli.server.blob.request.ByteRange;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.blob.request.NamedState;
import io.lazuli.server.blob.service.BlobOperation.ChangePageBlob;
import io.lazuli.server.blob.service.BlobOperation.ClearPages;
import io.lazuli.server.blob.service.BlobOperation.CreatePageBlob;
import io.lazuli.server.blob.service.BlobOperation.FindPageRanges;
import io.lazuli.server.blob.service.BlobOutcome.BlobChanged;
import io.lazuli.server.blob.service.BlobOutcome.PageRangesFound;
import io.lazuli.server.blob.sparse.ChangePagesBody;
import io.lazuli.server.blob.sparse.ClearPagesBody;
import io.lazuli.server.blob.sparse.CreatePagesBody;
import io.lazuli.server.blob.sparse.PageRanges;
import io.lazuli.server.blob.sparse.PageTerms;
import io.lazuli.server.blob.transaction.BlobTerms;
import io.lazuli.server.blob.transaction.NewBlob;
import io.lazuli.server.blob.transaction.PutBlobBody;
import io.lazuli.server.blob.transaction.TransactionResult;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Partition;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.TransactionBody;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The operations that only page blobs have, except those with a body. */
final class BlobPages {
  private final StorageEngine engine;
  private final BlobPartitions partitions;
  private final PartitionUse use;

  BlobPages(StorageEngine engine, BlobPartitions partitions, PartitionUse use) {
    this.engine = engine;
    this.partitions = partitions;
    this.use = use;
  }

  /**
   * Creates or replaces a page blob.
   *
   * @param mayOverwrite false if the caller may only create new blobs
   */
  CompletableFuture<BlobOutcome> create(
      String account, CreatePageBlob create, boolean mayOverwrite, Deadline deadline) {
    BlobSettings settings = create.settings();
    NewBlob blob =
        new NewBlob(
            BlobType.PAGE,
            settings.http(),
            settings.metadata(),
            settings.tags(),
            null,
            settings.immutability(),
            null);
    BlobTerms terms = BlobTerms.of(create.terms(), engine, mayOverwrite);
    NewContent nothing = NewContent.ofBytes(new byte[0]);
    PutBlobBody put = new PutBlobBody(terms, Conditions.Use.CREATE, blob, nothing);
    return run(
        account,
        create.at(),
        new CreatePagesBody(put, create.length(), create.sequenceNumber()),
        deadline);
  }

  CompletableFuture<BlobOutcome> change(String account, ChangePageBlob change, Deadline deadline) {
    BlobTerms terms = new BlobTerms(change.terms(), engine.now());
    return run(
        account,
        change.at(),
        new ChangePagesBody(terms, change.length(), change.sequence(), change.http()),
        deadline);
  }

  CompletableFuture<BlobOutcome> clear(String account, ClearPages clear, Deadline deadline) {
    BlobTerms terms = new BlobTerms(clear.terms(), engine.now());
    return run(
        account,
        clear.at(),
        new ClearPagesBody(new PageTerms(terms, clear.sequence()), clear.range()),
        deadline);
  }

  private CompletableFuture<BlobOutcome> run(
      String account,
      BlobAddress at,
      TransactionBody<TransactionResult<BlobProperties>> body,
      Deadline deadline) {
    return partitions
        .writing(account, at, deadline, body)
        .thenApply(result -> new BlobChanged(result.orThrow()));
  }

  CompletableFuture<BlobOutcome> ranges(String account, FindPageRanges find, Deadline deadline) {
    return partitions.onBlob(
        account,
        find.at(),
        deadline,
        // Two states are compared, so nothing may be removed until both were read.
        partition -> use.during(partition, () -> ranges(partition, find, deadline)));
  }

  private CompletableFuture<BlobOutcome> ranges(
      Partition partition, FindPageRanges find, Deadline deadline) {
    BlobRecords records = new BlobRecords(engine, partition, deadline);
    return records
        .find(find.state())
        .thenCompose(
            found -> {
              BlobProperties blob = require(found, find);
              return previous(records, blob, find)
                  .thenCompose(previous -> ranges(records, blob, previous, find));
            });
  }

  private BlobProperties require(@Nullable BlobProperties blob, FindPageRanges find) {
    BlobTerms terms = new BlobTerms(find.terms(), engine.now());
    Refusals.check(terms.readRefusal(Conditions.Use.READ, blob));
    if (blob == null) {
      throw BlobErrors.BLOB_NOT_FOUND.exception();
    } else if (blob.type() != BlobType.PAGE) {
      throw BlobErrors.INVALID_BLOB_TYPE.exception();
    }
    return blob;
  }

  /** Returns the snapshot to compare with; null if the request names none. */
  private static CompletableFuture<@Nullable BlobProperties> previous(
      BlobRecords records, BlobProperties blob, FindPageRanges find) {
    Long ticks = find.previousTicks();
    NamedState newer = find.state();
    if (ticks == null) {
      return CompletableFuture.completedFuture(null);
    } else if (newer != null && ticks > newer.ticks()) {
      throw BlobErrors.PREVIOUS_SNAPSHOT_NEWER.exception();
    }
    return records
        .find(NamedState.snapshot(ticks))
        .thenApply(
            previous -> {
              if (previous == null) {
                throw BlobErrors.PREVIOUS_SNAPSHOT_NOT_FOUND.exception();
              } else if (previous.content().version() != blob.content().version()) {
                throw BlobErrors.BLOB_OVERWRITTEN.exception();
              }
              return previous;
            });
  }

  private static CompletableFuture<BlobOutcome> ranges(
      BlobRecords records,
      BlobProperties blob,
      @Nullable BlobProperties previous,
      FindPageRanges find) {
    long length = blob.content().length();
    ByteRange asked = find.range();
    if (asked != null && asked.from() >= length) {
      throw BlobErrors.INVALID_RANGE.exception();
    }
    ByteRange within = widened(asked == null ? new ByteRange(0, Long.MAX_VALUE) : asked, length);
    long from = Math.max(within.from(), find.marker());
    return (from > within.to()
            ? CompletableFuture.completedFuture(new PageRanges.Found(List.of(), null))
            : PageRanges.find(
                records, blob, previous, new ByteRange(from, within.to()), find.max()))
        .thenApply(found -> new PageRangesFound(blob, found));
  }

  /** Returns the pages in which a range lies, cut off at the end of the blob. */
  private static ByteRange widened(ByteRange range, long length) {
    long to = Math.min(range.to(), length - 1);
    long page = BlobLimits.PAGE_BYTES;
    return new ByteRange(range.from() / page * page, (to / page + 1) * page - 1);
  }
}
