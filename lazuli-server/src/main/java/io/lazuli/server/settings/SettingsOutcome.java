package io.lazuli.server.settings;

import io.lazuli.server.access.StoredAccessPolicy;
import java.time.Instant;
import java.util.List;

/** The outcome of a {@link SettingsOperation}. */
public sealed interface SettingsOutcome {
  record Properties(ServiceProperties properties) implements SettingsOutcome {}

  record PropertiesChanged() implements SettingsOutcome {}

  /** The secondary has everything that was written before this time. */
  record Stats(Instant lastSync) implements SettingsOutcome {}

  /** The stored access policies of a resource, in their original order. */
  record Policies(List<StoredAccessPolicy> policies) implements SettingsOutcome {}

  record PoliciesReplaced() implements SettingsOutcome {}
}
