package io.lazuli.server.table.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.table.protocol.ODataFilterParser;
import org.junit.jupiter.api.Test;

class TableNamePredicateTest {
  @Test
  void namesAreComparedIgnoringCase() {
    assertThat(matches("TableName eq 'orders'", "Orders")).isTrue();
    assertThat(matches("TableName eq 'ORDERS'", "orders")).isTrue();
    assertThat(matches("TableName ne 'ORDERS'", "orders")).isFalse();
    assertThat(matches("TableName ge 'a' and TableName lt 'b'", "Apples")).isTrue();
    assertThat(matches("TableName ge 'A' and TableName lt 'B'", "bananas")).isFalse();
    assertThat(matches("'p' lt TableName", "People")).isTrue();
    assertThat(matches("not (TableName eq 'x') or false", "y")).isTrue();
    assertThat(matches(" ", "anything")).isTrue();
  }

  private static boolean matches(String filter, String name) {
    return TableNamePredicate.test(ODataFilterParser.parseForTables(filter), name);
  }
}
