package io.lazuli.storage.hbase.reclaim;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.keys.KeyInterval;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** The stored value of a drop. */
class DropTest {
  private static final Bytes KEY = Bytes.of(new byte[] {1});
  private static final Partition HOME = new Partition(Space.CATALOGUE, KEY);
  private static final byte[] FRESH = ByteBuffer.allocate(Long.BYTES).putLong(123).array();

  @Test
  void aDropBeginsAtTheFirstKeyOfItsSpace() {
    Bytes from = KeyInterval.ofSpace(5).from();
    assertThat(decode(FRESH)).isEqualTo(new Drop(KEY, HOME, 5, 123, false, from, 0));
  }

  @Test
  void progressIsReadBack() {
    Drop further = decode(FRESH).at(FakeSpaces.key(5, 77), 78);
    assertThat(decode(further.encode())).isEqualTo(further);
    Drop swept = further.afterFirstSweep();
    assertThat(decode(swept.encode())).isEqualTo(swept);
    assertThat(swept.from()).isEqualTo(KeyInterval.ofSpace(5).from());
  }

  /** The format of servers that did not record their progress. */
  @Test
  void aDropSweptByAnOlderServerWaitsForItsSecondSweep() {
    byte[] value = ByteBuffer.allocate(Long.BYTES + 1).putLong(123).put((byte) 1).array();
    assertThat(decode(value)).isEqualTo(decode(FRESH).afterFirstSweep());
  }

  private static Drop decode(byte[] value) {
    return Drop.decode(KEY, HOME, 5, value);
  }
}
