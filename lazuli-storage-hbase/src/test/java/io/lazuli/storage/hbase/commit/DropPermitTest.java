package io.lazuli.storage.hbase.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.hbase.lease.HomeRecord;
import io.lazuli.storage.hbase.lease.HomeRecord.Announcement;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** When a transaction may commit its drops. */
final class DropPermitTest {
  private static final Space SPACE =
      new Space(5, new Partition(Space.CATALOGUE, Bytes.of(new byte[] {'h'})));

  private long nanos = 100;
  private final DropPermit permit = new DropPermit(() -> nanos);
  private final HomeRecord announced = HomeRecord.EMPTY.announce(List.of(5L));
  private final Announcement announcement = announced.announced().get(0);

  @Test
  void aDropThatWasNotAnnouncedIsRefused() {
    assertRefused(HomeRecord.EMPTY);
  }

  @Test
  void anAnnouncementOfOthersIsRefusedUntilThisTransactionHasWaited() {
    assertRefused(announced);
  }

  @Test
  void aDropIsPermittedFromItsTimeOn() {
    permit.add(announcement, 110);
    assertRefused(announced);
    nanos = 110;
    assertThat(permit.drop(announced, List.of(SPACE)))
        .isEqualTo(announced.drop(Set.of(announcement)));
    assertThat(permit.unused()).isEmpty();
  }

  @Test
  void anAnnouncementThatWasMadeAgainIsAnotherOne() {
    permit.add(announcement, 100);
    assertRefused(announced.withdraw(Set.of(announcement)).announce(List.of(5L)));
  }

  @Test
  void anAnnouncementIsUnusedIfTheLastAttemptDroppedNothing() {
    permit.add(announcement, 100);
    HomeRecord unused = permit.drop(announced, List.of(SPACE));
    permit.dropNothing();
    assertThat(permit.unused()).containsExactly(announcement);
    assertThat(unused.find(5)).isNull();
  }

  private void assertRefused(HomeRecord record) {
    assertThatThrownBy(() -> permit.drop(record, List.of(SPACE)))
        .isInstanceOfSatisfying(
            NotAnnounced.class, e -> assertThat(e.spaces()).containsExactly(5L));
  }
}
