package io.lazuli.server.blob.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.blob.encoding.BlobPropertiesCodec;
import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.server.blob.encoding.BlockSegmentCodec;
import io.lazuli.server.blob.encoding.UncommittedBlockCodec;
import io.lazuli.server.blob.garbage.LiveContent;
import io.lazuli.server.blob.model.BlobLimits;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.BlobTags;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.model.Block;
import io.lazuli.server.blob.model.BlockId;
import io.lazuli.server.blob.model.HttpProperties;
import io.lazuli.server.blob.model.UncommittedBlock;
import io.lazuli.server.blob.partition.ContentPiece;
import io.lazuli.server.blob.partition.NewContent;
import io.lazuli.server.blob.protection.Immutability;
import io.lazuli.server.blob.request.BlockListEntry;
import io.lazuli.server.blob.request.ByteRange;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.error.ServiceError;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Position;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.TransactionBody;
import io.lazuli.storage.Visit;
import io.lazuli.storage.contract.EngineFixture;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One blob on an engine: runs transactions as the service does, and reads the content back. */
final class TestBlob {
  private final StorageEngine engine;
  private final Partition partition;

  TestBlob(StorageEngine engine) {
    this.engine = engine;
    Partition home = new Partition(Space.CATALOGUE, text("account/blob"));
    Space container =
        new Space(EngineFixture.await(engine.newSpace(SpaceKind.CONTAINER, Deadline.NEVER)), home);
    partition = new Partition(container, text("a/b.txt"));
  }

  <T> T run(TransactionBody<T> body) {
    return engine.transact(partition, List.of(), deadline(), body).join();
  }

  /** Runs a transaction that must take place. */
  <V> V done(TransactionBody<TransactionResult<V>> body) {
    TransactionResult<V> result = run(body);
    assertThat(refusal(result)).isNull();
    assertThat(isUnfinished(result)).isFalse();
    return result.orThrow();
  }

  /** Returns the error that a transaction was refused with; null if it took place. */
  static @Nullable ServiceError refusal(TransactionResult<?> result) {
    return result instanceof TransactionResult.Refused<?> refused ? refused.error() : null;
  }

  /** True if the caller of the transaction must repeat it. */
  static boolean isUnfinished(TransactionResult<?> result) {
    return result instanceof TransactionResult.Done<?> done
        && (done.value() instanceof CommitBody.BlocksChanged
            || done.value() == DeleteBody.Outcome.SNAPSHOTS_LEFT);
  }

  /** Runs a transaction that must be refused and change nothing. */
  <V> void refused(ServiceError refusal, TransactionBody<TransactionResult<V>> body) {
    Map<Bytes, String> before = rows();
    assertThat(refusal(run(body))).isEqualTo(refusal);
    assertThat(rows()).isEqualTo(before);
  }

  BlobTerms terms() {
    return terms(Conditions.NONE, null);
  }

  BlobTerms terms(Conditions conditions, @Nullable UUID leaseId) {
    return new BlobTerms(conditions, leaseId, engine.now());
  }

  long now() {
    return engine.now();
  }

  BlobProperties put(String content) {
    return done(putBody(terms(), BlobType.BLOCK, content));
  }

  BlobProperties createAppendBlob() {
    return done(putBody(terms(), BlobType.APPEND, ""));
  }

  static PutBlobBody putBody(BlobTerms terms, BlobType type, String content) {
    return new PutBlobBody(
        terms, Conditions.Use.CREATE, blob(type), NewContent.ofBytes(text(content).array()));
  }

  static NewBlob blob(BlobType type) {
    return new NewBlob(
        type, HttpProperties.NONE, Map.of(), BlobTags.NONE, null, Immutability.NONE, null);
  }

  PutBlockBody block(String id, String content) {
    return new PutBlockBody(
        null, engine.now(), true, new BlockId(text(id)), NewContent.ofBytes(text(content).array()));
  }

  AppendBody append(String content) {
    return append(terms(), null, null, content);
  }

  static AppendBody append(
      BlobTerms terms, @Nullable Long position, @Nullable Long sizeMax, String content) {
    return new AppendBody(
        terms,
        position,
        sizeMax,
        BlobLimits.COMMITTED_BLOCKS_MAX,
        NewContent.ofBytes(text(content).array()));
  }

  /** Commits a block list: reads the blocks, writes segments, changes the properties. */
  TransactionResult<CommitBody.Outcome> commit(BlobTerms terms, List<BlockListEntry> entries) {
    BlobProperties seen = find();
    BlockList list = resolve(seen, entries);
    return run(new CommitBody(terms, blob(BlobType.BLOCK), seen, write(list), list));
  }

  /** Writes the segments of a list in as many transactions as necessary. */
  long write(BlockList list) {
    long version = 0;
    for (int at = 0; at < list.segments().size(); at += SegmentsBody.SEGMENTS_MAX) {
      int end = Math.min(list.segments().size(), at + SegmentsBody.SEGMENTS_MAX);
      version = run(new SegmentsBody(version, list.segments().subList(at, end)));
    }
    return version;
  }

  BlockList resolve(@Nullable BlobProperties seen, List<BlockListEntry> entries) {
    Map<BlockId, Block> committed = new HashMap<>();
    Map<BlockId, UncommittedBlock> uncommitted = new HashMap<>();
    if (seen != null) {
      committedBlocks(seen).forEach(block -> committed.putIfAbsent(block.id(), block));
      long upload = seen.upload().number();
      scan(
          BlobRows.upload(upload),
          BlobRows.uploadEnd(upload),
          (row, value) ->
              uncommitted.put(BlobRows.blockId(row), UncommittedBlockCodec.decode(value)));
    }
    return BlockList.resolve(entries, committed, uncommitted).orElseThrow();
  }

  List<Block> committedBlocks(BlobProperties blob) {
    List<Block> blocks = new ArrayList<>();
    long version = blob.content().version();
    scan(
        BlobRows.segments(version),
        BlobRows.segmentsEnd(version),
        (row, value) -> blocks.addAll(BlockSegmentCodec.decode(value)));
    return blocks;
  }

  @Nullable BlobProperties find() {
    byte[] record =
        EngineFixture.await(engine.read(partition.row(BlobRows.PROPERTIES), deadline()));
    return record == null ? null : BlobPropertiesCodec.decode(record);
  }

  BlobProperties require() {
    BlobProperties blob = find();
    assertThat(blob).isNotNull();
    return blob;
  }

  BlobProperties snapshot(long ticks) {
    byte[] record =
        EngineFixture.await(engine.read(partition.row(BlobRows.snapshot(ticks)), deadline()));
    assertThat(record).isNotNull();
    return BlobPropertiesCodec.decode(record);
  }

  String content() {
    return content(require());
  }

  String content(BlobProperties blob) {
    return content(blob, new ByteRange(0, Math.max(0, blob.content().length() - 1)));
  }

  /** Reads a range as the service does: seeks back to its first segment and reads on from there. */
  String content(BlobProperties blob, ByteRange asked) {
    ByteRange range = asked.within(blob.content().length());
    if (range == null) {
      return "";
    }
    long version = blob.content().version();
    long[] first = {0};
    EngineFixture.await(
        engine.scan(
            partition.space(),
            List.of(
                range(
                    BlobRows.segments(version),
                    BlobRows.segment(version, range.from()).successor())),
            Direction.BACKWARD,
            deadline(),
            record -> {
              first[0] = BlobRows.segmentStart(Bytes.of(record.row().copy()));
              return Visit.STOP;
            }));
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    scan(
        BlobRows.segment(version, first[0]),
        BlobRows.segment(version, range.to()).successor(),
        (row, value) -> {
          List<Block> blocks = BlockSegmentCodec.decode(value);
          ContentPiece.of(BlobRows.segmentStart(row), blocks, range)
              .forEach(piece -> content.writeBytes(read(piece)));
        });
    return content.toString(StandardCharsets.UTF_8);
  }

  private byte[] read(ContentPiece piece) {
    byte[] bytes =
        EngineFixture.await(
            engine.read(partition.row(BlobRows.bytes(piece.place().number())), deadline()));
    assertThat(bytes).isNotNull();
    int from = (int) piece.offset();
    return Arrays.copyOfRange(bytes, from, from + (int) piece.length());
  }

  LiveContent live(long unnamedBefore) {
    LiveContent live = beginLive(unnamedBefore);
    scan(Bytes.EMPTY, null, live::add);
    return live;
  }

  /** Reads the properties, but no rows yet. */
  LiveContent beginLive(long unnamedBefore) {
    return new LiveContent(
        EngineFixture.await(engine.read(partition.row(BlobRows.PROPERTIES), deadline())),
        unnamedBefore);
  }

  void show(LiveContent live, Bytes from, @Nullable Bytes to) {
    scan(from, to, live::add);
  }

  /** Returns every row with its value, to see what changed. */
  Map<Bytes, String> rows() {
    Map<Bytes, String> rows = new TreeMap<>();
    scan(Bytes.EMPTY, null, (row, value) -> rows.put(row, Bytes.of(value).toString()));
    return rows;
  }

  /** Returns the letters of all rows, in order. */
  String kinds() {
    StringBuilder kinds = new StringBuilder();
    rows().keySet().forEach(row -> kinds.append((char) row.array()[0]));
    return kinds.toString();
  }

  private interface RowReader {
    void read(Bytes row, byte[] value);
  }

  private void scan(Bytes from, @Nullable Bytes to, RowReader reader) {
    EngineFixture.await(
        engine.scan(
            partition.space(),
            List.of(range(from, to)),
            Direction.FORWARD,
            deadline(),
            record -> {
              reader.read(Bytes.of(record.row().copy()), record.value().copy());
              return Visit.CONTINUE;
            }));
  }

  private KeyRange range(Bytes from, @Nullable Bytes to) {
    Position end =
        to == null ? Position.endOf(partition.name()) : new Position(partition.name(), to);
    return new KeyRange(new Position(partition.name(), from), end);
  }

  static Bytes text(String text) {
    return Bytes.of(text.getBytes(StandardCharsets.UTF_8));
  }

  private static Deadline deadline() {
    return Deadline.after(Duration.ofMinutes(1));
  }
}
