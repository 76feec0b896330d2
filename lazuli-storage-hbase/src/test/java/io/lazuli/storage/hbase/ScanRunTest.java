package io.lazuli.storage.hbase;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.LentRecord;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Position;
import io.lazuli.storage.RecordTest;
import io.lazuli.storage.RecordVisitor;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.Visit;
import io.lazuli.storage.entity.EntityCondition;
import io.lazuli.storage.hbase.call.RegionScan;
import io.lazuli.storage.hbase.call.Rows;
import io.lazuli.storage.hbase.call.StoredCell;
import io.lazuli.storage.hbase.commit.FakeStore;
import io.lazuli.storage.hbase.commit.Homes;
import io.lazuli.storage.keys.KeyCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A scan whose pages end early, on regions in memory. */
@Timeout(60)
class ScanRunTest {
  private static final Bytes PARTITION = bytes("p");
  private static final Space SPACE =
      new Space(Space.number(SpaceKind.TABLE, 7), new Partition(Space.CATALOGUE, bytes("home")));

  /** A page has fewer of these records. */
  private static final int RECORDS = 8;

  private static final int RECORD_BYTES = 1 << 20;

  private final FakeStore store = new FakeStore();
  private final RegionScan scan = new RegionScan(store.calls());
  private final Homes homes =
      new Homes(
          new Rows(store.calls()), store.attempts(), Duration.ofSeconds(10), System::nanoTime);

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void aScanThatEndsBetweenPagesGoesOnAfterTheRecordThatItShowedLast() {
    for (int i = 0; i < RECORDS; i++) {
      byte[] stored = StoredCell.encode(1, 1, new byte[RECORD_BYTES]);
      store.regions.write(
          KeyCodec.encode(SPACE.number(), PARTITION, row(i)), new StoredCell(stored, 1));
    }
    Seen first = scan(KeyRange.ALL);
    assertThat(first.rows).hasSizeBetween(1, RECORDS - 1);
    Position next = first.next;
    assertThat(next).isNotNull();
    Bytes last = first.rows.get(first.rows.size() - 1);
    assertThat(next).isGreaterThan(new Position(PARTITION, last));
    assertThat(next).isLessThanOrEqualTo(new Position(PARTITION, row(first.rows.size())));
  }

  private Seen scan(KeyRange range) {
    Seen seen = new Seen();
    new ScanRun(
            scan,
            homes,
            new Pushdown(Pushdown.Mode.ALWAYS),
            SPACE,
            List.of(range),
            Direction.FORWARD,
            Deadline.after(Duration.ofSeconds(30)),
            seen)
        .start()
        .join();
    return seen;
  }

  /** A visitor whose time is up after the first page. */
  private static final class Seen implements RecordVisitor {
    private final List<Bytes> rows = new ArrayList<>();
    private @Nullable Position next;

    @Override
    public Visit visit(LentRecord record) {
      rows.add(Bytes.of(record.row().copy()));
      return Visit.CONTINUE;
    }

    @Override
    public RecordTest test() {
      return new RecordTest(Bytes.of(new byte[] {EntityCondition.ALWAYS}), 1_000, 1_000);
    }

    @Override
    public boolean continuesAt(Position position) {
      next = position;
      return false;
    }
  }

  private static Bytes row(int number) {
    return bytes("r" + number);
  }

  private static Bytes bytes(String text) {
    return Bytes.of(text.getBytes(UTF_8));
  }
}
