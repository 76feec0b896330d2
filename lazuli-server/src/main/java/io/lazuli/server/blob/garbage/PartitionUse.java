package io.lazuli.server.blob.garbage;

import io.lazuli.storage.Partition;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Which versions of which blobs this process is reading, and where it is about to name content that
 * nothing names yet. What is in use is not removed by this process; others do not know. Mutable,
 * safe for any thread.
 *
 * <p>Why a reader never loses its version: it is announced here before it looks which version there
 * is. A removal looks at the properties first and here at last. A reader that is announced later
 * than that look finds what those properties name, or something newer; neither is garbage, because
 * garbage is removed only if the properties are still the same.
 */
public final class PartitionUse {
  /**
   * Everything that is going on in one partition.
   *
   * @param users that have not said yet which version they use: nothing may be removed
   * @param versions how many readers each has
   * @param awaited true if a removal left something behind that was in use
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
   * @param released told when something is free that a removal had to leave
   */
  PartitionUse(Consumer<Partition> released) {
    this.released = released;
  }

  /** Says that a partition is in use; nothing of it is removed until {@link Mark#hold}. */
  public Mark begin(Partition partition) {
    change(partition, use -> use.withUsers(1));
    return new Mark(partition);
  }

  /** Does work in a partition, of which nothing is removed meanwhile. */
  public <R> R during(Partition partition, Supplier<R> work) {
    Mark mark = begin(partition);
    try {
      return work.get();
    } finally {
      mark.close();
    }
  }

  /**
   * The content of a partition that must not be removed.
   *
   * @param everything true if nothing may be removed, whatever its version
   * @param versions the versions that are being read
   */
  record InUse(boolean everything, Set<Long> versions) {
    private static final InUse NOTHING = new InUse(false, Set.of());
  }

  InUse inUse(Partition partition) {
    Use use = uses.get(partition);
    return use == null ? InUse.NOTHING : new InUse(use.users() > 0, use.versions().keySet());
  }

  boolean isUnused(Partition partition) {
    return !uses.containsKey(partition);
  }

  /** Whoever had to leave something behind will be told when anything is free. */
  void await(Partition partition) {
    Use use =
        uses.computeIfPresent(partition, (key, old) -> new Use(old.users(), old.versions(), true));
    if (use == null) {
      released.accept(partition);
    }
  }

  /** One user of a partition. Closed once; safe for any thread, used by one at a time. */
  public final class Mark implements AutoCloseable {
    private final Partition partition;
    private @Nullable Long version;
    private boolean closed;

    private Mark(Partition partition) {
      this.partition = partition;
    }

    /** From now on only this version is needed. */
    public synchronized void hold(long held) {
      version = held;
      end(partition, use -> use.withVersion(held, 1).withUsers(-1));
    }

    @Override
    public synchronized void close() {
      if (!closed) {
        closed = true;
        Long held = version;
        end(partition, use -> held == null ? use.withUsers(-1) : use.withVersion(held, -1));
      }
    }
  }

  private void change(Partition partition, UnaryOperator<Use> change) {
    uses.compute(partition, (key, old) -> change.apply(old == null ? Use.NONE : old));
  }

  /** Whoever waits looks again whenever something ends; it may be that. */
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
