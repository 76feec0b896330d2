package io.lazuli.client.query;

import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.MappedProperty;
import java.util.Optional;

/**
 * A property or key that can be compared with values. The type matters: a {@code long} does not
 * match an {@code Int32}. For an entity that lacks the property, or has it with another type,
 * {@code eq}, {@code gt} and {@code ge} are false, but {@code ne}, {@code lt} and {@code le} may be
 * true. Immutable.
 *
 * @param <V> the type of the values
 */
public final class Property<V> {
  static final String PARTITION_KEY = "PartitionKey";
  static final String ROW_KEY = "RowKey";

  private final String name;
  private final Class<?> type;
  private final boolean mapped;

  /**
   * Creates a property.
   *
   * @param mapped whether a codec has it; if not, a table checks its name
   */
  Property(String name, Class<?> type, boolean mapped) {
    if (!name.matches("[\\p{L}_][\\p{L}\\p{N}_]*")) {
      throw new IllegalArgumentException(
          "'"
              + name
              + "' cannot be used in a filter: it is not a letter followed by letters and digits");
    }
    this.name = name;
    this.type = type;
    this.mapped = mapped;
  }

  static <V> Property<V> of(EntityCodec<?> codec, String member) {
    MappedProperty property = codec.properties().get(member);
    if (property == null) {
      throw new IllegalArgumentException(
          "there is no member '"
              + member
              + "' that is mapped to a property; the mapped members are "
              + codec.properties().keySet());
    }
    if (!property.comparable()) {
      throw new IllegalArgumentException(
          "'" + member + "' is stored as JSON or encrypted and cannot be compared");
    }
    return new Property<>(property.name(), property.type(), true);
  }

  /** Returns the condition that the property equals the value. */
  public Filter eq(V value) {
    return compare(Comparison.Operator.EQ, value);
  }

  /** Returns the condition that the property does not equal the value. */
  public Filter ne(V value) {
    return compare(Comparison.Operator.NE, value);
  }

  /**
   * Returns the condition that the property is greater than the value. Text is compared by its
   * UTF-16 code units.
   */
  public Filter gt(V value) {
    return compare(Comparison.Operator.GT, value);
  }

  /** Returns the condition that the property is greater than or equal to the value. */
  public Filter ge(V value) {
    return compare(Comparison.Operator.GE, value);
  }

  /** Returns the condition that the property is less than the value. */
  public Filter lt(V value) {
    return compare(Comparison.Operator.LT, value);
  }

  /** Returns the condition that the property is less than or equal to the value. */
  public Filter le(V value) {
    return compare(Comparison.Operator.LE, value);
  }

  /** Returns the condition that the property is at least {@code from} and less than {@code to}. */
  public Filter between(V from, V to) {
    return ge(from).and(lt(to));
  }

  /**
   * Returns the condition that the property is text that begins with a prefix. It is sent as a
   * range from the prefix to the next text that does not begin with the prefix. On the row key
   * within a partition, such a query reads only the matching rows.
   */
  public Filter startsWith(String prefix) {
    Filter from = compare(Comparison.Operator.GE, prefix);
    String end = TextRange.endOfPrefix(prefix);
    return end == null ? from : from.and(compare(Comparison.Operator.LT, end));
  }

  private Filter compare(Comparison.Operator operator, Object value) {
    Object given = value instanceof Optional<?> optional ? optional.orElse(null) : value;
    return new Comparison(name, operator, Literal.of(fitting(given)), mapped);
  }

  private Object fitting(@org.jspecify.annotations.Nullable Object value) {
    if (value == null) {
      throw new IllegalArgumentException(
          name + " cannot be compared with null or an empty Optional");
    }
    if (type.isInstance(value)) {
      return value;
    }
    if (value instanceof Integer number && type == Long.class) {
      return number.longValue();
    }
    if (value instanceof Integer number && type == Double.class) {
      return number.doubleValue();
    }
    throw new IllegalArgumentException(
        name + " is of type " + type.getSimpleName() + ", not " + value.getClass().getSimpleName());
  }
}
