package io.lazuli.storage.hbase.commit;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.engine.ViewRules;
import io.lazuli.storage.hbase.call.EngineThreads;
import io.lazuli.storage.hbase.call.RegionCalls;
import io.lazuli.storage.hbase.call.RegionScan;
import io.lazuli.storage.hbase.call.Rows;
import io.lazuli.storage.hbase.call.Steps;
import io.lazuli.storage.hbase.lease.HomeRecord;
import io.lazuli.storage.thread.OutOfMemory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.client.Durability;

/**
 * Runs transactions to their ends. An attempt runs the body and then commits its changes. A body
 * that needs more than was fetched is stopped, and runs again after the fetch. If the commit is
 * refused because another transaction was faster, another attempt follows after a random time.
 * Bodies run on the workers of the engine. Never blocks. Thread-safe.
 */
public final class Attempts {
  private static final int ATTEMPTS_MAX = 100;
  private static final int WAIT_MILLIS_MAX = 64;

  /** The number of rows that the next attempt fetches because the last one did. */
  private static final int REMEMBERED_ROWS_MAX = 1_000;

  private final RegionCalls calls;
  private final Rows rows;
  private final RegionScan scan;
  private final Committer committer;
  private final ClusterClock clock;
  private final Durability durability;
  private final EngineThreads threads;
  private final WriteIds ids = new WriteIds();
  private final Guesses guesses = new Guesses();
  private final LongAdder conflicts = new LongAdder();
  private final LongAdder unknown = new LongAdder();
  private final ClusterHealth health = new ClusterHealth(System::nanoTime);

  public Attempts(
      RegionCalls calls,
      Rows rows,
      RegionScan scan,
      Committer committer,
      ClusterClock clock,
      Durability durability,
      EngineThreads threads) {
    this.calls = calls;
    this.rows = rows;
    this.scan = scan;
    this.committer = committer;
    this.clock = clock;
    this.durability = durability;
    this.threads = threads;
  }

  /**
   * Returns how many commits were refused because another transaction had written the same records.
   */
  public long conflicts() {
    return conflicts.sum();
  }

  /** Returns how many transactions ended with an unknown outcome. */
  public long unknownOutcomes() {
    return unknown.sum();
  }

  /** Returns how many commits were sent in calls that they shared. */
  public long shared() {
    return committer.shared();
  }

  /** Returns the reason why the cluster counts as unavailable; empty if it is available. */
  public String fault() {
    return health.fault();
  }

  /** Runs a body of the engine itself until it is committed. */
  public <R> CompletableFuture<R> run(
      Partition partition, Deadline deadline, Function<TransactionView, R> body) {
    return run(
        partition,
        RowHints.NONE,
        deadline,
        body,
        Contention.NONE,
        new DropPermit(System::nanoTime));
  }

  /**
   * Runs a body until it is committed.
   *
   * @param contention learns of each refused commit
   * @param permit the drops that may be committed. If the body drops another space, the future
   *     fails with {@link NotAnnounced}
   */
  <R> CompletableFuture<R> run(
      Partition partition,
      RowHints hints,
      Deadline deadline,
      Function<TransactionView, R> body,
      Contention contention,
      DropPermit permit) {
    Run<R> run = new Run<>(partition, hints, deadline, body, contention, permit);
    run.begin(1);
    return Steps.rescue(
        Steps.map(
            run.result,
            value -> {
              health.succeeded();
              return value;
            }),
        failure -> {
          if (failure instanceof StorageException e) {
            health.failed(e);
            if (e.kind() == StorageException.Kind.UNKNOWN_OUTCOME) {
              unknown.increment();
            } else if (e.kind() == StorageException.Kind.TIMEOUT) {
              return CompletableFuture.failedFuture(calls.late(String.valueOf(e.getMessage())));
            }
          }
          return CompletableFuture.failedFuture(failure);
        });
  }

  /** One transaction with all its attempts. Used by one thread at a time. */
  private final class Run<R> {
    private final Partition partition;
    private final RowHints hints;
    private final Deadline deadline;
    private final Function<TransactionView, R> body;
    private final Contention contention;
    private final DropPermit permit;
    private final CompletableFuture<R> result = new CompletableFuture<>();

    /** The rows that the last attempt fetched. The next one will probably need them too. */
    private final Set<Bytes> remembered = new LinkedHashSet<>();

    /** True if rows that are probably absent are not read. */
    private boolean guessing;

    Run(
        Partition partition,
        RowHints hints,
        Deadline deadline,
        Function<TransactionView, R> body,
        Contention contention,
        DropPermit permit) {
      this.partition = partition;
      this.hints = hints;
      this.deadline = deadline;
      this.body = body;
      this.contention = contention;
      this.permit = permit;
      this.guessing =
          !hints.probablyAbsent().isEmpty() && guesses.mayGuess(partition.space().number());
    }

    void begin(int attempt) {
      if (attempt > ATTEMPTS_MAX) {
        result.completeExceptionally(
            new StorageException(
                StorageException.Kind.UNAVAILABLE,
                "too many other transactions write to the same records"));
        return;
      }
      Fetched fetched = new Fetched(partition, rows, scan, deadline);
      if (guessing) {
        fetched.guessAbsent(hints.probablyAbsent());
      }
      List<Bytes> wanted = new ArrayList<>(remembered);
      hints.touch().stream()
          .filter(row -> !ViewRules.isHidden(partition.space(), row))
          .forEach(wanted::add);
      List<Bytes> first = fetched.missing(wanted);
      if (first.isEmpty()) {
        threads.execute(() -> guarded(() -> runBody(attempt, fetched)));
      } else {
        Steps.listen(
            Steps.begin(() -> fetched.fetch(first)), result, done -> runBody(attempt, fetched));
      }
    }

    private void guarded(Runnable step) {
      try {
        step.run();
      } catch (Throwable e) {
        OutOfMemory.check(e);
        result.completeExceptionally(e);
      }
    }

    /** Runs the body on a worker, and again after everything that it was stopped for. */
    private void runBody(int attempt, Fetched fetched) {
      calls.requireOpen();
      deadline.check();
      TransactionView view = new TransactionView(attempt, fetched, clock);
      Runnable end;
      try {
        R value = body.apply(view);
        end = () -> commit(attempt, fetched, view, value);
      } catch (Throwable e) {
        OutOfMemory.check(e);
        if (view.missing() == null && !view.dependsOnGuess()) {
          throw e;
        }
        end = () -> readInstead(attempt, fetched);
      }
      view.close();
      Supplier<CompletableFuture<Boolean>> missing = view.missing();
      if (missing == null) {
        end.run();
      } else {
        fetched.countStop();
        Steps.listen(Steps.begin(missing), result, done -> runBody(attempt, fetched));
      }
    }

    private void commit(int attempt, Fetched fetched, TransactionView view, R value) {
      CompletableFuture<Boolean> committed =
          Steps.then(
              fetched.fetch(rowsForCommit(view)),
              done -> {
                prepare(view, permit);
                Commit commit = new Commit(view, clock, ids.next(), durability);
                return send(view, commit, attempt > 1 || contention.isContended());
              });
      Steps.listen(
          committed,
          result,
          done -> {
            if (done) {
              result.complete(value);
            } else if (view.dependsOnGuess()) {
              readInstead(attempt, fetched);
            } else {
              refused(attempt, fetched);
            }
          });
    }

    /**
     * Reads the rows that were guessed, and runs the body again. This is not a new attempt, because
     * no other transaction was faster.
     */
    private void readInstead(int attempt, Fetched fetched) {
      guessing = false;
      guesses.wrong(partition.space().number());
      remember(fetched);
      begin(attempt);
    }

    private void refused(int attempt, Fetched fetched) {
      conflicts.increment();
      contention.conflict();
      remember(fetched);
      Steps.listen(calls.pause(waitAfter(attempt)), result, rested -> begin(attempt + 1));
    }

    private void remember(Fetched fetched) {
      remembered.clear();
      fetched.rows().stream().limit(REMEMBERED_ROWS_MAX).forEach(remembered::add);
    }
  }

  /** Returns the rows whose content the commit needs, whether the body has read them or not. */
  private List<Bytes> rowsForCommit(TransactionView view) {
    for (Space space : view.drops()) {
      view.putOwn(OwnRows.dropped(space.number()), OwnRows.encode(clock.cellMillis()));
    }
    List<Bytes> needed = new ArrayList<>();
    if (!view.drops().isEmpty()) {
      needed.add(OwnRows.HOME);
    }
    if (!view.table().keysNeverRecur()) {
      needed.addAll(view.changes().keySet());
    }
    return needed;
  }

  /**
   * Makes the changed rows conditions. If spaces were dropped, raises the epoch, from which all
   * servers learn of the drop.
   */
  private static void prepare(TransactionView view, DropPermit permit) {
    if (view.drops().isEmpty()) {
      permit.dropNothing();
    } else {
      HomeRecord home = StoredHome.decode(view.condition(OwnRows.HOME));
      view.putOwn(OwnRows.HOME, permit.drop(home, view.drops()).encode());
    }
    if (!view.table().keysNeverRecur()) {
      view.conditions().addAll(view.changes().keySet());
    }
  }

  private CompletableFuture<Boolean> send(TransactionView view, Commit commit, boolean alone) {
    if (!commit.changesNothing()) {
      return committer.commit(commit, view.deadline(), alone);
    }
    // Nothing is written. A single row was read at one point in time. Several rows may have been
    // read at different times, so they are checked together. A guess was not read at all.
    return commit.conditions().size() < 2 && !view.dependsOnGuess()
        ? CompletableFuture.completedFuture(true)
        : committer.holds(commit, view.deadline());
  }

  private static Duration waitAfter(int attempt) {
    int bound = attempt <= 6 ? 1 << (attempt - 1) : WAIT_MILLIS_MAX;
    return Duration.ofMillis(ThreadLocalRandom.current().nextInt(1, bound + 2));
  }
}
