package io.lazuli.server.blob.transaction;

import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.server.blob.index.GivesTags;
import io.lazuli.server.blob.model.BlobContent;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.BlobTags;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.model.Upload;
import io.lazuli.server.blob.partition.BlobView;
import io.lazuli.server.blob.protection.Keep;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.error.ServiceError;
import io.lazuli.storage.PartitionView;
import org.jspecify.annotations.Nullable;

/**
 * Makes a block list, whose segments are already written, the content of the blob. Changes only the
 * properties. The list was resolved outside of a transaction. If blocks were put, another list was
 * committed, or the segments were removed as garbage in between, the transaction does nothing and
 * the caller resolves the list again. The chunks of the blocks cannot be collected in between: as
 * long as the properties are unchanged, they refer to these blocks.
 *
 * @param seen the blob as it was when the list was resolved; null if there was none
 * @param version the version of the segments; 0 if the list is empty
 */
public record CommitBody(
    BlobTerms terms,
    NewBlob blob,
    @Nullable BlobProperties seen,
    long version,
    BlockList list,
    Keep keep)
    implements KeepingBody<CommitBody.Outcome>, GivesTags<TransactionResult<CommitBody.Outcome>> {
  public CommitBody(
      BlobTerms terms, NewBlob blob, @Nullable BlobProperties seen, long version, BlockList list) {
    this(terms, blob, seen, version, list, Keep.NOTHING);
  }

  @Override
  public CommitBody keeping(Keep newKeep) {
    return new CommitBody(terms, blob, seen, version, list, newKeep);
  }

  /** The outcome of a block list that was not refused. */
  public sealed interface Outcome {}

  /**
   * The list is the content of the blob.
   *
   * @param ended the upload whose blocks are garbage now, unless the list names them
   * @param leavesGarbage true if content that the blob had before is garbage, too
   */
  public record Committed(BlobProperties blob, Upload ended, boolean leavesGarbage)
      implements Outcome {}

  /** The blocks changed in between, so nothing was done: the caller must resolve the list again. */
  public record BlocksChanged() implements Outcome {}

  @Override
  public BlobTags givenTags() {
    return blob.tags();
  }

  @Override
  public CommitBody withTagStamp(long stamp) {
    return new CommitBody(terms, blob.withTagStamp(stamp), seen, version, list, keep);
  }

  @Override
  public TransactionResult<Outcome> run(PartitionView partition) {
    BlobView view = new BlobView(partition);
    BlobProperties old = view.find();
    Replacement replacement = new Replacement(partition, keep, old);
    ServiceError refusal = refusal(terms, old);
    refusal = refusal == null ? replacement.refusal(blob.type(), terms.clock()) : refusal;
    if (refusal != null) {
      return TransactionResult.refused(refusal);
    }
    boolean swept = version != 0 && partition.read(BlobRows.segment(version, 0)) == null;
    if (swept || !hasSameBlocks(old)) {
      return TransactionResult.done(new BlocksChanged());
    } else if (replacement.isUnannounced()) {
      return TransactionResult.unannounced();
    }
    long ticks = view.newTicks();
    long stored = version == 0 ? view.newVersion(ticks, old) : version;
    BlobContent content = new BlobContent(stored, list.length(), list.blocks(), false);
    BlobProperties now = blob.replacing(old, content, ticks, terms.now(), keep.versions());
    Upload ended = old == null ? Upload.NONE : old.upload();
    boolean leavesGarbage = !replacement.keepsContent();
    return TransactionResult.done(new Committed(replacement.put(now, ticks), ended, leavesGarbage));
  }

  /** Returns why no block list can be committed, whatever it contains; null if one can. */
  public static @Nullable ServiceError refusal(BlobTerms terms, @Nullable BlobProperties old) {
    ServiceError refusal = terms.writeRefusal(Conditions.Use.CREATE, old);
    boolean otherType = old != null && old.type() != BlobType.BLOCK;
    return refusal == null && otherType ? BlobErrors.INVALID_BLOB_TYPE : refusal;
  }

  private boolean hasSameBlocks(@Nullable BlobProperties old) {
    Upload upload = old == null ? Upload.NONE : old.upload();
    Upload seenUpload = seen == null ? Upload.NONE : seen.upload();
    long content = old == null ? 0 : old.content().version();
    long seenContent = seen == null ? 0 : seen.content().version();
    return upload.equals(seenUpload) && content == seenContent;
  }
}
