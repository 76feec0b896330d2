package io.lazuli.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Visitors that need few records. */
class RecordVisitorTest {
  private final LentRecord record = new LentRecord();

  @Test
  void aVisitorOfTheFirstRecordsStopsWithTheLastOfThem() {
    RecordVisitor first = RecordVisitor.ofFirst(2, shown -> Visit.CONTINUE);
    assertThat(first.recordsMax()).isEqualTo(2);
    assertThat(first.visit(record)).isEqualTo(Visit.CONTINUE);
    assertThat(first.visit(record)).isEqualTo(Visit.STOP);
  }

  @Test
  void itMayStopBefore() {
    assertThat(RecordVisitor.ofFirst(2, shown -> Visit.STOP).visit(record)).isEqualTo(Visit.STOP);
  }

  @Test
  void itMayNotSkip() {
    RecordVisitor skips = RecordVisitor.ofFirst(2, shown -> Visit.skipTo(Position.START));
    assertThatThrownBy(() -> skips.visit(record)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void otherVisitorsMayWantAll() {
    RecordVisitor all = shown -> Visit.CONTINUE;
    assertThat(all.recordsMax()).isEqualTo(Integer.MAX_VALUE);
  }
}
