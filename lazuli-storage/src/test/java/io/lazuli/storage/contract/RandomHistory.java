package io.lazuli.storage.contract;

import static io.lazuli.storage.contract.EngineFixture.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Partition;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.Position;
import io.lazuli.storage.Space;
import io.lazuli.storage.Visit;
import io.lazuli.storage.contract.EngineFixture.Seen;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * One random history, made from a seed and applied to an engine and to sorted maps. Keys come from
 * a few awkward names, so that steps interfere with each other. Mutable, owned by one test.
 */
final class RandomHistory {
  private static final List<Bytes> NAMES =
      List.of(
          Bytes.EMPTY,
          bytes(0),
          bytes(0, 1),
          bytes(1),
          bytes(1, 1),
          bytes("a"),
          bytes("ab"),
          bytes("b"),
          bytes(255),
          bytes(255, 0));

  private static final class Undo extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private final EngineFixture fixture;
  private final boolean keepsData;
  private final Random random;
  private final List<String> log = new ArrayList<>();
  private final List<Space> spaces = new ArrayList<>();
  private final List<NavigableMap<Position, Bytes>> models = new ArrayList<>();

  RandomHistory(EngineFixture fixture, boolean keepsData, long seed) {
    this.fixture = fixture;
    this.keepsData = keepsData;
    this.random = new Random(seed);
    for (int i = 0; i < 2; i++) {
      spaces.add(fixture.newTable());
      models.add(new TreeMap<>());
    }
  }

  void run(int steps) {
    for (int i = 0; i < steps; i++) {
      int which = random.nextInt(spaces.size());
      int dice = random.nextInt(100);
      if (dice < 55) {
        transact(which);
      } else if (dice < 65) {
        read(which);
      } else if (dice < 93) {
        scan(which);
      } else if (dice < 97) {
        recreate(which);
      } else {
        restart();
      }
    }
  }

  int steps() {
    return log.size();
  }

  @Override
  public String toString() {
    return String.join("\n", log);
  }

  private void transact(int which) {
    Partition partition = new Partition(spaces.get(which), name());
    long bodySeed = random.nextLong();
    boolean undone = random.nextInt(5) == 0;
    log.add("transact " + which + " " + partition.name() + (undone ? " undone" : ""));
    NavigableMap<Bytes, Bytes> rows = rowsOf(models.get(which), partition.name());
    if (undone) {
      assertThatThrownBy(
              () ->
                  fixture.transact(
                      partition,
                      view -> {
                        play(view, new TreeMap<>(rows), new Random(bodySeed));
                        throw new Undo();
                      }))
          .isInstanceOf(Undo.class);
      return;
    }
    NavigableMap<Bytes, Bytes> after =
        fixture.transact(partition, view -> play(view, new TreeMap<>(rows), new Random(bodySeed)));
    NavigableMap<Position, Bytes> model = models.get(which);
    rows.keySet().forEach(row -> model.remove(new Position(partition.name(), row)));
    after.forEach((row, value) -> model.put(new Position(partition.name(), row), value));
  }

  /** Makes random changes to a view and to a model of its rows, and compares what they show. */
  private static NavigableMap<Bytes, Bytes> play(
      PartitionView view, NavigableMap<Bytes, Bytes> rows, Random random) {
    for (int i = random.nextInt(6); i >= 0; i--) {
      Bytes row = name(random);
      switch (random.nextInt(5)) {
        case 0, 1 -> {
          Bytes value = bytes(String.valueOf(random.nextInt(1_000)));
          view.put(row, value.array().clone());
          rows.put(row, value);
        }
        case 2 -> {
          view.delete(row);
          rows.remove(row);
        }
        case 3 -> {
          byte[] value = view.read(row);
          assertThat(value == null ? null : Bytes.of(value)).isEqualTo(rows.get(row));
        }
        default -> compareScan(view, rows, row, random);
      }
    }
    return rows;
  }

  private static void compareScan(
      PartitionView view, NavigableMap<Bytes, Bytes> rows, Bytes from, Random random) {
    Bytes to = random.nextBoolean() ? name(random) : null;
    int rowsMax = random.nextInt(8);
    List<Map.Entry<Bytes, Bytes>> shown = new ArrayList<>();
    view.scan(
        from, to, rowsMax, (row, value) -> shown.add(Map.entry(row, Bytes.of(value.clone()))));
    List<Map.Entry<Bytes, Bytes>> expected =
        rows.tailMap(from, true).entrySet().stream()
            .filter(entry -> to == null || entry.getKey().compareTo(to) < 0)
            .limit(rowsMax)
            .toList();
    assertThat(shown).isEqualTo(expected);
  }

  private void read(int which) {
    Position at = new Position(name(), name());
    log.add("read " + which + " " + at);
    assertThat(fixture.read(new Partition(spaces.get(which), at.partition()), at.row()))
        .isEqualTo(models.get(which).get(at));
  }

  private void scan(int which) {
    List<KeyRange> ranges = ranges();
    Direction direction = random.nextBoolean() ? Direction.FORWARD : Direction.BACKWARD;
    int answerSeed = random.nextInt();
    Function<Position, Visit> answer = at -> answer(answerSeed, at);
    log.add("scan " + which + " " + direction + " " + answerSeed + " " + ranges);
    List<Seen> shown =
        fixture.scan(spaces.get(which), ranges, direction, seen -> answer.apply(seen.position()));
    assertThat(shown).isEqualTo(expected(models.get(which), ranges, direction, answer));
  }

  /** Returns the records that a scan must show. */
  private static List<Seen> expected(
      NavigableMap<Position, Bytes> model,
      List<KeyRange> ranges,
      Direction direction,
      Function<Position, Visit> answer) {
    boolean forward = direction == Direction.FORWARD;
    List<Seen> expected = new ArrayList<>();
    Position target = null;
    for (Map.Entry<Position, Bytes> entry : (forward ? model : model.descendingMap()).entrySet()) {
      Position at = entry.getKey();
      boolean inside = ranges.stream().anyMatch(range -> contains(range, at));
      boolean skipped =
          target != null && (forward ? at.compareTo(target) < 0 : at.compareTo(target) > 0);
      if (!inside || skipped) {
        continue;
      }
      expected.add(new Seen(at.partition(), at.row(), entry.getValue()));
      Visit visit = answer.apply(at);
      if (visit == Visit.STOP) {
        break;
      }
      // A target that the scan has already passed changes nothing.
      target = visit.target();
    }
    return expected;
  }

  /**
   * Returns an answer that depends only on the position, so that it is the same for engine and
   * model.
   */
  private static Visit answer(int answerSeed, Position at) {
    Random dice = new Random(31L * answerSeed + at.hashCode());
    return switch (dice.nextInt(12)) {
      case 0 -> Visit.STOP;
      case 1, 2, 3 -> Visit.skipTo(new Position(name(dice), name(dice)));
      default -> Visit.CONTINUE;
    };
  }

  private static boolean contains(KeyRange range, Position at) {
    Position to = range.to();
    return at.compareTo(range.from()) >= 0 && (to == null || at.compareTo(to) < 0);
  }

  /** Returns sorted, disjoint ranges between random positions. */
  private List<KeyRange> ranges() {
    TreeSet<Position> ends = new TreeSet<>();
    for (int i = random.nextInt(7); i >= 0; i--) {
      ends.add(new Position(name(), name()));
    }
    List<Position> sorted = new ArrayList<>(ends);
    List<KeyRange> ranges = new ArrayList<>();
    for (int i = 0; i < sorted.size(); i += 2) {
      ranges.add(new KeyRange(sorted.get(i), i + 1 < sorted.size() ? sorted.get(i + 1) : null));
    }
    return Collections.unmodifiableList(ranges);
  }

  private void recreate(int which) {
    log.add("recreate " + which);
    fixture.drop(spaces.get(which));
    spaces.set(which, fixture.newTable());
    models.get(which).clear();
  }

  private void restart() {
    log.add("restart");
    fixture.clock().move(Duration.ofMinutes(random.nextInt(60) - 30));
    if (keepsData) {
      fixture.reopen();
    }
  }

  private static NavigableMap<Bytes, Bytes> rowsOf(
      NavigableMap<Position, Bytes> model, Bytes partition) {
    NavigableMap<Bytes, Bytes> rows = new TreeMap<>();
    model.forEach(
        (at, value) -> {
          if (at.partition().equals(partition)) {
            rows.put(at.row(), value);
          }
        });
    return rows;
  }

  private Bytes name() {
    return name(random);
  }

  private static Bytes name(Random random) {
    return NAMES.get(random.nextInt(NAMES.size()));
  }
}
