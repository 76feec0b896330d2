package io.lazuli.client.entity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The names of properties that the service accepts: table-rest 5.3. */
class PropertyNameTest {
  record Dash(String partitionKey, String rowKey, @Name("E-mail") String email) {}

  record Space(String partitionKey, String rowKey, @Name("Peer Rating") int rating) {}

  record Digit(String partitionKey, String rowKey, @Name("1st") int first) {}

  record Dot(String partitionKey, String rowKey, @Name("a.b") int value) {}

  record At(String partitionKey, String rowKey, @Name("a@b") int value) {}

  record Currency(String partitionKey, String rowKey, int $price) {}

  record Half(String partitionKey, String rowKey, @Name("a\uD800") int value) {}

  record Empty(String partitionKey, String rowKey, @Name("") int value) {}

  static class Bean {
    public String partitionKey = "";
    public String rowKey = "";

    @Name("E-mail")
    public String email = "";
  }

  record Odd(
      String partitionKey,
      String rowKey,
      @Name("_") int underscore,
      @Name("数量9") int number,
      @Name("\uD801\uDC00") int deseret,
      @Name("Größe") int size,
      @Name(LONGEST) int longest) {}

  record TooLong(String partitionKey, String rowKey, @Name(LONGEST + "x") int value) {}

  private static final String TEN = "abcdefghij";
  private static final String FIFTY = TEN + TEN + TEN + TEN + TEN;
  private static final String LONGEST = FIFTY + FIFTY + FIFTY + FIFTY + FIFTY + "abcde";

  @Test
  void namesThatTheServiceRefusesAreRefusedWithAdvice() {
    for (Class<?> type :
        List.of(
            Dash.class,
            Space.class,
            Digit.class,
            Dot.class,
            At.class,
            Currency.class,
            Half.class,
            Empty.class,
            Bean.class,
            TooLong.class)) {
      assertThatThrownBy(() -> EntityCodec.of(type))
          .as(type.getSimpleName())
          .isInstanceOf(MappingFailure.class)
          .hasMessageContaining(type.getName() + ".")
          .hasMessageContaining("@Name");
    }
    assertThatThrownBy(() -> EntityCodec.of(Dash.class))
        .hasMessageContaining("Dash.email would be the property E-mail, which the service refuses");
  }

  @Test
  void namesThatTheServiceAcceptsAreAccepted() {
    assertThat(EntityCodec.of(Odd.class).properties().values())
        .extracting(MappedProperty::name)
        .containsExactlyInAnyOrder("_", "数量9", "\uD801\uDC00", "Größe", LONGEST);
  }
}
