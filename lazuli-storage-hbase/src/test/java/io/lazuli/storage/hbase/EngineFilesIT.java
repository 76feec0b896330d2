package io.lazuli.storage.hbase;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.cluster.Cluster;
import io.lazuli.cluster.ClusterProcess;
import io.lazuli.cluster.ClusterSpec;
import io.lazuli.storage.ChunkReader;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.ChunkWriter;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.EngineOpenException;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.StorageException.Kind;
import io.lazuli.storage.StoreCut;
import io.lazuli.storage.contract.Chunks;
import io.lazuli.storage.contract.EngineFixture;
import io.lazuli.storage.hbase.cluster.ClusterConnection;
import io.lazuli.storage.hbase.cut.HBaseRestore;
import io.lazuli.storage.segment.CutNames;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.security.UserGroupInformation;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Chunks in files of HDFS: what is left of them, damage, faults of data nodes, and older chunks.
 */
@Tag("long")
@Timeout(600)
class EngineFilesIT {
  private static final int MIB = 1 << 20;
  private static final List<Kind> REFUSALS = List.of(Kind.UNAVAILABLE, Kind.UNKNOWN_OUTCOME);
  private static final String FOLDER = HBaseSettings.CHUNK_FOLDER;

  private static Cluster cluster;
  private static Configuration site;
  private static FileSystem hdfs;

  @TempDir private Path folder;
  private String namespace;
  private HBaseEngine engine;
  private Chunks chunks;

  @BeforeAll
  static void startCluster() throws Exception {
    cluster = Cluster.start(ClusterSpec.of(1).withHdfs());
    site = ClusterConnection.configuration(cluster.clientConfig());
    Configuration settings = new Configuration(site);
    settings.set("fs.hdfs.impl", "org.apache.hadoop.hdfs.DistributedFileSystem");
    hdfs =
        UserGroupInformation.createRemoteUser("test")
            .doAs(
                (java.security.PrivilegedExceptionAction<FileSystem>)
                    () -> FileSystem.newInstance(URI.create(site.get(FOLDER)), settings));
  }

  @AfterAll
  static void stopCluster() throws IOException {
    hdfs.close();
    cluster.close();
  }

  @BeforeEach
  void open() {
    namespace = "n" + System.nanoTime();
    engine = open(Duration.ZERO, site);
    chunks = chunks(engine);
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void onlyAChunkOfSeveralPiecesIsAFile() throws IOException {
    ChunkRef cell = chunks.append(Chunks.content(MIB, 1));
    assertThat(engine.storedRecords(cell.number())).isEqualTo(1);
    assertThat(fileOf(cell)).isEmpty();
    byte[] content = Chunks.content(3 * MIB + 7, 2);
    ChunkRef file = chunks.append(content);
    assertThat(engine.storedRecords(file.number())).isZero();
    assertThat(fileOf(file)).hasSize(1);
    try (var in = hdfs.open(fileOf(file).get(0))) {
      assertThat(in.readAllBytes()).isEqualTo(content);
    }
  }

  @Test
  void nothingIsLeftOfChunksThatWereDeletedOrGivenUp() throws IOException {
    ChunkRef complete = chunks.append(new byte[2 * MIB]);
    ChunkWriter givenUp = EngineFixture.await(chunks.store().append(chunks.owner()));
    EngineFixture.await(givenUp.write(ByteBuffer.allocate(4 * MIB)));
    assertThat(filesOfStore()).hasSize(2);
    givenUp.close();
    Awaitility.await().until(() -> filesOfStore().size() == 1 && chunks.list().size() == 1);
    EngineFixture.await(chunks.store().delete(List.of(complete)));
    assertThat(filesOfStore()).hasSize(1);
    reclaimAll();
    assertThat(filesOfStore()).isEmpty();
  }

  @Test
  void theFileOfAChunkWhoseServerDiedIsRemovedWithTheChunk() throws IOException {
    ChunkWriter writer = EngineFixture.await(chunks.store().append(chunks.owner()));
    EngineFixture.await(writer.write(ByteBuffer.allocate(4 * MIB)));
    assertThat(filesOfStore()).hasSize(1);
    try (HBaseEngine other = open(Duration.ZERO, site)) {
      ChunkRef unfinished = chunks.list().get(0).ref();
      EngineFixture.await(other.chunks().delete(List.of(unfinished)));
      while (other.chunks().reclaim()) {
        assertThat(filesOfStore()).isEmpty();
      }
      assertThat(filesOfStore()).isEmpty();
    }
    // The writer that was taken for dead fails.
    assertUnavailable(
        () -> {
          EngineFixture.await(writer.write(ByteBuffer.allocate(4 * MIB)));
          EngineFixture.await(writer.complete());
        });
    assertThat(filesOfStore()).isEmpty();
  }

  @Test
  void aReaderKeepsAFileForTheGrace() {
    byte[] content = Chunks.content(3 * MIB, 5);
    ChunkRef ref = chunks.append(content);
    try (ChunkReader reader = requireNonNull(EngineFixture.await(chunks.store().open(ref)))) {
      assertThat(EngineFixture.await(reader.read(0, ByteBuffer.allocate(10)))).isEqualTo(10);
      EngineFixture.await(chunks.store().delete(List.of(ref)));
      assertThat(EngineFixture.await(reader.read(2 * MIB, ByteBuffer.allocate(9)))).isEqualTo(9);
    }
  }

  @Test
  void chunksInCellsStayReadableAndAreDeletedAsBefore() throws IOException {
    engine.close();
    namespace = "cells" + System.nanoTime();
    byte[] content = Chunks.content(3 * MIB + 1, 6);
    ChunkRef old;
    try (HBaseEngine before = open(Duration.ZERO, withoutFolder())) {
      old = chunks(before).append(content);
      assertThat(before.storedRecords(old.number())).isEqualTo(4);
    }
    engine = open(Duration.ZERO, site);
    chunks = chunks(engine);
    assertThat(chunks.read(old)).isEqualTo(content);
    ChunkRef copy = EngineFixture.await(chunks.store().copy(old, chunks.owner()));
    assertThat(fileOf(requireNonNull(copy))).hasSize(1);
    EngineFixture.await(chunks.store().delete(List.of(old)));
    reclaimAll();
    assertThat(engine.storedRecords(old.number())).isZero();
    assertThat(chunks.read(copy)).isEqualTo(content);
  }

  @Test
  void aServerThatWouldNotFindTheFilesDoesNotStart() {
    assertThatThrownBy(() -> open(Duration.ZERO, withoutFolder()))
        .isInstanceOf(EngineOpenException.class)
        .hasMessageContaining(FOLDER);
    Configuration elsewhere = new Configuration(site);
    elsewhere.set(FOLDER, site.get(FOLDER) + "/elsewhere");
    assertThatThrownBy(() -> open(Duration.ZERO, elsewhere))
        .isInstanceOf(EngineOpenException.class)
        .hasMessageContaining("is missing");
  }

  @Test
  void aDamagedReplicaIsNotServed() throws IOException {
    int length = 2 * MIB + 12_345;
    byte[] content = Chunks.content(length, 7);
    ChunkRef ref = chunks.append(content);
    List<Path> replicas = blockFiles(length);
    assertThat(replicas).hasSize(3);
    flip(replicas.get(0), 1_500_000);
    for (int i = 0; i < 10; i++) {
      assertThat(chunks.read(ref)).isEqualTo(content);
    }
  }

  @Test
  void damageOfAllReplicasIsReported() throws IOException {
    int length = 2 * MIB + 23_456;
    ChunkRef ref = chunks.append(Chunks.content(length, 8));
    for (Path replica : blockFiles(length)) {
      flip(replica, 1_500_000);
    }
    long before = engine.chunks().damageFound();
    assertThatThrownBy(() -> chunks.read(ref))
        .isInstanceOfSatisfying(
            StorageException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CORRUPT));
    assertThat(engine.chunks().damageFound()).isEqualTo(before + 1);
    // The first piece is not damaged.
    assertThat(chunks.read(ref, 0, 1_000, 1_000)).hasSize(1_000);
  }

  /** HDFS knows nothing of this damage: the file was written with it. */
  @Test
  void onlyOurChecksumsFindAFileThatWasReplaced() throws IOException {
    byte[] content = Chunks.content(3 * MIB, 9);
    ChunkRef ref = chunks.append(content);
    byte[] damaged = content.clone();
    damaged[2 * MIB + 5] ^= 1;
    try (OutputStream out = hdfs.create(fileOf(ref).get(0), true)) {
      out.write(damaged);
    }
    assertThat(chunks.read(ref, 0, 2 * MIB, MIB)).hasSize(2 * MIB);
    assertCorrupt(() -> chunks.read(ref, 2 * MIB, 10, 10));
    try (ChunkReader reader = requireNonNull(EngineFixture.await(chunks.store().open(ref)))) {
      assertCorrupt(() -> EngineFixture.await(reader.verify(2 * MIB)));
    }
    assertCorrupt(() -> EngineFixture.await(chunks.store().copy(ref, chunks.owner())));
    try (OutputStream out = hdfs.create(fileOf(ref).get(0), true)) {
      out.write(content, 0, MIB);
    }
    assertCorrupt(() -> chunks.read(ref, MIB, 10, 10));
    assertThat(hdfs.delete(fileOf(ref).get(0), false)).isTrue();
    assertCorrupt(() -> chunks.read(ref, 0, 10, 10));
  }

  @Test
  void aDataNodeMayDieWhileAChunkIsWritten() {
    byte[] content = Chunks.content(24 * MIB, 10);
    ClusterProcess node = cluster.dataNodes().get(0);
    ChunkRef ref;
    try (ChunkWriter writer = EngineFixture.await(chunks.store().append(chunks.owner()))) {
      EngineFixture.await(writer.write(ByteBuffer.wrap(content, 0, 8 * MIB)));
      node.kill();
      EngineFixture.await(writer.write(ByteBuffer.wrap(content, 8 * MIB, 16 * MIB)));
      ref = EngineFixture.await(writer.complete());
    }
    assertThat(chunks.read(ref)).isEqualTo(content);
    node.restart();
    assertThat(chunks.read(ref)).isEqualTo(content);
  }

  /** All readers together ask the node many times; the others answer for it. */
  @Test
  void aDataNodeThatDoesNotAnswerStopsNeitherReadersNorWriters() {
    List<ChunkRef> refs =
        IntStream.range(0, 40).mapToObj(i -> chunks.append(Chunks.content(2 * MIB, i))).toList();
    ClusterProcess node = cluster.dataNodes().get(1);
    ExecutorService readers = Executors.newFixedThreadPool(refs.size());
    node.pause();
    try {
      long begin = System.nanoTime();
      List<CompletableFuture<byte[]>> reads = new ArrayList<>();
      for (ChunkRef ref : refs) {
        reads.add(CompletableFuture.supplyAsync(() -> chunks.read(ref), readers));
      }
      for (int i = 0; i < refs.size(); i++) {
        assertThat(reads.get(i).join()).isEqualTo(Chunks.content(2 * MIB, i));
      }
      System.out.printf(
          "40 chunks of 2 MiB with a paused data node: %d ms%n",
          (System.nanoTime() - begin) / 1_000_000);
      begin = System.nanoTime();
      String outcome = appendSlowly(Chunks.content(8 * MIB, 11));
      System.out.printf(
          "a new chunk with a paused data node: %s after %d ms%n",
          outcome, (System.nanoTime() - begin) / 1_000_000);
    } finally {
      node.resume();
      readers.shutdown();
    }
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .ignoreExceptions()
        .until(() -> chunks.read(chunks.append(new byte[2 * MIB])).length == 2 * MIB);
  }

  /**
   * HDFS needs up to 20 s to find that a data node does not answer, for each that it blames, and
   * the log of the region server waits for the same node. So the chunk is stored late or refused.
   */
  private String appendSlowly(byte[] content) {
    ChunkRef ref;
    try (ChunkWriter writer = soon(chunks.store().append(chunks.owner()))) {
      boolean unused = soon(writer.write(ByteBuffer.wrap(content)).thenApply(done -> true));
      ref = soon(writer.complete());
    } catch (CompletionException e) {
      assertThat(e.getCause())
          .isInstanceOfSatisfying(
              StorageException.class, refusal -> assertThat(refusal.kind()).isIn(REFUSALS));
      return "refused";
    }
    assertThat(chunks.read(ref)).isEqualTo(content);
    return "stored";
  }

  private static <T> T soon(CompletableFuture<T> step) {
    return step.orTimeout(2, TimeUnit.MINUTES).join();
  }

  @Test
  void aFullFileSystemRefusesChunksAndLeavesNothing() throws IOException {
    ChunkRef before = chunks.append(Chunks.content(2 * MIB, 12));
    // A quota of bytes is what a full file system looks like to a client.
    hdfs.setQuota(
        place(), Long.MAX_VALUE - 1, hdfs.getContentSummary(place()).getSpaceConsumed() + 1);
    try {
      assertUnavailable(() -> chunks.append(new byte[4 * MIB]));
      Awaitility.await().until(() -> filesOfStore().size() == 1 && chunks.list().size() == 1);
      assertThat(chunks.read(before)).hasSize(2 * MIB);
      assertThat(chunks.append(new byte[MIB])).isNotNull();
    } finally {
      hdfs.setQuota(place(), Long.MAX_VALUE - 1, Long.MAX_VALUE - 1);
    }
    assertThat(chunks.read(chunks.append(new byte[4 * MIB]))).hasSize(4 * MIB);
  }

  /** A clone keeps the cells of a deleted chunk, and the cut keeps its file. */
  @Test
  void aCutKeepsTheFilesThatItShows() throws IOException {
    byte[] content = Chunks.content(2 * MIB, 13);
    ChunkRef ref = chunks.append(content);
    boolean[] seen = new boolean[1];
    try (StoreCut cut = engine.cut()) {
      EngineFixture.await(chunks.store().delete(List.of(ref)));
      assertThat(engine.chunks().reclaim()).isFalse();
      cut.forEach(
          file -> {
            if (file.name().startsWith("chunks/")) {
              try (ReadableByteChannel in = cut.open(file)) {
                byte[] bytes = Channels.newInputStream(in).readAllBytes();
                assertThat(bytes).hasSize((int) file.length()).endsWith(content);
                seen[0] = true;
              }
            }
          });
    }
    assertThat(seen[0]).isTrue();
    reclaimAll();
    assertThat(filesOfStore()).isEmpty();
  }

  /** An operator can find the folder of such a restore. */
  @Test
  void theStoreOfARestoreThatWasKilledNamesItsFolder() throws IOException {
    chunks.append(new byte[2 * MIB]);
    try (StoreCut cut = engine.cut();
        ClusterConnection connection = ClusterConnection.open(site, "lazuli")) {
      namespace = "restored" + System.nanoTime();
      connection.admin().createNamespace(NamespaceDescriptor.create(namespace).build()).join();
      Configuration settings = settings(site);
      // Without the end of the restore, which would remove its files.
      try (HBaseRestore killed =
          HBaseRestore.begin(
              ClusterConnection.open(site, "lazuli"),
              namespace,
              HBaseEngine.chunkFolder(settings, connection))) {
        cut.forEach(
            file -> {
              if (file.name().startsWith(CutNames.BOUNDARIES)
                  || file.name().startsWith(CutNames.CHUNKS)) {
                try (ReadableByteChannel in = cut.open(file)) {
                  killed.write(file.name(), Channels.newInputStream(in));
                }
              }
            });
        assertThat(filesOfStore()).hasSize(1);
        String name = requireNonNull(filesOfStore().get(0).getParent()).getParent().getName();
        assertThatThrownBy(() -> open(Duration.ZERO, site))
            .isInstanceOf(EngineOpenException.class)
            .hasMessageContaining("has not finished")
            .hasMessageContaining(name);
      }
    }
  }

  private HBaseEngine open(Duration grace, Configuration with) {
    Configuration settings = settings(with);
    return HBaseEngine.open(
        EngineConfig.of(folder),
        settings,
        HBaseSettings.of(settings).withLease(Duration.ofMillis(100)).withChunkGrace(grace));
  }

  private Configuration settings(Configuration with) {
    Configuration settings = new Configuration(with);
    settings.set(HBaseSettings.NAMESPACE, namespace);
    if (with == site) {
      settings.set(FOLDER, place().toString());
    }
    return settings;
  }

  private static Configuration withoutFolder() {
    Configuration settings = new Configuration(site);
    settings.unset(FOLDER);
    return settings;
  }

  private static Chunks chunks(HBaseEngine engine) {
    Space owner =
        new Space(
            EngineFixture.await(engine.newSpace(SpaceKind.CONTAINER, Deadline.NEVER)),
            EngineFixture.HOME);
    return new Chunks(engine.chunks(), new Partition(owner, EngineFixture.bytes("blob")));
  }

  private void reclaimAll() {
    boolean more = true;
    while (more) {
      more = engine.chunks().reclaim();
    }
  }

  private List<org.apache.hadoop.fs.Path> fileOf(ChunkRef ref) throws IOException {
    String name = "%016x".formatted(ref.number());
    return filesOfStore().stream().filter(path -> path.getName().equals(name)).toList();
  }

  /** Returns the files of this test's store, which has a folder of its own. */
  private List<org.apache.hadoop.fs.Path> filesOfStore() throws IOException {
    List<org.apache.hadoop.fs.Path> all = new ArrayList<>();
    try {
      RemoteIterator<LocatedFileStatus> files = hdfs.listFiles(place(), true);
      while (files.hasNext()) {
        all.add(files.next().getPath());
      }
    } catch (FileNotFoundException e) {
      // A file was removed while the folder was listed.
      return filesOfStore();
    }
    return all;
  }

  private org.apache.hadoop.fs.Path place() {
    return new org.apache.hadoop.fs.Path(site.get(FOLDER), namespace);
  }

  /** Returns the files of data nodes that hold a block of this length. */
  private static List<Path> blockFiles(int length) throws IOException {
    List<Path> found = new ArrayList<>();
    Path client = requireNonNull(cluster.clientConfig().getParent());
    for (int node = 0; node < 3; node++) {
      try (Stream<Path> files = Files.walk(client.resolveSibling("datanode-" + node))) {
        found.addAll(files.filter(file -> isBlock(file, length)).toList());
      }
    }
    return found;
  }

  private static boolean isBlock(Path file, int length) {
    try {
      return Files.isRegularFile(file) && Files.size(file) == length;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void flip(Path file, long offset) throws IOException {
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
      bytes.seek(offset);
      int old = bytes.read();
      bytes.seek(offset);
      bytes.write(old ^ 1);
    }
  }

  private static void assertUnavailable(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            StorageException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNAVAILABLE));
  }

  private static void assertCorrupt(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            StorageException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CORRUPT));
  }
}
