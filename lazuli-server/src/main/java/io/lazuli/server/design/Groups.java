package io.lazuli.server.design;

import io.lazuli.server.design.Access.Verb;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds which types belong into the same partitions, and what becomes of details that belong to
 * another type: copied, cached by the client, or read by a second request.
 */
final class Groups {
  /** What becomes of the details of another entity. */
  enum Details {
    COPIED,
    CACHED,
    SECOND_REQUEST
  }

  /** What a lookup cache takes (docs/patterns/lookup.md). */
  private static final long CACHED_MAX = 10_000;

  private static final double CACHED_CHANGES_MAX = 0.1;

  private final Model model;
  private final Map<Access, Details> details = new LinkedHashMap<>();
  private final List<List<EntityType>> groups = new ArrayList<>();

  Groups(Model model) {
    this.model = model;
    for (EntityType entity : model.entities()) {
      groups.add(new ArrayList<>(List.of(entity)));
    }
    for (Access access : model.accesses()) {
      String with = access.with();
      if (with == null) {
        continue;
      }
      EntityType entity = model.entity(access.entity());
      if (!access.verb().reads()) {
        join(entity, model.entity(with));
        continue;
      }
      EntityType other = other(access);
      Details how = details(access, entity, other);
      details.put(access, how);
      if (how == Details.COPIED) {
        join(entity, other);
      }
    }
  }

  private EntityType other(Access access) {
    String with = access.with();
    String refersTo = with == null ? null : model.entity(access.entity()).property(with).refersTo();
    return model.entity(refersTo == null ? access.entity() : refersTo);
  }

  private Details details(Access access, EntityType entity, EntityType other) {
    double changes =
        Layout.rate(model.of(other), Verb.INSERT, Verb.UPDATE, Verb.DELETE, Verb.ARCHIVE);
    if (access.verb() == Verb.LIST
        && other.count() <= CACHED_MAX
        && changes <= CACHED_CHANGES_MAX) {
      return Details.CACHED;
    }
    double holders = Math.max(1, (double) entity.count() / other.count());
    return access.perSecond() > changes * holders ? Details.COPIED : Details.SECOND_REQUEST;
  }

  /** Joins two groups if they have a property by which they can be in one partition. */
  private void join(EntityType one, EntityType other) {
    List<EntityType> first = group(one);
    List<EntityType> second = group(other);
    List<EntityType> both = new ArrayList<>(first);
    both.addAll(second);
    if (first != second && !common(both).isEmpty()) {
      both.sort(Comparator.comparingInt(model.entities()::indexOf));
      groups.remove(second);
      groups.set(groups.indexOf(first), both);
    }
  }

  private List<EntityType> group(EntityType entity) {
    return groups.stream().filter(group -> group.contains(entity)).findFirst().orElseThrow();
  }

  List<List<EntityType>> all() {
    return groups;
  }

  boolean areTogether(EntityType one, EntityType other) {
    return group(one) == group(other);
  }

  /** Returns whether other entities hold copies of the details of this one. */
  boolean isCopied(EntityType entity) {
    return details.entrySet().stream()
        .anyMatch(each -> each.getValue() == Details.COPIED && other(each.getKey()).equals(entity));
  }

  @Nullable Details details(Access access) {
    return details.get(access);
  }

  /** Returns the sets of properties that could be the partition key of all types. */
  static List<Set<String>> common(List<EntityType> group) {
    Set<String> names = new LinkedHashSet<>();
    for (Property property : group.get(0).properties()) {
      boolean everywhere =
          property.type().fitsKey()
              && group.stream()
                  .allMatch(
                      entity -> {
                        Property same = entity.find(property.name());
                        return same != null && same.type() == property.type();
                      });
      if (everywhere) {
        names.add(property.name());
      }
    }
    List<Set<String>> sets = new ArrayList<>();
    names.forEach(name -> sets.add(new LinkedHashSet<>(List.of(name))));
    if (names.size() > 1) {
      sets.add(new LinkedHashSet<>(names.stream().limit(2).toList()));
    }
    return sets;
  }
}
