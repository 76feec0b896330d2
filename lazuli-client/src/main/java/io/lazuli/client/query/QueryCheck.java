package io.lazuli.client.query;

import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.MappedProperty;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks the names of properties in queries of a typed table: the service finds nothing by a
 * misspelt name, and reports nothing.
 *
 * @param known the names in the table; empty if the codec does not know them
 */
record QueryCheck(EntityCodec<?> codec, Set<String> known) {
  private static final Set<String> SYSTEM =
      Set.of(Property.PARTITION_KEY, Property.ROW_KEY, "Timestamp");

  static QueryCheck of(EntityCodec<?> codec) {
    Set<String> names =
        codec.properties().values().stream()
            .map(MappedProperty::name)
            .collect(Collectors.toCollection(TreeSet::new));
    return new QueryCheck(codec, names);
  }

  void check(@Nullable Filter filter, List<String> selected) {
    if (known.isEmpty()) {
      return;
    }
    if (filter != null) {
      check(filter);
    }
    selected.forEach(this::checkKnown);
    if (!selected.isEmpty()) {
      codec.checkSelected(Set.copyOf(selected));
    }
  }

  private void check(Filter filter) {
    if (filter instanceof Negation negation) {
      check(negation.condition());
    } else if (filter instanceof Junction junction) {
      check(junction.left());
      check(junction.right());
    } else if (filter instanceof Comparison comparison && !comparison.mapped()) {
      checkKnown(comparison.property());
      if (codec.encryptedProperties().contains(comparison.property())) {
        throw new IllegalArgumentException(
            "'" + comparison.property() + "' is encrypted and cannot be compared");
      }
    }
  }

  private void checkKnown(String name) {
    if (!known.contains(name) && !SYSTEM.contains(name) && !codec.alwaysSelected().contains(name)) {
      throw new IllegalArgumentException(
          "the type has no property '%s', only %s; to use others, read with EntityCodec.dynamic()"
              .formatted(name, known));
    }
  }
}
