package io.lazuli.storage.history.table;

import io.lazuli.storage.history.Call;
import io.lazuli.storage.history.Explanation;
import io.lazuli.storage.history.Linearization;
import io.lazuli.storage.history.Linearization.Contradiction;
import io.lazuli.storage.history.Step;
import io.lazuli.storage.history.Target;
import io.lazuli.storage.history.Violation;
import io.lazuli.storage.history.table.TableClient.Row;
import io.lazuli.storage.history.table.TableClient.Shown;
import io.lazuli.storage.history.table.TableClient.Written;
import io.lazuli.storage.history.table.TableWrite.Verb;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * One partition of a table. Transactions and pages of a partition are atomic, so all of its rows
 * are checked together. ETags are checked for each row: every state has one, and none has that of
 * another.
 */
public final class TablePartition extends Target<TableClient> {
  private static final int ROWS = 6;
  private static final int PATIENCE = 1_000;

  private final String table;
  private final String partition;
  private final int callsMax;
  private final Linearization order = new Linearization(new long[ROWS]);
  private final AtomicInteger numbers = new AtomicInteger();
  private final AtomicReferenceArray<@Nullable Row> known = new AtomicReferenceArray<>(ROWS);
  private final List<Call> calls = new ArrayList<>();
  private volatile int recorded;
  private volatile long operations;
  private int lost;

  /**
   * Creates a partition.
   *
   * @param table exists
   * @param callsMax how many calls it takes
   */
  public TablePartition(String table, int number, int callsMax) {
    this.table = table;
    this.partition = "p" + number;
    this.callsMax = callsMax;
  }

  @Override
  public void open(TableClient client) {}

  @Override
  public boolean isFull() {
    return recorded >= callsMax;
  }

  @Override
  public long calls() {
    return recorded;
  }

  @Override
  public long operations() {
    return operations;
  }

  @Override
  public long lost() {
    return lost;
  }

  @Override
  public boolean isUndecided() {
    return order.isUndecided();
  }

  @Override
  public void work(TableClient client, int number, Random random) {
    int choice = random.nextInt(100);
    if (choice < 28) {
      read(client, number, random.nextInt(ROWS));
    } else if (choice < 45) {
      read(client, number, ReadStep.PAGE);
    } else if (choice < 85) {
      write(client, number, List.of(write(random, random.nextInt(ROWS))));
    } else {
      write(client, number, batch(random));
    }
  }

  private List<TableWrite> batch(Random random) {
    List<TableWrite> writes = new ArrayList<>();
    int first = random.nextInt(ROWS - 2);
    boolean certain = random.nextInt(4) != 0;
    int number = numbers.incrementAndGet();
    for (int row = first; row < ROWS; row++) {
      writes.add(
          certain
              ? new TableWrite(Verb.REPLACE, row, number, TableWrite.NONE, "")
              : numbered(write(random, row), number));
    }
    return writes;
  }

  private static TableWrite numbered(TableWrite write, int number) {
    return new TableWrite(write.verb(), write.row(), number, write.expected(), write.etag());
  }

  private TableWrite write(Random random, int row) {
    int number = numbers.incrementAndGet();
    int choice = random.nextInt(10);
    if (choice < 2) {
      return new TableWrite(Verb.INSERT, row, number, TableWrite.NONE, "");
    }
    Verb verb = choice < 5 ? Verb.REPLACE : choice < 8 ? Verb.MERGE : Verb.DELETE;
    Row last = known.get(row);
    if (last != null && random.nextBoolean()) {
      return new TableWrite(verb, row, number, TableWrite.b(last.cell()), last.etag());
    }
    return verb == Verb.DELETE || random.nextInt(3) == 0
        ? new TableWrite(verb, row, number, TableWrite.ANY, "*")
        : new TableWrite(verb, row, number, TableWrite.NONE, "");
  }

  private void write(TableClient client, int number, List<TableWrite> writes) {
    long start = System.nanoTime();
    Written answer;
    try {
      answer =
          writes.size() == 1
              ? client.write(table, partition, writes.get(0))
              : client.batch(table, partition, writes);
    } catch (IOException e) {
      record(start, Call.NEVER, number, new WriteStep(writes, WriteStep.LOST), writes.size());
      return;
    }
    record(start, System.nanoTime(), number, new WriteStep(writes, answer), writes.size());
    for (Row each : written(writes, answer)) {
      known.set(each.row(), each);
    }
  }

  private @Nullable Call read(TableClient client, int number, int row) {
    long start = System.nanoTime();
    Shown answer;
    try {
      answer =
          row == ReadStep.PAGE ? client.page(table, partition) : client.get(table, partition, row);
    } catch (IOException e) {
      // A read without an answer says nothing.
      return null;
    }
    for (Row each : answer.rows()) {
      known.set(each.row(), each);
    }
    return record(start, System.nanoTime(), number, new ReadStep(row, answer.rows()), 1);
  }

  private Call record(long start, long end, int number, Step step, int parts) {
    Call call = new Call(start, end, number, step);
    synchronized (calls) {
      calls.add(call);
      recorded++;
      operations += parts;
      lost += call.isOpen() ? 1 : 0;
    }
    return call;
  }

  /** Reads the whole partition until there is an answer. */
  private Call readAll(TableClient client, int number) {
    for (int i = 0; i < PATIENCE; i++) {
      Call call = read(client, number, ReadStep.PAGE);
      if (call != null) {
        return call;
      }
    }
    throw new IllegalStateException("the server does not answer");
  }

  @Override
  public List<Violation> check(TableClient client, int number) {
    readAll(client, number);
    List<Call> all = List.copyOf(calls);
    List<Violation> violations = new ArrayList<>(repeatedETags(all));
    Contradiction found = order.add(all);
    if (found != null) {
      violations.add(explain(found, all));
    }
    // The sweep needs the writers of the last state only.
    calls.removeIf(call -> !isLast(call));
    return violations;
  }

  @Override
  public List<Violation> sweep(TableClient client, int number) {
    Call last = readAll(client, number);
    Contradiction found = order.add(List.of(last));
    return found == null ? List.of() : List.of(explain(found, calls));
  }

  private boolean isLast(Call call) {
    for (long[] state : order.states()) {
      for (long cell : state) {
        long number = call.step().number();
        if (number != 0 && (TableWrite.a(cell) == number || TableWrite.b(cell) == number)) {
          return true;
        }
      }
    }
    return call.isOpen();
  }

  private Violation explain(Contradiction found, List<Call> all) {
    return Explanation.of(
        "table " + table + ", partition " + partition,
        found,
        all,
        cell -> new long[] {TableWrite.a(cell), TableWrite.b(cell)},
        cell -> "r" + cell);
  }

  /** A state of a row, and the call that showed it first. */
  private record Tagged(long state, Call call) {}

  private List<Violation> repeatedETags(List<Call> all) {
    Map<String, Tagged> byTag = new HashMap<>();
    Map<Long, String> byState = new HashMap<>();
    for (Call call : all) {
      for (Row each : tagged(call.step())) {
        long state = ((long) each.row() << Integer.SIZE) | TableWrite.b(each.cell());
        Tagged now = new Tagged(state, call);
        Tagged other = byTag.putIfAbsent(each.row() + " " + each.etag(), now);
        if (other != null && other.state() != state) {
          return List.of(repeated(each, other.call(), call, all));
        }
        String tag = byState.putIfAbsent(state, each.etag());
        if (tag != null && !tag.equals(each.etag())) {
          return List.of(repeated(each, byTag.get(each.row() + " " + tag).call(), call, all));
        }
      }
    }
    return List.of();
  }

  private Violation repeated(Row row, Call first, Call second, List<Call> all) {
    long origin = all.stream().mapToLong(Call::start).min().orElse(0);
    return new Violation(
        Violation.Kind.REPEATED_ETAG,
        "table %s, partition %s, r%d, %s%n  %s%n  %s"
            .formatted(
                table, partition, row.row(), row.etag(), first.line(origin), second.line(origin)));
  }

  private static List<Row> tagged(Step step) {
    return step instanceof ReadStep read
        ? read.shown()
        : written(((WriteStep) step).writes(), ((WriteStep) step).answer());
  }

  /** Returns the rows whose ETag the answer shows. The official client shows none for a batch. */
  private static List<Row> written(List<TableWrite> writes, Written answer) {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < answer.etags().size(); i++) {
      TableWrite each = writes.get(i);
      String etag = answer.etags().get(i);
      if (!etag.isEmpty()) {
        rows.add(new Row(each.row(), TableWrite.cell(0, each.number()), etag));
      }
    }
    return rows;
  }
}
