package io.lazuli.server.settings;

import io.lazuli.server.access.AccessPolicyCodec;
import io.lazuli.server.access.StoredAccessPolicy;
import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.catalog.CatalogRow;
import io.lazuli.server.catalog.ServiceHome;
import io.lazuli.server.catalog.StorageFailures;
import io.lazuli.storage.Deadline;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The stored access policies of tables, queues and containers, in the catalogue next to their
 * names. Every request that begins after a change was acknowledged sees the change, on every
 * server.
 */
public final class AccessPolicies {
  private final Catalog catalog;

  public AccessPolicies(Catalog catalog) {
    this.catalog = catalog;
  }

  /** Reads the stored policies of a resource; null if there is no such resource. */
  public CompletableFuture<@Nullable List<StoredAccessPolicy>> list(
      ServiceHome home, String key, Deadline deadline) {
    return catalog
        .read(home, key, deadline)
        .<@Nullable List<StoredAccessPolicy>>thenApply(AccessPolicies::policies);
  }

  /**
   * Returns one policy; null if there is no such policy or resource. Translates engine failures to
   * errors of the protocol, because the authenticator calls this class directly and not through a
   * service.
   */
  public CompletionStage<@Nullable StoredAccessPolicy> find(
      ServiceHome home, String key, String id, Deadline deadline) {
    return StorageFailures.<@Nullable StoredAccessPolicy>translatingStage(
        () -> catalog.readRules(home, key, deadline).thenApply(row -> find(policies(row), id)));
  }

  private static @Nullable List<StoredAccessPolicy> policies(@Nullable CatalogRow row) {
    return row == null ? null : AccessPolicyCodec.decode(row.policies());
  }

  private static @Nullable StoredAccessPolicy find(
      @Nullable List<StoredAccessPolicy> policies, String id) {
    return policies == null
        ? null
        : policies.stream().filter(policy -> policy.id().equals(id)).findFirst().orElse(null);
  }

  /** Replaces all policies of a resource. Returns false if there is no such resource. */
  public CompletableFuture<Boolean> replace(
      ServiceHome home, String key, List<StoredAccessPolicy> policies, Deadline deadline) {
    return catalog.replacePolicies(home, key, AccessPolicyCodec.encode(policies), deadline);
  }
}
