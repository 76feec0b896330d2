package io.lazuli.server.design;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The worked examples of the Table Design Guide as models: what the guide describes as context, not
 * what it proposes. The console offers them as a start.
 */
public final class GuideExamples {
  /**
   * An example.
   *
   * @param section the section of the guide
   */
  public record Example(String section, List<EntityType> entities, List<String> accesses) {
    /** Returns the example as a model. */
    public Model model() {
      return Model.of(entities, accesses);
    }
  }

  private static final Property DEPARTMENT = text("department", 20, 20);
  private static final Property EMPID = unique("empid", Type.INT32, 6);
  private static final Property EMAIL = unique("email", Type.STRING, 0);
  private static final Property LAST_NAME = text("lastName", 16, 5_000);
  private static final EntityType EMPLOYEE =
      employee(50_000, DEPARTMENT, EMPID, text("firstName", 16, 3_000), LAST_NAME);

  private static final Map<String, Example> ALL = all();

  private GuideExamples() {}

  /** Returns the examples by name, in the order of the guide. */
  public static Map<String, Example> byName() {
    return ALL;
  }

  private static EntityType employee(long count, Property... properties) {
    List<Property> all = new ArrayList<>(List.of(properties));
    all.add(number("age", 50));
    all.add(EMAIL);
    return new EntityType("Employee", count, List.of("empid"), all);
  }

  private static Property text(String name, long bytes, long distinct) {
    return new Property(name, Type.STRING, bytes, false, distinct, 0, null);
  }

  private static Property number(String name, long distinct) {
    return new Property(name, Type.INT32, 4, false, distinct, 0, null);
  }

  private static Property number(String name, long distinct, int digits) {
    return new Property(name, Type.INT32, 4, false, distinct, digits, null);
  }

  private static Property unique(String name, Type type, int digits) {
    return new Property(name, type, type.usualBytes(), true, 0, digits, null);
  }

  private static Property time(String name) {
    return new Property(name, Type.DATETIME, 8, false, 0, 0, null);
  }

  private static Property reference(String name, String entity, int digits) {
    Type type = digits > 0 ? Type.INT32 : Type.STRING;
    return new Property(name, type, type.usualBytes(), false, 0, digits, entity);
  }

  private static EntityType of(String name, long count, String key, Property... properties) {
    return new EntityType(name, count, List.of(key.split(" ", -1)), List.of(properties));
  }

  private static Map<String, Example> all() {
    Map<String, Example> all = new LinkedHashMap<>();
    keys(all);
    indexes(all);
    relations(all);
    series(all);
    sizes(all);
    return Collections.unmodifiableMap(all);
  }

  private static void add(
      Map<String, Example> all, String name, String section, List<EntityType> of, String... does) {
    @Nullable Example before = all.put(name, new Example(section, of, List.of(does)));
    if (before != null) {
      throw new IllegalStateException(name);
    }
  }

  private static void keys(Map<String, Example> all) {
    add(
        all,
        "employees",
        "How your choice of PartitionKey and RowKey impacts query performance",
        List.of(EMPLOYEE),
        "read Employee by department, empid 100/s",
        "list Employee by department between empid 5/s",
        "insert Employee 1/min",
        "update Employee 1/s");
    add(
        all,
        "compound-key",
        GuidePattern.COMPOUND_KEY.section(),
        List.of(
            EMPLOYEE,
            of(
                "Review",
                500_000,
                "empid year",
                DEPARTMENT,
                number("empid", 50_000, 6),
                number("year", 10, 4),
                number("managerRating", 10),
                number("peerRating", 10),
                text("comments", 400, 0))),
        "read Employee by department, empid 50/s",
        "list Review by department, empid 20/s",
        "read Review by department, empid, year 5/s",
        "insert Review with Employee 1/min");
    add(
        all,
        "log-tail",
        GuidePattern.LOG_TAIL.section(),
        List.of(
            of(
                "Expense",
                5_000_000,
                "claim",
                text("empid", 6, 50_000),
                unique("claim", Type.STRING, 0),
                time("submitted"),
                number("amount", 0))),
        "list Expense by empid newest first 10 50/s",
        "insert Expense 2/s");
    add(
        all,
        "append",
        GuidePattern.SPREAD_INSERTS.section(),
        List.of(
            of(
                "AccessEvent",
                500_000_000,
                "event",
                text("department", 20, 20),
                text("empid", 6, 50_000),
                unique("event", Type.STRING, 0),
                time("at"),
                text("resource", 80, 10_000))),
        "list AccessEvent by department, empid between at 10/s",
        "insert AccessEvent 20,000/s");
  }

  private static void indexes(Map<String, Example> all) {
    String[] lookups = {
      "read Employee by department, empid %s", "read Employee by department, email %s"
    };
    add(
        all,
        "intra-partition-index",
        GuidePattern.INTRA_PARTITION_INDEX.section(),
        List.of(EMPLOYEE),
        lookups[0].formatted("100/s"),
        lookups[1].formatted("20/s"),
        "list Employee by department between empid 1/s",
        "list Employee by department starting with email 1/s",
        "update Employee 1/s");
    add(
        all,
        "inter-partition-index",
        GuidePattern.INTER_PARTITION_INDEX.section(),
        List.of(EMPLOYEE),
        lookups[0].formatted("6,000/s"),
        lookups[1].formatted("6,000/s"),
        "update Employee 50/s");
    add(
        all,
        "archive",
        GuidePattern.EVENTUAL_CONSISTENCY.section(),
        List.of(EMPLOYEE),
        lookups[0].formatted("100/s"),
        "archive Employee 10/day");
    add(
        all,
        "index-entities",
        GuidePattern.INDEX_ENTITIES.section(),
        List.of(EMPLOYEE),
        lookups[0].formatted("100/s"),
        "list Employee by department, lastName 10/s",
        "insert Employee 1/min",
        "update Employee changing lastName 10/day");
    add(
        all,
        "index-entities-elsewhere",
        GuidePattern.INDEX_ENTITIES.section(),
        List.of(EMPLOYEE),
        lookups[0].formatted("100/s"),
        "list Employee by lastName 10/s",
        "insert Employee 1/min",
        "update Employee changing lastName 10/day");
    add(
        all,
        "index-entities-in-blobs",
        GuidePattern.INDEX_ENTITIES.section(),
        List.of(employee(1_000_000_000, text("department", 20, 100_000), EMPID, LAST_NAME)),
        lookups[0].formatted("100/s"),
        "list Employee by lastName 1/h",
        "insert Employee 10/day",
        "update Employee changing lastName 10/day");
  }

  private static void relations(Map<String, Example> all) {
    EntityType departments =
        of(
            "Department",
            20,
            "department",
            text("department", 20, 20),
            reference("manager", "Employee", 6),
            number("employeeCount", 0));
    add(
        all,
        "one-to-many",
        GuidePattern.ONE_TO_MANY.section(),
        List.of(departments, EMPLOYEE),
        "read Department by department 50/s",
        "read Employee by department, empid 100/s",
        "insert Employee with Department 1/min");
    add(
        all,
        "denormalization",
        GuidePattern.DENORMALIZATION.section(),
        List.of(departments, EMPLOYEE),
        "read Department by department with manager 50/s",
        "read Employee by department, empid 100/s",
        "update Employee 1/min");
    add(
        all,
        "join-in-client",
        GuidePattern.JOIN_IN_CLIENT.section(),
        List.of(
            departments,
            employee(
                2_000,
                new Property("department", Type.STRING, 20, false, 20, 0, "Department"),
                EMPID,
                LAST_NAME)),
        "list Employee by department with department 50/s",
        "read Employee by department, empid 100/s",
        "update Department 1/day");
  }

  private static void series(Map<String, Example> all) {
    add(
        all,
        "high-volume-delete",
        GuidePattern.HIGH_VOLUME_DELETE.section(),
        List.of(
            of(
                "Login",
                60_000_000,
                "user at",
                text("user", 20, 200_000),
                time("at"),
                text("address", 40, 100_000))),
        "insert Login 12/s",
        "list Login by user between at 5/s",
        "delete Login older than 60 days 1/day");
    add(
        all,
        "data-series",
        GuidePattern.DATA_SERIES.section(),
        List.of(
            of(
                "ChatCount",
                24_000_000,
                "employee day hour",
                text("employee", 20, 50_000),
                text("day", 8, 20),
                number("hour", 24),
                number("messages", 0))),
        "list ChatCount by employee, day 100/s",
        "update ChatCount by employee, day, hour 50/s");
    add(
        all,
        "wide-entities",
        GuidePattern.WIDE_ENTITIES.section(),
        List.of(
            of(
                "DayCount",
                18_250_000,
                "employee day",
                text("department", 20, 20),
                text("employee", 20, 50_000),
                number("day", 365),
                number("messages", 0))),
        "list DayCount by department, employee 10/s",
        "update DayCount by department, employee, day 5/s");
    add(
        all,
        "log-data",
        GuidePattern.LOG_DATA.section(),
        List.of(
            of(
                "LogMessage",
                1_000_000_000,
                "message",
                unique("message", Type.STRING, 0),
                time("at"),
                text("severity", 8, 5),
                text("text", 200, 0))),
        "list LogMessage between at 1/min",
        "insert LogMessage 3,000/s");
  }

  private static void sizes(Map<String, Example> all) {
    add(
        all,
        "large-entities",
        GuidePattern.LARGE_ENTITIES.section(),
        List.of(
            employee(
                50_000,
                DEPARTMENT,
                EMPID,
                LAST_NAME,
                new Property("photo", Type.BINARY, 2 << 20, false, 0, 0, null))),
        "read Employee by department, empid 20/s",
        "update Employee 1/min");
  }
}
