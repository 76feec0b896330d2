package io.lazuli.storage.hbase.reclaim;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.hbase.balance.BalanceStep;
import io.lazuli.storage.hbase.balance.RegionSample;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the records of dropped spaces some time after the drop, in bounded turns. It sweeps each
 * space again a day later, for late writes, and then removes the record of the drop.
 *
 * <p>A turn continues with the drop after the last one. A drop continues at the key that is
 * recorded with it, so that a new leader does not read over the same delete markers again. A drop
 * that fails waits for its next turn and does not delay others. Every step is idempotent, even if
 * two servers run it at the same time. Used by one thread. Blocks.
 */
public final class Reclaimer {
  private static final Logger log = LoggerFactory.getLogger(Reclaimer.class);
  private static final int DROPS_PER_PAGE = 1_000;
  private static final int KEYS_PER_PAGE = 1_000;
  private static final Duration SECOND_SWEEP = Duration.ofHours(24);

  /** How long a large space may wait for splits before its rows are deleted one by one. */
  private static final Duration CUT_WAIT_MAX = Duration.ofHours(6);

  /** The way in which the work on a drop ended. */
  private enum Outcome {
    DONE,
    /** The turn ended first. */
    CUT_SHORT,
    /** The cluster has other work to do first, or the drop failed. */
    WAITS
  }

  private final DropLedger ledger;
  private final SpaceRows rows;
  private final ReclaimSettings settings;
  private final ReclaimPlan plan;
  private final boolean mayCut;
  private final LongSupplier millis;

  /** The position of the current round over all drops. */
  private Bytes position = Bytes.EMPTY;

  private boolean cutShortThisRound;
  private String faultThisRound = "";
  private int waitingThisRound;
  private volatile String fault = "";
  private volatile int waiting;

  /**
   * Creates a reclaimer.
   *
   * @param mayCut true if it may split regions
   * @param millis the cluster's clock
   */
  public Reclaimer(
      DropLedger ledger,
      SpaceRows rows,
      ReclaimSettings settings,
      boolean mayCut,
      LongSupplier millis) {
    this.ledger = ledger;
    this.rows = rows;
    this.settings = settings;
    this.plan = new ReclaimPlan(settings);
    this.mayCut = mayCut;
    this.millis = millis;
  }

  /**
   * Removes due records for one turn.
   *
   * @param leader returns true as long as this server may continue
   * @return true if there is more to do immediately
   */
  public boolean run(BooleanSupplier leader) {
    return run(
        new ReclaimTurn(
            leader,
            System::nanoTime,
            duration -> LockSupport.parkNanos(duration.toNanos()),
            settings.rowsPerSecond()));
  }

  /** Returns why records could not be removed in the last round; empty if all could. */
  public String fault() {
    return fault;
  }

  /** Returns the number of dropped spaces that the last round left with records. */
  public int waiting() {
    return waiting;
  }

  boolean run(ReclaimTurn turn) {
    try {
      return continueRound(turn);
    } catch (StorageException e) {
      fault = String.valueOf(e.getMessage());
      throw e;
    }
  }

  private boolean continueRound(ReclaimTurn turn) {
    while (turn.mayBeginDrop()) {
      List<Drop> some = ledger.next(position, DROPS_PER_PAGE);
      if (some.isEmpty()) {
        return endRound();
      }
      for (Drop drop : some) {
        if (!turn.mayBeginDrop()) {
          return turn.mayLead();
        }
        position = drop.key().successor();
        Outcome outcome = Outcome.WAITS;
        if (isDue(drop)) {
          turn.countDrop();
          outcome = process(drop, turn);
          cutShortThisRound |= outcome == Outcome.CUT_SHORT;
        }
        waitingThisRound += outcome == Outcome.DONE || drop.swept() ? 0 : 1;
      }
    }
    return turn.mayLead();
  }

  private boolean endRound() {
    boolean again = cutShortThisRound;
    cutShortThisRound = false;
    fault = faultThisRound;
    faultThisRound = "";
    waiting = waitingThisRound;
    waitingThisRound = 0;
    position = Bytes.EMPTY;
    return again;
  }

  private boolean isDue(Drop drop) {
    return age(drop).compareTo(drop.swept() ? SECOND_SWEEP : Duration.ZERO) >= 0;
  }

  /** Returns the time since the records were first due. */
  private Duration age(Drop drop) {
    return Duration.ofMillis(millis.getAsLong() - drop.millis()).minus(settings.after());
  }

  private Outcome process(Drop drop, ReclaimTurn turn) {
    Sweep sweep = new Sweep(drop);
    Outcome outcome = Outcome.WAITS;
    try {
      try {
        outcome = sweep.run(turn);
      } finally {
        sweep.record(outcome);
      }
      return outcome;
    } catch (StorageException e) {
      if (e.kind() == StorageException.Kind.CLOSED) {
        throw e;
      }
      faultThisRound = String.valueOf(e.getMessage());
      log.warn("reclaiming dropped space {} is postponed: {}", drop.space(), faultThisRound);
      return Outcome.WAITS;
    }
  }

  /** The work on one space in one turn. */
  private final class Sweep {
    private final Drop before;
    private Drop at;

    Sweep(Drop drop) {
      before = drop;
      at = drop;
    }

    Outcome run(ReclaimTurn turn) {
      // Most spaces are small and need no plan: their first page is deleted immediately.
      boolean first = at.rows() == 0;
      while (!at.isAtEnd()) {
        if (!turn.mayContinue()) {
          return Outcome.CUT_SHORT;
        }
        Optional<BalanceStep> step = first ? Optional.empty() : step();
        first = false;
        if (step.orElse(null) instanceof BalanceStep.CutOut cut) {
          rows.cut(cut);
          return Outcome.WAITS;
        }
        if (!(step.orElse(null) instanceof BalanceStep.Truncate truncate && truncate(truncate))) {
          deletePage(turn);
        }
      }
      return Outcome.DONE;
    }

    private Optional<BalanceStep> step() {
      if (!rows.canTruncate()) {
        return Optional.empty();
      }
      boolean cuts = mayCut && !at.swept() && age(at).compareTo(CUT_WAIT_MAX) < 0;
      Optional<RegionSample> region = rows.region(at.space(), at.from());
      return region.flatMap(found -> plan.step(found, at, cuts));
    }

    private boolean truncate(BalanceStep.Truncate step) {
      if (!rows.truncate(step)) {
        return false;
      }
      at = at.at(step.region().to(), 0);
      return true;
    }

    private void deletePage(ReclaimTurn turn) {
      SpaceRows.Page page = rows.keys(at.space(), at.from(), KEYS_PER_PAGE);
      if (!page.keys().isEmpty()) {
        rows.delete(at.space(), page.keys());
      }
      at = at.at(page.next(), page.passesRegion() ? 0 : at.rows() + page.keys().size());
      turn.countRows(page.keys().size());
    }

    void record(Outcome outcome) {
      if (outcome != Outcome.DONE) {
        if (!at.equals(before)) {
          ledger.record(at);
        }
      } else if (at.swept()) {
        ledger.forget(at);
      } else {
        ledger.record(at.afterFirstSweep());
      }
    }
  }
}
