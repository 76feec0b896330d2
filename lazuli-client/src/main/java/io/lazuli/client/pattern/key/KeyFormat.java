package io.lazuli.client.pattern.key;

import static io.lazuli.client.query.Filter.rowKey;

import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.query.Query;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.StringJoiner;
import java.util.regex.Pattern;

/**
 * The format of compound keys: their parts, in order, and the separator. The values of a key are
 * the components of a record. Immutable and thread-safe.
 *
 * <pre>{@code
 * record ReviewId(int employee, int year) {}
 *
 * KeyFormat<ReviewId> reviews =
 *     KeyFormat.of(ReviewId.class, literal("empid"), number(6), number(4));
 * reviews.format(new ReviewId(123, 2012))   // empid_000123_2012
 * reviews.query("Sales", 123)               // all reviews of employee 123
 * }</pre>
 *
 * @param <T> the type of the record
 */
public final class KeyFormat<T extends Record> {
  private static final int UNITS_MAX = 1_024;
  private static final char SEPARATOR = '_';

  private final Class<T> type;
  private final KeyText escaping;
  private final List<KeyPart> parts;

  private KeyFormat(Class<T> type, char separator, List<KeyPart> parts) {
    this.type = type;
    this.escaping = new KeyText(separator);
    this.parts = parts;
    requireFit();
  }

  /**
   * Returns a format with these parts, separated by {@code _}.
   *
   * @param parts one for each component of the record, in order, and any number of literals
   * @throws IllegalArgumentException if the parts do not match the components
   */
  public static <T extends Record> KeyFormat<T> of(Class<T> type, KeyPart... parts) {
    return new KeyFormat<>(type, SEPARATOR, List.of(parts));
  }

  /**
   * Returns a format with the same parts and another separator: {@code _}, {@code -} or {@code |}.
   */
  public KeyFormat<T> separatedBy(char separator) {
    return new KeyFormat<>(type, separator, parts);
  }

  private void requireFit() {
    List<KeyPart> typed = parts.stream().filter(part -> !part.isLiteral()).toList();
    RecordComponent[] components = type.getRecordComponents();
    if (typed.size() != components.length) {
      throw new IllegalArgumentException(
          type.getName()
              + " has "
              + components.length
              + " components, but the key has "
              + typed.size()
              + " parts that are not literals");
    }
    for (int i = 0; i < components.length; i++) {
      if (!typed.get(i).fits(components[i].getType())) {
        throw new IllegalArgumentException(components[i] + " does not fit its part of the key");
      }
    }
  }

  /**
   * Returns the key of a value.
   *
   * @throws IllegalArgumentException if a number has too many digits, or the key would exceed the
   *     service's limit of 1,024 UTF-16 units
   */
  public String format(T value) {
    List<Object> values = new ArrayList<>();
    for (RecordComponent component : type.getRecordComponents()) {
      values.add(read(component.getAccessor(), value));
    }
    return checked(joined(values));
  }

  private static Object read(Method accessor, Object value) {
    try {
      accessor.setAccessible(true);
      return accessor.invoke(value);
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException("cannot read " + accessor, e);
    }
  }

  /**
   * Returns the value of a key.
   *
   * @throws IllegalArgumentException if {@link #format} cannot have created the key
   */
  public T parse(String key) {
    String separator = Pattern.quote(String.valueOf(escaping.separator()));
    List<String> texts = Arrays.stream(key.split(separator, -1)).map(escaping::unescape).toList();
    if (texts.size() != parts.size()) {
      throw new IllegalArgumentException("the key must have " + parts.size() + " parts: " + key);
    }
    RecordComponent[] components = type.getRecordComponents();
    Object[] values = new Object[components.length];
    int next = 0;
    for (int i = 0; i < parts.size(); i++) {
      KeyPart part = parts.get(i);
      if (!part.isLiteral()) {
        values[next] = part.value(texts.get(i), components[next].getType());
        next++;
      } else if (!part.text(key).equals(texts.get(i))) {
        throw new IllegalArgumentException("part " + i + " does not equal its literal: " + key);
      }
    }
    return made(values);
  }

  private T made(Object[] values) {
    Class<?>[] types =
        Arrays.stream(type.getRecordComponents())
            .map(RecordComponent::getType)
            .toArray(Class<?>[]::new);
    try {
      Constructor<T> constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return constructor.newInstance(values);
    } catch (InvocationTargetException e) {
      throw new IllegalArgumentException(type.getName() + " rejected its values", e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException("cannot create a " + type.getName(), e);
    }
  }

  /**
   * Returns the prefix that all keys with these first values have, and no other key: {@code
   * empid_000123_}. If all values are given, the result is the key itself.
   */
  public String prefix(Object... leading) {
    String text = joined(List.of(leading));
    boolean all = leading.length == type.getRecordComponents().length;
    boolean none = leading.length == 0 && !parts.get(0).isLiteral();
    return all || none ? text : text + escaping.separator();
  }

  /**
   * Returns a query for the entities of a partition whose row keys have these first values: a range
   * query, or a point query if all values are given.
   */
  public Query query(String partitionKey, Object... leading) {
    return leading.length == type.getRecordComponents().length
        ? Query.point(new EntityKey(partitionKey, prefix(leading)))
        : Query.prefix(partitionKey, prefix(leading));
  }

  /**
   * Returns a query for the entities of a partition from some first values, inclusive, to others,
   * exclusive: {@code ge 'empid_000123' and lt 'empid_000124'}.
   */
  public Query between(String partitionKey, List<?> from, List<?> to) {
    return Query.partition(partitionKey).and(rowKey().between(joined(from), joined(to)));
  }

  /** Returns the parts of these values, with the literals before, between and after them. */
  private String joined(List<?> leading) {
    if (leading.size() > type.getRecordComponents().length) {
      throw new IllegalArgumentException("too many values for " + type.getName());
    }
    StringJoiner key = new StringJoiner(String.valueOf(escaping.separator()));
    Iterator<?> values = leading.iterator();
    for (KeyPart part : parts) {
      if (!part.isLiteral() && !values.hasNext()) {
        break;
      }
      key.add(escaping.escape(part.text(part.isLiteral() ? part : values.next())));
    }
    return key.toString();
  }

  private static String checked(String key) {
    if (key.length() > UNITS_MAX) {
      throw new IllegalArgumentException("a key can have at most 1,024 units, not " + key.length());
    }
    return key;
  }
}
