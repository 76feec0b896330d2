package io.lazuli.storage.hbase.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.hbase.call.StoredCell;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The offsets computed from the timestamps of cells. Each write takes ten milliseconds here. */
class ClockMeasurementTest {
  private static final long BEGIN = 1_000_000;

  private final AtomicLong millis = new AtomicLong(BEGIN);
  private final Deque<StoredCell> answers = new ArrayDeque<>();
  private final Set<Bytes> written = new HashSet<>();
  private int failures;

  private final ClockMeasurement measurement =
      new ClockMeasurement(
          new ClockMeasurement.Cells() {
            @Override
            public boolean write(Bytes row, Deadline deadline) {
              assertThat(written.add(row)).as("a row of its own").isTrue();
              millis.addAndGet(10);
              return failures-- <= 0;
            }

            @Override
            public StoredCell read(Bytes row, Deadline deadline) {
              assertThat(written).contains(row);
              return answers.size() > 1 ? answers.remove() : answers.element();
            }
          },
          millis::get);

  @ParameterizedTest
  @CsvSource({"1000000,0", "1000005,0", "1000010,0", "1000030,20", "999970,-30"})
  void theOffsetIsTheDifferenceBeyondTheCallsDuration(long there, long offset) {
    answers.add(cell(there));
    assertThat(measurement.offsetMillis(Deadline.NEVER)).isEqualTo(offset);
  }

  @Test
  void anExpiredCellIsMeasuredAgain() {
    answers.add(StoredCell.ABSENT);
    answers.add(StoredCell.ABSENT);
    answers.add(cell(BEGIN + 25));
    assertThat(measurement.offsetMillis(Deadline.NEVER)).isZero();
    assertThat(written).hasSize(3);
  }

  @Test
  void aWriteThatFailedIsRepeated() {
    failures = 2;
    answers.add(cell(BEGIN + 25));
    assertThat(measurement.offsetMillis(Deadline.NEVER)).isZero();
    assertThat(written).hasSize(3);
  }

  @Test
  void withoutAnyCellTheDeadlineEndsTheMeasurement() {
    answers.add(StoredCell.ABSENT);
    assertThatThrownBy(() -> measurement.offsetMillis(Deadline.after(Duration.ofMillis(20))))
        .isInstanceOf(StorageException.class);
  }

  private static StoredCell cell(long millis) {
    return new StoredCell(StoredCell.encode(0, 0, new byte[0]), millis);
  }
}
