package io.lazuli.storage.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.Visit;
import io.lazuli.storage.keys.KeyCodec;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SegmentsTest {
  private static final long SPACE = Space.number(SpaceKind.TABLE, 1);
  private static final Partition HOME =
      new Partition(Space.CATALOGUE, Bytes.of("home".getBytes(StandardCharsets.UTF_8)));

  @Test
  void theRowsOfTheSegmentsAreThoseThatWereAdded() throws IOException {
    List<SegmentRow> rows = rows(20_000, 400, 1);
    List<List<Object>> read = new ArrayList<>();
    for (byte[] segment : segments(rows)) {
      assertThat(segment.length).isLessThanOrEqualTo(Segments.BYTES_MAX);
      SegmentReader reader = new SegmentReader(new ByteArrayInputStream(segment));
      for (SegmentRow row = reader.next(); row != null; row = reader.next()) {
        read.add(values(row));
      }
    }
    assertThat(read.equals(rows.stream().map(SegmentsTest::values).toList())).isTrue();
  }

  @Test
  void changesInOneRangeOfKeysChangeFewSegments() throws IOException {
    List<SegmentRow> rows = rows(40_000, 1_000, 2);
    Set<Bytes> before = new HashSet<>();
    segments(rows).forEach(segment -> before.add(Bytes.of(segment)));
    List<SegmentRow> changed = new ArrayList<>(rows.subList(0, 10_000));
    changed.addAll(rows(10_000, 10_400, 1_000, 3));
    changed.addAll(rows.subList(10_300, rows.size()));
    long all = 0;
    long fresh = 0;
    for (byte[] segment : segments(changed)) {
      all += segment.length;
      fresh += before.contains(Bytes.of(segment)) ? 0 : segment.length;
    }
    System.out.printf("1 %% in one range: %.1f %% is new%n", 100.0 * fresh / all);
    assertThat(fresh).isPositive().isLessThan(all / 5);
  }

  @Test
  void recordsOfEveryLengthMakeSegmentsOfAboutOneLength() throws IOException {
    for (int bytes : List.of(20, 1_000, 100_000, 1_000_000)) {
      List<SegmentRow> rows = rows(50_000_000 / (bytes + 60), bytes, bytes);
      assertThat(segments(rows).size()).as("of %d bytes", bytes).isBetween(20, 80);
    }
  }

  @Test
  void damageIsReported() throws IOException {
    byte[] segment = segments(rows(1, 10, 4)).get(0);
    assertThatThrownBy(() -> new SegmentReader(new ByteArrayInputStream(new byte[9])))
        .isInstanceOf(IOException.class);
    for (int length = Segments.MAGIC.length + 1; length < segment.length; length++) {
      SegmentReader reader = new SegmentReader(new ByteArrayInputStream(segment, 0, length));
      assertThatThrownBy(reader::next).isInstanceOf(IOException.class);
    }
  }

  @Test
  void anEngineShowsTheRecordsOfOneSpace() throws IOException {
    Map<Long, List<SegmentRow>> spaces = new TreeMap<>();
    List<SegmentRow> all = new ArrayList<>();
    for (long counter = 1; counter < 5; counter++) {
      spaces.put(Space.number(SpaceKind.TABLE, counter), new ArrayList<>());
    }
    for (long space : spaces.keySet()) {
      for (int i = 0; i < 3_000; i++) {
        spaces.get(space).add(row(space, i, 200, new Random(space + i)));
      }
      all.addAll(spaces.get(space));
    }
    SegmentEngine engine = new SegmentEngine(source(segments(all)));
    spaces.forEach(
        (number, rows) -> {
          Space space = new Space(number, HOME);
          List<Bytes> values = new ArrayList<>();
          engine
              .scan(
                  space,
                  List.of(KeyRange.ALL),
                  Direction.FORWARD,
                  Deadline.NEVER,
                  record -> {
                    values.add(Bytes.of(record.value().copy()));
                    return Visit.CONTINUE;
                  })
              .join();
          assertThat(values).isEqualTo(rows.stream().map(row -> Bytes.of(row.value())).toList());
          Partition partition = new Partition(space, text("p"));
          assertThat(engine.read(partition.row(text(name(7))), Deadline.NEVER).join())
              .isEqualTo(rows.get(7).value());
          assertThat(engine.read(partition.row(text("x")), Deadline.NEVER).join()).isNull();
        });
  }

  @Test
  void namesAreInTheOrderOfTheirKeys() {
    ChunkRef chunk = new ChunkRef(Space.number(SpaceKind.CHUNKS, 77));
    assertThat(CutNames.chunk(CutNames.of(chunk))).isEqualTo(chunk);
    String name = CutNames.ofSegment("tables", KeyCodec.spaceStart(SPACE), 3);
    assertThat(CutNames.space(name)).isEqualTo(SPACE);
    assertThat(CutNames.table(name)).isEqualTo("tables");
    assertThat(CutNames.ofSegment("tables", KeyCodec.spaceStart(SPACE + 1), 4)).isGreaterThan(name);
  }

  private static List<Object> values(SegmentRow row) {
    return List.of(
        Bytes.of(row.key()), row.millis(), row.version(), row.writeId(), Bytes.of(row.value()));
  }

  private static SegmentSource source(List<byte[]> segments) {
    return new SegmentSource() {
      @Override
      public void forEach(long space, Visitor visitor) throws IOException {
        for (byte[] segment : segments) {
          if (!visitor.visit(new ByteArrayInputStream(segment))) {
            return;
          }
        }
      }

      @Override
      public Path file(ChunkRef chunk) {
        throw new AssertionError("no chunks");
      }
    };
  }

  private static List<byte[]> segments(List<SegmentRow> rows) throws IOException {
    List<byte[]> found = new ArrayList<>();
    Segments segments =
        new Segments(
            (first, bytes) -> {
              byte[] copy = new byte[bytes.remaining()];
              bytes.get(copy);
              found.add(copy);
            });
    for (SegmentRow row : rows) {
      segments.add(row);
    }
    segments.end();
    return found;
  }

  private static List<SegmentRow> rows(int count, int bytes, long seed) {
    return rows(0, count, bytes, seed);
  }

  private static List<SegmentRow> rows(int from, int to, int bytes, long seed) {
    Random random = new Random(seed);
    return IntStream.range(from, to).mapToObj(i -> row(SPACE, i, bytes, random)).toList();
  }

  private static SegmentRow row(long space, int number, int bytes, Random random) {
    byte[] value = new byte[bytes];
    random.nextBytes(value);
    return new SegmentRow(
        KeyCodec.encode(space, text("p"), text(name(number))), number, 5, 6, value);
  }

  private static String name(int number) {
    return "r%07d".formatted(number);
  }

  private static Bytes text(String text) {
    return Bytes.of(text.getBytes(StandardCharsets.UTF_8));
  }
}
