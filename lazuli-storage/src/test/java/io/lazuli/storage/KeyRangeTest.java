package io.lazuli.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

final class KeyRangeTest {
  private static final Bytes P = Bytes.of(new byte[] {'p'});
  private static final Bytes Q = Bytes.of(new byte[] {'q'});
  private static final Bytes A = Bytes.of(new byte[] {'a'});
  private static final Bytes B = Bytes.of(new byte[] {'b'});
  private static final Bytes C = Bytes.of(new byte[] {'c'});

  @Test
  void rangesOfOnePartitionAreKnownAsSuch() {
    assertThat(KeyRange.ofPartition(P).isInOnePartition()).isTrue();
    assertThat(KeyRange.point(at(P, A)).isInOnePartition()).isTrue();
    assertThat(new KeyRange(at(P, B), Position.endOf(P)).isInOnePartition()).isTrue();
    assertThat(new KeyRange(at(P, B), at(Q, A)).isInOnePartition()).isFalse();
    assertThat(KeyRange.ALL.isInOnePartition()).isFalse();
  }

  @Test
  void aPointHoldsOnePlaceOnly() {
    KeyRange point = KeyRange.point(at(P, A));
    assertThat(point.isEmpty()).isFalse();
    assertThat(point.to()).isEqualTo(at(P, A.successor()));
  }

  @Test
  void aRangeThatEndsWhereItBeginsIsEmpty() {
    assertThat(new KeyRange(at(P, A), at(P, A)).isEmpty()).isTrue();
    assertThat(new KeyRange(at(P, B), at(P, A)).isEmpty()).isTrue();
    assertThat(new KeyRange(at(P, A), null).isEmpty()).isFalse();
  }

  @Test
  void rangesThatTouchAreDisjoint() {
    List<KeyRange> ranges =
        List.of(new KeyRange(at(P, A), at(P, B)), new KeyRange(at(P, B), at(P, C)), tail(Q));
    assertThatCode(() -> KeyRange.requireSortedAndDisjoint(ranges)).doesNotThrowAnyException();
    assertThatCode(() -> KeyRange.requireSortedAndDisjoint(List.of())).doesNotThrowAnyException();
  }

  @Test
  void rangesThatOverlapAreEmptyOrOutOfOrderAreRefused() {
    KeyRange low = new KeyRange(at(P, A), at(P, C));
    KeyRange high = new KeyRange(at(P, B), at(Q, A));
    for (List<KeyRange> ranges :
        List.of(
            List.of(low, high),
            List.of(high, low),
            List.of(tail(P), tail(Q)),
            List.of(new KeyRange(at(P, A), at(P, A))))) {
      assertThatThrownBy(() -> KeyRange.requireSortedAndDisjoint(ranges))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  private static Position at(Bytes partition, Bytes row) {
    return new Position(partition, row);
  }

  private static KeyRange tail(Bytes partition) {
    return new KeyRange(Position.startOf(partition), null);
  }
}
