package io.lazuli.server.design.trial;

import io.lazuli.server.design.Access;
import io.lazuli.server.design.AccessPlan;
import io.lazuli.server.design.KeyPart;
import io.lazuli.server.design.KeyPart.Form;
import io.lazuli.server.design.Keys;
import io.lazuli.server.design.Names;
import io.lazuli.server.design.Path;
import io.lazuli.server.design.Path.Placement;
import io.lazuli.server.design.Property;
import io.lazuli.server.design.Proposal;
import io.lazuli.server.design.Storage;
import io.lazuli.server.design.TableDesign;
import io.lazuli.server.design.Type;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The sample rows of a proposal, and one query for each of its reading accesses. */
public final class Trial {
  /** The sample entities of each type. */
  public static final int SAMPLES = 200;

  /** The maximum of parts and properties of a sample. */
  private static final int PARTS_MAX = 4;

  private static final int COLUMNS_MAX = 200;
  private static final int LARGE = 1 << 10;

  /** A row to store. Values are of the types that {@link Sample} gives. */
  public record Row(String table, String partition, String row, Map<String, Object> values) {}

  /**
   * A query.
   *
   * @param filter in the syntax of the protocol
   * @param top the maximum number of entities; 0 for all
   */
  public record Question(AccessPlan plan, String table, String filter, int top) {}

  private final String start;
  private final Proposal proposal;

  /**
   * @param model the name of the model, which the names of tables begin with
   */
  public Trial(String model, Proposal proposal) {
    this.start = "Try" + Names.type(model);
    this.proposal = proposal;
  }

  private String table(String name) {
    return Names.table(start, name);
  }

  /** Returns the rows, at most 200 for each type and path. */
  public List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    for (TableDesign design : proposal.tables()) {
      if (design.storage() == Storage.LOG) {
        continue;
      }
      Map<String, List<String>> lists = new LinkedHashMap<>();
      Map<String, Row> listRows = new LinkedHashMap<>();
      for (int i = 0; i < SAMPLES; i++) {
        Sample sample = new Sample(design.entity(), i);
        Map<String, Object> values = values(design, sample);
        own(design, sample, values, rows);
        for (Path path : design.paths()) {
          if (path.placement() == Placement.LIST_BLOBS) {
            continue;
          }
          Row row = row(design.table(path), path.keys(), sample, values);
          if (path.placement().isList()) {
            String place = row.table + '\0' + row.partition + '\0' + row.row;
            lists
                .computeIfAbsent(place, at -> new ArrayList<>())
                .add(sample.key(design.keys().row()));
            listRows.put(place, row);
          } else {
            rows.add(row);
          }
        }
      }
      listRows.forEach(
          (place, row) ->
              rows.add(
                  new Row(
                      row.table,
                      row.partition,
                      row.row,
                      Map.of("Keys", String.join(",", lists.getOrDefault(place, List.of()))))));
    }
    return rows;
  }

  private Row row(String table, Keys keys, Sample sample, Map<String, Object> values) {
    return new Row(table(table), sample.key(keys.partition()), sample.key(keys.row()), values);
  }

  private void own(TableDesign design, Sample sample, Map<String, Object> values, List<Row> rows) {
    Row row = row(design.table(), design.keys(), sample, values);
    if (design.storage() != Storage.WIDE) {
      rows.add(row);
      return;
    }
    for (int part = 0; part < Math.min(PARTS_MAX, design.parts()); part++) {
      rows.add(new Row(row.table, row.partition, row.row + "~0" + part, values));
    }
  }

  private static Map<String, Object> values(TableDesign design, Sample sample) {
    Map<String, Object> values = new LinkedHashMap<>();
    for (Property property : design.entity().properties()) {
      if (property.bytes() <= LARGE || property.type() != Type.BINARY) {
        values.put(property.column(), sample.value(property));
      }
      if (values.size() == COLUMNS_MAX) {
        break;
      }
    }
    Property value = design.value();
    if (value != null && design.storage() == Storage.SERIES) {
      for (int i = 0; i < design.parts() && values.size() < COLUMNS_MAX; i++) {
        values.put(value.column() + "%02d".formatted(i), (long) (sample.number() + i));
      }
    }
    return values;
  }

  /** Returns the queries, with the values of the first sample. */
  public List<Question> questions() {
    List<Question> questions = new ArrayList<>();
    for (TableDesign design : proposal.tables()) {
      for (AccessPlan plan : design.plans()) {
        boolean blobs =
            plan.path() >= 0 && design.paths().get(plan.path()).placement() == Placement.LIST_BLOBS;
        if (plan.access().verb().reads() && design.storage() != Storage.LOG && !blobs) {
          questions.add(question(design, plan));
        }
      }
    }
    return questions;
  }

  private Question question(TableDesign design, AccessPlan plan) {
    @Nullable Path path = plan.path() < 0 ? null : design.paths().get(plan.path());
    Keys keys = path == null ? design.keys() : path.keys();
    String table = table(path == null ? design.table() : design.table(path));
    Sample sample = new Sample(design.entity(), SAMPLES / 2);
    String filter =
        design.storage() == Storage.WIDE
            ? parts(keys, sample)
            : filter(plan.access(), keys, sample);
    return new Question(plan, table, filter, plan.sorts() ? 0 : plan.access().limit());
  }

  private static String parts(Keys keys, Sample sample) {
    String row = sample.key(keys.row());
    return "PartitionKey eq "
        + literal(sample.key(keys.partition()))
        + " and RowKey ge "
        + literal(row + "~00")
        + " and RowKey le "
        + literal(row + "~99");
  }

  /** Returns the filter that a client would send, with what keys do not decide at its end. */
  private static String filter(Access access, Keys keys, Sample sample) {
    List<String> conditions = new ArrayList<>();
    Set<String> checked = new LinkedHashSet<>();
    boolean within =
        keys.partition().stream()
            .allMatch(
                part ->
                    part.form() == Form.LITERAL
                        || (part.form() != Form.DAY && access.by().contains(part.name())));
    if (within) {
      conditions.add("PartitionKey eq " + literal(sample.key(keys.partition())));
      keys.partition().forEach(part -> checked.add(part.name()));
      row(access, keys.row(), sample, conditions, checked);
    }
    for (String name : access.by()) {
      if (!checked.contains(name)) {
        Property property = sample.type().property(name);
        conditions.add(property.column() + " eq " + literal(sample.value(property)));
      }
    }
    String range = access.range();
    if (range != null && !checked.contains(range)) {
      Property property = sample.type().property(range);
      conditions.add(property.column() + " ge " + literal(sample.value(property)));
    }
    return String.join(" and ", conditions);
  }

  private static void row(
      Access access,
      List<KeyPart> row,
      Sample sample,
      List<String> conditions,
      Set<String> checked) {
    List<KeyPart> given = new ArrayList<>();
    for (KeyPart part : row) {
      if (part.form() != Form.LITERAL && !access.by().contains(part.name())) {
        break;
      }
      given.add(part);
      checked.add(part.name());
    }
    String start = sample.key(given);
    if (given.size() == row.size()) {
      conditions.add("RowKey eq " + literal(start));
      return;
    }
    KeyPart next = row.get(given.size());
    String before = given.isEmpty() ? "" : start + "_";
    String end = given.isEmpty() ? "" : start + (char) ('_' + 1);
    if (next.name().equals(access.range())) {
      checked.add(next.name());
      String text = sample.text(next);
      String from = access.prefix() ? text.substring(0, Math.min(3, text.length())) : text;
      conditions.add("RowKey ge " + literal(before + from));
      conditions.add("RowKey lt " + literal(end.isEmpty() ? from + '~' : end));
    } else if (!given.isEmpty()) {
      conditions.add("RowKey ge " + literal(before));
      conditions.add("RowKey lt " + literal(end));
    }
  }

  private static String literal(Object value) {
    if (value instanceof String text) {
      return "'" + text.replace("'", "''") + "'";
    }
    if (value instanceof Instant time) {
      return "datetime'" + time + "'";
    }
    if (value instanceof Long number) {
      return number + "L";
    }
    return value instanceof UUID id ? "guid'" + id + "'" : String.valueOf(value);
  }

  /** Returns the names of the tables. */
  public Set<String> tables() {
    return rows().stream().map(Row::table).collect(Collectors.toCollection(LinkedHashSet::new));
  }
}
