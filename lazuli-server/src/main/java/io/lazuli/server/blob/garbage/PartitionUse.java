package io.lazuli.server.blob.garbage;

import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.storage.Partition;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Records which versions of which blobs this process is reading, and in which partitions it is
 * about to name content. This process does not remove content in use. Other processes do not see
 * this record. Mutable, thread-safe.
 *
 * <p>Why a reader never loses its version: a reader announces itself here before it reads the
 * properties, which name its version. A removal reads the properties first and this record last. A
 * reader that the removal does not see here announced itself later, so it reads the properties that
 * the removal read, or newer ones. The versions they name are not garbage, because the removal
 * takes place only if the properties are still the same.
 */
public final class PartitionUse {
  /**
   * The users of one partition.
   *
   * @param users the number of users that have not chosen a version yet; while there are any,
   *     nothing may be removed
   * @param versions the number of readers of each version, and of each state of a page blob
   * @param awaited true if a removal kept content because it was in use
   */
  private record Use(int users, Map<Long, Integer> versions, boolean awaited) {
    static final Use NONE = new Use(0, Map.of(), false);

    Use withUsers(int change) {
      return new Use(users + change, versions, awaited);
    }

    Use withVersion(long version, int change) {
      Map<Long, Integer> changed = new HashMap<>(versions);
      int readers = changed.merge(version, change, Integer::sum);
      if (readers == 0) {
        changed.remove(version);
      }
      return new Use(users, changed, awaited);
    }

    boolean isOver() {
      return users == 0 && versions.isEmpty();
    }
  }

  private final Map<Partition, Use> uses = new ConcurrentHashMap<>();
  private final Consumer<Partition> released;

  /**
   * @param released called with a partition when a use has ended there and a removal had to keep
   *     content because of it
   */
  PartitionUse(Consumer<Partition> released) {
    this.released = released;
  }

  /**
   * Announces a user of a partition. Nothing is removed there until the user calls {@link
   * Mark#hold} or {@link Mark#close}.
   */
  public Mark begin(Partition partition) {
    change(partition, use -> use.withUsers(1));
    return new Mark(partition);
  }

  /** Runs work on a partition. Nothing is removed there until the work is complete. */
  public <R> CompletableFuture<R> during(Partition partition, Supplier<CompletableFuture<R>> work) {
    Mark mark = begin(partition);
    // An exception that the work throws becomes the failure of the future, too.
    return CompletableFuture.completedFuture(work)
        .thenCompose(begun -> begun.get())
        .whenComplete((result, failure) -> mark.close());
  }

  /**
   * The content of a partition that must not be removed.
   *
   * @param everything true if nothing may be removed, whatever its version
   * @param versions the versions that are being read, and the states of page blobs
   */
  record InUse(boolean everything, Set<Long> versions) {
    private static final InUse NOTHING = new InUse(false, Set.of());

    /** Returns the states of page blobs that are being read. */
    Set<Long> states() {
      return versions.stream()
          .filter(number -> number < 0)
          .map(number -> -number)
          .collect(Collectors.toSet());
    }
  }

  InUse inUse(Partition partition) {
    Use use = uses.get(partition);
    return use == null ? InUse.NOTHING : new InUse(use.users() > 0, use.versions().keySet());
  }

  boolean isUnused(Partition partition) {
    return !uses.containsKey(partition);
  }

  /** Requests a call of {@code released} when the next use of the partition ends. */
  void await(Partition partition) {
    Use use =
        uses.computeIfPresent(partition, (key, old) -> new Use(old.users(), old.versions(), true));
    if (use == null) {
      released.accept(partition);
    }
  }

  /** One user of a partition. Must be closed once. Any thread may use it, one at a time. */
  public final class Mark implements AutoCloseable {
    private final Partition partition;
    private @Nullable Long version;
    private @Nullable Long state;
    private boolean closed;

    private Mark(Partition partition) {
      this.partition = partition;
    }

    /**
     * Declares that this user needs only the content that the blob has now. Of a page blob, that is
     * a state of its version.
     */
    public void hold(BlobProperties blob) {
      boolean pages = blob.type() == BlobType.PAGE;
      hold(blob.content().version(), pages ? heldState(blob.changedTicks()) : null);
    }

    private synchronized void hold(long heldVersion, @Nullable Long heldState) {
      version = heldVersion;
      state = heldState;
      end(partition, use -> changed(use, heldVersion, heldState, 1).withUsers(-1));
    }

    @Override
    public synchronized void close() {
      if (!closed) {
        closed = true;
        Long held = version;
        Long heldState = state;
        end(partition, use -> held == null ? use.withUsers(-1) : changed(use, held, heldState, -1));
      }
    }

    private static Use changed(Use use, long held, @Nullable Long heldState, int change) {
      Use changed = use.withVersion(held, change);
      return heldState == null ? changed : changed.withVersion(heldState, change);
    }
  }

  /**
   * Returns the number that stands for a state of a page blob among the versions. Versions are
   * positive.
   */
  private static long heldState(long state) {
    return -state;
  }

  private void change(Partition partition, UnaryOperator<Use> change) {
    uses.compute(partition, (key, old) -> change.apply(old == null ? Use.NONE : old));
  }

  /**
   * Ends a use. A waiting removal is retried after every use that ends, because it may have waited
   * for that use.
   */
  private void end(Partition partition, UnaryOperator<Use> change) {
    boolean[] awaited = new boolean[1];
    uses.compute(
        partition,
        (key, old) -> {
          Use left = change.apply(old == null ? Use.NONE : old);
          awaited[0] = left.awaited();
          Use quiet = new Use(left.users(), left.versions(), false);
          return quiet.isOver() ? null : quiet;
        });
    if (awaited[0]) {
      released.accept(partition);
    }
  }
}
