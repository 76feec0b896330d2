package io.lazuli.storage.hbase.balance;

import io.lazuli.storage.PartitionMap.Action;
import io.lazuli.storage.PartitionMap.Totals;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The balancer's latest steps, the newest first, the totals of all steps, and what was begun. A
 * step that is repeated within an hour replaces its older entry. Immutable.
 *
 * @param operations when operations by load were tried within the last hour, in milliseconds
 */
public record BalanceJournal(
    List<Action> actions, Totals totals, List<Long> operations, BegunSteps begun) {
  public static final BalanceJournal EMPTY =
      new BalanceJournal(List.of(), Totals.NONE, List.of(), BegunSteps.NONE);

  private static final int FORMAT = 1;
  private static final int ACTIONS_MAX = 50;
  private static final Duration HOUR = Duration.ofHours(1);
  private static final int TEXT_MAX = 400;

  public BalanceJournal {
    actions = List.copyOf(actions);
    operations = List.copyOf(operations);
  }

  /** The way in which a step ended. */
  public enum Ending {
    DONE,
    FAILED,
    /** The step was done for an operator, and does not count against the hourly limit. */
    ORDERED,
    /** The step was reported and not carried out. */
    REPORTED
  }

  /** Returns the journal with a step that begins. */
  public BalanceJournal begun(Instant now, BalanceStep step, String what) {
    return new BalanceJournal(actions, totals, operations, begun.with(now, step, cut(what)));
  }

  /**
   * Returns the journal with one more step that has ended. A repeated report counts once.
   *
   * @param what the description of the step
   */
  public BalanceJournal with(
      Instant now, BalanceStep step, String what, Ending ending, String outcome) {
    Action action = new Action(now, cut(what), cut(step.why()), cut(outcome));
    List<Action> newer = new ArrayList<>(List.of(action));
    boolean repeated = false;
    for (Action old : actions) {
      boolean same = isRepeat(old, action);
      repeated |= same;
      if (!same && newer.size() < ACTIONS_MAX) {
        newer.add(old);
      }
    }
    return new BalanceJournal(
        newer,
        counted(step, ending, repeated),
        operations(now, (ending == Ending.DONE || ending == Ending.FAILED) && step.isOperation()),
        begun.without(step));
  }

  /** Returns how many operations were tried within the last hour. */
  public int operationsLastHour(Instant now) {
    return operations(now, false).size();
  }

  private List<Long> operations(Instant now, boolean oneMore) {
    List<Long> recent = new ArrayList<>();
    for (long millis : operations) {
      if (millis > now.minus(HOUR).toEpochMilli()) {
        recent.add(millis);
      }
    }
    if (oneMore) {
      recent.add(now.toEpochMilli());
    }
    return recent;
  }

  private static boolean isRepeat(Action old, Action now) {
    return old.what().equals(now.what())
        && old.outcome().equals(now.outcome())
        && old.time().isAfter(now.time().minus(HOUR));
  }

  private Totals counted(BalanceStep step, Ending ending, boolean repeated) {
    boolean done = ending == Ending.DONE || ending == Ending.ORDERED;
    return new Totals(
        totals.splits() + (done && step instanceof BalanceStep.Split ? 1 : 0),
        totals.merges() + (done && step instanceof BalanceStep.Merge ? 1 : 0),
        totals.moves() + (done && isMove(step) ? 1 : 0),
        totals.tooHot() + (!repeated && step instanceof BalanceStep.TooHot ? 1 : 0),
        totals.failed() + (ending == Ending.FAILED ? 1 : 0));
  }

  private static boolean isMove(BalanceStep step) {
    return step instanceof BalanceStep.Move || step instanceof BalanceStep.Exchange;
  }

  private static String cut(String text) {
    return text.length() <= TEXT_MAX ? text : text.substring(0, TEXT_MAX) + "\u2026";
  }

  public byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(FORMAT);
      out.writeLong(totals.splits());
      out.writeLong(totals.merges());
      out.writeLong(totals.tooHot());
      out.writeLong(totals.failed());
      out.writeInt(operations.size());
      for (long millis : operations) {
        out.writeLong(millis);
      }
      out.writeInt(actions.size());
      for (Action action : actions) {
        out.writeLong(action.time().toEpochMilli());
        out.writeUTF(action.what());
        out.writeUTF(action.why());
        out.writeUTF(action.outcome());
      }
      // Servers of the first version do not read further.
      out.writeLong(totals.moves());
      begun.write(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** Reads a journal. Returns an empty one if a server of another version wrote it. */
  public static BalanceJournal decode(byte[] encoded) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(encoded))) {
      if (in.readByte() != FORMAT) {
        return EMPTY;
      }
      long splits = in.readLong();
      long merges = in.readLong();
      long tooHot = in.readLong();
      long failed = in.readLong();
      List<Long> operations = new ArrayList<>();
      for (int count = in.readInt(); count > 0; count--) {
        operations.add(in.readLong());
      }
      List<Action> actions = new ArrayList<>();
      for (int count = in.readInt(); count > 0; count--) {
        Instant time = Instant.ofEpochMilli(in.readLong());
        actions.add(new Action(time, in.readUTF(), in.readUTF(), in.readUTF()));
      }
      boolean more = in.available() > 0;
      Totals totals = new Totals(splits, merges, more ? in.readLong() : 0, tooHot, failed);
      return new BalanceJournal(
          actions, totals, operations, more ? BegunSteps.read(in) : BegunSteps.NONE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
