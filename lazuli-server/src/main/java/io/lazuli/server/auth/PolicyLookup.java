package io.lazuli.server.auth;

import io.lazuli.server.access.StoredAccessPolicy;
import org.jspecify.annotations.Nullable;

/** Finds the stored access policies of one service. May read from disk. */
@FunctionalInterface
public interface PolicyLookup {
  /** Returns null if there is no such policy or no such resource. */
  @Nullable StoredAccessPolicy find(String account, String resource, String id);
}
