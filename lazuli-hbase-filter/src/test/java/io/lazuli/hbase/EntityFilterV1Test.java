package io.lazuli.hbase;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.entity.EntityCondition;
import io.lazuli.storage.keys.KeyCodec;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.exceptions.DeserializationException;
import org.apache.hadoop.hbase.filter.Filter.ReturnCode;
import org.junit.jupiter.api.Test;

/** Which rows the filter keeps. The evaluator has tests of its own. */
class EntityFilterV1Test {
  private static final byte[] NEVER = {EntityCondition.NEVER};
  private static final Space SPACE =
      new Space(1L << 60, new Partition(Space.CATALOGUE, Bytes.EMPTY));

  @Test
  void rowsThatDoNotMatchAndTombstonesAreLeftOut() {
    EntityFilterV1 never = new EntityFilterV1(NEVER, 5);
    assertThat(never.filterCell(cell("p", "r", stored(1, entity())))).isEqualTo(ReturnCode.SKIP);
    EntityFilterV1 always = new EntityFilterV1(new byte[] {EntityCondition.ALWAYS}, 5);
    assertThat(always.filterCell(cell("p", "r", stored(1, entity()))))
        .isEqualTo(ReturnCode.INCLUDE);
    assertThat(always.filterCell(cell("p", "r", stored(Long.MIN_VALUE | 1, new byte[0]))))
        .isEqualTo(ReturnCode.SKIP);
  }

  @Test
  void afterEnoughMatchesEveryRowIsKept() {
    EntityFilterV1 filter = new EntityFilterV1(rowIs("r"), 2);
    assertThat(
            List.of("a", "r", "b", "r", "c", "d").stream()
                .map(row -> filter.filterCell(cell("p", row, stored(1, entity()))))
                .toList())
        .containsExactly(
            ReturnCode.SKIP,
            ReturnCode.INCLUDE,
            ReturnCode.SKIP,
            ReturnCode.INCLUDE,
            ReturnCode.INCLUDE,
            ReturnCode.INCLUDE);
    KeyValue tombstone = cell("p", "e", stored(Long.MIN_VALUE | 1, new byte[0]));
    assertThat(filter.filterCell(tombstone)).isEqualTo(ReturnCode.SKIP);
  }

  /** The client reports damage, so it must see it. */
  @Test
  void whatCannotBeReadIsKept() {
    EntityFilterV1 filter = new EntityFilterV1(property("Missing"), 5);
    assertThat(filter.filterCell(cell("p", "r", stored(1, entity())))).isEqualTo(ReturnCode.SKIP);
    byte[] longer = entity();
    longer[10] = 1;
    for (byte[] value :
        List.of(new byte[0], new byte[3], longer, stored(1, new byte[] {9, 9, 9}))) {
      byte[] stored = value == longer ? stored(1, longer) : value;
      assertThat(filter.filterCell(cell("p", "r", stored))).isEqualTo(ReturnCode.INCLUDE);
    }
  }

  @Test
  void keysAreReadFromRows() {
    Random random = new Random(84);
    for (int i = 0; i < 2_000; i++) {
      byte[] name = bytes(random);
      byte[] row = bytes(random);
      byte[] other = random.nextBoolean() ? name : bytes(random);
      EntityFilterV1 filter = new EntityFilterV1(key(EntityCondition.PARTITION_KEY, other), 5);
      boolean same = Arrays.equals(name, other);
      assertThat(filter.filterCell(cell(name, row, stored(1, entity()))))
          .isEqualTo(same ? ReturnCode.INCLUDE : ReturnCode.SKIP);
    }
  }

  @Test
  void aFilterTravelsAsBytes() throws DeserializationException {
    byte[] bytes = new EntityFilterV1(rowIs("r"), 7).toByteArray();
    assertThat(EntityFilterV1.parseFrom(bytes).toByteArray()).isEqualTo(bytes);
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> EntityFilterV1.parseFrom(cut))
          .isInstanceOf(DeserializationException.class);
    }
    assertThatThrownBy(() -> EntityFilterV1.parseFrom(new byte[] {0, 0, 0, 1, 77}))
        .isInstanceOf(DeserializationException.class);
  }

  private static byte[] bytes(Random random) {
    byte[] bytes = new byte[random.nextInt(4)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (random.nextInt(5) - 1);
    }
    return bytes;
  }

  /** Returns the record of an entity without properties. */
  private static byte[] entity() {
    byte[] record = new byte[11];
    record[0] = 1;
    return record;
  }

  private static byte[] stored(long version, byte[] record) {
    return ByteBuffer.allocate(16 + record.length).putLong(version).putLong(7).put(record).array();
  }

  private static byte[] rowIs(String row) {
    return key(EntityCondition.ROW_KEY, row.getBytes(UTF_8));
  }

  private static byte[] key(int kind, byte[] literal) {
    return ByteBuffer.allocate(6 + literal.length)
        .put((byte) kind)
        .put((byte) 2)
        .putInt(literal.length)
        .put(literal)
        .array();
  }

  /** Returns the condition that a Boolean property is true. */
  private static byte[] property(String name) {
    byte[] bytes = name.getBytes(UTF_8);
    return ByteBuffer.allocate(5 + bytes.length)
        .put((byte) EntityCondition.TRUE)
        .putInt(bytes.length)
        .put(bytes)
        .array();
  }

  private static KeyValue cell(String partition, String row, byte[] value) {
    return cell(partition.getBytes(UTF_8), row.getBytes(UTF_8), value);
  }

  private static KeyValue cell(byte[] partition, byte[] row, byte[] value) {
    byte[] key = KeyCodec.encode(new Partition(SPACE, Bytes.of(partition)).row(Bytes.of(row)));
    return new KeyValue(key, new byte[] {'d'}, new byte[] {'r'}, 1, value);
  }
}
