package io.lazuli.server.design;

import io.lazuli.server.design.Access.Verb;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides how entities of a type are stored, before keys are chosen. The limits are those of the
 * service: 252 properties, 64 KiB for a value, 1 MiB for an entity.
 *
 * @param entity the type as it is stored
 * @param parts the points of a series, or the entities of a wide one; else 1
 * @param value the property of a series; null for others
 */
record Layout(
    Storage storage,
    EntityType entity,
    List<Access> accesses,
    int parts,
    @Nullable Property value,
    String reason) {
  static final int PROPERTIES_MAX = 252;
  static final long VALUE_BYTES_MAX = 64 << 10;
  static final long ENTITY_BYTES_MAX = 1 << 20;

  /** What lazuli-client puts into one part of a wide entity. */
  static final int PART_PROPERTIES = 250;

  static final int PARTS_MAX = 100;

  /**
   * Inserts at one end of a table that the guide warns of, as docs/patterns/keydesign.md has it.
   */
  static final double APPENDS_PER_SECOND = 20;

  /** The entities of a day from which a table for each day is worth its while. */
  static final double DELETED_PER_DAY = 10_000;

  private static final long BLOB_BYTES = 16 << 10;

  static Layout of(EntityType entity, List<Access> accesses) {
    Layout series = series(entity, accesses);
    if (series != null) {
      return series;
    }
    if (isLog(entity, accesses)) {
      return new Layout(
          Storage.LOG,
          entity,
          accesses,
          1,
          null,
          "Entries are only read by time: in a table they would all go to the end, or to every"
              + " partition. Append blobs are named by time.");
    }
    Layout sized = sized(entity, accesses);
    if (sized != null) {
      return sized;
    }
    double perDay = deletedPerDay(entity, accesses);
    if (perDay >= DELETED_PER_DAY) {
      return new Layout(
          Storage.PERIOD,
          entity,
          accesses,
          1,
          null,
          "About "
              + Figures.of(perDay)
              + " entities expire each day. A table for each day is deleted by one request.");
    }
    return plain(entity, accesses);
  }

  static Layout plain(EntityType entity, List<Access> accesses) {
    return new Layout(Storage.PLAIN, entity, accesses, 1, null, "");
  }

  static double rate(List<Access> accesses, Verb... verbs) {
    double sum = 0;
    for (Access access : accesses) {
      if (List.of(verbs).contains(access.verb()) && access.olderDays() == 0) {
        sum += access.perSecond();
      }
    }
    return sum;
  }

  private static double deletedPerDay(EntityType entity, List<Access> accesses) {
    for (Access access : accesses) {
      if (access.olderDays() > 0) {
        double inserted = rate(accesses, Verb.INSERT) * 86_400;
        return Math.max(inserted, (double) entity.count() / access.olderDays());
      }
    }
    return 0;
  }

  private static boolean isLog(EntityType entity, List<Access> accesses) {
    Property time = entity.time();
    boolean read = false;
    for (Access access : accesses) {
      if (access.verb() == Verb.INSERT || access.olderDays() > 0) {
        continue;
      }
      if (time == null
          || access.verb() != Verb.LIST
          || !access.by().isEmpty()
          || !time.name().equals(access.range())) {
        return false;
      }
      read = true;
    }
    return read && rate(accesses, Verb.INSERT) >= APPENDS_PER_SECOND;
  }

  private static @Nullable Layout sized(EntityType entity, List<Access> accesses) {
    boolean tooLarge = entity.bytes() > ENTITY_BYTES_MAX;
    boolean hasBlob = false;
    for (Property property : entity.properties()) {
      tooLarge |= property.bytes() > VALUE_BYTES_MAX;
      hasBlob |= isLarge(property);
    }
    if (tooLarge && hasBlob) {
      return new Layout(
          Storage.LARGE,
          entity,
          accesses,
          1,
          null,
          "An entity of "
              + Figures.of((double) entity.bytes())
              + " bytes does not fit into 1 MiB, or a value not into 64 KiB. The large values go to"
              + " blobs.");
    }
    long columns =
        entity.properties().stream().filter(p -> !entity.key().contains(p.name())).count();
    if (tooLarge || columns > PROPERTIES_MAX) {
      long parts =
          Math.max(
              (columns + PART_PROPERTIES - 1) / PART_PROPERTIES,
              (entity.bytes() + ENTITY_BYTES_MAX - 1) / ENTITY_BYTES_MAX);
      return new Layout(
          Storage.WIDE, entity, accesses, (int) Math.min(parts, 1 << 20), null, wide(columns));
    }
    return null;
  }

  private static String wide(long columns) {
    return Figures.of((double) columns)
        + " properties or their bytes do not fit into one entity. Several entities of a partition"
        + " hold them, written by one transaction.";
  }

  static boolean isLarge(Property property) {
    return (property.type() == Type.STRING || property.type() == Type.BINARY)
        && property.bytes() > BLOB_BYTES;
  }

  /** Finds a series: the last part of the key counts points, and all of them are read at once. */
  private static @Nullable Layout series(EntityType entity, List<Access> accesses) {
    String point = entity.key().get(entity.key().size() - 1);
    long points = entity.property(point).distinct();
    Property value = onlyValue(entity, accesses);
    if (entity.key().size() < 2
        || entity.property(point).type() != Type.INT32
        || points < 2
        || points > (long) PART_PROPERTIES * PARTS_MAX
        || value == null
        || !value.type().isNumber()
        || !isReadAtOnce(entity, accesses, point)) {
      return null;
    }
    List<Property> rest = new ArrayList<>(entity.properties());
    rest.removeIf(property -> property.name().equals(point) || property.equals(value));
    EntityType whole =
        new EntityType(
            entity.name(),
            Math.max(1, entity.count() / points),
            entity.key().subList(0, entity.key().size() - 1),
            rest);
    List<Access> shorter = accesses.stream().map(access -> access.without(point)).toList();
    if (points > PROPERTIES_MAX) {
      int parts = (int) ((points + PART_PROPERTIES - 1) / PART_PROPERTIES);
      return new Layout(Storage.WIDE, whole, shorter, parts, value, wide(points));
    }
    return new Layout(
        Storage.SERIES,
        whole,
        shorter,
        (int) points,
        value,
        "All "
            + points
            + " values are read at once. As properties of one entity they are one point query.");
  }

  private static boolean isReadAtOnce(EntityType entity, List<Access> accesses, String point) {
    List<String> whole = entity.key().subList(0, entity.key().size() - 1);
    return accesses.stream()
        .anyMatch(
            access ->
                access.verb() == Verb.LIST
                    && access.by().containsAll(whole)
                    && !access.by().contains(point)
                    && access.range() == null
                    && access.limit() == 0);
  }

  /** Returns the only property that no key and no access names; null if there are several. */
  private static @Nullable Property onlyValue(EntityType entity, List<Access> accesses) {
    Property only = null;
    for (Property property : entity.properties()) {
      String name = property.name();
      if (!entity.key().contains(name)
          && accesses.stream().noneMatch(access -> access.by().contains(name))) {
        if (only != null) {
          return null;
        }
        only = property;
      }
    }
    return only;
  }
}
