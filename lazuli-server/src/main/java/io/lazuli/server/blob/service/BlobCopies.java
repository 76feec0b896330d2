package io.lazuli.server.blob.service;

import io.lazuli.server.blob.garbage.BlobGarbage;
import io.lazuli.server.blob.garbage.PartitionUse;
import io.lazuli.server.blob.model.BlobContent;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobLimits;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.BlobTags;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.model.Block;
import io.lazuli.server.blob.model.BlockPlace;
import io.lazuli.server.blob.model.CopyProperties;
import io.lazuli.server.blob.model.CopyStatus;
import io.lazuli.server.blob.model.HttpProperties;
import io.lazuli.server.blob.model.LeasedResource;
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
import io.lazuli.server.blob.service.BlobOperation.PutPages;
import io.lazuli.server.blob.service.BlobOperation.PutPagesFromUrl;
import io.lazuli.server.blob.service.BlobOperation.Source;
import io.lazuli.server.blob.service.BlobOperation.Upload;
import io.lazuli.server.blob.service.BlobOutcome.BlobChanged;
import io.lazuli.server.blob.service.BlobOutcome.BlobPut;
import io.lazuli.server.blob.sparse.CopyPagesBody;
import io.lazuli.server.blob.sparse.PageMap;
import io.lazuli.server.blob.tier.AccessTier;
import io.lazuli.server.blob.tier.Rehydration;
import io.lazuli.server.blob.transaction.BlobTerms;
import io.lazuli.server.blob.transaction.BlockList;
import io.lazuli.server.blob.transaction.BytesBody;
import io.lazuli.server.blob.transaction.CopyBody;
import io.lazuli.server.blob.transaction.NewBlob;
import io.lazuli.server.blob.transaction.TransactionResult;
import io.lazuli.server.catalog.StorageFailures;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.Futures;
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
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Copies one blob to another one, which may be in another account. A copy shares no bytes with its
 * source: chunks are copied by the store, which may be able to do so without copying bytes, and
 * records are written again. The new content is unnamed until the copy is complete; {@link
 * PartitionUse} protects it until then.
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
  private final long rehydrationTicks;
  private final ExternalSources external;
  private final PendingCopies pending;

  /**
   * @param rehydrationTicks the time that the copy of an archived blob needs to leave the archive
   */
  BlobCopies(
      StorageEngine engine,
      BlobPartitions partitions,
      BlobGarbage garbage,
      BlobWrites writes,
      BlobUploads uploads,
      Supplier<UUID> ids,
      long rehydrationTicks,
      ExternalSources external,
      PendingCopies pending) {
    this.rehydrationTicks = rehydrationTicks;
    this.engine = engine;
    this.partitions = partitions;
    this.garbage = garbage;
    this.writes = writes;
    this.uploads = uploads;
    this.ids = ids;
    this.external = external;
    this.pending = pending;
  }

  /** The bytes that a copy takes from its source, and the properties that it may take over. */
  private interface Content {
    HttpProperties http();

    Map<String, String> metadata();

    BlobTags tags();

    long length();

    /** Passes all bytes to the target, a piece at a time. */
    CompletableFuture<@Nullable Void> transfer(
        Function<ByteBuffer, CompletionStage<@Nullable Void>> target);
  }

  /** A part of a blob of this server. */
  private final class OwnContent implements Content {
    private final Opened source;
    private final ByteRange range;

    OwnContent(Opened source, @Nullable ByteRange asked) {
      requireOnline(source.blob());
      long size = source.blob().content().length();
      ByteRange within = asked == null ? new ByteRange(0, size - 1) : asked.within(size);
      if (within == null) {
        throw BlobErrors.INVALID_RANGE.exception();
      }
      this.source = source;
      this.range = within;
    }

    @Override
    public HttpProperties http() {
      return source.blob().http();
    }

    @Override
    public Map<String, String> metadata() {
      return source.blob().metadata();
    }

    @Override
    public BlobTags tags() {
      return source.blob().tags();
    }

    @Override
    public long length() {
      return range.length();
    }

    @Override
    public CompletableFuture<@Nullable Void> transfer(
        Function<ByteBuffer, CompletionStage<@Nullable Void>> target) {
      return BlobCopies.this.transfer(source, range, target);
    }
  }

  /** The content of another server, which answers with the range that was asked for. */
  private record OtherContent(ExternalContent source, BlobPartitions partitions, Deadline deadline)
      implements Content {
    @Override
    public HttpProperties http() {
      return source.http();
    }

    @Override
    public Map<String, String> metadata() {
      return source.metadata();
    }

    @Override
    public BlobTags tags() {
      return BlobTags.NONE;
    }

    @Override
    public long length() {
      return source.length();
    }

    @Override
    public CompletableFuture<@Nullable Void> transfer(
        Function<ByteBuffer, CompletionStage<@Nullable Void>> target) {
      return source.transfer(deadline, partitions.workers(), target);
    }
  }

  /** Runs work with the content of a source, wherever the source is. */
  private <R> CompletableFuture<R> withContent(
      Source source, Deadline deadline, Function<Content, CompletableFuture<R>> work) {
    if (source.from() instanceof CopySource) {
      return withSource(
          source, deadline, opened -> work.apply(new OwnContent(opened, source.range())));
    }
    return external
        .open(source)
        .toCompletableFuture()
        .thenCompose(
            content ->
                CompletableFuture.completedFuture(new OtherContent(content, partitions, deadline))
                    .thenComposeAsync(work, partitions.workers())
                    .whenComplete((outcome, failure) -> content.close()));
  }

  /** The source of a copy. The mark keeps its version from being removed. */
  private record Opened(BlobRecords records, BlobProperties blob, PartitionUse.Mark mark) {}

  /** Copies a blob with its block list. */
  CompletableFuture<BlobOutcome> copy(
      String account, CopyBlob copy, boolean mayOverwrite, Deadline deadline) {
    if (!(copy.source().from() instanceof CopySource)) {
      return copy.synchronous()
          ? copyNow(account, copy, mayOverwrite, deadline)
          : pending.begin(account, copy, ids.get(), mayOverwrite, deadline);
    }
    return withSource(
        copy.source(),
        deadline,
        source ->
            partitions.onBlob(
                account,
                copy.at(),
                deadline,
                target -> {
                  Copying copying =
                      new Copying(account, copy, source, target, mayOverwrite, deadline);
                  return garbage
                      .use()
                      .during(target, copying::run)
                      .whenComplete(
                          (outcome, failure) -> {
                            if (failure != null) {
                              garbage.changed(target);
                            }
                          });
                }));
  }

  CompletableFuture<BlobOutcome> put(
      String account, PutBlobFromUrl put, boolean mayOverwrite, Deadline deadline) {
    return withContent(
        put.source(),
        deadline,
        source ->
            pipe(
                    account,
                    source,
                    mayOverwrite,
                    deadline,
                    length ->
                        new PutBlob(
                            put.at(),
                            BlobType.BLOCK,
                            settings(put, source),
                            put.terms(),
                            length,
                            put.expected()))
                .thenApply(outcome -> answered((BlobPut) outcome, put.expected())));
  }

  /** Leaves out the MD5 that was computed only because it is stored. */
  private static BlobOutcome answered(BlobPut put, ExpectedChecksums expected) {
    return new BlobPut(put.properties(), expected.answered(put.checksums()));
  }

  CompletableFuture<BlobOutcome> putBlock(
      String account, PutBlockFromUrl put, boolean mayOverwrite, Deadline deadline) {
    return withContent(
        put.source(),
        deadline,
        source ->
            pipe(
                account,
                source,
                mayOverwrite,
                deadline,
                length -> new PutBlock(put.at(), put.id(), put.leaseId(), length, put.expected())));
  }

  CompletableFuture<BlobOutcome> append(
      String account, AppendBlockFromUrl append, Deadline deadline) {
    return withContent(
        append.source(),
        deadline,
        source ->
            pipe(
                account,
                source,
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

  CompletableFuture<BlobOutcome> putPages(String account, PutPagesFromUrl put, Deadline deadline) {
    return withContent(
        put.source(),
        deadline,
        source ->
            pipe(
                account,
                source,
                true,
                deadline,
                length -> {
                  if (length != put.range().length()) {
                    throw BlobErrors.INVALID_RANGE.exception();
                  }
                  return new PutPages(
                      put.at(), put.range(), put.sequence(), put.terms(), length, put.expected());
                }));
  }

  private static BlobSettings settings(PutBlobFromUrl put, Content source) {
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
  private CompletableFuture<BlobOutcome> pipe(
      String account,
      Content source,
      boolean mayOverwrite,
      Deadline deadline,
      Function<Long, Upload> operation) {
    Upload asSent = operation.apply(source.length());
    // The source may not be longer than a request body, and a block may not be empty.
    Upload.requireLength(asSent.length(), asSent.lengthMax());
    if (asSent.length() == 0 && !(asSent instanceof PutBlob)) {
      throw CommonErrors.INVALID_HEADER_VALUE
          .exception()
          .with("HeaderName", "Content-Length")
          .with("HeaderValue", "0");
    }
    return uploads
        .begin(asSent, account, mayOverwrite, Conditions.Use.URL_TARGET, deadline)
        .thenCompose(upload -> filled(upload, source));
  }

  private static CompletableFuture<BlobOutcome> filled(BlobUpload upload, Content source) {
    return source
        .transfer(upload::take)
        .whenComplete(
            (transferred, failure) -> {
              if (failure != null) {
                upload.abort();
              }
            })
        .thenCompose(transferred -> upload.end(Deadline.after(LAST_STEP_TIME_MAX)));
  }

  /**
   * Copies the content of another server while the client waits. The whole content is one body, so
   * the copy has no block list.
   */
  private CompletableFuture<BlobOutcome> copyNow(
      String account, CopyBlob copy, boolean mayOverwrite, Deadline deadline) {
    return withContent(
        copy.source(),
        deadline,
        source -> {
          long length = source.length();
          if (length > BlobLimits.SYNC_COPY_BYTES_MAX) {
            throw BlobErrors.COPY_SOURCE_TOO_LARGE.exception();
          }
          CopyProperties state =
              new CopyProperties(
                  ids.get(), copy.url(), CopyStatus.SUCCESS, length, length, engine.now());
          // The MD5 is computed anew.
          BlobSettings settings =
              new BlobSettings(
                  source.http().withContentMd5(null),
                  copy.metadata() == null ? source.metadata() : copy.metadata(),
                  copy.tags() == null ? source.tags() : copy.tags(),
                  copy.tier(),
                  copy.immutability());
          PutBlob put =
              new PutBlob(
                  copy.at(), BlobType.BLOCK, settings, copy.terms(), length, copy.expected());
          return uploads
              .beginCopy(put, state, account, mayOverwrite, deadline)
              .thenCompose(upload -> filled(upload, source))
              .thenApply(outcome -> answered((BlobPut) outcome, copy.expected()));
        });
  }

  private void requireOnline(BlobProperties source) {
    if (source.tierAt(engine.now()).isArchived()) {
      throw BlobErrors.BLOB_ARCHIVED.exception();
    }
  }

  private CompletableFuture<@Nullable Void> transfer(
      Opened source,
      ByteRange range,
      Function<ByteBuffer, CompletionStage<@Nullable Void>> target) {
    if (range.length() == 0) {
      return CompletableFuture.completedFuture(null);
    }
    PartitionUse.Mark mark = garbage.use().begin(source.records().partition());
    mark.hold(source.blob());
    return ContentReader.open(source.records(), engine.chunks(), mark, source.blob(), range)
        .<@Nullable Void>thenCompose(
            reader ->
                transfer(reader, range.length(), target)
                    .whenComplete((transferred, failure) -> reader.close()))
        .whenComplete((transferred, failure) -> mark.close());
  }

  private static CompletableFuture<@Nullable Void> transfer(
      ContentReader reader,
      long length,
      Function<ByteBuffer, CompletionStage<@Nullable Void>> target) {
    ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    long[] left = {length};
    return Futures.repeat(
        () ->
            reader
                .read(buffer.clear())
                .thenCompose(
                    read -> {
                      left[0] -= buffer.position();
                      return target.apply(buffer.duplicate().flip());
                    })
                .thenApply(taken -> left[0] > 0)
                .toCompletableFuture());
  }

  /**
   * Reads the source for the checksums that a synchronous copy answers with: the CRC64, and the MD5
   * if the request gave it (blob-rest 10.8). Checksums are not stored. Throws if the source has
   * others than the request gave.
   */
  private CompletableFuture<Checksums> checksums(Opened source, ExpectedChecksums expected) {
    BodyDigest digest = expected.md5() == null ? BodyDigest.ofCrc64() : BodyDigest.both();
    return transfer(
            source,
            new ByteRange(0, source.blob().content().length() - 1),
            bytes -> {
              digest.update(
                  bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
              return CompletableFuture.completedFuture(null);
            })
        .thenApply(
            transferred -> {
              Checksums found = digest.finish();
              ServiceException mismatch = expected.refusal(found);
              if (mismatch != null) {
                throw mismatch;
              }
              return found;
            });
  }

  private <R> CompletableFuture<R> withSource(
      Source source, Deadline deadline, Function<Opened, CompletableFuture<R>> work) {
    return open(source, deadline)
        .thenCompose(
            opened ->
                // An exception that the work throws becomes the failure of the future, too.
                CompletableFuture.completedFuture(opened)
                    .thenCompose(work)
                    .whenComplete((outcome, failure) -> opened.mark().close()));
  }

  private CompletableFuture<Opened> open(Source source, Deadline deadline) {
    if (!(source.from() instanceof CopySource from)) {
      throw BlobErrors.COPY_SOURCE_NOT_LISTED.exception();
    }
    return partitions.onContainer(
        from.account(),
        from.container(),
        deadline,
        BlobErrors.COPY_SOURCE_NOT_FOUND,
        space -> hold(new Partition(space, from.blob().key()), source, from));
  }

  private CompletableFuture<Opened> hold(Partition partition, Source source, CopySource from) {
    PartitionUse.Mark mark = garbage.use().begin(partition);
    BlobRecords records = new BlobRecords(engine, partition, Deadline.NEVER);
    return records
        .find(from.state())
        .thenApply(
            blob -> {
              if (blob == null || !blob.isCommitted()) {
                throw BlobErrors.COPY_SOURCE_NOT_FOUND.exception();
              }
              Refusals.check(
                  source.conditions().refusal(source.use(), blob.changedTicks(), blob.tags()));
              Refusals.check(
                  blob.lease().readRefusal(LeasedResource.BLOB, source.leaseId(), engine.now()));
              Refusals.check(blob.isCopyPending() ? BlobErrors.PENDING_COPY : null);
              mark.hold(blob);
              return new Opened(records, blob, mark);
            })
        .whenComplete(
            (opened, failure) -> {
              if (failure != null) {
                mark.close();
              }
            });
  }

  /** The state of one copy while it runs. */
  private final class Copying {
    private final String account;
    private final CopyBlob copy;
    private final Opened source;
    private final Partition target;
    private final BlobTerms terms;
    private final Deadline deadline;
    private final List<ChunkRef> chunks = new ArrayList<>();

    Copying(
        String account,
        CopyBlob copy,
        Opened source,
        Partition target,
        boolean mayOverwrite,
        Deadline deadline) {
      this.account = account;
      this.copy = copy;
      this.source = source;
      this.target = target;
      this.deadline = deadline;
      this.terms = BlobTerms.of(copy.terms(), engine, mayOverwrite);
    }

    /**
     * Returns the way of the copy out of the archive; null if the source is not archived. Only an
     * asynchronous copy within the account, to another name and into an online tier can leave
     * (blob-features 4.6).
     */
    private @Nullable Rehydration rehydration() {
      if (!source.blob().tierAt(engine.now()).isArchived()) {
        return null;
      }
      AccessTier tier = copy.tier();
      boolean elsewhere =
          !(copy.source().from() instanceof CopySource from && from.account().equals(account));
      if (tier == null
          || tier == AccessTier.ARCHIVE
          || copy.synchronous()
          || elsewhere
          || isOntoItself()) {
        throw BlobErrors.BLOB_ARCHIVED.exception();
      }
      return new Rehydration(tier, copy.priority(), engine.now() + rehydrationTicks);
    }

    private boolean isOntoItself() {
      return source.records().partition().equals(target);
    }

    /**
     * Returns the tags of the copy. A version that is promoted brings its own, unless the request
     * gives others (blob-features 1.2).
     */
    private BlobTags tags() {
      BlobTags given = copy.tags();
      return given == null || (given.values().isEmpty() && isPromotion())
          ? source.blob().tags()
          : given;
    }

    private boolean isPromotion() {
      return isOntoItself()
          && copy.source().from() instanceof CopySource from
          && from.state() != null
          && !from.state().isSnapshot();
    }

    CompletableFuture<BlobOutcome> run() {
      return new BlobRecords(engine, target, deadline)
          .find()
          .thenCompose(
              there -> {
                Refusals.check(body(0).refusal(there));
                return copy.synchronous()
                    ? checksums(source, copy.expected())
                        .thenCompose(
                            checksums -> write().thenApply(made -> new BlobPut(made, checksums)))
                    : write().thenApply(BlobChanged::new);
              });
    }

    /** Copies the content and gives it the name of the target. */
    private CompletableFuture<BlobProperties> write() {
      return source.blob().type() == BlobType.PAGE ? writePages() : writeBlocks();
    }

    private CompletableFuture<BlobProperties> writePages() {
      BlobProperties from = source.blob();
      PageMap pages = new PageMap(source.records(), from);
      return new PageCopy(partitions, engine.chunks(), source.records(), pages, target)
          .run(from.content().length())
          .thenCompose(
              version ->
                  partitions.run(
                      target,
                      Deadline.after(LAST_STEP_TIME_MAX),
                      new CopyPagesBody(body(version), from.optional().sequenceNumber())))
          .thenApply(this::noteGarbage);
    }

    private CompletableFuture<BlobProperties> writeBlocks() {
      return source
          .records()
          .blocks(source.blob())
          .thenCompose(this::copied)
          .thenCompose(this::commit)
          .whenComplete(
              (made, failure) -> {
                // If the outcome is unknown, the copy may be in place. Its chunks are then left to
                // the collector.
                if (failure != null && !StorageFailures.isUnknownOutcome(failure)) {
                  chunks.forEach(garbage::delete);
                }
              });
    }

    private CompletableFuture<BlobProperties> commit(List<Block> blocks) {
      BlockList list = BlockList.of(blocks);
      if (garbage.isLate(terms.now())) {
        throw CommonErrors.OPERATION_TIMED_OUT.exception();
      }
      Deadline last = Deadline.after(LAST_STEP_TIME_MAX);
      return writes
          .writeSegments(target, list, last)
          .thenCompose(version -> partitions.run(target, last, body(version)))
          .thenApply(this::noteGarbage);
    }

    /** Notes the target if the copy has replaced content that is not kept. */
    private BlobProperties noteGarbage(TransactionResult<BlobProperties> result) {
      if (result instanceof TransactionResult.Done<BlobProperties> done && done.leavesGarbage()) {
        garbage.changed(target);
      }
      return result.orThrow();
    }

    private CopyBody body(long version) {
      BlobProperties from = source.blob();
      BlobContent content = from.content();
      long length = content.length();
      CopyProperties properties =
          new CopyProperties(
              ids.get(), copy.url(), CopyStatus.SUCCESS, length, length, engine.now());
      Rehydration rehydration = rehydration();
      NewBlob blob =
          new NewBlob(
              from.type(),
              from.http(),
              copy.metadata() == null ? from.metadata() : copy.metadata(),
              tags(),
              rehydration == null ? copy.tier() : AccessTier.ARCHIVE,
              copy.immutability(),
              properties);
      Boolean seal = copy.seal();
      boolean sealed = from.type() == BlobType.APPEND && (seal == null ? content.sealed() : seal);
      return new CopyBody(
          terms,
          copy.synchronous() ? Conditions.Use.CREATE : Conditions.Use.COPY_TARGET,
          blob,
          version,
          new BlobContent(0, length, content.blocks(), sealed),
          rehydration);
    }

    /**
     * Copies blocks to places of the target. A blob that is copied onto itself keeps its blocks.
     */
    private CompletableFuture<List<Block>> copied(List<Block> blocks) {
      if (isOntoItself()) {
        return CompletableFuture.completedFuture(blocks);
      }
      List<Block> copied = new ArrayList<>(blocks.size());
      return Futures.repeat(
              () ->
                  copied.size() == blocks.size()
                      ? CompletableFuture.completedFuture(false)
                      : copiedNext(blocks, copied.size()).thenApply(copied::addAll))
          .thenApply(done -> copied);
    }

    /** Copies the blocks that begin at an index: one chunk, or as many records as fit a write. */
    private CompletableFuture<List<Block>> copiedNext(List<Block> blocks, int at) {
      Block first = blocks.get(at);
      if (first.place().inChunk()) {
        return copiedChunk(first);
      }
      int end = at;
      long bytes = 0;
      while (end < blocks.size()
          && !blocks.get(end).place().inChunk()
          && bytes < BytesBody.BYTES_MAX
          && end - at < BytesBody.RECORDS_MAX) {
        bytes += blocks.get(end).length();
        end++;
      }
      return copiedRecords(blocks.subList(at, end));
    }

    private CompletableFuture<List<Block>> copiedChunk(Block block) {
      return engine
          .chunks()
          .copy(new ChunkRef(block.place().number()), target)
          .thenApply(
              made -> {
                if (made == null) {
                  throw new StorageException(
                      StorageException.Kind.CORRUPT, "content of a blob is missing");
                }
                chunks.add(made);
                BlockPlace place = new BlockPlace(true, made.number());
                return List.of(new Block(block.id(), block.length(), place));
              });
    }

    private CompletableFuture<List<Block>> copiedRecords(List<Block> blocks) {
      List<CompletableFuture<byte[]>> records =
          blocks.stream().map(block -> source.records().bytes(block.place().number())).toList();
      return Futures.all(records)
          .thenCompose(
              bytes ->
                  partitions.run(target, Deadline.after(LAST_STEP_TIME_MAX), new BytesBody(bytes)))
          .thenApply(places -> placed(blocks, places));
    }

    private static List<Block> placed(List<Block> blocks, List<BlockPlace> places) {
      List<Block> placed = new ArrayList<>(blocks.size());
      for (int i = 0; i < places.size(); i++) {
        placed.add(new Block(blocks.get(i).id(), blocks.get(i).length(), places.get(i)));
      }
      return placed;
    }
  }
}
