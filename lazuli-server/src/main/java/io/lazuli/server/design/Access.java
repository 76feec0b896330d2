package io.lazuli.server.design;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a program does with entities of one type.
 *
 * @param text the sentence that was written
 * @param by the properties whose values are given
 * @param range the property of which a range or a prefix is given; null for none
 * @param prefix true if a prefix is given
 * @param order the property by which a list is ordered; null for any order
 * @param descending true for the largest or newest first
 * @param limit the maximum number of entities; 0 for all
 * @param with another entity that changes in the same transaction, or a property whose entity is
 *     read, too; null for none
 * @param olderDays for a deletion by age, the days; 0 for none
 * @param changes the properties that an update changes
 * @param perSecond how often it happens
 */
public record Access(
    String text,
    Verb verb,
    String entity,
    List<String> by,
    @Nullable String range,
    boolean prefix,
    @Nullable String order,
    boolean descending,
    int limit,
    @Nullable String with,
    int olderDays,
    List<String> changes,
    double perSecond) {
  /** The operation of an access. */
  public enum Verb {
    READ,
    LIST,
    INSERT,
    UPDATE,
    DELETE,
    ARCHIVE;

    /** Returns whether nothing is changed. */
    public boolean reads() {
      return this == READ || this == LIST;
    }
  }

  public Access {
    by = List.copyOf(by);
    changes = List.copyOf(changes);
  }

  /** Returns the same access to entities that are found by fewer values. */
  Access without(String property) {
    return new Access(
        text,
        verb == Verb.LIST ? Verb.READ : verb,
        entity,
        by.stream().filter(name -> !name.equals(property)).toList(),
        property.equals(range) ? null : range,
        prefix,
        property.equals(order) ? null : order,
        descending,
        limit,
        with,
        olderDays,
        changes,
        perSecond);
  }
}
