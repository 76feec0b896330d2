package io.lazuli.server.migration;

import io.lazuli.server.access.StoredAccessPolicy;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobName;
import io.lazuli.server.blob.model.ContainerName;
import io.lazuli.server.blob.model.Lease;
import io.lazuli.server.blob.model.LeaseAction;
import io.lazuli.server.blob.model.PublicAccess;
import io.lazuli.server.blob.request.BlobAddress;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.blob.request.DeletedSnapshots;
import io.lazuli.server.blob.request.RequestTerms;
import io.lazuli.server.blob.service.BlobOperation;
import io.lazuli.server.engine.OfflineStore;
import io.lazuli.server.error.ServiceError;
import io.lazuli.server.error.ServiceException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Imports containers and blobs. It reads the file four times: for containers and settings, for the
 * positions of snapshots, for blobs, and for uncommitted blocks. To make a snapshot it first writes
 * the snapshot's content to the blob, so each blob is written right after its snapshots. Infinite
 * leases are acquired last, because they would block the other writes. Mutable; used once, by one
 * thread.
 */
final class BlobImport {
  private static final String CONTAINERS = "$CONTAINERS_COLLECTION$";
  private static final String BLOBS = "$BLOBS_COLLECTION$";
  private static final String BLOCKS = "$BLOCKS_COLLECTION$";
  private static final int PROGRESS_EVERY = 1_000;

  /**
   * The metadata of a blob that was written only to take a snapshot of it. A blob keeps this
   * metadata if the import is interrupted.
   */
  private static final Map<String, String> UNFINISHED = Map.of("lazuli_import", "unfinished");

  private final LokiFile file;
  private final OfflineStore store;
  private final ImportReport report;
  private final BlobWriter writer;

  /** The containers by account and name. */
  private final Holders<ContainerName> containers;

  /**
   * The positions of snapshots in the file, by their blob. Holds only blobs that are not imported
   * yet.
   */
  private final Map<Owner, List<Long>> snapshots = new LinkedHashMap<>();

  private final List<Runnable> leases = new ArrayList<>();

  BlobImport(
      LokiFile file, Extents contents, OfflineStore store, boolean replace, ImportReport report) {
    this.file = file;
    this.store = store;
    this.report = report;
    this.writer = new BlobWriter(store.blobs(), contents, report);
    this.containers = new Holders<>(new Containers(), replace, report);
  }

  /** A blob as the file names it. */
  private record Owner(String account, String container, String blob) {
    static Owner of(LokiDocument document) {
      return new Owner(
          document.text("accountName"), document.text("containerName"), document.text("name"));
    }

    String title() {
      return "blob " + account + "/" + container + "/" + blob;
    }
  }

  void run() {
    new FirstPass(
            file,
            CONTAINERS,
            Set.of(BLOBS, BLOCKS)::contains,
            this::add,
            store.blobSettings(),
            true,
            report)
        .run();
    file.read(new Snapshots(), report);
    file.read(new Blobs(), report);
    snapshots.forEach((owner, places) -> nameLost(owner.title(), places.size()));
    file.read(new Blocks(), report);
    leases.forEach(Runnable::run);
    containers.made().forEach(container -> report.progress(container.filled("blobs")));
  }

  private void add(LokiDocument document) {
    String account = document.text("accountName");
    String name = document.text("name");
    String key = account + "/" + name;
    containers.add(key, account, name, document);
    Holder<ContainerName> made = containers.find(key);
    if (made != null) {
      lease(
          document,
          made.title(),
          action -> new BlobOperation.LeaseContainer(made.name(), action, Conditions.NONE),
          account);
    }
  }

  private final class Containers implements Holders.Kind<ContainerName> {
    @Override
    public String word() {
      return "container";
    }

    @Override
    public ContainerName name(String text) {
      return ContainerName.requireNew(text);
    }

    @Override
    public BooleanSupplier creation(Holder<ContainerName> container, LokiDocument document) {
      BlobOperation create =
          new BlobOperation.CreateContainer(
              container.name(),
              ImportedSettings.metadata(document, container.title(), report).pairs(),
              access(document));
      return () -> {
        execute(container.account(), create);
        return true;
      };
    }

    @Override
    public ServiceError existing() {
      return BlobErrors.CONTAINER_ALREADY_EXISTS;
    }

    @Override
    public void drop(Holder<ContainerName> container) {
      String account = container.account();
      ContainerName name = container.name();
      attempt(
          account,
          new BlobOperation.LeaseContainer(name, new LeaseAction.Break(0), Conditions.NONE));
      execute(account, new BlobOperation.DeleteContainer(name, RequestTerms.NONE));
    }

    @Override
    public List<StoredAccessPolicy> policies(LokiDocument document) {
      return ImportedSettings.policies(document.documents("containerAcl"), "racwdxyltmeopif");
    }

    @Override
    public void setPolicies(
        Holder<ContainerName> container, LokiDocument document, List<StoredAccessPolicy> policies) {
      execute(
          container.account(),
          new BlobOperation.ReplaceContainerAccess(
              container.name(), access(document), policies, RequestTerms.NONE));
    }

    private static PublicAccess access(LokiDocument document) {
      return PublicAccess.require(document.document("properties").findText("publicAccess"));
    }
  }

  private void execute(String account, BlobOperation operation) {
    AzuriteImport.await(
        store.blobs().execute(operation, AzuriteImport.owner(account), AzuriteImport.deadline()));
  }

  /** Executes an operation and ignores a refusal. */
  private void attempt(String account, BlobOperation operation) {
    try {
      execute(account, operation);
    } catch (ServiceException e) {
      // Usually the lease or blob does not exist, so there is nothing to remove.
    }
  }

  /** Makes the operation that acquires a lease. */
  @FunctionalInterface
  private interface Leasing {
    BlobOperation of(LeaseAction action);
  }

  /**
   * Registers an infinite lease, to be acquired at the end. Other leases last a minute at most and
   * have expired by now.
   */
  private void lease(LokiDocument owner, String title, Leasing leasing, String account) {
    LokiDocument properties = owner.document("properties");
    boolean kept =
        properties.text("leaseState").equals("leased")
            && properties.text("leaseDuration").equals("infinite");
    if (kept) {
      leases.add(
          () -> {
            try {
              UUID id = UUID.fromString(owner.text("leaseId"));
              execute(account, leasing.of(new LeaseAction.Acquire(id, Lease.INFINITE)));
            } catch (ServiceException e) {
              report.leftOut("lease of " + title, e);
            } catch (IllegalArgumentException e) {
              report.leftOut("lease of " + title, "its id is not a GUID");
            }
          });
    }
  }

  /**
   * Returns the container of a blob or block; null if the container was left out or is unknown.
   * Reports an unknown container.
   */
  private @Nullable Holder<ContainerName> container(LokiDocument document, String title) {
    String key = document.text("accountName") + "/" + document.text("containerName");
    if (!containers.isKnown(key)) {
      report.leftOut(title, "there is no container " + key);
    }
    return containers.find(key);
  }

  /**
   * Remembers the positions of snapshots, in file order, which is the order in which they were
   * taken.
   */
  private final class Snapshots implements LokiFile.Visitor {
    @Override
    public boolean wants(String collection) {
      return collection.equals(BLOBS);
    }

    @Override
    public void visit(String collection, LokiDocument document, long at) {
      Owner owner = Owner.of(document);
      if (!document.text("snapshot").isEmpty() && container(document, owner.title()) != null) {
        snapshots.computeIfAbsent(owner, key -> new ArrayList<>()).add(at);
      }
    }
  }

  private final class Blobs implements LokiFile.Visitor {
    @Override
    public boolean wants(String collection) {
      return collection.equals(BLOBS);
    }

    @Override
    public void visit(String collection, LokiDocument document, long at) {
      if (!document.text("snapshot").isEmpty() || !document.flag("isCommitted")) {
        return;
      }
      Owner owner = Owner.of(document);
      Holder<ContainerName> container = container(document, owner.title());
      if (container != null) {
        List<Long> places = snapshots.remove(owner);
        put(container, owner, places == null ? List.of() : places, document);
      }
    }
  }

  /**
   * Imports a blob completely or not at all. Readers must never see a part of a blob, or an old
   * snapshot in its place.
   */
  private void put(
      Holder<ContainerName> container, Owner owner, List<Long> places, LokiDocument document) {
    String title = owner.title();
    int taken = 0;
    try {
      BlobAddress at = new BlobAddress(container.name(), BlobName.require(owner.blob()));
      try {
        taken = takeSnapshots(owner, at, places);
        writer.put(owner.account(), at, document, title, metadata(document, title));
      } catch (ServiceException | IOException e) {
        remove(owner.account(), at);
        throw e;
      }
      lease(
          document,
          title,
          action -> new BlobOperation.LeaseBlob(at, action, Conditions.NONE),
          owner.account());
      container.count("blobs", PROGRESS_EVERY, report);
      if (taken > 0) {
        report.imported("snapshots", taken);
      }
    } catch (ServiceException e) {
      report.leftOut(title, e);
      nameLost(title, taken);
    } catch (IOException e) {
      report.leftOut(title, String.valueOf(e.getMessage()));
      nameLost(title, taken);
    }
  }

  private Map<String, String> metadata(LokiDocument document, String title) {
    return ImportedSettings.metadata(document, title, report).pairs();
  }

  /**
   * Takes the snapshots that can be read, and reports the others. Returns the number of snapshots
   * taken.
   */
  private int takeSnapshots(Owner owner, BlobAddress at, List<Long> places) {
    int taken = 0;
    for (long place : places) {
      String title = "a snapshot of " + owner.title();
      try {
        LokiDocument document = file.document(place);
        title = "snapshot " + document.text("snapshot") + " of " + owner.title();
        writer.put(owner.account(), at, document, title, UNFINISHED);
        execute(
            owner.account(),
            new BlobOperation.TakeSnapshot(at, metadata(document, title), RequestTerms.NONE));
        taken++;
      } catch (ServiceException e) {
        report.leftOut(title, e);
      } catch (IOException e) {
        report.leftOut(title, String.valueOf(e.getMessage()));
      }
    }
    return taken;
  }

  /** Deletes a blob with its snapshots and its uncommitted blocks. */
  private void remove(String account, BlobAddress at) {
    attempt(account, new BlobOperation.DeleteBlob(at, DeletedSnapshots.INCLUDE, RequestTerms.NONE));
  }

  private void nameLost(String title, int snapshots) {
    if (snapshots > 0) {
      report.leftOut(snapshots + " snapshots of " + title, "their blob is left out");
    }
  }

  /** Imports uncommitted blocks. Committed blocks are part of their blobs. */
  private final class Blocks implements LokiFile.Visitor {
    @Override
    public boolean wants(String collection) {
      return collection.equals(BLOCKS);
    }

    @Override
    public void visit(String collection, LokiDocument document, long at) {
      Holder<ContainerName> container =
          container(document, "uncommitted block " + document.text("name"));
      if (container != null) {
        put(container, document);
      }
    }

    private void put(Holder<ContainerName> container, LokiDocument document) {
      String blob = document.text("blobName");
      String title =
          "uncommitted block %s of blob %s/%s"
              .formatted(document.text("name"), container.name().text(), blob);
      try {
        BlobAddress at = new BlobAddress(container.name(), BlobName.require(blob));
        writer.putBlock(container.account(), at, document);
        report.imported("uncommitted blocks");
      } catch (ServiceException e) {
        report.leftOut(title, e);
      } catch (IOException e) {
        report.leftOut(title, String.valueOf(e.getMessage()));
      }
    }
  }
}
