package io.lazuli.server.table.encoding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.server.table.model.EdmValue;
import io.lazuli.server.table.model.EdmValue.BinaryValue;
import io.lazuli.server.table.model.EdmValue.BooleanValue;
import io.lazuli.server.table.model.EdmValue.DateTimeValue;
import io.lazuli.server.table.model.EdmValue.DoubleValue;
import io.lazuli.server.table.model.EdmValue.GuidValue;
import io.lazuli.server.table.model.EdmValue.Int32Value;
import io.lazuli.server.table.model.EdmValue.Int64Value;
import io.lazuli.server.table.model.EdmValue.StringValue;
import io.lazuli.server.table.model.Property;
import io.lazuli.storage.entity.EntityCursor;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class EntityCodecTest {
  @Test
  void allTypesRoundTripAtTheirExtremes() {
    assertRoundTrip(
        new StringValue(""),
        new StringValue("日本😀"),
        new StringValue("x".repeat(32_768)),
        new StringValue("\uffff".repeat(32_768)),
        new Int32Value(Integer.MIN_VALUE),
        new Int32Value(Integer.MAX_VALUE),
        new Int64Value(Long.MIN_VALUE),
        new Int64Value(Long.MAX_VALUE),
        new DoubleValue(Double.NaN),
        new DoubleValue(Double.NEGATIVE_INFINITY),
        new DoubleValue(Double.POSITIVE_INFINITY),
        new DoubleValue(-0.0),
        new DoubleValue(Double.MIN_VALUE),
        new DoubleValue(Double.MAX_VALUE),
        new BooleanValue(true),
        new BooleanValue(false),
        new DateTimeValue(0),
        new DateTimeValue(2_650_467_743_999_999_999L),
        new GuidValue(new UUID(0, 0)),
        new GuidValue(new UUID(-1, Long.MIN_VALUE)),
        new BinaryValue(new byte[0]),
        new BinaryValue(new byte[65_536]));
  }

  @Test
  void unpairedSurrogatesOfValuesAreKept() {
    assertRoundTrip(
        new StringValue("\ud800"), new StringValue("\udc00\ud800"), new StringValue("a\udfffb"));
  }

  @Test
  void namesMayBeLongAndOfAnyLetters() {
    List<Property> properties =
        List.of(property("数".repeat(255), 1), property("_", 2), property("é", 3));
    assertThat(EntityCodec.properties(EntityCodec.encode(properties))).isEqualTo(properties);
  }

  @Test
  void anEntityHasNoneOrManyProperties() {
    List<Property> many =
        IntStream.range(0, 252).mapToObj(number -> property("p" + number, number)).toList();
    assertThat(EntityCodec.properties(EntityCodec.encode(many))).isEqualTo(many);
    assertThat(EntityCodec.properties(EntityCodec.encode(List.of()))).isEmpty();
  }

  @Test
  void theTimestampIsSetAfterwards() {
    byte[] record = EntityCodec.encode(List.of(property("a", 1)));
    EntityCodec.setTicks(record, 2_650_467_743_999_999_999L);
    assertThat(EntityCodec.ticks(record)).isEqualTo(2_650_467_743_999_999_999L);
    assertThat(cursor(record).ticks()).isEqualTo(2_650_467_743_999_999_999L);
    assertThat(EntityCodec.properties(record)).containsExactly(property("a", 1));
  }

  @Test
  void mergeKeepsPropertiesThatAreNotSent() {
    assertThat(merge(List.of(property("a", 1), property("b", 2)), List.of(property("b", 3))))
        .containsExactly(property("a", 1), property("b", 3));
  }

  @Test
  void mergeAppendsNewProperties() {
    assertThat(merge(List.of(property("a", 1)), List.of(property("c", 3), property("b", 2))))
        .containsExactly(property("a", 1), property("c", 3), property("b", 2));
  }

  @Test
  void mergeChangesTypesAndTellsCaseApart() {
    Property text = new Property("a", new StringValue("now a string"));
    assertThat(merge(List.of(property("a", 1), property("A", 2)), List.of(text)))
        .containsExactly(text, property("A", 2));
  }

  @Test
  void mergeWithNothingChangesNothing() {
    assertThat(merge(List.of(property("a", 1)), List.of())).containsExactly(property("a", 1));
    assertThat(merge(List.of(), List.of(property("a", 1)))).containsExactly(property("a", 1));
  }

  @Test
  void aCursorFindsPropertiesByNameInAnyOrder() {
    byte[] record = EntityCodec.encode(List.of(property("a", 1), property("ab", 2)));
    EntityCursor cursor = cursor(record);
    assertThat(cursor.find(Utf8.encodeValue("ab"))).isTrue();
    assertThat(cursor.intValue()).isEqualTo(2);
    assertThat(cursor.find(Utf8.encodeValue("a"))).isTrue();
    assertThat(cursor.intValue()).isEqualTo(1);
    assertThat(cursor.find(Utf8.encodeValue("b"))).isFalse();
  }

  @Test
  void aCursorComesBackToAMark() {
    EntityCursor cursor =
        cursor(EntityCodec.encode(List.of(property("a", 1), property("b", 2), property("c", 3))));
    cursor.next();
    int first = cursor.mark();
    cursor.next();
    cursor.next();
    cursor.moveTo(first);
    assertThat(cursor.intValue()).isEqualTo(1);
    cursor.rewind();
    assertThat(Stream.generate(cursor::next).limit(4)).containsExactly(true, true, true, false);
  }

  @Test
  void bytesThatAreNoRecordAreRefused() {
    assertThatThrownBy(() -> cursor(new byte[5])).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> cursor(new byte[40])).isInstanceOf(IllegalStateException.class);
  }

  private static void assertRoundTrip(EdmValue... values) {
    for (EdmValue value : values) {
      List<Property> properties = List.of(new Property("P", value), property("after", 1));
      assertThat(EntityCodec.properties(EntityCodec.encode(properties))).isEqualTo(properties);
    }
  }

  private static List<Property> merge(List<Property> stored, List<Property> changes) {
    return EntityCodec.properties(
        EntityCodec.merge(EntityCodec.encode(stored), EntityCodec.encode(changes)));
  }

  private static EntityCursor cursor(byte[] record) {
    return new EntityCursor().reset(record, 0, record.length);
  }

  private static Property property(String name, int value) {
    return new Property(name, new Int32Value(value));
  }
}
