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
import io.lazuli.server.blob.transaction.BlobTerms;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Partition;
import io.lazuli.storage.StorageEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
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

  BlobOutcome properties(String account, ReadProperties read, Deadline deadline) {
    return partitions.reading(
        account,
        read.at(),
        deadline,
        partition -> {
          BlobRecords records = new BlobRecords(engine, partition, deadline);
          BlobProperties blob = require(records, read.snapshotTicks(), read.terms());
          return new BlobFound(blob, engine.now());
        });
  }

  BlobOutcome tags(String account, ReadTags read, Deadline deadline) {
    return partitions.reading(
        account,
        read.at(),
        deadline,
        partition -> {
          BlobRecords records = new BlobRecords(engine, partition, deadline);
          return new TagsFound(require(records, read.snapshotTicks(), read.terms()).tags());
        });
  }

  BlobOutcome get(String account, GetBlob get, Deadline deadline) {
    return partitions.reading(account, get.at(), deadline, partition -> get(partition, get));
  }

  private BlobOutcome get(Partition partition, GetBlob get) {
    PartitionUse.Mark mark = use.begin(partition);
    boolean opened = false;
    try {
      // Sending a long response may take longer than the deadline of its request.
      BlobRecords records = new BlobRecords(engine, partition, Deadline.NEVER);
      BlobProperties blob = require(records, get.snapshotTicks(), get.terms());
      long length = blob.content().length();
      ByteRange asked = get.range();
      ByteRange range = asked == null ? null : asked.within(length);
      if (asked != null && range == null) {
        return new RangeNotThere(length);
      }
      BlobReader reader = open(records, mark, blob, range);
      opened = reader.length() > 0;
      return new BlobOpened(blob, range, reader, engine.now());
    } finally {
      if (!opened) {
        mark.close();
      }
    }
  }

  private BlobReader open(
      BlobRecords records, PartitionUse.Mark mark, BlobProperties blob, @Nullable ByteRange range) {
    long length = blob.content().length();
    if (length == 0) {
      return new EmptyReader();
    }
    long version = blob.content().version();
    mark.hold(version);
    ByteRange part = range == null ? new ByteRange(0, length - 1) : range;
    return new ContentReader(records, engine.chunks(), mark, version, part);
  }

  /**
   * Reads block lists. The two lists may be of slightly different moments; a commit checks that
   * nothing changed.
   *
   * @param seesUncommitted false if a blob must be committed to exist
   */
  BlobOutcome blocks(
      String account, ReadBlockList read, boolean seesUncommitted, Deadline deadline) {
    return partitions.reading(
        account,
        read.at(),
        deadline,
        partition -> blocks(partition, read, seesUncommitted, deadline));
  }

  private BlobOutcome blocks(
      Partition partition, ReadBlockList read, boolean seesUncommitted, Deadline deadline) {
    try (PartitionUse.Mark mark = use.begin(partition)) {
      BlobRecords records = new BlobRecords(engine, partition, deadline);
      BlobProperties blob = records.find(read.snapshotTicks());
      if (blob == null || !(seesUncommitted || blob.isCommitted())) {
        throw BlobErrors.BLOB_NOT_FOUND.exception();
      }
      requireLease(blob, read.leaseId());
      if (blob.type() != BlobType.BLOCK) {
        throw BlobErrors.INVALID_BLOB_TYPE.exception();
      }
      mark.hold(blob.content().version());
      return new BlocksFound(
          blob.isCommitted() ? blob : null,
          read.committed() ? committed(records, blob) : null,
          read.uncommitted() ? uncommitted(records, blob) : null);
    }
  }

  private static ListedBlocks committed(BlobRecords records, BlobProperties blob) {
    return new ListedBlocks(blob.content().blocks() == 0 ? List.of() : records.segments(blob));
  }

  private static ListedBlocks uncommitted(BlobRecords records, BlobProperties blob) {
    List<byte[]> segments = new ArrayList<>();
    List<Block> segment = new ArrayList<>();
    records.visitUncommitted(
        blob,
        (id, block) -> {
          segment.add(new Block(id, block.length(), block.place()));
          if (segment.size() == BlobLimits.SEGMENT_BLOCKS_MAX) {
            segments.add(BlockSegmentCodec.encode(segment));
            segment.clear();
          }
        });
    segments.add(BlockSegmentCodec.encode(segment));
    return new ListedBlocks(segments);
  }

  private void requireLease(BlobProperties blob, @Nullable UUID leaseId) {
    Refusals.check(blob.lease().readRefusal(LeasedResource.BLOB, leaseId, engine.now()));
  }

  private BlobProperties require(
      BlobRecords records, @Nullable Long snapshotTicks, RequestTerms terms) {
    BlobProperties blob = records.find(snapshotTicks);
    Refusals.check(new BlobTerms(terms, engine.now()).readRefusal(Conditions.Use.READ, blob));
    if (blob == null) {
      throw BlobErrors.BLOB_NOT_FOUND.exception();
    }
    return blob;
  }
}
