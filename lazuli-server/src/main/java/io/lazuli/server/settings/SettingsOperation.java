package io.lazuli.server.settings;

import io.lazuli.server.access.StoredAccessPolicy;
import java.util.List;

/** What can be asked about the settings of any service. */
public sealed interface SettingsOperation {
  /** What the caller must be allowed to do. */
  SettingsAction action();

  /** Reads the properties of the service. */
  record ReadProperties() implements SettingsOperation {
    @Override
    public SettingsAction action() {
      return SettingsAction.READ_SERVICE;
    }
  }

  /** Changes some properties of the service. */
  record ChangeProperties(ServiceProperties.Change change) implements SettingsOperation {
    @Override
    public SettingsAction action() {
      return SettingsAction.CHANGE_SERVICE;
    }
  }

  /** Asks how far behind the copy at the secondary address is. */
  record ReadStats() implements SettingsOperation {
    @Override
    public SettingsAction action() {
      return SettingsAction.READ_SERVICE;
    }
  }

  /**
   * Reads the stored access policies of a resource.
   *
   * @param resource as the catalogue knows it
   */
  record ReadPolicies(String resource) implements SettingsOperation {
    @Override
    public SettingsAction action() {
      return SettingsAction.ACCESS_LIST;
    }
  }

  /**
   * Sets all stored access policies of a resource.
   *
   * @param resource as the catalogue knows it
   */
  record ReplacePolicies(String resource, List<StoredAccessPolicy> policies)
      implements SettingsOperation {
    public ReplacePolicies {
      policies = List.copyOf(policies);
    }

    @Override
    public SettingsAction action() {
      return SettingsAction.ACCESS_LIST;
    }
  }
}
