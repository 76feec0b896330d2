package io.lazuli.server.settings;

import io.lazuli.server.access.Caller;
import io.lazuli.server.catalog.ServiceHome;
import io.lazuli.server.catalog.StorageFailures;
import io.lazuli.server.error.ServiceError;
import io.lazuli.server.settings.SettingsOperation.ChangeProperties;
import io.lazuli.server.settings.SettingsOperation.ReadPolicies;
import io.lazuli.server.settings.SettingsOperation.ReadProperties;
import io.lazuli.server.settings.SettingsOperation.ReadStats;
import io.lazuli.server.settings.SettingsOperation.ReplacePolicies;
import io.lazuli.server.settings.SettingsOutcome.Policies;
import io.lazuli.server.settings.SettingsOutcome.PoliciesReplaced;
import io.lazuli.server.settings.SettingsOutcome.Properties;
import io.lazuli.server.settings.SettingsOutcome.PropertiesChanged;
import io.lazuli.server.settings.SettingsOutcome.Stats;
import io.lazuli.storage.Deadline;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The rules of the operations that every service has: properties, statistics and access lists.
 * There is one instance per service. Called on a worker thread.
 */
public final class SettingsService {
  private final Function<String, ServiceHome> homes;
  private final AccessPolicies policies;
  private final ServicePropertiesStore properties;
  private final ServiceError missing;
  private final Supplier<Instant> now;
  private final Preparation preparation;

  /** Creates the containers and tables that the settings of an account need. */
  @FunctionalInterface
  public interface Preparation {
    /** Needs nothing, because no requests are served. */
    Preparation NONE = (account, changed) -> CompletableFuture.completedFuture(true);

    CompletionStage<?> prepare(String account, ServiceProperties changed);
  }

  /**
   * @param homes the service's home in the catalogue, by account
   * @param missing the error for a resource that does not exist
   * @param now the engine's time
   * @param preparation runs after every change of properties
   */
  public SettingsService(
      Function<String, ServiceHome> homes,
      AccessPolicies policies,
      ServicePropertiesStore properties,
      ServiceError missing,
      Supplier<Instant> now,
      Preparation preparation) {
    this.homes = homes;
    this.policies = policies;
    this.properties = properties;
    this.missing = missing;
    this.now = now;
    this.preparation = preparation;
  }

  /**
   * Executes an operation. The stage carries all failures, expected ones as {@code
   * ServiceException}.
   */
  public CompletionStage<SettingsOutcome> execute(
      SettingsOperation operation, Caller caller, Deadline deadline) {
    return StorageFailures.translatingStage(
        () -> {
          requireAllowed(operation.action(), operation.resource(), caller);
          return dispatch(operation, caller.account(), deadline);
        });
  }

  /**
   * Throws the refusal unless the caller may perform the action. {@link #execute} checks the
   * permission again.
   *
   * @param resource the resource of an access list; empty for the service
   */
  public static void requireAllowed(SettingsAction action, String resource, Caller caller) {
    caller.access().require(action.permission(), resource);
  }

  private CompletionStage<SettingsOutcome> dispatch(
      SettingsOperation operation, String account, Deadline deadline) {
    ServiceHome home = homes.apply(account);
    if (operation instanceof ReadProperties) {
      return properties.readStored(home, deadline).thenApply(Properties::new);
    } else if (operation instanceof ChangeProperties change) {
      return properties
          .change(home, change.change(), deadline)
          .thenCompose(changed -> preparation.prepare(account, changed))
          .thenApply(ready -> new PropertiesChanged());
    } else if (operation instanceof ReadPolicies read) {
      return readPolicies(home, read.resource(), deadline);
    } else if (operation instanceof ReplacePolicies replace) {
      return replacePolicies(home, replace, deadline);
    } else if (operation instanceof ReadStats) {
      return CompletableFuture.completedFuture(new Stats(now.get()));
    }
    throw new IllegalStateException("unknown operation: " + operation.getClass());
  }

  private CompletionStage<SettingsOutcome> readPolicies(
      ServiceHome home, String resource, Deadline deadline) {
    return policies
        .list(home, resource, deadline)
        .thenApply(
            found -> {
              if (found == null) {
                throw missing.exception();
              }
              return new Policies(found);
            });
  }

  private CompletionStage<SettingsOutcome> replacePolicies(
      ServiceHome home, ReplacePolicies operation, Deadline deadline) {
    return policies
        .replace(home, operation.resource(), operation.policies(), deadline)
        .thenApply(
            found -> {
              if (!found) {
                throw missing.exception();
              }
              return new PoliciesReplaced();
            });
  }
}
