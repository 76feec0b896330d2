package io.lazuli.storage.history;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether calls on one object can be put into an order that explains every answer and
 * respects time: a call that ended before another one started comes first. Mutable; for one thread.
 *
 * <p>The check follows the calls in time. It keeps every configuration that is still possible: a
 * state, and which of the calls under way have already taken effect in it. A call takes effect as
 * late as possible: when it ends, the calls under way are tried in every order until it has taken
 * effect. If no configuration is left, no order explains the answers.
 *
 * <p>Two observations keep the configurations few. A call that changes nothing takes effect as soon
 * as the state explains its answer, because this excludes nothing. A call whose answer was lost
 * never has to take effect, so a configuration in which fewer of them have taken effect permits
 * everything that the same state with more of them permits.
 */
public final class Linearization {
  private static final int SLOTS = Long.SIZE;
  private static final int CONFIGURATIONS_MAX = 20_000;
  private static final int CONFIGURATIONS_UNPRUNED = 16;

  /** A state, and the slots of the calls under way that have taken effect in it. */
  private record Configuration(long[] state, long done) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Configuration that
          && done == that.done
          && Arrays.equals(state, that.state);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(state) * 31 + Long.hashCode(done);
    }
  }

  /**
   * The first call whose answer no order explains.
   *
   * @param states all states in which the server could have been while the call was under way
   * @param underWay the calls that had no answer yet, without the call itself
   */
  public record Contradiction(Call call, List<long[]> states, List<Call> underWay) {}

  private final Call[] slots = new Call[SLOTS];
  private Set<Configuration> configurations = new HashSet<>();
  private long used;
  private long changing;
  private long open;
  private boolean undecided;

  public Linearization(long[] state) {
    configurations.add(new Configuration(state, 0));
  }

  /**
   * Checks more calls. None of them may have started before a call of an earlier list ended, unless
   * the answer of the earlier one was lost.
   *
   * @return null if there is an order, or if there are too many orders to try
   */
  public @Nullable Contradiction add(Collection<Call> calls) {
    List<Call> starts = new ArrayList<>(calls);
    starts.sort(Comparator.comparingLong(Call::start));
    List<Call> ends = new ArrayList<>(calls);
    ends.removeIf(Call::isOpen);
    ends.sort(Comparator.comparingLong(Call::end));
    int next = 0;
    for (Call ended : ends) {
      while (next < starts.size() && starts.get(next).start() <= ended.end()) {
        begin(starts.get(next++));
      }
      Contradiction found = undecided ? null : end(ended);
      if (found != null) {
        return found;
      }
    }
    while (next < starts.size()) {
      begin(starts.get(next++));
    }
    return null;
  }

  /** Returns true if the check gave up because too many calls were under way at the same time. */
  public boolean isUndecided() {
    return undecided;
  }

  /** Returns the states that are possible now, without the effects of calls under way. */
  public List<long[]> states() {
    return configurations.stream().map(Configuration::state).toList();
  }

  private void begin(Call call) {
    int slot = Long.numberOfTrailingZeros(~used);
    if (slot == SLOTS) {
      undecided = true;
      return;
    }
    long bit = 1L << slot;
    slots[slot] = call;
    used |= bit;
    if (call.step().changes()) {
      changing |= bit;
      open |= call.isOpen() ? bit : 0;
    } else {
      Set<Configuration> settled = new HashSet<>();
      for (Configuration each : configurations) {
        boolean explained = call.step().apply(each.state()) != null;
        settled.add(explained ? new Configuration(each.state(), each.done() | bit) : each);
      }
      configurations = settled;
    }
  }

  private @Nullable Contradiction end(Call call) {
    long bit = 1L << slotOf(call);
    Set<Configuration> left = new HashSet<>();
    Set<Configuration> tried = new HashSet<>(configurations);
    Deque<Configuration> untried = new ArrayDeque<>(configurations);
    while (!untried.isEmpty()) {
      Configuration each = untried.pop();
      if ((each.done() & bit) != 0) {
        left.add(new Configuration(each.state(), each.done() & ~bit));
        continue;
      }
      for (long rest = changing & ~each.done(); rest != 0; rest &= rest - 1) {
        Configuration after = take(each, Long.numberOfTrailingZeros(rest));
        if (after != null && tried.add(after)) {
          untried.push(after);
        }
      }
      if (tried.size() > CONFIGURATIONS_MAX) {
        undecided = true;
        return null;
      }
    }
    if (left.isEmpty()) {
      return contradiction(call, tried, bit);
    }
    used &= ~bit;
    changing &= ~bit;
    configurations = left.size() > CONFIGURATIONS_UNPRUNED ? withoutDominated(left) : left;
    return null;
  }

  /** Lets a call take effect; returns null if the state does not explain its answer. */
  private @Nullable Configuration take(Configuration before, int slot) {
    long[] state = slots[slot].step().apply(before.state());
    if (state == null || (state == before.state() && slots[slot].isOpen())) {
      return null;
    }
    long done = before.done() | (1L << slot);
    for (long rest = used & ~changing & ~done; rest != 0; rest &= rest - 1) {
      int reader = Long.numberOfTrailingZeros(rest);
      if (slots[reader].step().apply(state) != null) {
        done |= 1L << reader;
      }
    }
    return new Configuration(state, done);
  }

  private int slotOf(Call call) {
    for (int slot = 0; slot < SLOTS; slot++) {
      if ((used & (1L << slot)) != 0 && slots[slot].equals(call)) {
        return slot;
      }
    }
    throw new IllegalStateException("not under way: " + call);
  }

  private Set<Configuration> withoutDominated(Set<Configuration> all) {
    Map<Configuration, List<Long>> fewest = new HashMap<>();
    for (Configuration each : all) {
      Configuration key = new Configuration(each.state(), each.done() & ~open);
      List<Long> taken = fewest.computeIfAbsent(key, unused -> new ArrayList<>());
      long own = each.done() & open;
      if (taken.stream().noneMatch(other -> (other & ~own) == 0)) {
        taken.removeIf(other -> (own & ~other) == 0);
        taken.add(own);
      }
    }
    Set<Configuration> kept = new HashSet<>();
    fewest.forEach(
        (key, taken) ->
            taken.forEach(own -> kept.add(new Configuration(key.state(), key.done() | own))));
    return kept;
  }

  private Contradiction contradiction(Call call, Set<Configuration> tried, long bit) {
    List<Call> underWay = new ArrayList<>();
    for (long rest = used & ~bit; rest != 0; rest &= rest - 1) {
      underWay.add(slots[Long.numberOfTrailingZeros(rest)]);
    }
    return new Contradiction(call, tried.stream().map(Configuration::state).toList(), underWay);
  }
}
