package io.lazuli.server.migration;

import io.lazuli.server.access.Caller;
import io.lazuli.server.access.StoredAccessPolicy;
import io.lazuli.server.engine.OfflineStore;
import io.lazuli.server.error.Futures;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.settings.SettingsOperation.ChangeProperties;
import io.lazuli.server.settings.SettingsOperation.ReplacePolicies;
import io.lazuli.server.settings.SettingsService;
import io.lazuli.storage.Deadline;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Imports the data folder of a stopped Azurite: the tables, queues and blobs of all its accounts,
 * into accounts of the same names. The services write everything, so their rules apply. An item
 * that a service refuses, or that cannot be read, is left out, and the report lists it.
 *
 * <p>By default every table, queue and container is new. With {@code replace}, existing ones are
 * replaced, so an import can be repeated. The whole folder is read once before anything is
 * replaced.
 */
public final class AzuriteImport {
  private static final Duration OPERATION_TIME_MAX = Duration.ofMinutes(2);

  private final Path folder;
  private final OfflineStore store;
  private final boolean replace;
  private final Predicate<String> knownAccounts;
  private final ImportReport report;

  /**
   * @param replace true to replace tables, queues and containers that exist; otherwise they stay
   *     unchanged, and the report lists them
   * @param knownAccounts tests whether a server on this store knows an account
   */
  public AzuriteImport(
      Path folder,
      OfflineStore store,
      boolean replace,
      Predicate<String> knownAccounts,
      ImportReport report) {
    this.folder = folder;
    this.store = store;
    this.replace = replace;
    this.knownAccounts = knownAccounts;
    this.report = report;
  }

  /** Returns whether a folder holds data of Azurite. */
  public static boolean isAzurite(Path folder) {
    return file(folder, "table").exists()
        || file(folder, "queue").exists()
        || file(folder, "blob").exists();
  }

  /**
   * Imports everything. If data would be replaced but the folder is damaged, nothing is imported.
   */
  public void run() {
    LokiFile tables = file(folder, "table");
    LokiFile queues = file(folder, "queue");
    LokiFile blobs = file(folder, "blob");
    Extents texts = new Extents(folder.resolve("__queuestorage__"));
    Extents contents = new Extents(folder.resolve("__blobstorage__"));
    if (replace) {
      // The tables file holds its entities itself and refers to no extent.
      new Inspection(tables, contents, report).run();
      new Inspection(queues, texts, report).run();
      new Inspection(blobs, contents, report).run();
      if (report.leftOut() > 0) {
        report.leftOut(
            "everything",
            "existing data is replaced only if all of the Azurite folder can be read");
        return;
      }
    }
    if (tables.exists()) {
      new TableImport(tables, store, replace, report).run();
    }
    if (queues.exists()) {
      new QueueImport(queues, texts, store, replace, report).run();
    }
    if (blobs.exists()) {
      new BlobImport(blobs, contents, store, replace, report).run();
    }
    nameUnknownAccounts();
  }

  /**
   * Warns about imported accounts that the server does not know: nobody has a key for their data
   * yet.
   */
  private void nameUnknownAccounts() {
    for (String account : report.accounts()) {
      if (!knownAccounts.test(account)) {
        report.warn(
            "there is no account "
                + account
                + " yet; create it with lazuli account add "
                + account);
      }
    }
  }

  private static LokiFile file(Path folder, String service) {
    return new LokiFile(folder.resolve("__azurite_db_" + service + "__.json"));
  }

  /** Returns a caller with full access, because the store belongs to the operator. */
  static Caller owner(String account) {
    return new Caller(account, false);
  }

  static Deadline deadline() {
    return Deadline.after(OPERATION_TIME_MAX);
  }

  /** Waits for an operation and returns its outcome. Throws the service's refusal. */
  static <T extends @Nullable Object> T await(CompletionStage<T> stage) {
    return Futures.await(stage);
  }

  /** Sets the access policies of a table or queue. */
  static void setPolicies(
      String account,
      String resource,
      List<StoredAccessPolicy> policies,
      SettingsService settings) {
    await(settings.execute(new ReplacePolicies(resource, policies), owner(account), deadline()));
  }

  /** Sets the properties of a service. */
  static void setProperties(
      LokiDocument properties, boolean ofBlobs, SettingsService settings, ImportReport report) {
    String account = properties.text("accountName");
    try {
      ChangeProperties change =
          new ChangeProperties(ImportedSettings.properties(properties, ofBlobs));
      if (!change.change().isEmpty()) {
        await(settings.execute(change, owner(account), deadline()));
      }
    } catch (ServiceException e) {
      report.leftOut("properties of a service of " + account, e);
    }
  }
}
