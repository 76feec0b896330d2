package io.lazuli.storage;

import java.util.List;

/**
 * The outcome of a check or a repair of the files of an engine.
 *
 * @param damage the damage that is left, in the order in which it was found
 * @param notes lines for an operator about everything else
 */
public record StoreReport(List<StoredDamage> damage, List<String> notes) {
  public StoreReport {
    damage = List.copyOf(damage);
    notes = List.copyOf(notes);
  }
}
