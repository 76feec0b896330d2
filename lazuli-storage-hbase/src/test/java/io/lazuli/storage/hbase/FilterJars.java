package io.lazuli.storage.hbase;

import io.lazuli.hbase.EntityFilterV1;
import io.lazuli.storage.entity.EntityCondition;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What a region server needs to run the filter. */
public final class FilterJars {
  private FilterJars() {}

  /** Returns the jar of the filter; before it is packed, the folders with its classes. */
  public static List<Path> all() {
    return Stream.of(EntityFilterV1.class, EntityCondition.class).map(FilterJars::home).toList();
  }

  private static Path home(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
