package io.lazuli.server.blob.service;

import io.lazuli.server.blob.garbage.BlobGarbage;
import io.lazuli.server.blob.model.BlobLimits;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.model.CopyProperties;
import io.lazuli.server.blob.model.HttpProperties;
import io.lazuli.server.blob.partition.BlobRecords;
import io.lazuli.server.blob.partition.NewContent;
import io.lazuli.server.blob.request.BlobSettings;
import io.lazuli.server.blob.request.BodyDigest;
import io.lazuli.server.blob.request.Checksums;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.blob.request.ExpectedChecksums;
import io.lazuli.server.blob.service.BlobOperation.AppendBlock;
import io.lazuli.server.blob.service.BlobOperation.PutBlob;
import io.lazuli.server.blob.service.BlobOperation.PutBlock;
import io.lazuli.server.blob.service.BlobOperation.PutPages;
import io.lazuli.server.blob.service.BlobOperation.Upload;
import io.lazuli.server.blob.service.BlobOutcome.BlobPut;
import io.lazuli.server.blob.service.BlobOutcome.BlockAppended;
import io.lazuli.server.blob.service.BlobOutcome.BlockPut;
import io.lazuli.server.blob.service.BlobOutcome.PagesPut;
import io.lazuli.server.blob.sparse.PageTerms;
import io.lazuli.server.blob.sparse.WritePagesBody;
import io.lazuli.server.blob.transaction.AppendBody;
import io.lazuli.server.blob.transaction.BlobTerms;
import io.lazuli.server.blob.transaction.NewBlob;
import io.lazuli.server.blob.transaction.PutBlobBody;
import io.lazuli.server.blob.transaction.PutBlockBody;
import io.lazuli.server.blob.transaction.TransactionResult;
import io.lazuli.server.catalog.StorageFailures;
import io.lazuli.server.error.ServiceError;
import io.lazuli.server.error.ServiceException;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Partition;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.TransactionBody;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The operations that upload a body. The preconditions of a request are checked before the client
 * is asked for the body, and again by the transaction that makes the body part of the blob.
 */
final class BlobUploads {
  private final StorageEngine engine;
  private final BlobPartitions partitions;
  private final BlobGarbage garbage;

  BlobUploads(StorageEngine engine, BlobPartitions partitions, BlobGarbage garbage) {
    this.engine = engine;
    this.partitions = partitions;
    this.garbage = garbage;
  }

  /**
   * The parts of an upload that differ by operation.
   *
   * @param <T> the value of its transaction
   */
  private interface Kind<T> {
    /**
     * Returns why the upload is refused before the body is sent; null if the client may send it.
     */
    @Nullable ServiceError refusal(@Nullable BlobProperties there);

    /** Returns the transaction that makes the body part of the blob. */
    TransactionBody<TransactionResult<T>> body(NewContent content, Checksums checksums);

    BlobOutcome outcome(T value, Checksums checksums);
  }

  /**
   * Begins an upload. Fails if the upload is refused.
   *
   * @param mayOverwrite false if the caller may only create new blobs
   * @param use the way Put Blob uses the blob, which determines the error if a condition fails
   */
  CompletableFuture<BlobUpload> begin(
      Upload operation,
      String account,
      boolean mayOverwrite,
      Conditions.Use use,
      Deadline deadline) {
    // The answer of Put Blob has both checksums.
    BodyDigest digest =
        operation instanceof PutBlob
            ? BodyDigest.both()
            : BodyDigest.answering(operation.expected());
    return begin(operation, account, mayOverwrite, use, digest, deadline);
  }

  /** Begins an upload that is a copy, whose state becomes part of the blob. */
  CompletableFuture<BlobUpload> beginCopy(
      PutBlob put, CopyProperties copy, String account, boolean mayOverwrite, Deadline deadline) {
    Putting kind = new Putting(put, mayOverwrite, Conditions.Use.CREATE, copy);
    return begin(put, kind, account, BodyDigest.both(), deadline);
  }

  /**
   * Begins an upload that the server itself makes. No checksums are computed, and an MD5 is stored
   * unchecked.
   */
  CompletableFuture<BlobUpload> beginOwn(Upload operation, String account, Deadline deadline) {
    return begin(operation, account, true, Conditions.Use.CREATE, BodyDigest.none(), deadline);
  }

  private CompletableFuture<BlobUpload> begin(
      Upload operation,
      String account,
      boolean mayOverwrite,
      Conditions.Use use,
      BodyDigest digest,
      Deadline deadline) {
    if (operation instanceof PutBlob put) {
      return begin(put, new Putting(put, mayOverwrite, use, null), account, digest, deadline);
    } else if (operation instanceof AppendBlock append) {
      return begin(append, new Appending(append), account, digest, deadline);
    } else if (operation instanceof PutBlock put) {
      return begin(put, new Staging(put, mayOverwrite), account, digest, deadline);
    } else if (operation instanceof PutPages put) {
      return begin(put, new Paging(put), account, digest, deadline);
    }
    throw new IllegalStateException("unknown operation: " + operation.getClass());
  }

  private <T> CompletableFuture<BlobUpload> begin(
      Upload operation, Kind<T> kind, String account, BodyDigest digest, Deadline deadline) {
    return partitions.onBlob(
        account,
        operation.at(),
        deadline,
        partition ->
            new BlobRecords(engine, partition, deadline)
                .find()
                .thenApply(
                    there -> {
                      Refusals.check(kind.refusal(there));
                      return new Incoming<>(operation, account, kind, partition, digest);
                    }));
  }

  private final class Putting implements Kind<BlobProperties> {
    private final PutBlob put;
    private final boolean mayOverwrite;
    private final Conditions.Use use;
    private final @Nullable CopyProperties copy;

    Putting(PutBlob put, boolean mayOverwrite, Conditions.Use use, @Nullable CopyProperties copy) {
      this.copy = copy;
      this.put = put;
      this.mayOverwrite = mayOverwrite;
      this.use = use;
    }

    @Override
    public @Nullable ServiceError refusal(@Nullable BlobProperties there) {
      return body(NewContent.ofChunk(0, put.length()), null).refusal(there);
    }

    @Override
    public PutBlobBody body(NewContent content, @Nullable Checksums checksums) {
      BlobSettings settings = put.settings();
      HttpProperties http = settings.http();
      if (put.type() == BlobType.BLOCK && checksums != null && checksums.md5() != null) {
        http = http.withContentMd5(checksums.md5());
      }
      NewBlob blob =
          new NewBlob(
              put.type(),
              http,
              settings.metadata(),
              settings.tags(),
              settings.tier(),
              settings.immutability(),
              copy);
      return new PutBlobBody(BlobTerms.of(put.terms(), engine, mayOverwrite), use, blob, content);
    }

    @Override
    public BlobOutcome outcome(BlobProperties blob, Checksums checksums) {
      return new BlobPut(blob, checksums);
    }
  }

  private final class Staging implements Kind<PutBlockBody.Stored> {
    private final PutBlock put;
    private final boolean mayOverwrite;

    Staging(PutBlock put, boolean mayOverwrite) {
      this.put = put;
      this.mayOverwrite = mayOverwrite;
    }

    @Override
    public @Nullable ServiceError refusal(@Nullable BlobProperties there) {
      return body(NewContent.ofChunk(0, put.length()), null).refusal(there);
    }

    @Override
    public PutBlockBody body(NewContent content, @Nullable Checksums checksums) {
      return new PutBlockBody(put.leaseId(), engine.now(), mayOverwrite, put.id(), content);
    }

    @Override
    public BlobOutcome outcome(PutBlockBody.Stored stored, Checksums checksums) {
      if (stored.replacedChunk() != null) {
        garbage.delete(stored.replacedChunk());
      }
      return new BlockPut(checksums);
    }
  }

  private final class Appending implements Kind<AppendBody.Appended> {
    private final AppendBlock append;

    Appending(AppendBlock append) {
      this.append = append;
    }

    @Override
    public @Nullable ServiceError refusal(@Nullable BlobProperties there) {
      return body(NewContent.ofChunk(0, append.length()), null).refusal(there);
    }

    @Override
    public AppendBody body(NewContent content, @Nullable Checksums checksums) {
      return new AppendBody(
          new BlobTerms(append.terms(), engine.now()),
          append.position(),
          append.sizeMax(),
          BlobLimits.COMMITTED_BLOCKS_MAX,
          content);
    }

    @Override
    public BlobOutcome outcome(AppendBody.Appended appended, Checksums checksums) {
      return new BlockAppended(appended.blob(), appended.offset(), checksums);
    }
  }

  private final class Paging implements Kind<BlobProperties> {
    private final PutPages put;

    Paging(PutPages put) {
      this.put = put;
    }

    @Override
    public @Nullable ServiceError refusal(@Nullable BlobProperties there) {
      return body(NewContent.ofChunk(0, put.length()), null).refusal(there);
    }

    @Override
    public WritePagesBody body(NewContent content, @Nullable Checksums checksums) {
      BlobTerms terms = new BlobTerms(put.terms(), engine.now());
      return new WritePagesBody(new PageTerms(terms, put.sequence()), put.range(), content);
    }

    @Override
    public BlobOutcome outcome(BlobProperties blob, Checksums checksums) {
      return new PagesPut(blob, checksums);
    }
  }

  private final class Incoming<T> implements BlobUpload {
    private final Upload operation;
    private final String account;
    private final Kind<T> kind;
    private final Partition partition;
    private final UploadedBytes received;
    private boolean ended;

    Incoming(
        Upload operation, String account, Kind<T> kind, Partition partition, BodyDigest digest) {
      this.operation = operation;
      this.account = account;
      this.kind = kind;
      this.partition = partition;
      this.received = new UploadedBytes(engine.chunks(), partition, operation.length(), digest);
    }

    @Override
    public CompletionStage<@Nullable Void> take(ByteBuffer bytes) {
      return StorageFailures.<@Nullable Void>translatingStage(() -> received.take(bytes));
    }

    @Override
    public CompletionStage<BlobOutcome> end(Deadline deadline) {
      ended = true;
      Checksums checksums = received.checksums();
      ServiceException mismatch = mismatch(checksums);
      if (mismatch != null) {
        received.discard();
        return CompletableFuture.failedFuture(mismatch);
      }
      return StorageFailures.translatingStage(
          () ->
              received
                  .finish()
                  .whenComplete(this::discardUnlessFinished)
                  .thenCompose(content -> publish(content, checksums, deadline)));
    }

    @Override
    public void abort() {
      if (!ended) {
        received.discard();
      }
    }

    private void discardUnlessFinished(@Nullable NewContent content, @Nullable Throwable failure) {
      if (failure != null) {
        received.discard();
      }
    }

    private CompletableFuture<BlobOutcome> publish(
        NewContent content, Checksums checksums, Deadline deadline) {
      return partitions
          .writingTo(partition, account, operation.at(), deadline, kind.body(content, checksums))
          .whenComplete(this::discardUnlessPublished)
          .thenApply(result -> kind.outcome(result.orThrow(), checksums));
    }

    /**
     * Discards the chunk unless it may be part of the blob. If the outcome is unknown, it may be.
     */
    private void discardUnlessPublished(
        @Nullable TransactionResult<T> result, @Nullable Throwable failure) {
      boolean refused = result instanceof TransactionResult.Refused<T>;
      if (refused || (failure != null && !StorageFailures.isUnknownOutcome(failure))) {
        received.giveTo(garbage);
      }
    }

    /**
     * Compares the checksums of the request. For a blob that is put as a whole, also compares the
     * MD5 that the request sets as a property.
     */
    private @Nullable ServiceException mismatch(Checksums found) {
      ServiceException mismatch = operation.expected().refusal(found);
      boolean asProperty = operation instanceof PutBlob put && put.type() == BlobType.BLOCK;
      if (mismatch != null || !asProperty || found.md5() == null) {
        return mismatch;
      }
      String md5 = ((PutBlob) operation).settings().http().contentMd5();
      return md5 == null ? null : new ExpectedChecksums(md5, null).refusal(found);
    }
  }
}
