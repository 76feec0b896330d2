package io.lazuli.server.blob.service;

import io.lazuli.server.blob.encoding.BlockSegmentCodec;
import io.lazuli.server.blob.garbage.PartitionUse;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobLimits;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.model.Block;
import io.lazuli.server.blob.model.LeasedResource;
import io.lazuli.server.blob.partition.BlobRecords;
import io.lazuli.server.blob.request.ByteRange;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.blob.request.NamedState;
import io.lazuli.server.blob.request.RequestTerms;
import io.lazuli.server.blob.service.BlobOperation.GetBlob;
import io.lazuli.server.blob.service.BlobOperation.ReadBlockList;
import io.lazuli.server.blob.service.BlobOperation.ReadProperties;
import io.lazuli.server.blob.service.BlobOperation.ReadTags;
import io.lazuli.server.blob.service.BlobOutcome.BlobFound;
import io.lazuli.server.blob.service.BlobOutcome.BlobOpened;
import io.lazuli.server.blob.service.BlobOutcome.BlocksFound;
import io.lazuli.server.blob.service.BlobOutcome.ListedBlocks;
import io.lazuli.server.blob.service.BlobOutcome.RangeNotThere;
import io.lazuli.server.blob.service.BlobOutcome.TagsFound;
import io.lazuli.server.blob.tag.TagExpression;
import io.lazuli.server.blob.transaction.BlobTerms;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Partition;
import io.lazuli.storage.StorageEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The operations that read a blob. They run outside of the commit lane. */
final class BlobReads {
  private final StorageEngine engine;
  private final BlobPartitions partitions;
  private final PartitionUse use;

  BlobReads(StorageEngine engine, BlobPartitions partitions, PartitionUse use) {
    this.engine = engine;
    this.partitions = partitions;
    this.use = use;
  }

  CompletableFuture<BlobOutcome> properties(
      String account, ReadProperties read, Deadline deadline) {
    return partitions.onBlob(
        account,
        read.at(),
        deadline,
        partition ->
            require(new BlobRecords(engine, partition, deadline), read.state(), read.terms())
                .thenApply(blob -> new BlobFound(blob, engine.now())));
  }

  CompletableFuture<BlobOutcome> tags(String account, ReadTags read, Deadline deadline) {
    return partitions.onBlob(
        account,
        read.at(),
        deadline,
        partition ->
            require(new BlobRecords(engine, partition, deadline), read.state(), read.terms())
                .thenApply(blob -> new TagsFound(blob.tags())));
  }

  CompletableFuture<BlobOutcome> get(String account, GetBlob get, Deadline deadline) {
    return partitions.onBlob(account, get.at(), deadline, partition -> get(partition, get));
  }

  private CompletableFuture<BlobOutcome> get(Partition partition, GetBlob get) {
    PartitionUse.Mark mark = use.begin(partition);
    // Sending a long response may take longer than the deadline of its request.
    BlobRecords records = new BlobRecords(engine, partition, Deadline.NEVER);
    return require(records, get.state(), get.terms())
        .thenCompose(
            blob -> {
              requireOnline(blob);
              Refusals.check(blob.isCopyPending() ? BlobErrors.PENDING_COPY : null);
              return open(records, mark, blob, get.range());
            })
        .whenComplete(
            (outcome, failure) -> {
              boolean reads = outcome instanceof BlobOpened opened && opened.content().length() > 0;
              if (!reads) {
                mark.close();
              }
            });
  }

  private CompletableFuture<BlobOutcome> open(
      BlobRecords records, PartitionUse.Mark mark, BlobProperties blob, @Nullable ByteRange asked) {
    long length = blob.content().length();
    ByteRange range = asked == null ? null : asked.within(length);
    if (asked != null && range == null) {
      return CompletableFuture.completedFuture(new RangeNotThere(length));
    }
    if (length == 0) {
      return CompletableFuture.completedFuture(
          new BlobOpened(blob, range, new EmptyReader(), engine.now()));
    }
    mark.hold(blob);
    ByteRange part = range == null ? new ByteRange(0, length - 1) : range;
    return ContentReader.open(records, engine.chunks(), mark, blob, part)
        .thenApply(reader -> new BlobOpened(blob, range, reader, engine.now()));
  }

  /**
   * Reads block lists. The two lists may be of slightly different moments; a commit checks that
   * nothing changed.
   *
   * @param seesUncommitted false if a blob must be committed to exist
   */
  CompletableFuture<BlobOutcome> blocks(
      String account, ReadBlockList read, boolean seesUncommitted, Deadline deadline) {
    return partitions.onBlob(
        account,
        read.at(),
        deadline,
        partition -> blocks(partition, read, seesUncommitted, deadline));
  }

  private CompletableFuture<BlobOutcome> blocks(
      Partition partition, ReadBlockList read, boolean seesUncommitted, Deadline deadline) {
    PartitionUse.Mark mark = use.begin(partition);
    BlobRecords records = new BlobRecords(engine, partition, deadline);
    return records
        .find(read.state())
        .thenCompose(
            blob -> {
              BlobProperties found = requireBlockBlob(blob, read, seesUncommitted);
              mark.hold(found);
              return blocks(records, found, read);
            })
        .whenComplete((outcome, failure) -> mark.close());
  }

  private BlobProperties requireBlockBlob(
      @Nullable BlobProperties blob, ReadBlockList read, boolean seesUncommitted) {
    if (blob == null || !(seesUncommitted || blob.isCommitted())) {
      throw BlobErrors.BLOB_NOT_FOUND.exception();
    }
    requireLease(blob, read.terms().leaseId());
    TagExpression ifTags = read.terms().conditions().ifTags();
    if (ifTags != null && !ifTags.matches(blob.tags().values())) {
      throw BlobErrors.CONDITION_NOT_MET.exception();
    }
    if (blob.type() != BlobType.BLOCK) {
      throw BlobErrors.INVALID_BLOB_TYPE.exception();
    }
    requireOnline(blob);
    return blob;
  }

  private static CompletableFuture<BlobOutcome> blocks(
      BlobRecords records, BlobProperties blob, ReadBlockList read) {
    CompletableFuture<@Nullable ListedBlocks> none = CompletableFuture.completedFuture(null);
    CompletableFuture<@Nullable ListedBlocks> committed =
        read.committed() ? committed(records, blob) : none;
    CompletableFuture<@Nullable ListedBlocks> uncommitted =
        read.uncommitted() ? uncommitted(records, blob) : none;
    return committed.thenCombine(
        uncommitted,
        (listed, staged) -> new BlocksFound(blob.isCommitted() ? blob : null, listed, staged));
  }

  private static CompletableFuture<@Nullable ListedBlocks> committed(
      BlobRecords records, BlobProperties blob) {
    return blob.content().blocks() == 0
        ? CompletableFuture.completedFuture(new ListedBlocks(List.of()))
        : records.segments(blob).thenApply(ListedBlocks::new);
  }

  private static CompletableFuture<@Nullable ListedBlocks> uncommitted(
      BlobRecords records, BlobProperties blob) {
    List<byte[]> segments = new ArrayList<>();
    List<Block> segment = new ArrayList<>();
    return records
        .visitUncommitted(
            blob,
            (id, block) -> {
              segment.add(new Block(id, block.length(), block.place()));
              if (segment.size() == BlobLimits.SEGMENT_BLOCKS_MAX) {
                segments.add(BlockSegmentCodec.encode(segment));
                segment.clear();
              }
            })
        .thenApply(
            visited -> {
              segments.add(BlockSegmentCodec.encode(segment));
              return new ListedBlocks(segments);
            });
  }

  /** Throws if the blob is in the archive. */
  private void requireOnline(BlobProperties blob) {
    if (blob.tierAt(engine.now()).isArchived()) {
      throw BlobErrors.BLOB_ARCHIVED.exception();
    }
  }

  private void requireLease(BlobProperties blob, @Nullable UUID leaseId) {
    Refusals.check(blob.lease().readRefusal(LeasedResource.BLOB, leaseId, engine.now()));
  }

  private CompletableFuture<BlobProperties> require(
      BlobRecords records, @Nullable NamedState state, RequestTerms terms) {
    return records
        .find(state)
        .thenApply(
            blob -> {
              BlobTerms now = new BlobTerms(terms, engine.now());
              Refusals.check(now.readRefusal(Conditions.Use.READ, blob));
              if (blob == null) {
                throw BlobErrors.BLOB_NOT_FOUND.exception();
              }
              return blob;
            });
  }
}
