package io.lazuli.server.blob.service;

import io.lazuli.server.blob.garbage.BlobGarbage;
import io.lazuli.server.blob.garbage.PartitionUse;
import io.lazuli.server.blob.model.BlobContent;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.BlobTags;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.model.Block;
import io.lazuli.server.blob.model.BlockPlace;
import io.lazuli.server.blob.model.CopyProperties;
import io.lazuli.server.blob.model.CopyStatus;
import io.lazuli.server.blob.model.HttpProperties;
import io.lazuli.server.blob.partition.BlobRecords;
import io.lazuli.server.blob.request.BlobSettings;
import io.lazuli.server.blob.request.BodyDigest;
import io.lazuli.server.blob.request.ByteRange;
import io.lazuli.server.blob.request.Checksums;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.blob.request.CopySource;
import io.lazuli.server.blob.request.ExpectedChecksums;
import io.lazuli.server.blob.service.BlobOperation.AppendBlock;
import io.lazuli.server.blob.service.BlobOperation.AppendBlockFromUrl;
import io.lazuli.server.blob.service.BlobOperation.CopyBlob;
import io.lazuli.server.blob.service.BlobOperation.PutBlob;
import io.lazuli.server.blob.service.BlobOperation.PutBlobFromUrl;
import io.lazuli.server.blob.service.BlobOperation.PutBlock;
import io.lazuli.server.blob.service.BlobOperation.PutBlockFromUrl;
import io.lazuli.server.blob.service.BlobOperation.Source;
import io.lazuli.server.blob.service.BlobOperation.Upload;
import io.lazuli.server.blob.service.BlobOutcome.BlobChanged;
import io.lazuli.server.blob.service.BlobOutcome.BlobPut;
import io.lazuli.server.blob.transaction.BlobTerms;
import io.lazuli.server.blob.transaction.BlockList;
import io.lazuli.server.blob.transaction.BytesBody;
import io.lazuli.server.blob.transaction.CopyBody;
import io.lazuli.server.blob.transaction.NewBlob;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceException;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Partition;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StorageException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Copies one blob of an account to another. A copy shares no bytes with its source: chunks are
 * copied by the store, which may be able to do so without copying bytes, and records are written
 * again. The new content is unnamed until the copy is complete; {@link PartitionUse} protects it
 * until then.
 */
final class BlobCopies {
  private static final int BUFFER_BYTES = 64 << 10;

  /**
   * The time limit for each write of a copy. The whole copy may take longer than the deadline of
   * its request.
   */
  private static final Duration LAST_STEP_TIME_MAX = Duration.ofSeconds(30);

  private final StorageEngine engine;
  private final BlobPartitions partitions;
  private final BlobGarbage garbage;
  private final BlobWrites writes;
  private final BlobUploads uploads;
  private final Supplier<UUID> ids;

  BlobCopies(
      StorageEngine engine,
      BlobPartitions partitions,
      BlobGarbage garbage,
      BlobWrites writes,
      BlobUploads uploads,
      Supplier<UUID> ids) {
    this.engine = engine;
    this.partitions = partitions;
    this.garbage = garbage;
    this.writes = writes;
    this.uploads = uploads;
    this.ids = ids;
  }

  /** The source of a copy. The mark keeps its version from being removed. */
  private record Opened(BlobRecords records, BlobProperties blob, PartitionUse.Mark mark) {}

  /** Copies a blob with its block list; blocks until the copy is complete. */
  BlobOutcome copy(String account, CopyBlob copy, boolean mayOverwrite, Deadline deadline) {
    return withSource(
        account,
        copy.source(),
        deadline,
        source ->
            partitions.reading(
                account,
                copy.at(),
                deadline,
                target -> {
                  Copying copying = new Copying(copy, source, target, mayOverwrite, deadline);
                  try {
                    return garbage.use().during(target, copying::run);
                  } finally {
                    garbage.changed(target);
                  }
                }));
  }

  CompletionStage<BlobOutcome> put(
      String account, PutBlobFromUrl put, boolean mayOverwrite, Deadline deadline) {
    return withSource(
        account,
        put.source(),
        deadline,
        source ->
            pipe(
                    account,
                    source,
                    put.source().range(),
                    mayOverwrite,
                    deadline,
                    length ->
                        new PutBlob(
                            put.at(),
                            BlobType.BLOCK,
                            settings(put, source.blob()),
                            put.terms(),
                            length,
                            put.expected()))
                .thenApply(outcome -> answered((BlobPut) outcome, put.expected())));
  }

  /** Leaves out the MD5 that was computed only because it is stored. */
  private static BlobOutcome answered(BlobPut put, ExpectedChecksums expected) {
    return new BlobPut(put.properties(), expected.answered(put.checksums()));
  }

  CompletionStage<BlobOutcome> putBlock(
      String account, PutBlockFromUrl put, boolean mayOverwrite, Deadline deadline) {
    return withSource(
        account,
        put.source(),
        deadline,
        source ->
            pipe(
                account,
                source,
                put.source().range(),
                mayOverwrite,
                deadline,
                length -> new PutBlock(put.at(), put.id(), put.leaseId(), length, put.expected())));
  }

  CompletionStage<BlobOutcome> append(
      String account, AppendBlockFromUrl append, Deadline deadline) {
    return withSource(
        account,
        append.source(),
        deadline,
        source ->
            pipe(
                account,
                source,
                append.source().range(),
                true,
                deadline,
                length ->
                    new AppendBlock(
                        append.at(),
                        append.position(),
                        append.sizeMax(),
                        append.terms(),
                        length,
                        append.expected())));
  }

  private static BlobSettings settings(PutBlobFromUrl put, BlobProperties source) {
    BlobTags tags = put.tags();
    // The MD5 is computed anew.
    HttpProperties http =
        put.takesHttp() ? put.http().or(source.http().withContentMd5(null)) : put.http();
    return new BlobSettings(
        http,
        put.metadata() == null ? source.metadata() : put.metadata(),
        tags == null ? source.tags() : tags,
        put.tier());
  }

  /** Reads the source and sends it through an upload, as if a client had sent it. */
  private CompletionStage<BlobOutcome> pipe(
      String account,
      Opened source,
      @Nullable ByteRange asked,
      boolean mayOverwrite,
      Deadline deadline,
      Function<Long, Upload> operation) {
    long size = source.blob().content().length();
    ByteRange range = asked == null ? new ByteRange(0, size - 1) : asked.within(size);
    if (range == null) {
      throw BlobErrors.INVALID_RANGE.exception();
    }
    Upload asSent = operation.apply(range.length());
    // The source may not be longer than a request body, and a block may not be empty.
    Upload.requireLength(asSent.length(), asSent.lengthMax());
    if (asSent.length() == 0 && !(asSent instanceof PutBlob)) {
      throw CommonErrors.INVALID_HEADER_VALUE
          .exception()
          .with("HeaderName", "Content-Length")
          .with("HeaderValue", "0");
    }
    BlobUpload upload =
        uploads.begin(asSent, account, mayOverwrite, Conditions.Use.URL_TARGET, deadline);
    boolean complete = false;
    try {
      transfer(source, range, upload::take);
      complete = true;
    } finally {
      if (!complete) {
        upload.abort();
      }
    }
    return upload.end(Deadline.after(LAST_STEP_TIME_MAX));
  }

  private void transfer(Opened source, ByteRange range, Consumer<ByteBuffer> target) {
    if (range.length() == 0) {
      return;
    }
    ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    long version = source.blob().content().version();
    try (PartitionUse.Mark mark = garbage.use().begin(source.records().partition());
        ContentReader reader = held(source, mark, version, range)) {
      for (long left = range.length(); left > 0; left -= buffer.position()) {
        buffer.clear();
        reader.read(buffer);
        target.accept(buffer.duplicate().flip());
      }
    }
  }

  private ContentReader held(Opened source, PartitionUse.Mark mark, long version, ByteRange range) {
    mark.hold(version);
    return new ContentReader(source.records(), engine.chunks(), mark, version, range);
  }

  /**
   * Reads the source for the checksums that a synchronous copy answers with: the CRC64, and the MD5
   * if the request gave it (blob-rest 10.8). Checksums are not stored. Throws if the source has
   * others than the request gave.
   */
  private Checksums checksums(Opened source, ExpectedChecksums expected) {
    BodyDigest digest = expected.md5() == null ? BodyDigest.ofCrc64() : BodyDigest.both();
    transfer(
        source,
        new ByteRange(0, source.blob().content().length() - 1),
        bytes ->
            digest.update(
                bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining()));
    Checksums found = digest.finish();
    ServiceException mismatch = expected.refusal(found);
    if (mismatch != null) {
      throw mismatch;
    }
    return found;
  }

  private <R> R withSource(
      String account, Source source, Deadline deadline, Function<Opened, R> use) {
    Opened opened = open(account, source, deadline);
    try {
      return use.apply(opened);
    } finally {
      opened.mark().close();
    }
  }

  private Opened open(String account, Source source, Deadline deadline) {
    CopySource from = source.from();
    if (!from.account().equals(account)) {
      throw BlobErrors.COPY_ACROSS_ACCOUNTS.exception();
    }
    return partitions.reading(
        account,
        from.container(),
        deadline,
        BlobErrors.COPY_SOURCE_NOT_FOUND,
        space -> hold(new Partition(space, from.blob().key()), source));
  }

  private Opened hold(Partition partition, Source source) {
    PartitionUse.Mark mark = garbage.use().begin(partition);
    boolean held = false;
    try {
      BlobRecords records = new BlobRecords(engine, partition, Deadline.NEVER);
      BlobProperties blob = records.find(source.from().snapshotTicks());
      if (blob == null || !blob.isCommitted()) {
        throw BlobErrors.COPY_SOURCE_NOT_FOUND.exception();
      }
      Refusals.check(source.conditions().refusal(source.use(), blob.changedTicks()));
      mark.hold(blob.content().version());
      held = true;
      return new Opened(records, blob, mark);
    } finally {
      if (!held) {
        mark.close();
      }
    }
  }

  /** The state of one copy while it runs. */
  private final class Copying {
    private final CopyBlob copy;
    private final Opened source;
    private final Partition target;
    private final BlobTerms terms;
    private final Deadline deadline;
    private final List<ChunkRef> chunks = new ArrayList<>();

    Copying(
        CopyBlob copy, Opened source, Partition target, boolean mayOverwrite, Deadline deadline) {
      this.copy = copy;
      this.source = source;
      this.target = target;
      this.deadline = deadline;
      this.terms = new BlobTerms(copy.terms(), engine.now(), mayOverwrite);
    }

    BlobOutcome run() {
      Refusals.check(body(0).refusal(new BlobRecords(engine, target, deadline).find()));
      Checksums checksums = copy.synchronous() ? checksums(source, copy.expected()) : null;
      boolean done = false;
      try {
        BlockList list = BlockList.of(copied(source.records().blocks(source.blob())));
        if (garbage.isLate(terms.now())) {
          throw CommonErrors.OPERATION_TIMED_OUT.exception();
        }
        Deadline last = Deadline.after(LAST_STEP_TIME_MAX);
        long version = writes.writeSegments(target, list, last);
        BlobProperties made = partitions.run(target, last, body(version)).orThrow();
        done = true;
        return checksums == null ? new BlobChanged(made) : new BlobPut(made, checksums);
      } catch (StorageException e) {
        // The copy may be in place, so its chunks are left to the collector.
        done = e.kind() == StorageException.Kind.UNKNOWN_OUTCOME;
        throw e;
      } finally {
        if (!done) {
          chunks.forEach(garbage::delete);
        }
      }
    }

    private CopyBody body(long version) {
      BlobProperties from = source.blob();
      BlobContent content = from.content();
      long length = content.length();
      CopyProperties properties =
          new CopyProperties(
              ids.get(), copy.url(), CopyStatus.SUCCESS, length, length, engine.now());
      BlobTags tags = copy.tags();
      NewBlob blob =
          new NewBlob(
              from.type(),
              from.http(),
              copy.metadata() == null ? from.metadata() : copy.metadata(),
              tags == null ? from.tags() : tags,
              copy.tier(),
              properties);
      Boolean seal = copy.seal();
      boolean sealed = from.type() == BlobType.APPEND && (seal == null ? content.sealed() : seal);
      return new CopyBody(
          terms,
          copy.synchronous() ? Conditions.Use.CREATE : Conditions.Use.COPY_TARGET,
          blob,
          version,
          new BlobContent(0, length, content.blocks(), sealed));
    }

    /**
     * Copies blocks to places of the target. A blob that is copied onto itself keeps its blocks.
     */
    private List<Block> copied(List<Block> blocks) {
      if (source.records().partition().equals(target)) {
        return blocks;
      }
      List<Block> copied = new ArrayList<>(blocks.size());
      List<Block> batch = new ArrayList<>();
      long batchBytes = 0;
      for (Block block : blocks) {
        if (block.place().inChunk()) {
          copied.addAll(copiedRecords(batch));
          batch.clear();
          copied.add(new Block(block.id(), block.length(), copiedChunk(block.place())));
          batchBytes = 0;
          continue;
        }
        batch.add(block);
        batchBytes += block.length();
        if (batchBytes >= BytesBody.BYTES_MAX || batch.size() == BytesBody.RECORDS_MAX) {
          copied.addAll(copiedRecords(batch));
          batch.clear();
          batchBytes = 0;
        }
      }
      copied.addAll(copiedRecords(batch));
      return copied;
    }

    private BlockPlace copiedChunk(BlockPlace place) {
      ChunkRef made = engine.chunks().copy(new ChunkRef(place.number()), target);
      if (made == null) {
        throw new StorageException(StorageException.Kind.CORRUPT, "content of a blob is missing");
      }
      chunks.add(made);
      return new BlockPlace(true, made.number());
    }

    private List<Block> copiedRecords(List<Block> blocks) {
      if (blocks.isEmpty()) {
        return List.of();
      }
      List<byte[]> records =
          blocks.stream().map(block -> source.records().bytes(block.place().number())).toList();
      Deadline each = Deadline.after(LAST_STEP_TIME_MAX);
      List<BlockPlace> places = partitions.run(target, each, new BytesBody(records));
      List<Block> copied = new ArrayList<>(blocks.size());
      for (int i = 0; i < places.size(); i++) {
        copied.add(new Block(blocks.get(i).id(), blocks.get(i).length(), places.get(i)));
      }
      return copied;
    }
  }
}
