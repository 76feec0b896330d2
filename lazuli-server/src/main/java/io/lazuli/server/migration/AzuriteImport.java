package io.lazuli.server.migration;

import io.lazuli.server.OfflineStore;
import io.lazuli.server.account.Caller;
import io.lazuli.server.account.SettingsOperation.ChangeProperties;
import io.lazuli.server.account.SettingsService;
import io.lazuli.server.error.ServiceException;
import io.lazuli.storage.Deadline;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * Takes over the data folder of an Azurite that does not run: tables, queues and blobs of all its
 * accounts, into accounts of the same names. Everything is written by the services, so their rules
 * hold; what they refuse, and what cannot be read, is named in the report and left out.
 *
 * <p>Each table, queue and container is new afterwards, or was replaced if that was asked for, so
 * an import can be repeated.
 */
public final class AzuriteImport {
  private static final Duration OPERATION_TIME_MAX = Duration.ofMinutes(2);

  private final Path folder;
  private final OfflineStore store;
  private final boolean replace;
  private final ImportReport report;

  /**
   * @param replace true to replace tables, queues and containers that are there; otherwise they are
   *     left as they are, and named
   */
  public AzuriteImport(Path folder, OfflineStore store, boolean replace, ImportReport report) {
    this.folder = folder;
    this.store = store;
    this.replace = replace;
    this.report = report;
  }

  /** Whether a folder holds data of Azurite. */
  public static boolean isAzurite(Path folder) {
    return table(folder).exists() || queue(folder).exists() || blob(folder).exists();
  }

  /** Takes everything over. */
  public void run() {
    if (table(folder).exists()) {
      new TableImport(table(folder), store, replace, report).run();
    }
    if (queue(folder).exists()) {
      Extents texts = new Extents(folder.resolve("__queuestorage__"));
      new QueueImport(queue(folder), texts, store, replace, report).run();
    }
    if (blob(folder).exists()) {
      Extents contents = new Extents(folder.resolve("__blobstorage__"));
      new BlobImport(blob(folder), contents, store, replace, report).run();
    }
  }

  private static LokiFile table(Path folder) {
    return new LokiFile(folder.resolve("__azurite_db_table__.json"));
  }

  private static LokiFile queue(Path folder) {
    return new LokiFile(folder.resolve("__azurite_db_queue__.json"));
  }

  private static LokiFile blob(Path folder) {
    return new LokiFile(folder.resolve("__azurite_db_blob__.json"));
  }

  /** Everything may be done: it is the operator's own store. */
  static Caller owner(String account) {
    return new Caller(account, false);
  }

  static Deadline deadline() {
    return Deadline.after(OPERATION_TIME_MAX);
  }

  /** What came of an operation; throws what it was refused with. */
  static <T> T await(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof ServiceException refused) {
        throw refused;
      }
      throw e;
    }
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
