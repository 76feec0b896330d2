package io.lazuli.server.settings;

import io.lazuli.server.access.StoredAccessPolicy;
import java.time.Instant;
import java.util.List;

/** What came of a {@link SettingsOperation}. */
public sealed interface SettingsOutcome {
  record Properties(ServiceProperties properties) implements SettingsOutcome {}

  record PropertiesChanged() implements SettingsOutcome {}

  /** The copy has everything that was written before this moment. */
  record Stats(Instant lastSync) implements SettingsOutcome {}

  /** The stored access policies of a resource, in the order in which they were given. */
  record Policies(List<StoredAccessPolicy> policies) implements SettingsOutcome {}

  record PoliciesReplaced() implements SettingsOutcome {}
}
