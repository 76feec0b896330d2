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
 * The tables, queues or containers of a file. Each is made anew; one that is there already is
 * replaced if that was asked for, and otherwise named and left as it is. Mutable; used by one
 * thread.
 *
 * @param <N> what their service knows them by
 */
final class Holders<N> {
  private final Kind<N> kind;
  private final boolean replace;
  private final ImportReport report;

  /** Null for those that were left out. */
  private final Map<String, @Nullable Holder<N>> byKey = new LinkedHashMap<>();

  Holders(Kind<N> kind, boolean replace, ImportReport report) {
    this.kind = kind;
    this.replace = replace;
    this.report = report;
  }

  /** What the services do differently; they throw what they refuse. */
  interface Kind<N> {
    /** For one of them, in reports. */
    String word();

    N name(String text);

    /** What makes it: gives false, or is refused with {@link #existing}, if it is there. */
    BooleanSupplier creation(Holder<N> holder, LokiDocument document);

    ServiceError existing();

    void drop(Holder<N> holder);

    List<StoredAccessPolicy> policies(LokiDocument document);

    void setPolicies(Holder<N> holder, LokiDocument document, List<StoredAccessPolicy> policies);
  }

  /**
   * Makes one.
   *
   * @param key by which others refer to it
   */
  void add(String key, String account, String text, LokiDocument document) {
    byKey.put(key, make(account, text, document));
  }

  /** Whether the file has it, made or left out. */
  boolean isKnown(String key) {
    return byKey.containsKey(key);
  }

  /** The one of that key; null if there is none, or it was left out. */
  @Nullable Holder<N> find(String key) {
    return byKey.get(key);
  }

  /** Those that were made. */
  List<Holder<N>> made() {
    return byKey.values().stream().filter(Objects::nonNull).toList();
  }

  private @Nullable Holder<N> make(String account, String text, LokiDocument document) {
    String title = kind.word() + " " + account + "/" + text;
    try {
      Holder<N> holder = new Holder<>(title, account, kind.name(text));
      if (!createOrReplace(holder, document)) {
        report.leftOut(title, "it is there already; --replace replaces it");
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

  /** False if it is there, and shall stay. */
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
