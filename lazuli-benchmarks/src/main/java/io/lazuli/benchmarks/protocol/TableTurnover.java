package io.lazuli.benchmarks.protocol;

import io.lazuli.benchmarks.load.Script;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** Creates a table, inserts one entity, deletes the table, and continues with new names. */
public final class TableTurnover implements Script {
  private enum Step {
    CREATE,
    INSERT,
    DELETE
  }

  private final TableRequests requests;
  private final AtomicLong tables;
  private final long end;
  private Step step = Step.CREATE;
  private String table = "";

  private TableTurnover(TableRequests requests, AtomicLong tables, long end) {
    this.requests = requests;
    this.tables = tables;
    this.end = end;
  }

  /** Returns one script per connection; they share the work. */
  public static List<TableTurnover> of(int connections, TableRequests requests, long count) {
    AtomicLong tables = new AtomicLong();
    return IntStream.range(0, connections)
        .mapToObj(i -> new TableTurnover(requests, tables, count))
        .toList();
  }

  @Override
  public Optional<ByteBuffer> next() {
    return switch (step) {
      case CREATE -> create();
      case INSERT -> {
        step = Step.DELETE;
        yield Optional.of(requests.insert(table).fill(0, 0));
      }
      case DELETE -> {
        step = Step.CREATE;
        yield Optional.of(requests.deleteTable(table));
      }
    };
  }

  private Optional<ByteBuffer> create() {
    long number = tables.getAndIncrement();
    if (number >= end) {
      return Optional.empty();
    }
    table = "passing" + number;
    step = Step.INSERT;
    return Optional.of(requests.createTable(table));
  }
}
