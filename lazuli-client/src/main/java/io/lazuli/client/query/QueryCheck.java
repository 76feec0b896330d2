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
 */
record QueryCheck(EntityCodec<?> codec) {
  private static final Set<String> SYSTEM =
      Set.of(Property.PARTITION_KEY, Property.ROW_KEY, "Timestamp");

  void check(@Nullable Filter filter, List<String> selected) {
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
    if (!codec.knowsProperty(name)
        && !SYSTEM.contains(name)
        && !codec.alwaysSelected().contains(name)) {
      throw new IllegalArgumentException(
          "the type has no property '%s', only %s; to use others, read with EntityCodec.dynamic()"
              .formatted(name, names()));
    }
  }

  private Set<String> names() {
    return codec.properties().values().stream()
        .map(MappedProperty::name)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
