package io.lazuli.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.metrics.Histogram;
import io.lazuli.storage.metrics.MetricVisitor;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BusiestTablesTest {
  private final BusiestTables tables = new BusiestTables();

  @Test
  void theBusiestTablesAreShown() {
    for (int table = 0; table < 100; table++) {
      for (int request = 0; request <= table; request++) {
        tables.count("a", "t" + table);
      }
    }
    Map<String, Number> shown = shown();
    assertThat(shown)
        .hasSize(BusiestTables.SHOWN_MAX + 1)
        .containsEntry("[account, a, table, t99]", 100L);
    assertThat(shown).doesNotContainKey("[account, a, table, t79]");
  }

  @Test
  void thereIsABoundOnTheTablesThatAreCounted() {
    for (int table = 0; table < 2 * BusiestTables.TABLES_MAX; table++) {
      tables.count("a" + table % 7, "t" + table);
    }
    assertThat(shown()).containsEntry("[]", BusiestTables.TABLES_MAX);
  }

  @Test
  void idleTablesMakeRoomForOthers() {
    for (int table = 0; table < BusiestTables.TABLES_MAX; table++) {
      tables.count("a", "t" + table);
    }
    assertThat(shown()).isNotEmpty();
    tables.count("a", "t1");
    assertThat(shown()).isNotEmpty();
    tables.count("b", "new");
    assertThat(shown())
        .containsEntry("[]", 2)
        .containsEntry("[account, a, table, t1]", 2L)
        .containsEntry("[account, b, table, new]", 1L);
  }

  private Map<String, Number> shown() {
    Map<String, Number> shown = new LinkedHashMap<>();
    tables.show(
        new MetricVisitor() {
          @Override
          public void counter(String name, String description, Number value, String... labels) {
            shown.put(List.of(labels).toString(), value);
          }

          @Override
          public void gauge(String name, String description, Number value, String... labels) {
            shown.put(List.of(labels).toString(), value);
          }

          @Override
          public void histogram(
              String name, String description, Histogram values, String... labels) {
            throw new IllegalStateException(name);
          }
        });
    return shown;
  }
}
