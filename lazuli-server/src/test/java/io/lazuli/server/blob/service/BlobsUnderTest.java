package io.lazuli.server.blob.service;

import io.lazuli.server.access.Caller;
import io.lazuli.server.blob.encoding.BlobPropertiesCodec;
import io.lazuli.server.blob.encoding.BlockSegmentCodec;
import io.lazuli.server.blob.encoding.IndexPartitions;
import io.lazuli.server.blob.encoding.UncommittedBlockCodec;
import io.lazuli.server.blob.garbage.BlobCollector;
import io.lazuli.server.blob.model.BlobETag;
import io.lazuli.server.blob.model.BlobName;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.BlobTags;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.model.Block;
import io.lazuli.server.blob.model.BlockId;
import io.lazuli.server.blob.model.BlockPlace;
import io.lazuli.server.blob.model.ContainerName;
import io.lazuli.server.blob.model.HttpProperties;
import io.lazuli.server.blob.model.PublicAccess;
import io.lazuli.server.blob.protection.Immutability;
import io.lazuli.server.blob.request.BlobAddress;
import io.lazuli.server.blob.request.BlobSettings;
import io.lazuli.server.blob.request.BlockListEntry;
import io.lazuli.server.blob.request.ByteRange;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.blob.request.CopySource;
import io.lazuli.server.blob.request.DeletedSnapshots;
import io.lazuli.server.blob.request.ETagCondition;
import io.lazuli.server.blob.request.ExpectedChecksums;
import io.lazuli.server.blob.request.NamedState;
import io.lazuli.server.blob.request.RequestTerms;
import io.lazuli.server.blob.request.SearchMarker;
import io.lazuli.server.blob.service.BlobOperation.AppendBlock;
import io.lazuli.server.blob.service.BlobOperation.CopyBlob;
import io.lazuli.server.blob.service.BlobOperation.CreateContainer;
import io.lazuli.server.blob.service.BlobOperation.DeleteBlob;
import io.lazuli.server.blob.service.BlobOperation.DeleteContainer;
import io.lazuli.server.blob.service.BlobOperation.DeleteSnapshot;
import io.lazuli.server.blob.service.BlobOperation.FindBlobsInContainer;
import io.lazuli.server.blob.service.BlobOperation.GetBlob;
import io.lazuli.server.blob.service.BlobOperation.PutBlob;
import io.lazuli.server.blob.service.BlobOperation.PutBlock;
import io.lazuli.server.blob.service.BlobOperation.PutBlockList;
import io.lazuli.server.blob.service.BlobOperation.ReadProperties;
import io.lazuli.server.blob.service.BlobOperation.ReplaceTags;
import io.lazuli.server.blob.service.BlobOperation.Source;
import io.lazuli.server.blob.service.BlobOperation.TakeSnapshot;
import io.lazuli.server.blob.service.BlobOperation.Upload;
import io.lazuli.server.blob.service.BlobOutcome.BlobChanged;
import io.lazuli.server.blob.service.BlobOutcome.BlobFound;
import io.lazuli.server.blob.service.BlobOutcome.BlobOpened;
import io.lazuli.server.blob.service.BlobOutcome.BlobPut;
import io.lazuli.server.blob.service.BlobOutcome.BlockAppended;
import io.lazuli.server.blob.service.BlobOutcome.FoundBlobs;
import io.lazuli.server.blob.service.BlobOutcome.SnapshotTaken;
import io.lazuli.server.blob.tag.TagExpressionParser;
import io.lazuli.server.blob.tag.TagQuery;
import io.lazuli.server.blob.tier.RehydratePriority;
import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.catalog.ServiceHome;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.Futures;
import io.lazuli.server.error.ServiceError;
import io.lazuli.server.error.ServiceException;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.Durability;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Position;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StorageEngineProvider;
import io.lazuli.storage.StoredChunk;
import io.lazuli.storage.Visit;
import io.lazuli.storage.contract.EngineFixture;
import io.lazuli.storage.work.WorkBoard;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ForkJoinPool;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The blob service of one account with one container, called synchronously. */
final class BlobsUnderTest {
  static final Caller OWNER = new Caller("acct", false);
  static final ContainerName CONTAINER = new ContainerName("docs");
  static final ExpectedChecksums ANY = new ExpectedChecksums(null, null);

  private final StorageEngine engine;
  private final Catalog catalog;
  private final BlobService service;

  BlobsUnderTest(StorageEngine engine) {
    this(engine, Protections.NONE);
  }

  BlobsUnderTest(StorageEngine engine, Protections protections) {
    this.engine = engine;
    this.catalog = new Catalog(engine);
    this.service =
        new BlobService(
            engine,
            catalog,
            UUID::randomUUID,
            protections,
            ForkJoinPool.commonPool(),
            Duration.ofMinutes(1));
  }

  /** Creates the container of an account that protects its blobs. */
  static BlobsUnderTest protecting(StorageEngine engine, Protections protections) {
    BlobsUnderTest blobs = new BlobsUnderTest(engine, protections);
    blobs.run(new CreateContainer(CONTAINER, Map.of(), PublicAccess.NONE));
    return blobs;
  }

  /** Creates the container. */
  static BlobsUnderTest withContainer(StorageEngine engine) {
    BlobsUnderTest blobs = new BlobsUnderTest(engine);
    blobs.run(new CreateContainer(CONTAINER, Map.of(), PublicAccess.NONE));
    return blobs;
  }

  static StorageEngine engine(String engine, Path folder, LongSupplier ticks) {
    return engine(engine, folder, ticks, Durability.RELAXED);
  }

  static StorageEngine engine(
      String engine, Path folder, LongSupplier ticks, Durability durability) {
    return ServiceLoader.load(StorageEngineProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(provider -> provider.name().equals(engine))
        .findFirst()
        .orElseThrow()
        .open(EngineConfig.of(folder).withTicks(ticks).withDurability(durability));
  }

  BlobService service() {
    return service;
  }

  BlobCollector collector() {
    return collector(new WorkBoard(engine, "test", (line, failure) -> {}));
  }

  BlobCollector collector(WorkBoard board) {
    return collector(board, BlobCollector.Times.DEFAULT.piece());
  }

  /**
   * @param piece the time after which a step visits no other blob
   */
  BlobCollector collector(WorkBoard board, Duration piece) {
    BlobCollector.Times times = BlobCollector.Times.DEFAULT;
    return new BlobCollector(
        engine,
        catalog,
        service.garbage(),
        board,
        new BlobCollector.Times(
            times.unpublished(),
            times.unfinished(),
            times.uncommitted(),
            times.betweenRounds(),
            times.betweenSteps(),
            times.betweenFullRounds(),
            times.afterLoss(),
            piece));
  }

  /** Does now what the thread of the collector does soon. */
  void clean() {
    service.garbage().recheckKept();
    while (service.garbage().clean(deadline())) {
      // The next part.
    }
  }

  /** Runs a whole round of a collector. */
  static void round(BlobCollector collector) {
    collector.round();
  }

  BlobOutcome run(BlobOperation operation) {
    return join(service.execute(operation, OWNER, deadline()));
  }

  BlobOutcome upload(Upload operation, byte[] body) {
    BlobUpload upload = join(service.upload(operation, OWNER, deadline()));
    send(upload, body);
    return join(upload.end(deadline()));
  }

  /** Sends the body in several parts, as a network would. */
  static void send(BlobUpload upload, byte[] body) {
    int part = Math.max(1, body.length / 3);
    for (int at = 0; at < body.length; at += part) {
      join(upload.take(ByteBuffer.wrap(body, at, Math.min(part, body.length - at))));
    }
  }

  BlobProperties put(String blob, byte[] body) {
    return put(blob, body, RequestTerms.NONE);
  }

  BlobProperties put(String blob, byte[] body, RequestTerms terms) {
    return ((BlobPut) upload(putBlob(blob, BlobType.BLOCK, body.length, terms), body)).properties();
  }

  BlobProperties createAppendBlob(String blob) {
    PutBlob put = putBlob(blob, BlobType.APPEND, 0, RequestTerms.NONE);
    return ((BlobPut) upload(put, new byte[0])).properties();
  }

  static PutBlob putBlob(String blob, BlobType type, long length, RequestTerms terms) {
    return new PutBlob(at(blob), type, settings(), terms, length, ANY);
  }

  BlockAppended append(String blob, byte[] body) {
    return (BlockAppended) upload(appendBlock(blob, null, null, body.length), body);
  }

  static AppendBlock appendBlock(
      String blob, @Nullable Long position, @Nullable Long sizeMax, int length) {
    return new AppendBlock(at(blob), position, sizeMax, RequestTerms.NONE, length, ANY);
  }

  void putBlock(String blob, String id, byte[] body) {
    upload(new PutBlock(at(blob), id(id), null, body.length, ANY), body);
  }

  BlobProperties commit(String blob, List<BlockListEntry> entries) {
    BlobOutcome outcome = run(new PutBlockList(at(blob), entries, settings(), RequestTerms.NONE));
    return ((BlobChanged) outcome).properties();
  }

  static BlockListEntry latest(String id) {
    return new BlockListEntry(BlockListEntry.Source.LATEST, id(id));
  }

  long snapshot(String blob) {
    return ((SnapshotTaken) run(new TakeSnapshot(at(blob), null, RequestTerms.NONE)))
        .snapshotTicks();
  }

  void delete(String blob, DeletedSnapshots snapshots) {
    run(new DeleteBlob(at(blob), snapshots, RequestTerms.NONE));
  }

  void deleteSnapshot(String blob, long ticks) {
    run(new DeleteSnapshot(at(blob), ticks, RequestTerms.NONE));
  }

  void deleteContainer() {
    run(new DeleteContainer(CONTAINER, RequestTerms.NONE));
  }

  BlobProperties copy(String from, @Nullable Long snapshotTicks, String to) {
    CopyBlob copy =
        new CopyBlob(
            at(to),
            source(from, snapshotTicks, null),
            "http://server/" + from,
            null,
            BlobTags.NONE,
            null,
            Immutability.NONE,
            RehydratePriority.STANDARD,
            null,
            false,
            ANY,
            RequestTerms.NONE);
    return ((BlobChanged) run(copy)).properties();
  }

  static Source source(String blob, @Nullable Long snapshotTicks, @Nullable ByteRange range) {
    CopySource from =
        new CopySource(OWNER.account(), CONTAINER, new BlobName(blob), snapshot(snapshotTicks));
    return new Source(from, Conditions.NONE, Conditions.Use.COPY_SOURCE, null, range);
  }

  BlobProperties properties(String blob) {
    return ((BlobFound) run(new ReadProperties(at(blob), null, RequestTerms.NONE))).properties();
  }

  BlobOpened open(String blob, @Nullable Long snapshotTicks, @Nullable ByteRange range) {
    return (BlobOpened)
        run(new GetBlob(at(blob), snapshot(snapshotTicks), range, RequestTerms.NONE));
  }

  private static @Nullable NamedState snapshot(@Nullable Long ticks) {
    return ticks == null ? null : NamedState.snapshot(ticks);
  }

  byte[] get(String blob) {
    return get(blob, null, null);
  }

  byte[] get(String blob, @Nullable Long snapshotTicks, @Nullable ByteRange range) {
    try (BlobReader reader = open(blob, snapshotTicks, range).content()) {
      return drain(reader);
    }
  }

  /** Reads everything, in pieces of an odd size. */
  static byte[] drain(BlobReader reader) {
    ByteBuffer all = ByteBuffer.allocate((int) reader.length());
    while (all.hasRemaining()) {
      ByteBuffer part = all.slice().limit(Math.min(all.remaining(), 9_999));
      join(reader.read(part));
      all.position(all.position() + part.position());
    }
    return all.array();
  }

  /** Returns the error that a request is refused with; null if it succeeds. */
  static @Nullable ServiceError refusal(Runnable request) {
    try {
      request.run();
      return null;
    } catch (ServiceException e) {
      return e.error();
    }
  }

  /** Returns all chunks that rows of blobs refer to, in containers that can be restored, too. */
  Set<Long> referencedChunks() {
    Set<Long> chunks = new HashSet<>();
    for (ServiceHome home : join(catalog.homes(SpaceKind.CONTAINER, deadline()))) {
      List<String> names = new ArrayList<>();
      join(catalog.list(home, "", deadline(), row -> names.add(row.name())));
      for (String name : names) {
        addChunks(
            Objects.requireNonNull(join(catalog.find(home, name, deadline()))).space(), chunks);
      }
      List<Space> deleted = new ArrayList<>();
      join(
          catalog
              .deletedNames()
              .list(
                  home,
                  "",
                  deadline(),
                  each -> deleted.add(new Space(each.row().space(), home.partition()))));
      deleted.forEach(space -> addNamedChunks(space, chunks));
    }
    return chunks;
  }

  /**
   * Adds the chunks of the contents that states have. The collector does not remove rows of
   * contents that no state has from a deleted container, only their chunks.
   */
  private void addNamedChunks(Space space, Set<Long> chunks) {
    Map<List<Object>, Set<Long>> contents = new HashMap<>();
    EngineFixture.await(
        engine.scan(
            space,
            List.of(new KeyRange(Position.START, IndexPartitions.END_OF_BLOBS)),
            Direction.FORWARD,
            deadline(),
            record -> {
              Bytes name = Bytes.of(record.partition().copy());
              byte[] row = record.row().copy();
              byte[] value = record.value().copy();
              // The rows of contents come before those of states.
              if (row[0] == 'l') {
                Set<Long> content =
                    contents.computeIfAbsent(
                        List.of(name, ByteBuffer.wrap(row).getLong(1)), none -> new HashSet<>());
                BlockSegmentCodec.decode(value).stream()
                    .map(Block::place)
                    .filter(BlockPlace::inChunk)
                    .forEach(place -> content.add(place.number()));
              } else if ("psvx".indexOf(row[0]) >= 0) {
                long version = BlobPropertiesCodec.decode(value).content().version();
                chunks.addAll(contents.getOrDefault(List.of(name, version), Set.of()));
              }
              return Visit.CONTINUE;
            }));
  }

  private void addChunks(Space space, Set<Long> chunks) {
    EngineFixture.await(
        engine.scan(
            space,
            List.of(new KeyRange(Position.START, IndexPartitions.END_OF_BLOBS)),
            Direction.FORWARD,
            deadline(),
            record -> {
              List<BlockPlace> places = new ArrayList<>();
              byte[] value = record.value().copy();
              switch (record.row().copy()[0]) {
                case 'l' ->
                    BlockSegmentCodec.decode(value).forEach(block -> places.add(block.place()));
                case 'k' -> chunks.add(ByteBuffer.wrap(record.row().copy()).getLong(1));
                case 'u' -> places.add(UncommittedBlockCodec.decode(value).place());
                default -> {}
              }
              places.stream()
                  .filter(BlockPlace::inChunk)
                  .forEach(place -> chunks.add(place.number()));
              return Visit.CONTINUE;
            }));
  }

  /** Returns all chunks in the store. */
  Set<Long> storedChunks() {
    Set<Long> chunks = new HashSet<>();
    for (StoredChunk chunk : EngineFixture.await(engine.chunks().list(null, 100_000))) {
      chunks.add(chunk.ref().number());
    }
    return chunks;
  }

  /** Returns the letters of all rows of a blob, in order. */
  String rowKinds(String blob) {
    StringBuilder kinds = new StringBuilder();
    EngineFixture.await(
        engine.scan(
            space(),
            List.of(KeyRange.ofPartition(new BlobName(blob).key())),
            Direction.FORWARD,
            deadline(),
            record -> {
              kinds.append((char) record.row().copy()[0]);
              return Visit.CONTINUE;
            }));
    return kinds.toString();
  }

  /** Returns the number of bytes in all values of the container's rows. */
  long storedBytes() {
    long[] bytes = new long[1];
    EngineFixture.await(
        engine.scan(
            space(),
            List.of(KeyRange.ALL),
            Direction.FORWARD,
            deadline(),
            record -> {
              bytes[0] += record.value().copy().length;
              return Visit.CONTINUE;
            }));
    return bytes[0];
  }

  /** Returns the number of rows in the index of due removals. */
  int dueRemovals() {
    int[] rows = new int[1];
    KeyRange range =
        new KeyRange(
            Position.startOf(IndexPartitions.DUE_REMOVALS),
            Position.startOf(IndexPartitions.dueRemovalsEnd(Long.MAX_VALUE - 1)));
    EngineFixture.await(
        engine.scan(
            space(),
            List.of(range),
            Direction.FORWARD,
            deadline(),
            record -> {
              rows[0]++;
              return Visit.CONTINUE;
            }));
    return rows[0];
  }

  /** Returns the space of the container. */
  Space space() {
    ServiceHome home = ServiceHome.ofContainers(OWNER.account());
    return Objects.requireNonNull(join(catalog.find(home, CONTAINER.text(), deadline()))).space();
  }

  /** Returns the number of rows in all indexes of the container. */
  int indexRows() {
    return indexRows(partition -> true);
  }

  int indexRows(Predicate<byte[]> partitions) {
    int[] rows = new int[1];
    EngineFixture.await(
        engine.scan(
            space(),
            List.of(new KeyRange(IndexPartitions.END_OF_BLOBS, null)),
            Direction.FORWARD,
            deadline(),
            record -> {
              rows[0] += partitions.test(record.partition().copy()) ? 1 : 0;
              return Visit.CONTINUE;
            }));
    return rows[0];
  }

  /** Puts a blob with tags, such as {@code a=1&b=2}. */
  BlobProperties putTagged(String blob, String tags, RequestTerms terms) {
    BlobSettings tagged =
        new BlobSettings(HttpProperties.NONE, Map.of(), BlobTags.parseHeader(tags), null);
    PutBlob put = new PutBlob(at(blob), BlobType.BLOCK, tagged, terms, 1, ANY);
    return ((BlobPut) upload(put, new byte[1])).properties();
  }

  void setTags(String blob, String tags) {
    run(new ReplaceTags(at(blob), null, BlobTags.parseHeader(tags), RequestTerms.NONE));
  }

  /** Returns the names of all blobs of the container that a search finds, in its order. */
  List<String> find(String where) {
    List<String> names = new ArrayList<>();
    SearchMarker marker = null;
    do {
      FoundBlobs page = (FoundBlobs) run(search(where, marker, 2));
      page.blobs().forEach(found -> names.add(found.name().text()));
      marker = page.next();
    } while (marker != null);
    return names;
  }

  /** Returns the blobs and previous versions that a search finds; {@code ~} marks the latter. */
  List<String> findVersions(String where) {
    List<String> names = new ArrayList<>();
    SearchMarker marker = null;
    do {
      FindBlobsInContainer search = search(where, marker, 2);
      FoundBlobs page =
          (FoundBlobs) run(new FindBlobsInContainer(CONTAINER, search.query(), true, marker, 2));
      page.blobs().forEach(found -> names.add(found.name().text() + (found.current() ? "" : "~")));
      marker = page.next() == null ? null : SearchMarker.require(page.next().text());
    } while (marker != null);
    return names;
  }

  static FindBlobsInContainer search(String where, @Nullable SearchMarker marker, int max) {
    TagQuery query =
        TagExpressionParser.search(
            where, reason -> CommonErrors.INVALID_HEADER_VALUE.exception().with("Reason", reason));
    return new FindBlobsInContainer(CONTAINER, query, false, marker, max);
  }

  static BlobAddress at(String blob) {
    return new BlobAddress(CONTAINER, new BlobName(blob));
  }

  static BlobSettings settings() {
    return new BlobSettings(HttpProperties.NONE, Map.of(), BlobTags.NONE, null);
  }

  static BlockId id(String text) {
    return new BlockId(Bytes.of(text.getBytes(StandardCharsets.UTF_8)));
  }

  static RequestTerms ifMatch(BlobProperties blob) {
    ETagCondition tag = ETagCondition.parse("If-Match", BlobETag.quoted(blob.changedTicks()));
    return new RequestTerms(new Conditions(tag, null, null, null), null);
  }

  static RequestTerms ifNoneMatchAny() {
    ETagCondition any = ETagCondition.parse("If-None-Match", "*");
    return new RequestTerms(new Conditions(null, any, null, null), null);
  }

  static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Returns bytes that differ by seed and by position. */
  static byte[] bytes(int length, int seed) {
    byte[] bytes = new byte[length];
    int state = seed * 0x9E3779B9 + 1;
    for (int i = 0; i < length; i++) {
      state = state * 1_103_515_245 + 12_345;
      bytes[i] = (byte) (state >> 16);
    }
    return bytes;
  }

  static Deadline deadline() {
    return Deadline.after(Duration.ofMinutes(1));
  }

  static <R> R join(CompletionStage<R> stage) {
    return Futures.await(stage);
  }
}
