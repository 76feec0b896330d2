package io.lazuli.storage.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.storage.Durability;
import io.lazuli.storage.EngineOpenException;
import io.lazuli.storage.StoreReport;
import io.lazuli.storage.rocksdb.log.DatabaseLog;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;

/**
 * Damage of RocksDB's log: either every acknowledged write is there, or the start is refused and
 * changes nothing. A torn end, as crashes leave it, always starts.
 */
final class LogDamageFaultTest {
  private static final String MARK = "rocksdb/LAZULI-MARK";
  private static final int ROWS = 120;

  /** Rows that were acknowledged after the last mark, in the second before the kill. */
  private static final int UNMARKED_ROWS = 12;

  /** The folder of a server that was stopped, and of one that was killed; with two logs. */
  @TempDir static Path masters;

  private static Path stopped;
  private static Path killed;

  @TempDir Path root;
  private final long seed = new Random().nextLong();
  private final Random random = new Random(seed);
  private int copies;

  @BeforeAll
  static void write() throws IOException, RocksDBException {
    Path running = masters.resolve("running");
    stopped = masters.resolve("stopped");
    killed = masters.resolve("killed");
    try (LoggedWrites writes = new LoggedWrites(running)) {
      writes.write(ROWS / 2);
      writes.beginLog();
      writes.write(ROWS / 2 - UNMARKED_ROWS);
      writes.engine().marker().update();
      byte[] mark = Files.readAllBytes(running.resolve(MARK));
      writes.write(UNMARKED_ROWS);
      LoggedWrites.copy(running, killed);
      Files.write(killed.resolve(MARK), mark);
    }
    LoggedWrites.copy(running, stopped);
    Files.copy(running.resolve(MARK), stopped.resolve(MARK));
  }

  @Test
  void undamagedFoldersStart() throws IOException {
    for (Path master : List.of(stopped, killed)) {
      Path folder = copy(master);
      assertThat(LoggedWrites.logs(folder)).hasSize(2);
      assertThat(verify(folder).damage()).isEmpty();
      assertThat(LoggedWrites.countIn(folder, ROWS)).isEqualTo(ROWS);
    }
  }

  @Test
  void aFlippedBitIsRefusedAndChangesNothing() throws IOException {
    for (Path master : List.of(stopped, killed)) {
      for (int log = 0; log < 2; log++) {
        Path folder = copy(master);
        Path file = LoggedWrites.logs(folder).get(log);
        flip(file, Files.size(file) * 8 / 2);
        assertRefused(folder, file + ", offset ");
      }
    }
  }

  @Test
  void aCutLogIsRefused() throws IOException {
    for (Path master : List.of(stopped, killed)) {
      for (int log = 0; log < 2; log++) {
        Path folder = copy(master);
        Path file = LoggedWrites.logs(folder).get(log);
        cut(file, Files.size(file) / 2);
        assertRefused(folder, file.getParent().toString());
      }
    }
  }

  @Test
  void aMissingLogIsRefused() throws IOException {
    for (Path master : List.of(stopped, killed)) {
      for (int log = 0; log < 2; log++) {
        Path folder = copy(master);
        Path file = LoggedWrites.logs(folder).get(log);
        Files.delete(file);
        assertRefused(folder, file + ", offset 0: the log is missing; ");
      }
    }
  }

  @Test
  void exchangedLogsAreRefused() throws IOException {
    Path folder = copy(stopped);
    List<Path> logs = LoggedWrites.logs(folder);
    Path aside = root.resolve("aside");
    Files.move(logs.get(0), aside);
    Files.move(logs.get(1), logs.get(0));
    Files.move(aside, logs.get(1));
    assertRefused(folder, logs.get(0).toString());
  }

  @Test
  void theManifestMustNotBeLost() throws IOException {
    Path folder = copy(stopped);
    Files.delete(folder.resolve("rocksdb/CURRENT"));
    assertRefused(folder, "CURRENT is missing, but there is data");
  }

  /** A batch that was being written when the power failed: any of its sectors may be missing. */
  @Test
  void aHoleInTheLastBatchStarts() throws IOException {
    Path folder = copy(killed);
    Path log = LoggedWrites.logs(folder).get(1);
    // The last row that does not fit into a block is the last one.
    long size = Files.size(log);
    for (long hole : new long[] {size - 39_000, size - 20_000, size - 600}) {
      Path torn = copy(killed);
      zero(LoggedWrites.logs(torn).get(1), hole, 512);
      assertThat(verify(torn).damage()).isEmpty();
      assertThat(LoggedWrites.countIn(torn, ROWS)).isEqualTo(ROWS - 1);
      assertThat(LoggedWrites.countIn(torn, ROWS)).isEqualTo(ROWS - 1);
    }
  }

  @Test
  void aHoleBeforeTheLastBatchIsRefused() throws IOException {
    Path folder = copy(killed);
    Path log = LoggedWrites.logs(folder).get(1);
    zero(log, Files.size(log) - 41_000, 512);
    assertRefused(folder, log + ", offset ");
  }

  /** Below the mark every cut is refused. Above it every cut looks like a crash, and starts. */
  @Test
  void cutsAboveTheMarkStartAndCutsBelowItAreRefused() throws IOException {
    Path folder = copy(killed);
    Path log = LoggedWrites.logs(folder).get(1);
    long size = Files.size(log);
    long marked = markedLength(folder, log);
    assertThat(marked).isBetween(size / 2, size - 40_000);
    for (long length = marked + 500; length > marked - 300; length--) {
      cut(log, length);
      assertThat(verify(folder).damage().isEmpty())
          .as("length %d", length)
          .isEqualTo(length >= marked);
    }
    for (int i = 0; i < 5; i++) {
      Path torn = copy(killed);
      long length = marked + random.nextInt((int) (size - marked));
      cut(LoggedWrites.logs(torn).get(1), length);
      assertThat(LoggedWrites.countIn(torn, ROWS))
          .as("cut to %d, seed %d", length, seed)
          .isBetween(ROWS - UNMARKED_ROWS, ROWS);
    }
  }

  /**
   * A start after a crash begins a new log, with an empty batch, before it gives up the torn one. A
   * second crash in between leaves both.
   */
  @Test
  void aLogThatContinuesAfterATornEndStarts() throws IOException {
    for (int skipped = 0; skipped < 2; skipped++) {
      Path folder = copy(killed);
      Path log = LoggedWrites.logs(folder).get(1);
      cut(log, markedLength(folder, log) + 10);
      long next = marked(folder, log, 3) + 1 + skipped;
      Files.write(folder.resolve("rocksdb/000099.log"), emptyBatch(next));
      if (skipped == 0) {
        assertThat(LoggedWrites.countIn(folder, ROWS)).isEqualTo(ROWS - UNMARKED_ROWS);
      } else {
        assertRefused(folder, log + ", offset ");
      }
    }
  }

  /** Records whose pieces end shortly before, at, and after the end of a block. */
  @Test
  void recordsAtTheEdgesOfBlocksAreRead() throws IOException {
    Path folder = root.resolve("data");
    int rows = 150;
    try (LoggedWrites writes =
        new LoggedWrites(
            LoggedWrites.config(folder)
                .withMemoryBytes(256 << 20)
                .withDurability(Durability.RELAXED))) {
      for (int i = 0; i < rows; i++) {
        // A record of nearly a block moves the next one a little towards the edge.
        writes.put(new byte[32_690 + random.nextInt(40)]);
      }
    }
    assertThat(verify(folder).damage()).as("seed %d", seed).isEmpty();
    // The close may add a batch with the engine's time.
    assertThat(verify(folder).notes().get(0))
        .matches(".* (%d|%d) batches".formatted(rows, rows + 1));
    Path log = LoggedWrites.logs(folder).get(0);
    for (int i = 0; i < 100; i++) {
      long block = 1L + random.nextInt(rows - 2);
      long at = block * (32 << 10) - 20 + random.nextInt(40);
      long bit = at * 8 + random.nextInt(8);
      flip(log, bit);
      if (!isPadding(at)) {
        assertThat(verify(folder).damage()).as("bit %d, seed %d", bit, seed).isNotEmpty();
      }
      flip(log, bit);
    }
  }

  /** The thread of the mark reads what was written, and reports it if it is already damaged. */
  @Test
  void damageUnderARunningServerIsReported() throws IOException {
    Path folder = root.resolve("data");
    try (LoggedWrites writes = new LoggedWrites(folder)) {
      writes.engine().marker().stop();
      writes.write(3);
      writes.engine().marker().update();
      writes.write(3);
      Path log = LoggedWrites.logs(folder).get(0);
      flip(log, markedLength(folder, log) * 8 + 100);
      assertThatThrownBy(() -> writes.engine().marker().update())
          .isInstanceOf(IOException.class)
          .hasMessageContaining(log + ", offset ");
    }
    assertRefused(folder, ", offset ");
  }

  @Test
  void sampledBitsOfAStoppedServerAreAllSeen() throws IOException {
    flipBits(stopped, 200);
  }

  @Test
  @Tag("long")
  void manyBitsOfAStoppedServerAreAllSeen() throws IOException {
    flipBits(stopped, 20_000);
  }

  /** After a kill, only the last batch may be taken for a torn end. */
  @Test
  void sampledBitsOfAKilledServerAreSeenUnlessTheyAreInTheLastBatch() throws IOException {
    Path folder = copy(killed);
    Path log = LoggedWrites.logs(folder).get(1);
    long size = Files.size(log);
    for (int i = 0; i < 300; i++) {
      long bit = (long) (random.nextDouble() * size * 8);
      flip(log, bit);
      boolean lastBatch = bit / 8 > size - 40_300;
      if (!lastBatch && !isPadding(bit / 8)) {
        assertThat(verify(folder).damage()).as("bit %d, seed %d", bit, seed).isNotEmpty();
      }
      flip(log, bit);
    }
    for (int i = 0; i < 5; i++) {
      Path torn = copy(killed);
      long bit = (size - 39_000) * 8 + random.nextInt(39_000 * 8);
      flip(LoggedWrites.logs(torn).get(1), bit);
      assertThat(LoggedWrites.countIn(torn, ROWS))
          .as("bit %d, seed %d", bit, seed)
          .isBetween(ROWS - 1, ROWS);
    }
  }

  /** Several faults at once, with a real start: everything is there, or the start is refused. */
  @Test
  void randomDamageNeverLosesMarkedRows() throws IOException {
    for (int i = 0; i < 20; i++) {
      Path folder = copy(random.nextBoolean() ? stopped : killed);
      List<Path> logs = LoggedWrites.logs(folder);
      for (int faults = 1 + random.nextInt(3); faults > 0; faults--) {
        damage(logs.get(random.nextInt(2)));
      }
      try {
        int found = LoggedWrites.countIn(folder, ROWS);
        assertThat(found)
            .as("round %d, seed %d", i, seed)
            .isGreaterThanOrEqualTo(ROWS - UNMARKED_ROWS);
      } catch (EngineOpenException e) {
        assertThat(e).hasMessageContaining("the log is damaged: ");
      }
    }
  }

  @Test
  void aFolderOfAnEarlierVersionOpensAndGetsAMark() throws IOException {
    for (Path master : List.of(stopped, killed)) {
      Path folder = copy(master);
      Files.delete(folder.resolve(MARK));
      assertThat(LoggedWrites.countIn(folder, ROWS)).isEqualTo(ROWS);
      assertThat(folder.resolve(MARK)).exists();
      assertThat(LoggedWrites.countIn(folder, ROWS)).isEqualTo(ROWS);
    }
  }

  /** Without a mark, damage inside the logs is still seen. */
  @Test
  void aFlippedBitInAFolderOfAnEarlierVersionIsRefused() throws IOException {
    Path folder = copy(stopped);
    Files.delete(folder.resolve(MARK));
    Path log = LoggedWrites.logs(folder).get(1);
    flip(log, Files.size(log) * 8 / 2);
    assertRefused(folder, log + ", offset ");
  }

  @Test
  void aDamagedMarkIsReportedAndNotFatal() throws IOException {
    Path folder = copy(stopped);
    byte[] mark = Files.readAllBytes(folder.resolve(MARK));
    for (int i = 0; i < mark.length; i++) {
      byte[] damaged = mark.clone();
      damaged[i] ^= 1;
      Files.write(folder.resolve(MARK), damaged);
      StoreReport report = verify(folder);
      assertThat(report.damage()).isEmpty();
      assertThat(report.notes().get(0)).contains("LAZULI-MARK is damaged; the logs were checked");
      Files.write(folder.resolve(MARK), Arrays.copyOf(mark, i));
      assertThat(verify(folder).notes().get(0)).contains("LAZULI-MARK is damaged");
    }
    assertThat(LoggedWrites.countIn(folder, ROWS)).isEqualTo(ROWS);
    assertThat(verify(folder).notes()).hasSize(1);
  }

  @Test
  void anIdleServerWritesNoMark() throws IOException {
    Path folder = root.resolve("data");
    try (LoggedWrites writes = new LoggedWrites(folder)) {
      writes.write(5);
      writes.engine().marker().update();
      Object before = Files.readAttributes(folder.resolve(MARK), "*").get("fileKey");
      writes.engine().marker().update();
      assertThat(Files.readAttributes(folder.resolve(MARK), "*")).containsEntry("fileKey", before);
    }
  }

  @Test
  void theMarkOfAStoppedServerCoversAllLogs() throws IOException {
    for (Path log : LoggedWrites.logs(stopped)) {
      assertThat(markedLength(stopped, log)).isEqualTo(Files.size(log));
    }
  }

  /** With relaxed durability a power cut may damage any write since the last stop. */
  @Test
  void relaxedDurabilityStartsAfterDamageSinceTheLastStop() throws IOException {
    Path folder = root.resolve("data");
    Path copy = root.resolve("relaxed");
    try (LoggedWrites writes =
        new LoggedWrites(LoggedWrites.config(folder).withDurability(Durability.RELAXED))) {
      writes.write(ROWS);
      writes.engine().marker().update();
      byte[] mark = Files.readAllBytes(folder.resolve(MARK));
      LoggedWrites.copy(folder, copy);
      Files.write(copy.resolve(MARK), mark);
    }
    Path log = LoggedWrites.logs(copy).get(0);
    zero(log, Files.size(log) / 2, 512);
    assertThat(LoggedWrites.countIn(copy, ROWS)).isBetween(1, ROWS - 1);
    Path stoppedLog = LoggedWrites.logs(folder).get(0);
    zero(stoppedLog, Files.size(stoppedLog) / 2, 512);
    assertRefused(folder, stoppedLog + ", offset ");
  }

  @Test
  void aRepairSavesWhatComesBeforeTheDamage() throws IOException {
    Path folder = copy(stopped);
    List<Path> logs = LoggedWrites.logs(folder);
    flip(logs.get(1), Files.size(logs.get(1)) * 8 / 2);
    byte[] damaged = Files.readAllBytes(logs.get(1));
    StoreReport listed = log(folder).repair(false);
    assertThat(listed.damage()).hasSize(1);
    assertThat(listed.notes().get(0))
        .isEqualTo("the log was copied to " + folder.resolve("damaged-log-1"));
    assertThat(listed.notes().get(2))
        .matches("lost: sequence numbers \\d+ to \\d+, of which \\d+ batches .*");
    assertThat(logs.get(1)).hasBinaryContent(damaged);
    StoreReport salvaged = log(folder).repair(true);
    assertThat(salvaged.damage()).isEmpty();
    assertThat(folder.resolve("damaged-log-2").resolve(logs.get(1).getFileName()))
        .hasBinaryContent(damaged);
    assertThat(LoggedWrites.countIn(folder, ROWS)).isBetween(ROWS / 2, ROWS - 5);
    assertThat(log(folder).repair(true).notes()).contains("the log is not damaged");
  }

  @Test
  void everyKindOfDamageCanBeRepaired() throws IOException {
    for (int i = 0; i < 12; i++) {
      Path folder = copy(random.nextBoolean() ? stopped : killed);
      damage(LoggedWrites.logs(folder).get(random.nextInt(2)));
      boolean wasDamaged = !verify(folder).damage().isEmpty();
      assertThat(log(folder).repair(true).damage()).isEmpty();
      assertThat(folder.resolve("damaged-log-1").toFile().exists()).isEqualTo(wasDamaged);
      assertThat(verify(folder).damage()).isEmpty();
      LoggedWrites.countIn(folder, ROWS);
    }
  }

  private void flipBits(Path master, int samples) throws IOException {
    Path folder = copy(master);
    for (Path log : LoggedWrites.logs(folder)) {
      long size = Files.size(log);
      for (int i = 0; i < samples; i++) {
        long at = (long) (random.nextDouble() * size);
        long bit = at * 8 + random.nextInt(8);
        flip(log, bit);
        if (!isPadding(at)) {
          assertThat(verify(folder).damage()).as("bit %d, seed %d", bit, seed).isNotEmpty();
        }
        flip(log, bit);
      }
    }
    assertThat(verify(folder).damage()).isEmpty();
  }

  /** The end of a block that has no room for a header is not used. */
  private static boolean isPadding(long offset) {
    return offset % (32 << 10) > (32 << 10) - 7;
  }

  private void damage(Path log) throws IOException {
    long size = Files.exists(log) ? Files.size(log) : 0;
    long at = (long) (random.nextDouble() * size);
    switch (size == 0 ? 3 : random.nextInt(4)) {
      case 0 -> flip(log, at * 8 + random.nextInt(8));
      case 1 -> cut(log, at);
      case 2 -> zero(log, at, (int) Math.min(512, size - at));
      default -> Files.deleteIfExists(log);
    }
  }

  private void assertRefused(Path folder, String reason) throws IOException {
    Map<String, List<Object>> before = content(folder);
    assertThatThrownBy(() -> LoggedWrites.countIn(folder, ROWS))
        .isInstanceOf(EngineOpenException.class)
        .hasMessageContaining(reason)
        .message()
        .hasLineCount(1);
    assertThat(content(folder)).isEqualTo(before);
  }

  private static Map<String, List<Object>> content(Path folder) throws IOException {
    Map<String, List<Object>> content = new TreeMap<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        if (Files.isRegularFile(file)) {
          content.put(
              file.toString(),
              List.of(Files.getLastModifiedTime(file), Arrays.hashCode(Files.readAllBytes(file))));
        }
      }
    }
    return content;
  }

  private Path copy(Path master) throws IOException {
    Path folder = root.resolve("copy" + copies++);
    LoggedWrites.copy(master, folder);
    Files.copy(master.resolve(MARK), folder.resolve(MARK));
    return folder;
  }

  private static DatabaseLog log(Path folder) {
    return new DatabaseLog(folder, folder.resolve("rocksdb"));
  }

  private static StoreReport verify(Path folder) {
    return log(folder).verify();
  }

  private static long markedLength(Path folder, Path log) throws IOException {
    return marked(folder, log, 2);
  }

  /** Returns a word of the line of a log in the mark. */
  private static long marked(Path folder, Path log, int word) throws IOException {
    int number = Integer.parseInt(log.getFileName().toString().replace(".log", ""));
    List<Long> found = new ArrayList<>();
    for (String line : Files.readAllLines(folder.resolve(MARK))) {
      String[] words = line.split(" ", -1);
      if (words[0].equals("log") && Integer.parseInt(words[1]) == number) {
        found.add(Long.valueOf(words[word]));
      }
    }
    assertThat(found).hasSize(1);
    return found.get(0);
  }

  /** Returns a log with one batch without changes. */
  private static byte[] emptyBatch(long sequence) {
    ByteBuffer log = ByteBuffer.allocate(7 + 12).order(ByteOrder.LITTLE_ENDIAN);
    log.putShort(4, (short) 12).put(6, (byte) 1).putLong(7, sequence);
    CRC32C sum = new CRC32C();
    sum.update(log.array(), 6, 13);
    log.putInt(0, Integer.rotateRight((int) sum.getValue(), 15) + 0xa282ead8);
    return log.array();
  }

  private static void flip(Path file, long bit) throws IOException {
    try (RandomAccessFile access = new RandomAccessFile(file.toFile(), "rw")) {
      access.seek(bit / 8);
      int old = access.read();
      access.seek(bit / 8);
      access.write(old ^ 1 << bit % 8);
    }
  }

  private static void cut(Path file, long length) throws IOException {
    try (RandomAccessFile access = new RandomAccessFile(file.toFile(), "rw")) {
      access.setLength(length);
    }
  }

  private static void zero(Path file, long from, int count) throws IOException {
    try (RandomAccessFile access = new RandomAccessFile(file.toFile(), "rw")) {
      access.seek(from);
      access.write(new byte[count]);
    }
  }
}
