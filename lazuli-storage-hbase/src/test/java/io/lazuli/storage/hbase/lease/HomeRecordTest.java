package io.lazuli.storage.hbase.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.hbase.lease.HomeRecord.Announcement;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The row of a home, and the changes that drops make to it. */
final class HomeRecordTest {
  @Test
  void aHomeWithoutARowIsEmpty() {
    assertThat(HomeRecord.decode(null)).isEqualTo(HomeRecord.EMPTY);
  }

  @Test
  void aRowOfTheEpochAloneIsReadable() {
    byte[] old = ByteBuffer.allocate(Long.BYTES).putLong(7).array();
    assertThat(HomeRecord.decode(old)).isEqualTo(new HomeRecord(7, 0, List.of()));
  }

  @Test
  void everythingIsInTheRow() {
    HomeRecord record = new HomeRecord(3, 9, List.of()).announce(List.of(5L, 6L));
    assertThat(record.announced())
        .containsExactly(new Announcement(5, 10), new Announcement(6, 11));
    assertThat(HomeRecord.decode(record.encode())).isEqualTo(record);
  }

  @Test
  void anAnnouncedDropIsNotAnnouncedAgain() {
    HomeRecord once = HomeRecord.EMPTY.announce(List.of(5L));
    assertThat(once.announce(List.of(5L))).isEqualTo(once);
  }

  @Test
  void anAnnouncementAfterAWithdrawalIsAnotherOne() {
    HomeRecord first = HomeRecord.EMPTY.announce(List.of(5L));
    HomeRecord second = first.withdraw(Set.copyOf(first.announced())).announce(List.of(5L));
    assertThat(second.epoch()).isEqualTo(first.epoch());
    assertThat(second.announced()).doesNotContainAnyElementsOf(first.announced());
  }

  @Test
  void aDropRaisesTheEpochAndRemovesItsAnnouncementOnly() {
    HomeRecord announced = HomeRecord.EMPTY.announce(List.of(5L, 6L));
    HomeRecord dropped = announced.drop(Set.of(new Announcement(5, 1)));
    assertThat(dropped.epoch()).isEqualTo(announced.epoch() + 1);
    assertThat(dropped.announced()).containsExactly(new Announcement(6, 2));
    assertThat(dropped.find(5)).isNull();
  }
}
