package io.lazuli.server.settings;

import io.lazuli.server.access.StoredAccessPolicy;
import java.util.List;

/** An operation on the settings of any service. */
public sealed interface SettingsOperation {
  /** Returns the action that the caller must be allowed to perform. */
  SettingsAction action();

  /** Returns the name of the resource of an access list; empty for the service. */
  default String resource() {
    return "";
  }

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

  /** Asks up to which time the secondary has all writes. */
  record ReadStats() implements SettingsOperation {
    @Override
    public SettingsAction action() {
      return SettingsAction.READ_SERVICE;
    }
  }

  /**
   * Reads the stored access policies of a resource.
   *
   * @param resource the name in the catalogue
   */
  record ReadPolicies(String resource) implements SettingsOperation {
    @Override
    public SettingsAction action() {
      return SettingsAction.READ_ACCESS_LIST;
    }
  }

  /**
   * Replaces all stored access policies of a resource.
   *
   * @param resource the name in the catalogue
   */
  record ReplacePolicies(String resource, List<StoredAccessPolicy> policies)
      implements SettingsOperation {
    public ReplacePolicies {
      policies = List.copyOf(policies);
    }

    @Override
    public SettingsAction action() {
      return SettingsAction.CHANGE_ACCESS_LIST;
    }
  }
}
