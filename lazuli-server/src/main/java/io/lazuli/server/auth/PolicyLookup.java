package io.lazuli.server.auth;

import io.lazuli.server.access.StoredAccessPolicy;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Finds the stored access policies of one service. May read the store. */
@FunctionalInterface
public interface PolicyLookup {
  /** Finds a policy; returns null if the resource does not exist or has no such policy. */
  CompletionStage<@Nullable StoredAccessPolicy> find(String account, String resource, String id);
}
