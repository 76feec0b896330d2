package io.lazuli.server.migration;

import io.lazuli.server.OfflineStore;
import io.lazuli.server.account.StoredAccessPolicy;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobName;
import io.lazuli.server.blob.model.Conditions;
import io.lazuli.server.blob.model.ContainerName;
import io.lazuli.server.blob.model.Lease;
import io.lazuli.server.blob.model.LeaseAction;
import io.lazuli.server.blob.model.PublicAccess;
import io.lazuli.server.blob.service.BlobAddress;
import io.lazuli.server.blob.service.BlobOperation;
import io.lazuli.server.blob.service.DeletedSnapshots;
import io.lazuli.server.blob.service.RequestTerms;
import io.lazuli.server.error.ServiceException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Takes over containers and blobs. The file is read four times, because a snapshot is made by
 * putting its content in place first: containers and settings, snapshots, blobs, uncommitted
 * blocks. Infinite leases come last, as they would keep the rest out. Mutable; used once, by one
 * thread.
 */
final class BlobImport {
  private static final String CONTAINERS = "$CONTAINERS_COLLECTION$";
  private static final String BLOBS = "$BLOBS_COLLECTION$";
  private static final String BLOCKS = "$BLOCKS_COLLECTION$";
  private static final String LETTERS = "racwdxyltmeopif";
  private static final int PROGRESS_EVERY = 1_000;

  private final LokiFile file;
  private final OfflineStore store;
  private final boolean replace;
  private final ImportReport report;
  private final BlobWriter writer;

  /** By account and name; null for those that were left out. */
  private final Map<String, @Nullable Target> targets = new HashMap<>();

  private final List<Runnable> leases = new ArrayList<>();

  /** What was begun: part of a blob, or content of which so many snapshots were taken. */
  private final Map<Begun, Integer> unfinished = new LinkedHashMap<>();

  BlobImport(
      LokiFile file, Extents contents, OfflineStore store, boolean replace, ImportReport report) {
    this.file = file;
    this.store = store;
    this.replace = replace;
    this.report = report;
    this.writer = new BlobWriter(store.blobs(), contents);
  }

  /** A container that is being filled; counts its blobs. */
  private static final class Target {
    private final String account;
    private final ContainerName name;
    private long blobs;

    Target(String account, ContainerName name) {
      this.account = account;
      this.name = name;
    }

    String title() {
      return "container " + account + "/" + name.text();
    }
  }

  private record Begun(String account, BlobAddress at) {}

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
    file.read(new Blobs(true));
    file.read(new Blobs(false));
    removeUnfinished();
    file.read(new Blocks());
    leases.forEach(Runnable::run);
    for (Target target : targets.values()) {
      if (target != null) {
        report.progress(target.title() + ": " + target.blobs + " blobs");
      }
    }
  }

  private void add(LokiDocument document) {
    String account = document.text("accountName");
    String name = document.text("name");
    targets.put(account + "/" + name, create(account, name, document));
  }

  private @Nullable Target create(String account, String text, LokiDocument document) {
    String title = "container " + account + "/" + text;
    try {
      Target target = new Target(account, ContainerName.requireNew(text));
      LokiDocument properties = document.document("properties");
      PublicAccess access = PublicAccess.require(properties.findText("publicAccess"));
      if (!make(target, metadata(document, title), access)) {
        report.leftOut(title, "it is there already; --replace replaces it");
        return null;
      }
      report.imported("containers");
      setPolicies(target, access, document);
      lease(
          document,
          title,
          action -> new BlobOperation.LeaseContainer(target.name, action, Conditions.NONE),
          account);
      return target;
    } catch (ServiceException e) {
      report.leftOut(title, e);
      return null;
    }
  }

  private Map<String, String> metadata(LokiDocument document, String title) {
    try {
      return ImportedSettings.metadata(document.document("metadata")).pairs();
    } catch (ServiceException e) {
      report.leftOut("metadata of " + title, e);
      return Map.of();
    }
  }

  /** False if there is such a container, and it shall stay. */
  private boolean make(Target target, Map<String, String> metadata, PublicAccess access) {
    BlobOperation create = new BlobOperation.CreateContainer(target.name, metadata, access);
    try {
      execute(target.account, create);
      return true;
    } catch (ServiceException e) {
      if (!e.error().equals(BlobErrors.CONTAINER_ALREADY_EXISTS)) {
        throw e;
      }
    }
    if (replace) {
      breakLease(target);
      execute(target.account, new BlobOperation.DeleteContainer(target.name, RequestTerms.NONE));
      execute(target.account, create);
    }
    return replace;
  }

  private void breakLease(Target target) {
    try {
      LeaseAction now = new LeaseAction.Break(0);
      execute(target.account, new BlobOperation.LeaseContainer(target.name, now, Conditions.NONE));
    } catch (ServiceException e) {
      // There was none, which is just as well.
    }
  }

  private void setPolicies(Target target, PublicAccess access, LokiDocument document) {
    try {
      List<StoredAccessPolicy> policies =
          ImportedSettings.policies(document.documents("containerAcl"), LETTERS);
      if (!policies.isEmpty()) {
        execute(
            target.account,
            new BlobOperation.ReplaceContainerAccess(
                target.name, access, policies, RequestTerms.NONE));
      }
    } catch (ServiceException e) {
      report.leftOut("access policies of " + target.title(), e);
    }
  }

  private void execute(String account, BlobOperation operation) {
    AzuriteImport.await(
        store.blobs().execute(operation, AzuriteImport.owner(account), AzuriteImport.deadline()));
  }

  /** Makes the operation that takes a lease. */
  @FunctionalInterface
  private interface Leasing {
    BlobOperation of(LeaseAction action);
  }

  /** A lease for a time is over by now: it lasts a minute at most. */
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
              report.leftOut("lease of " + title, "its id is no GUID");
            }
          });
    }
  }

  /** Puts blobs, or snapshots by putting what they hold and taking them. */
  private final class Blobs implements LokiFile.Visitor {
    private final boolean snapshots;

    Blobs(boolean snapshots) {
      this.snapshots = snapshots;
    }

    @Override
    public boolean wants(String collection) {
      return collection.equals(BLOBS);
    }

    @Override
    public void visit(String collection, LokiDocument document) {
      boolean snapshot = !document.text("snapshot").isEmpty();
      Target target = target(document, "blob " + document.text("name"), !snapshots);
      if (target == null || snapshot != snapshots || !document.flag("isCommitted")) {
        return;
      }
      put(target, document, snapshot);
    }
  }

  private @Nullable Target target(LokiDocument document, String what, boolean named) {
    String container = document.text("accountName") + "/" + document.text("containerName");
    if (named && !targets.containsKey(container)) {
      report.leftOut(what, "there is no container " + container);
    }
    return targets.get(container);
  }

  private void put(Target target, LokiDocument document, boolean snapshot) {
    String title =
        (snapshot ? "snapshot " + document.text("snapshot") + " of " : "")
            + "blob "
            + target.account
            + "/"
            + target.name.text()
            + "/"
            + document.text("name");
    try {
      BlobAddress at = new BlobAddress(target.name, BlobName.require(document.text("name")));
      unfinished.merge(new Begun(target.account, at), 0, Integer::sum);
      writer.put(target.account, at, document, metadata(document, title));
      if (snapshot) {
        execute(target.account, new BlobOperation.TakeSnapshot(at, null, RequestTerms.NONE));
        unfinished.merge(new Begun(target.account, at), 1, Integer::sum);
      } else {
        unfinished.remove(new Begun(target.account, at));
        lease(
            document,
            title,
            action -> new BlobOperation.LeaseBlob(at, action, Conditions.NONE),
            target.account);
        count(target);
      }
      report.imported(snapshot ? "snapshots" : "blobs");
    } catch (ServiceException e) {
      report.leftOut(title, e);
    } catch (IOException e) {
      report.leftOut(title, String.valueOf(e.getMessage()));
    }
  }

  /** A blob is as it was or is not there: nobody shall read half of one, or an old snapshot. */
  private void removeUnfinished() {
    unfinished.forEach(
        (begun, snapshots) -> {
          try {
            execute(
                begun.account(),
                new BlobOperation.DeleteBlob(
                    begun.at(), DeletedSnapshots.INCLUDE, RequestTerms.NONE));
          } catch (ServiceException e) {
            // Nothing of it was written.
          }
          if (snapshots > 0) {
            report.leftOut(
                snapshots + " snapshots of blob " + begun.account() + "/" + begun.at().resource(),
                "the blob is left out");
          }
        });
  }

  private void count(Target target) {
    if (++target.blobs % PROGRESS_EVERY == 0) {
      report.progress(target.title() + ": " + target.blobs + " blobs so far");
    }
  }

  /** Those that are committed are in their blobs; these wait for a block list. */
  private final class Blocks implements LokiFile.Visitor {
    @Override
    public boolean wants(String collection) {
      return collection.equals(BLOCKS);
    }

    @Override
    public void visit(String collection, LokiDocument document) {
      String title = "uncommitted block " + document.text("name");
      Target target = target(document, title, true);
      if (target == null) {
        return;
      }
      String blob = document.text("blobName");
      try {
        BlobAddress at = new BlobAddress(target.name, BlobName.require(blob));
        writer.putBlock(target.account, at, document);
        report.imported("uncommitted blocks");
      } catch (ServiceException e) {
        report.leftOut(title + " of blob " + target.name.text() + "/" + blob, e);
      } catch (IOException e) {
        report.leftOut(
            title + " of blob " + target.name.text() + "/" + blob, String.valueOf(e.getMessage()));
      }
    }
  }
}
