package io.lazuli.server.design;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A type of entities.
 *
 * @param count how many there are
 * @param key the properties that identify one of them, together
 */
public record EntityType(String name, long count, List<String> key, List<Property> properties) {
  static final int PROPERTIES_MAX = 1_000;
  private static final long COUNT_MAX = 1_000_000_000_000L;

  public EntityType {
    Model.checkName(name);
    key = List.copyOf(key);
    properties = List.copyOf(properties);
    if (count < 1 || count > COUNT_MAX) {
      throw ModelErrors.invalid("The number of entities must be 1 to 1,000,000,000,000.");
    }
    if (properties.isEmpty() || properties.size() > PROPERTIES_MAX) {
      throw ModelErrors.invalid("An entity has 1 to 1,000 properties.");
    }
    Set<String> columns = new HashSet<>();
    Set<String> components = new HashSet<>();
    for (Property property : properties) {
      boolean column = columns.add(property.column());
      boolean component = components.add(Names.component(property.name()));
      if (!column || !component) {
        throw ModelErrors.invalid("Two properties of an entity have the same name.");
      }
    }
    if (key.isEmpty() || key.size() > 4 || new HashSet<>(key).size() < key.size()) {
      throw ModelErrors.invalid("One to four different properties identify an entity.");
    }
  }

  @Nullable Property find(String property) {
    for (Property each : properties) {
      if (each.name().equals(property)) {
        return each;
      }
    }
    return null;
  }

  /** Returns a property; throws if there is none. */
  public Property property(String property) {
    Property found = find(property);
    if (found == null) {
      throw ModelErrors.invalid("An entity has no property of a name that is used for it.");
    }
    return found;
  }

  /** Returns whether no two entities have the same value. */
  public boolean isUnique(String property) {
    return property(property).unique() || key.equals(List.of(property));
  }

  /** Returns the number of different values of a property. */
  public long distinct(String name) {
    Property property = property(name);
    if (isUnique(name)) {
      return count;
    }
    if (property.type() == Type.BOOLEAN) {
      return Math.min(2, count);
    }
    long known = property.distinct();
    return Math.min(count, known > 0 ? known : Math.max(1, Math.round(Math.sqrt((double) count))));
  }

  /**
   * Returns the entities that share values of some properties. The property with the most values
   * decides: how the others depend on it is not known, so the estimate is rather high than low.
   */
  double sharing(Collection<String> names) {
    if (names.containsAll(key)) {
      return 1;
    }
    long most = 1;
    for (String name : names) {
      most = Math.max(most, distinct(name));
    }
    return Math.max(1, (double) count / most);
  }

  /** Returns the bytes of an entity, without its keys. */
  public long bytes() {
    long sum = 0;
    for (Property property : properties) {
      sum += property.bytes();
    }
    return sum;
  }

  /** Returns the first property that is a time; null if there is none. */
  @Nullable Property time() {
    for (Property property : properties) {
      if (property.type() == Type.DATETIME) {
        return property;
      }
    }
    return null;
  }
}
