package io.lazuli.server.migration;

import io.lazuli.server.access.StoredAccessPolicy;
import io.lazuli.server.error.ServiceError;
import io.lazuli.server.error.ServiceException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The tables, queues or containers of a file. Each one is created. An existing one is replaced if
 * the operator asked for that; otherwise it stays unchanged and the report lists it. Mutable; used
 * by one thread.
 *
 * @param <N> the type of their names in the service
 */
final class Holders<N> {
  private final Kind<N> kind;
  private final boolean replace;
  private final ImportReport report;

  /** The value is null for a holder that was left out. */
  private final Map<String, @Nullable Holder<N>> byKey = new LinkedHashMap<>();

  Holders(Kind<N> kind, boolean replace, ImportReport report) {
    this.kind = kind;
    this.replace = replace;
    this.report = report;
  }

  /** The parts that differ between the services. All methods throw the service's refusals. */
  interface Kind<N> {
    /** Returns the noun for one holder in reports. */
    String word();

    N name(String text);

    /**
     * Returns an action that creates a holder. If it exists already, the action returns false or
     * throws {@link #existing}.
     */
    BooleanSupplier creation(Holder<N> holder, LokiDocument document);

    ServiceError existing();

    void drop(Holder<N> holder);

    List<StoredAccessPolicy> policies(LokiDocument document);

    void setPolicies(Holder<N> holder, LokiDocument document, List<StoredAccessPolicy> policies);
  }

  /**
   * Creates a holder.
   *
   * @param key the key under which items refer to it
   */
  void add(String key, String account, String text, LokiDocument document) {
    byKey.put(key, make(account, text, document));
  }

  /** Returns whether the file has this holder, imported or left out. */
  boolean isKnown(String key) {
    return byKey.containsKey(key);
  }

  /** Returns the holder with that key; null if there is none or it was left out. */
  @Nullable Holder<N> find(String key) {
    return byKey.get(key);
  }

  /** Returns the holders that were created. */
  List<Holder<N>> made() {
    return byKey.values().stream().filter(Objects::nonNull).toList();
  }

  private @Nullable Holder<N> make(String account, String text, LokiDocument document) {
    String title = kind.word() + " " + account + "/" + text;
    try {
      Holder<N> holder = new Holder<>(title, account, kind.name(text));
      if (!createOrReplace(holder, document)) {
        report.leftOut(title, "it already exists; --replace replaces it");
        return null;
      }
      report.imported(kind.word() + "s");
      report.uses(account);
      setPolicies(holder, document);
      return holder;
    } catch (ServiceException e) {
      report.leftOut(title, e);
      return null;
    }
  }

  /** Returns false if the holder exists and must not be replaced. */
  private boolean createOrReplace(Holder<N> holder, LokiDocument document) {
    BooleanSupplier creation = kind.creation(holder, document);
    boolean created = create(creation);
    if (!created && replace) {
      kind.drop(holder);
      return create(creation);
    }
    return created;
  }

  private boolean create(BooleanSupplier creation) {
    try {
      return creation.getAsBoolean();
    } catch (ServiceException e) {
      if (!e.error().equals(kind.existing())) {
        throw e;
      }
      return false;
    }
  }

  private void setPolicies(Holder<N> holder, LokiDocument document) {
    try {
      List<StoredAccessPolicy> policies = kind.policies(document);
      if (!policies.isEmpty()) {
        kind.setPolicies(holder, document, policies);
      }
    } catch (ServiceException e) {
      report.leftOut("access policies of " + holder.title(), e);
    }
  }
}
