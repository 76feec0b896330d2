package io.lazuli.transfer.format;

import io.lazuli.transfer.entity.EdmType;
import io.lazuli.transfer.entity.Property;
import java.util.Comparator;

/**
 * A name and a type that a property of the table has.
 *
 * @param escaped whether the strings are JSON, because they have unpaired surrogates
 */
public record Column(String name, EdmType type, boolean escaped) implements Comparable<Column> {
  private static final Comparator<Column> ORDER =
      Comparator.comparing(Column::name).thenComparing(Column::type).thenComparing(Column::escaped);

  /** Returns the column to which a property belongs. */
  public static Column of(Property property) {
    return new Column(
        property.name(),
        property.type(),
        property.type() == EdmType.STRING && UnpairedText.needsEscape(property.text()));
  }

  @Override
  public int compareTo(Column other) {
    return ORDER.compare(this, other);
  }
}
