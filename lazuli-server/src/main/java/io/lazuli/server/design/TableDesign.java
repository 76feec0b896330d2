package io.lazuli.server.design;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The proposal for one type of entities.
 *
 * @param entity the type as it is stored; a series has neither its point nor its value
 * @param table the name of the table; types that share transactions share a table
 * @param storage how entities are stored
 * @param parts the points of a series, or the entities of a wide one; else 1
 * @param value the property of a series; null for others
 * @param copied the reference whose entity is copied into this one; null for none
 * @param cached the reference whose entities the client caches; null for none
 */
public record TableDesign(
    EntityType entity,
    String table,
    Keys keys,
    Storage storage,
    int parts,
    @Nullable Property value,
    List<Path> paths,
    List<AccessPlan> plans,
    @Nullable String copied,
    @Nullable String cached) {
  public TableDesign {
    paths = List.copyOf(paths);
    plans = List.copyOf(plans);
  }

  /** Returns the name of the table that has the copies or lists of a path. */
  public String table(Path path) {
    return path.placement().isHere() ? table : Names.table(entity.name(), "By", path.name());
  }
}
