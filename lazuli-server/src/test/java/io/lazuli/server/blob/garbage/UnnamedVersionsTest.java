package io.lazuli.server.blob.garbage;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import java.util.Set;
import org.junit.jupiter.api.Test;

class UnnamedVersionsTest {
  private static final long REST = 100;
  private static final Partition ONE = partition('a');
  private static final Partition OTHER = partition('b');

  private final UnnamedVersions versions = new UnnamedVersions(REST, 4);

  @Test
  void whatTwoLooksSawARestApartMayGo() {
    assertThat(versions.seen(ONE, Set.of(1L, 2L), 10)).isEmpty();
    assertThat(versions.seen(ONE, Set.of(1L, 2L, 3L), 10 + REST)).containsOnly(1L, 2L);
    assertThat(versions.seen(ONE, Set.of(3L), 10 + 2 * REST)).containsOnly(3L);
  }

  @Test
  void aLookThatComesTooEarlyCountsForNothing() {
    versions.seen(ONE, Set.of(1L), 10);
    assertThat(versions.isResting(ONE, 9 + REST)).isTrue();
    assertThat(versions.seen(ONE, Set.of(1L, 2L), 9 + REST)).isEmpty();
    assertThat(versions.seen(ONE, Set.of(1L, 2L), 10 + REST)).containsOnly(1L);
  }

  @Test
  void whatCouldNotBeRemovedMayGoAtTheNextLook() {
    versions.seen(ONE, Set.of(1L), 10);
    versions.seen(ONE, Set.of(1L), 10 + REST);
    versions.restore(ONE, Set.of(1L));
    assertThat(versions.due(11 + REST)).containsExactly(ONE);
    assertThat(versions.seen(ONE, Set.of(1L), 11 + REST)).containsOnly(1L);
  }

  @Test
  void placesAreDueAfterTheirRestUntilTheyAreForgotten() {
    versions.seen(ONE, Set.of(1L), 10);
    versions.seen(OTHER, Set.of(1L), 20);
    assertThat(versions.due(10 + REST)).containsExactly(ONE);
    versions.forget(ONE);
    assertThat(versions.due(20 + REST)).containsExactly(OTHER);
  }

  @Test
  void whatDoesNotFitIsNotRememberedAndStays() {
    versions.seen(ONE, Set.of(1L, 2L, 3L), 10);
    assertThat(versions.isFull()).isTrue();
    versions.seen(OTHER, Set.of(1L), 10);
    assertThat(versions.seen(OTHER, Set.of(1L), 10 + REST)).isEmpty();
    versions.forget(ONE);
    assertThat(versions.isFull()).isFalse();
    assertThat(versions.due(10 + REST)).isEmpty();
  }

  private static Partition partition(char name) {
    return new Partition(Space.CATALOGUE, Bytes.of(new byte[] {(byte) name}));
  }
}
