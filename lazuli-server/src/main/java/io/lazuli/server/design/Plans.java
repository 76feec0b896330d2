package io.lazuli.server.design;

import io.lazuli.server.design.Access.Verb;
import io.lazuli.server.design.AccessPlan.Kind;
import io.lazuli.server.design.KeyPart.Form;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Plans accesses on given keys, as the server's planner would, and counts what they cost. Requests
 * of patterns are those that the pages of docs/patterns state.
 */
final class Plans {
  /** The entities of one page of an answer. */
  private static final double PAGE = 1_000;

  /** The writes of one transaction. */
  private static final double BATCH = 100;

  /** The share of entities that a range or a prefix selects, if nobody knows it. */
  private static final double RANGE_SHARE = 0.1;

  /** The requests that read a part of a log: one lists blobs, one reads one. */
  private static final double LOG_READ = 2;

  private Plans() {}

  /** Plans a query on the keys of an entity or of its copies. */
  static AccessPlan query(Layout layout, Keys keys, Access access, int path) {
    EntityType entity = layout.entity();
    double result = result(entity, access);
    if (layout.storage() == Storage.LOG) {
      return new AccessPlan(access, path, null, result, result, LOG_READ, 0, false);
    }
    Set<String> partition = keys.partitionProperties();
    if (!access.by().containsAll(partition) || keys.partition().stream().anyMatch(Plans::isDay)) {
      boolean byDay = isByDay(keys, access);
      double all = (double) entity.count();
      double read = byDay ? Math.max(1, all * RANGE_SHARE) : all;
      boolean sorts = access.order() != null;
      return reading(layout, access, path, Kind.TABLE_SCAN, read, result, sorts);
    }
    List<KeyPart> row = keys.row().stream().filter(part -> !part.isLiteral()).toList();
    Set<String> rest = new LinkedHashSet<>(access.by());
    rest.removeAll(partition);
    Set<String> used = new LinkedHashSet<>(partition);
    int at = 0;
    while (at < row.size() && rest.remove(row.get(at).name())) {
      used.add(row.get(at).name());
      at++;
    }
    if (at == row.size()) {
      return reading(layout, access, path, Kind.POINT, 1, 1, false);
    }
    KeyPart next = row.get(at);
    String range = access.range();
    boolean inRange = rest.isEmpty() && range != null && range.equals(next.name());
    boolean seeks = at > 0 || keys.hasRowPrefix() || inRange;
    Kind kind = seeks ? Kind.RANGE : Kind.PARTITION_SCAN;
    boolean sorts = access.order() != null && !isOrdered(next, access);
    boolean exact = rest.isEmpty() && (range == null || inRange) && access.verb() == Verb.LIST;
    double read = exact ? (sorts ? unlimited(entity, access) : result) : entity.sharing(used);
    return reading(layout, access, path, kind, Math.max(read, result), result, sorts);
  }

  private static boolean isDay(KeyPart part) {
    return part.form() == Form.DAY;
  }

  private static boolean isByDay(Keys keys, Access access) {
    return keys.partition().stream()
        .anyMatch(part -> isDay(part) && part.name().equals(access.range()));
  }

  private static boolean isOrdered(KeyPart next, Access access) {
    return next.name().equals(access.order())
        && access.descending() == (next.form() == Form.REVERSED_TICKS);
  }

  /** Returns the entities that a program gets. */
  private static double result(EntityType entity, Access access) {
    if (access.verb() != Verb.LIST) {
      return 1;
    }
    double all = unlimited(entity, access);
    return access.limit() > 0 ? Math.min(access.limit(), all) : all;
  }

  private static double unlimited(EntityType entity, Access access) {
    boolean one = access.by().stream().anyMatch(entity::isUnique);
    double all = one ? 1 : entity.sharing(access.by());
    return access.range() == null ? all : Math.max(1, all * RANGE_SHARE);
  }

  private static AccessPlan reading(
      Layout layout,
      Access access,
      int path,
      Kind kind,
      double read,
      double returned,
      boolean sorts) {
    double requests = Math.ceil(read / PAGE);
    if (layout.storage() == Storage.WIDE && kind == Kind.POINT) {
      return new AccessPlan(access, path, Kind.RANGE, layout.parts(), 1, 1, 0, sorts);
    }
    if (layout.storage() == Storage.LARGE) {
      requests += returned;
    }
    return new AccessPlan(access, path, kind, read, returned, requests, 0, sorts);
  }

  /** Plans a lookup through a list of keys: the list, then each entity. */
  static AccessPlan byList(Layout layout, Access access, int path) {
    double found = result(layout.entity(), access);
    return new AccessPlan(access, path, Kind.POINT, 1 + found, found, 1 + found, 0, false);
  }

  /** Returns whether an access reads no more than it needs. */
  static boolean isServed(AccessPlan plan) {
    return plan.kind() == Kind.POINT
        || (plan.kind() != Kind.TABLE_SCAN
            && !plan.sorts()
            && plan.access().verb() == Verb.LIST
            && plan.read() <= plan.returned());
  }

  /** Plans a write. Finding the entity comes first if its key is not given. */
  static AccessPlan write(Layout layout, Keys keys, List<Path> paths, Access access) {
    if (access.olderDays() > 0) {
      return expiry(layout, access);
    }
    double requests =
        layout.storage() == Storage.LOG
            ? 1 / Math.max(1, access.perSecond())
            : requests(layout, paths, access.verb());
    double written = written(layout, paths, access);
    AccessPlan found =
        access.by().isEmpty() || access.verb() == Verb.INSERT
            ? null
            : search(layout, keys, paths, access);
    return found == null
        ? new AccessPlan(access, -1, null, 0, 0, requests, written, false)
        : found.kind() == Kind.POINT || (found.kind() == Kind.RANGE && layout.parts() > 1)
            ? new AccessPlan(access, -1, null, 0, 0, requests, written, false)
            : new AccessPlan(
                access,
                -1,
                found.kind(),
                found.read(),
                1,
                found.requests() + requests,
                written,
                false);
  }

  /** Plans the query that finds what a write changes. */
  private static AccessPlan search(Layout layout, Keys keys, List<Path> paths, Access access) {
    AccessPlan best = query(layout, keys, access, -1);
    for (Path path : paths) {
      if (!path.placement().isList()) {
        AccessPlan other = query(layout, path.keys(), access, -1);
        best = other.cost() < best.cost() ? other : best;
      }
    }
    return best;
  }

  private static AccessPlan expiry(Layout layout, Access access) {
    double perDay = (double) layout.entity().count() / access.olderDays();
    return switch (layout.storage()) {
      case PERIOD -> new AccessPlan(access, -1, null, 0, 0, 6, 0, false);
      case LOG -> new AccessPlan(access, -1, null, 0, 0, 2, 1, false);
      default -> {
        double count = (double) layout.entity().count();
        double requests = Math.ceil(count / PAGE) + Math.ceil(perDay / BATCH);
        yield new AccessPlan(access, -1, Kind.TABLE_SCAN, count, perDay, requests, perDay, false);
      }
    };
  }

  private static double requests(Layout layout, List<Path> paths, Verb verb) {
    boolean insert = verb == Verb.INSERT;
    boolean elsewhere = !paths.isEmpty() && !paths.get(0).placement().isHere();
    if (elsewhere || verb == Verb.ARCHIVE) {
      double workers = 3;
      for (Path path : paths) {
        workers += path.placement().isList() ? 3 : 2;
      }
      return 4 + workers;
    }
    if (!paths.isEmpty()) {
      boolean lists = paths.get(0).placement() == Path.Placement.LIST_ROWS;
      return lists ? (verb == Verb.DELETE ? 3 : 2) : insert ? 1 : 2;
    }
    return switch (layout.storage()) {
      case LARGE -> insert ? 2 : verb == Verb.DELETE ? 3 : 5;
      case WIDE, SERIES -> insert ? 1 : 2;
      default -> 1;
    };
  }

  private static double written(Layout layout, List<Path> paths, Access access) {
    double transaction = access.with() == null ? 1 : 2;
    double own =
        switch (layout.storage()) {
          case LARGE -> 2;
          case WIDE -> access.verb() == Verb.INSERT ? layout.parts() : 1;
          default -> access.verb() == Verb.ARCHIVE ? 2 : 1;
        };
    return own + transaction - 1 + paths.size();
  }

  /** Returns the entities each second that one partition of the keys reads and writes. */
  static double load(Layout layout, Keys keys, List<AccessPlan> plans, List<Path> paths) {
    if (layout.storage() == Storage.LOG) {
      return 0;
    }
    EntityType entity = layout.entity();
    double partitions =
        Math.max(1, (double) entity.count() / entity.sharing(keys.partitionProperties()));
    boolean appends = keys.partition().stream().anyMatch(Plans::isDay);
    long here = paths.stream().filter(path -> path.placement().isHere()).count();
    double load = 0;
    for (AccessPlan plan : plans) {
      Access access = plan.access();
      boolean onPrimary = plan.path() < 0 || paths.get(plan.path()).placement().isHere();
      if (!onPrimary) {
        continue;
      }
      double entities = access.verb().reads() ? Math.max(1, plan.returned()) : 1 + (double) here;
      double each = access.perSecond() * entities;
      load += appends && access.verb() == Verb.INSERT ? each : each / partitions;
    }
    return load;
  }

  static List<AccessPlan> all(Layout layout, Keys keys) {
    List<AccessPlan> plans = new ArrayList<>();
    for (Access access : layout.accesses()) {
      plans.add(
          access.verb().reads()
              ? query(layout, keys, access, -1)
              : write(layout, keys, List.of(), access));
    }
    return plans;
  }
}
