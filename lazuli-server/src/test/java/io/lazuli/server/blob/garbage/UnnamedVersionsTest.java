package io.lazuli.server.blob.garbage;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import java.util.Set;
import org.junit.jupiter.api.Test;

class UnnamedVersionsTest {
  private static final long GRACE = 100;
  private static final Partition ONE = partition('a');
  private static final Partition OTHER = partition('b');

  private final UnnamedVersions versions = new UnnamedVersions(GRACE, 4);

  @Test
  void aVersionThatTwoRoundsSawMayBeRemoved() {
    assertThat(versions.removable(ONE, Set.of(1L, 2L), 10)).isEmpty();
    assertThat(versions.removable(ONE, Set.of(1L, 2L, 3L), 10 + GRACE)).containsOnly(1L, 2L);
    assertThat(versions.removable(ONE, Set.of(3L), 10 + 2 * GRACE)).containsOnly(3L);
  }

  @Test
  void aLookThatComesTooEarlyCountsForNothing() {
    versions.removable(ONE, Set.of(1L), 10);
    assertThat(versions.isKept(ONE, 9 + GRACE)).isTrue();
    assertThat(versions.removable(ONE, Set.of(1L, 2L), 9 + GRACE)).isEmpty();
    assertThat(versions.removable(ONE, Set.of(1L, 2L), 10 + GRACE)).containsOnly(1L);
  }

  @Test
  void aFailedRemovalMayBeRepeatedInTheNextRound() {
    versions.removable(ONE, Set.of(1L), 10);
    versions.removable(ONE, Set.of(1L), 10 + GRACE);
    versions.restore(ONE, Set.of(1L));
    assertThat(versions.due(11 + GRACE)).containsExactly(ONE);
    assertThat(versions.removable(ONE, Set.of(1L), 11 + GRACE)).containsOnly(1L);
  }

  @Test
  void placesAreDueAfterTheirRestUntilTheyAreForgotten() {
    versions.removable(ONE, Set.of(1L), 10);
    versions.removable(OTHER, Set.of(1L), 20);
    assertThat(versions.due(10 + GRACE)).containsExactly(ONE);
    versions.forget(ONE);
    assertThat(versions.due(20 + GRACE)).containsExactly(OTHER);
  }

  @Test
  void aVersionBeyondTheBoundIsNotRememberedAndStays() {
    versions.removable(ONE, Set.of(1L, 2L, 3L), 10);
    assertThat(versions.isFull()).isTrue();
    versions.removable(OTHER, Set.of(1L), 10);
    assertThat(versions.removable(OTHER, Set.of(1L), 10 + GRACE)).isEmpty();
    versions.forget(ONE);
    assertThat(versions.isFull()).isFalse();
    assertThat(versions.due(10 + GRACE)).isEmpty();
  }

  private static Partition partition(char name) {
    return new Partition(Space.CATALOGUE, Bytes.of(new byte[] {(byte) name}));
  }
}
