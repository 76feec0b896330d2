package io.lazuli.transfer.table;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.transfer.entity.Entity;
import io.lazuli.transfer.entity.Key;
import io.lazuli.transfer.http.TransferException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a table with several workers, each in a range of keys of its own.
 *
 * <p>The protocol does not say where the keys of a table are. So the scan starts with one part, the
 * whole table. A worker that has nothing to do asks for work; the next worker that ends a page
 * finds a key in the middle of the rest of its part ({@link MiddleKey}), keeps the keys before it,
 * and hands over the others. A part that lies in one partition is split by RowKey. The parts stay
 * in the order of their keys.
 */
final class ParallelScan {
  /** The workers' side of a scan. Each part is used by one worker at a time. */
  interface Sink {
    /** Starts a page, or starts it again after a failure: its entities are forgotten. */
    void begin(Part part) throws IOException;

    void add(Part part, Entity entity) throws IOException;

    /** Ends a page; returns the bytes of output of the part. */
    long commit(Part part) throws IOException;

    /**
     * Called with the lock of the scan after a page.
     *
     * @param important whether parts were split or ended, so that the state must be saved
     */
    void changed(List<Part> parts, boolean important) throws IOException;
  }

  private final Tables table;
  private final String filter;
  private final String select;
  private final Sink sink;

  @GuardedBy("this")
  private final List<Part> parts;

  @GuardedBy("this")
  private final Deque<Part> waiting = new ArrayDeque<>();

  @GuardedBy("this")
  private int hungry;

  @GuardedBy("this")
  private int busy;

  @GuardedBy("this")
  private @Nullable Throwable failure;

  /**
   * @param filter a filter of the user, or empty
   * @param select the names of the wanted properties, or empty for all
   * @param parts the parts of an earlier run, or empty
   */
  ParallelScan(Tables table, String filter, String select, List<Part> parts, Sink sink) {
    this.table = table;
    this.filter = filter;
    this.select = select;
    this.sink = sink;
    this.parts = new ArrayList<>(parts);
    if (parts.isEmpty()) {
      this.parts.add(new Part(0, KeyRange.ALL));
    }
    for (Part part : this.parts) {
      if (!part.isDone()) {
        waiting.add(part);
      }
    }
  }

  /** Reads everything; returns the parts in the order of their keys. */
  List<Part> run(int workers) {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < workers; i++) {
      Thread thread = new Thread(this::work, "scan-" + i);
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new TransferException("interrupted", e);
      }
    }
    synchronized (this) {
      if (failure instanceof TransferException e) {
        throw e;
      }
      if (failure != null) {
        throw new TransferException(String.valueOf(failure.getMessage()), failure);
      }
      return List.copyOf(parts);
    }
  }

  /** The root of a thread: whatever happens must end the scan. */
  private void work() {
    try {
      Part part = take();
      while (part != null) {
        scan(part);
        release(part);
        part = take();
      }
    } catch (Throwable e) {
      synchronized (this) {
        if (failure == null) {
          failure = e;
        }
        notifyAll();
      }
    }
  }

  /** Waits for a part; returns null if there will be none. */
  private synchronized @Nullable Part take() throws InterruptedException {
    hungry++;
    while (waiting.isEmpty() && busy > 0 && failure == null) {
      wait();
    }
    hungry--;
    Part part = failure == null ? waiting.poll() : null;
    if (part != null) {
      busy++;
    }
    return part;
  }

  private synchronized void release(Part part) throws IOException {
    part.finish();
    busy--;
    sink.changed(parts, true);
    notifyAll();
  }

  private void scan(Part part) throws IOException {
    List<String> filters = part.rest().filters();
    for (int i = 0; i < filters.size(); i++) {
      Tables.Token token = null;
      do {
        PageSink page = new PageSink(part);
        token = table.query(combined(filters.get(i)), select, 0, token, page);
        page.commit();
        checkFailure();
        if (wantsSplit() && split(part)) {
          // The filters of the smaller rest start after the last entity.
          filters = part.rest().filters();
          i = -1;
          token = null;
          break;
        }
      } while (token != null);
    }
  }

  private synchronized void checkFailure() {
    if (failure != null) {
      throw new TransferException("another worker failed", failure);
    }
  }

  private synchronized boolean wantsSplit() {
    return hungry > waiting.size();
  }

  /** Hands over the upper half of the rest of a part, if a key in its middle is found. */
  private boolean split(Part part) throws IOException {
    Key last = part.rest().after();
    if (last == null) {
      return false;
    }
    Key to = part.rest().to();
    Key middle = null;
    if (!last.partition().equals(part.unsplit())
        && (to == null || !to.partition().equals(last.partition()))) {
      middle = middlePartition(last, to);
      if (middle == null) {
        part.markUnsplit(last.partition());
      }
    }
    if (middle == null) {
      middle = middleRow(last, to);
    }
    if (middle == null) {
      return false;
    }
    handOver(part, middle, to);
    return true;
  }

  private @Nullable Key middlePartition(Key last, @Nullable Key to) {
    String bounds =
        "PartitionKey gt "
            + KeyRange.quoted(last.partition())
            + (to == null ? "" : " and PartitionKey lt " + KeyRange.quoted(to.partition()))
            + " and PartitionKey ge ";
    String found =
        new MiddleKey(
                text -> {
                  Key first = table.first(bounds + KeyRange.quoted(text));
                  return first == null ? null : first.partition();
                })
            .find(last.partition(), to == null ? null : to.partition());
    return found == null ? null : new Key(found, "");
  }

  private @Nullable Key middleRow(Key last, @Nullable Key to) {
    boolean bounded = to != null && to.partition().equals(last.partition());
    String end = to != null && bounded ? to.row() : null;
    String bounds =
        "PartitionKey eq "
            + KeyRange.quoted(last.partition())
            + " and RowKey gt "
            + KeyRange.quoted(last.row())
            + (end == null ? "" : " and RowKey lt " + KeyRange.quoted(end))
            + " and RowKey ge ";
    String found =
        new MiddleKey(
                text -> {
                  Key first = table.first(bounds + KeyRange.quoted(text));
                  return first == null ? null : first.row();
                })
            .find(last.row(), end);
    return found == null || found.isEmpty() ? null : new Key(last.partition(), found);
  }

  private synchronized void handOver(Part part, Key middle, @Nullable Key to) throws IOException {
    Part upper = new Part(parts.size(), new KeyRange(null, middle, to));
    part.endBefore(middle);
    parts.add(parts.indexOf(part) + 1, upper);
    waiting.add(upper);
    sink.changed(parts, true);
    notifyAll();
  }

  private String combined(String range) {
    if (filter.isEmpty()) {
      return range;
    }
    return range.isEmpty() ? filter : range + " and (" + filter + ")";
  }

  /** A page on its way to the sink. */
  private final class PageSink implements Tables.Page {
    private final Part part;
    private @Nullable Key last;
    private long count;

    PageSink(Part part) {
      this.part = part;
    }

    @Override
    public void begin() throws IOException {
      last = null;
      count = 0;
      try {
        sink.begin(part);
      } catch (IOException e) {
        // A failure of the output is final; one of the answer is not.
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void add(Entity entity) {
      last = entity.key();
      count++;
      try {
        sink.add(part, entity);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    void commit() throws IOException {
      Key end = last;
      if (end != null) {
        long bytes = sink.commit(part);
        synchronized (ParallelScan.this) {
          part.advance(end, count, bytes);
          sink.changed(parts, false);
        }
      }
    }
  }
}
