package io.lazuli.storage.hbase.chunk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.ChunkWriter;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.StoredChunk;
import io.lazuli.storage.contract.Chunks;
import io.lazuli.storage.hbase.call.RegionScan;
import io.lazuli.storage.hbase.call.Rows;
import io.lazuli.storage.hbase.commit.CutRow;
import io.lazuli.storage.hbase.commit.FakeStore;
import io.lazuli.storage.hbase.commit.SpaceNumbers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Durability;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The removal of deleted chunks, on a store in memory and files that the test controls. */
@Timeout(60)
class ChunkReclaimerTest {
  private static final int SEVERAL_PIECES = ChunkCells.CELL_BYTES + 1;

  private final FakeStore store = new FakeStore();
  private final FakeFiles files = new FakeFiles();
  private final List<HBaseChunkStore> servers = new ArrayList<>();

  /** A server that began before the store had a folder of chunks. */
  private final HBaseChunkStore old = server(null);

  private final HBaseChunkStore server = server(files.folder());
  private final Chunks chunks = chunks(server);

  @AfterEach
  void close() {
    servers.forEach(HBaseChunkStore::close);
    store.close();
  }

  @Test
  void aLeaderWithoutTheFolderLeavesTheFilesAndSaysSo() {
    ChunkRef cell = chunks.append(new byte[10]);
    ChunkRef file = chunks.append(new byte[SEVERAL_PIECES]);
    delete(List.of(file, cell));
    reclaim(old);
    assertThat(old.reclaimFault()).contains("lazuli.chunk.folder");
    assertThat(files.files()).isEqualTo(1);
    reclaim(server);
    assertThat(files.files()).isZero();
    assertThat(server.reclaimFault()).isEmpty();
    reclaim(old);
    assertThat(old.reclaimFault()).isEmpty();
  }

  /** The server that wrote it has died. */
  @Test
  void aLeaderWithoutTheFolderLeavesTheFileOfAnUnfinishedChunk() {
    ChunkWriter writer = chunks.store().append(chunks.owner()).join();
    writer.write(ByteBuffer.allocate(2 * SEVERAL_PIECES)).join();
    Awaitility.await().until(() -> files.files() == 1);
    delete(chunks.list().stream().map(StoredChunk::ref).toList());
    reclaim(old);
    assertThat(files.files()).isEqualTo(1);
    reclaim(server);
    assertThat(files.files()).isZero();
  }

  @Test
  void withoutAFolderAnUnfinishedChunkIsRemoved() {
    try (FakeStore other = new FakeStore()) {
      HBaseChunkStore cells = server(other, null);
      Chunks ofOther = chunks(cells);
      ChunkWriter writer = cells.append(ofOther.owner()).join();
      writer.write(ByteBuffer.allocate(10)).join();
      cells.delete(ofOther.list().stream().map(StoredChunk::ref).toList()).join();
      awaitClock();
      assertThat(cells.reclaim()).isTrue();
      assertThat(cells.reclaim()).isFalse();
      assertThat(cells.reclaimFault()).isEmpty();
    }
  }

  @Test
  void filesThatCannotBeDeletedDoNotStopTheOthers() {
    List<ChunkRef> stuck = new ArrayList<>();
    for (int i = 0; i < ChunkReclaimer.TOMBSTONES_PER_STEP_MAX + 1; i++) {
      stuck.add(chunks.append(new byte[SEVERAL_PIECES]));
    }
    delete(stuck);
    stuck.forEach(ref -> files.stuck.add(name(ref)));
    delete(List.of(chunks.append(new byte[SEVERAL_PIECES])));
    for (int pass = 0; files.files() > stuck.size(); pass++) {
      assertThat(pass).isLessThan(stuck.size());
      reclaim(server);
      assertThat(server.reclaimFault()).contains("not allowed");
    }
    files.stuck.clear();
    while (files.files() > 0) {
      reclaim(server);
    }
    reclaim(server);
    assertThat(server.reclaimFault()).isEmpty();
  }

  /** Otherwise each of thousands of files would take a minute. */
  @Test
  void aFileSystemThatIsAwayEndsTheStep() {
    List<ChunkRef> all = new ArrayList<>();
    for (int i = 0; i < 2 * FileReclaim.FAILURES_PER_STEP_MAX; i++) {
      all.add(chunks.append(new byte[SEVERAL_PIECES]));
    }
    delete(all);
    all.forEach(ref -> files.stuck.add(name(ref)));
    assertThat(server.reclaim()).isFalse();
    assertThat(files.deletions).hasValue(FileReclaim.FAILURES_PER_STEP_MAX);
  }

  /** The file system created the file after the client had given up. */
  @Test
  void aFileThatIsCreatedLateIsCollectedWithItsHeader() throws IOException {
    files.afterCreate =
        () -> {
          throw new IOException("the answer was lost");
        };
    assertThatThrownBy(() -> chunks.append(new byte[SEVERAL_PIECES]))
        .isInstanceOf(StorageException.class);
    files.afterCreate = () -> {};
    Awaitility.await().until(() -> files.files() == 0);
    ChunkRef left = chunks.list().get(0).ref();
    files.folder().of(folderName()).create(left, true).close();
    delete(List.of(left));
    reclaim(server);
    assertThat(files.files()).isZero();
    assertThat(chunks.list()).isEmpty();
  }

  /** Returns the name of the store's folder. */
  private String folderName() {
    return files.present.keySet().stream()
        .filter(path -> path.toString().matches("/chunks/[^/]+"))
        .findFirst()
        .orElseThrow()
        .getName();
  }

  private HBaseChunkStore server(@Nullable ChunkFolder folder) {
    return server(store, folder);
  }

  private HBaseChunkStore server(FakeStore on, @Nullable ChunkFolder folder) {
    HBaseChunkStore made =
        new HBaseChunkStore(
            on.calls(),
            new Rows(on.calls()),
            new RegionScan(on.calls()),
            on.attempts(),
            new SpaceNumbers(on.attempts()),
            on.clock(),
            new CutRow(on.attempts(), on.calls(), on.clock()),
            ChunkFiles.open(folder, on.attempts(), true, Runnable::run),
            Durability.SYNC_WAL,
            Duration.ZERO);
    servers.add(made);
    return made;
  }

  private static Chunks chunks(HBaseChunkStore of) {
    Partition home = new Partition(Space.CATALOGUE, Bytes.of("home".getBytes(UTF_8)));
    Space space = new Space(Space.number(SpaceKind.CONTAINER, 7), home);
    return new Chunks(of, new Partition(space, Bytes.of("blob".getBytes(UTF_8))));
  }

  private void delete(List<ChunkRef> refs) {
    server.delete(refs).join();
    awaitClock();
  }

  /** Waits until the deletions are due. */
  private void awaitClock() {
    long now = store.clock().cellMillis();
    Awaitility.await().until(() -> store.clock().cellMillis() > now);
  }

  private static void reclaim(HBaseChunkStore by) {
    boolean more = true;
    while (more) {
      more = by.reclaim();
    }
  }

  private static String name(ChunkRef ref) {
    return "%016x".formatted(ref.number());
  }
}
