package io.lazuli.server.console.model;

import io.lazuli.server.design.ModelErrors;
import io.lazuli.server.own.OwnTables;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps models as JSON in a table of the server itself: a partition for each account, a row for
 * each model. All methods block.
 */
public final class ModelStore {
  /** The maximum number of models of an account. */
  public static final int MODELS_MAX = 100;

  /** The maximum bytes of a model. */
  public static final int MODEL_BYTES_MAX = 60 << 10;

  private static final String TABLE = "models";

  private final OwnTables tables;

  public ModelStore(OwnTables tables) {
    this.tables = tables;
  }

  /** Returns the names of the models of an account, in order. */
  public List<String> names(String account) {
    return tables.partition(TABLE, account, MODELS_MAX).stream().map(OwnTables.Row::row).toList();
  }

  /** Returns a model; throws if there is none. */
  public byte[] require(String account, String name) {
    byte[] found = find(account, name);
    if (found == null) {
      throw ModelErrors.MODEL_NOT_FOUND.exception();
    }
    return found;
  }

  private byte @Nullable [] find(String account, String name) {
    return tables.get(TABLE, account, name);
  }

  /**
   * Stores a model; throws if the account has too many. Two writers may pass the bound together.
   */
  public void put(String account, String name, byte[] model) {
    if (find(account, name) == null && names(account).size() >= MODELS_MAX) {
      throw ModelErrors.TOO_MANY_MODELS.exception();
    }
    tables.put(TABLE, account, name, model);
  }

  public void remove(String account, String name) {
    tables.remove(TABLE, account, name);
  }
}
