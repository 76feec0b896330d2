package io.lazuli.storage.work;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.PartitionView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides which server does which shard. One thread calls {@link #beat} and {@link #leave}; any
 * thread may do the rest. Blocks.
 *
 * <h2>The protocol</h2>
 *
 * <p>A server that does background work has a <i>session</i>: a row with a count, which each beat
 * raises. A shard has a row with the session of its owner, and with the cursor of its round.
 *
 * <ol>
 *   <li>A server may begin a piece of work on a shard for {@link #VALID} after it has <i>sent</i>
 *       the last beat that succeeded, by its own monotonic clock.
 *   <li>A session ends when another server has seen no change of its row for {@link #SILENCE}, by
 *       that server's own monotonic clock, and removes the row. The removal requires the count that
 *       was seen. Nobody compares the clocks of two machines. A server whose own beats failed for a
 *       while measures all silences anew, because the beats of the others probably failed as well.
 *   <li>A beat and a stored cursor require the row of their own session. So a server that was
 *       paused learns that its session has ended before it changes anything here. It then begins
 *       another session, which owns nothing.
 *   <li>A shard is taken only if its row names no owner, or one whose session has no row, in the
 *       same transaction. A stored cursor requires that the row names its own session.
 *   <li>A server gives up a shard only between two pieces, and does not begin another one after
 *       that.
 * </ol>
 *
 * <p>From 1 to 5 it follows that no two servers may begin a piece of one shard at the same time:
 * the beat that a server relies on was committed before the other one saw its count, so the time of
 * rule 1 is over when that of rule 2 is. The difference between the two covers clocks of different
 * speeds. A server that is paused <i>within</i> a piece, or between its check and the piece, may
 * still go on with it when it wakes; therefore every piece can be done twice.
 *
 * <p>Which server takes which shard follows from the rows: the shards in their order are dealt to
 * the sessions in theirs. So the numbers of shards differ by one at most, and nobody negotiates.
 *
 * <p>A store that only one process can open needs none of these rules. There, a session is a mark
 * that says whether the last process ended in order.
 *
 * <p>Not final: {@code WorkProtocolTest} leaves out one rule at a time.
 */
class WorkLeases {
  /** The pause between two beats. */
  static final Duration BEAT = Duration.ofSeconds(5);

  /** How long a server relies on a beat. */
  static final Duration VALID = Duration.ofSeconds(11);

  /** The time without a change after which others end a session. */
  static final Duration SILENCE = Duration.ofSeconds(15);

  /** The sessions at a time. Further servers do no shards, but they end silent sessions. */
  static final int MEMBERS_MAX = 64;

  /**
   * What one beat is going to change.
   *
   * @param session 0 if there is no room for one
   * @param joins true if the session begins
   * @param silent the counts of the sessions to end
   */
  private record Plan(
      long session,
      boolean joins,
      SortedMap<Long, Long> silent,
      List<ShardKey> take,
      List<Bytes> notes) {}

  /** What one beat has changed. */
  private record Beaten(
      boolean expelled,
      Map<ShardKey, ShardState> taken,
      int takenOver,
      int ended,
      List<byte[]> notes) {
    static final Beaten EXPELLED = new Beaten(true, Map.of(), 0, 0, List.of());
  }

  private final WorkRows rows;
  private final boolean shared;
  private final String label;
  private final LongSupplier nanoTime;
  private final LongSupplier sessions;
  private final Silences silences = new Silences(SILENCE);

  /** When the last beat ended that succeeded. */
  private long beatenNanos;

  @GuardedBy("this")
  private final SortedMap<String, Integer> walks = new TreeMap<>();

  @GuardedBy("this")
  private final Map<ShardKey, Held> held = new TreeMap<>();

  @GuardedBy("this")
  private long session;

  /** The session that the last join was to begin, if its outcome is unknown; otherwise 0. */
  @GuardedBy("this")
  private long joining;

  @GuardedBy("this")
  private boolean beyondLimit;

  @GuardedBy("this")
  private long count;

  @GuardedBy("this")
  private long validUntilNanos;

  @GuardedBy("this")
  private long losses;

  /** Losses of this server that are not stored yet. */
  @GuardedBy("this")
  private long ownLosses;

  /** What the last beat saw. */
  @GuardedBy("this")
  private WorkTable table = WorkTable.EMPTY;

  @GuardedBy("this")
  private boolean takesNotes;

  @GuardedBy("this")
  private long takenOver;

  @GuardedBy("this")
  private long expelled;

  /**
   * @param shared false if this process owns the store
   * @param sessions returns numbers that no other server gets, and never 0
   */
  WorkLeases(
      WorkRows rows, boolean shared, String label, LongSupplier nanoTime, LongSupplier sessions) {
    this.rows = rows;
    this.shared = shared;
    this.label = label;
    this.nanoTime = nanoTime;
    this.sessions = sessions;
    this.beatenNanos = nanoTime.getAsLong();
  }

  /** Announces that this server can do a walk; from the next beat on, it gets shards of it. */
  synchronized void add(String walk, int shards) {
    walks.put(walk, shards);
  }

  /** Announces that this server continues with the notes that others leave. */
  synchronized void takeNotes() {
    takesNotes = true;
  }

  /**
   * Does rules 1 to 5 for one beat.
   *
   * @return notes that a server left, and that are now this server's
   */
  List<byte[]> beat() {
    if (nanoTime.getAsLong() - beatenNanos > BEAT.multipliedBy(2).toNanos()) {
      silences.restart();
    }
    List<byte[]> notes = tryBeat();
    beatenNanos = nanoTime.getAsLong();
    return notes;
  }

  private List<byte[]> tryBeat() {
    WorkTable found = WorkTable.of(rows.all());
    silences.observe(found.members(), nanoTime.getAsLong());
    Plan plan;
    Map<ShardKey, Held> leaving = new TreeMap<>();
    synchronized (this) {
      table = found;
      losses = Math.max(losses, found.losses());
      plan = plan(found, leaving);
    }
    long sentNanos = nanoTime.getAsLong();
    Member own;
    long lost;
    synchronized (this) {
      if (plan.session == 0 && plan.silent.isEmpty() && ownLosses == 0) {
        return List.of();
      }
      own = new Member(plan.session, ++count, label, Set.copyOf(walks.keySet()));
      lost = ownLosses;
    }
    Beaten beaten;
    try {
      beaten =
          rows.change(
              touched(plan, leaving.keySet()), view -> carryOut(view, plan, own, lost, leaving));
    } catch (RuntimeException e) {
      if (!plan.notes.isEmpty()) {
        // They may be removed.
        lose();
      }
      throw e;
    }
    synchronized (this) {
      if (beaten.expelled) {
        end();
        return List.of();
      }
      ownLosses -= lost;
      losses += lost + beaten.ended;
      session = plan.session;
      if (session == 0) {
        return List.of();
      }
      joining = 0;
      validUntilNanos = reliesUntil(sentNanos);
      takenOver += beaten.takenOver;
      leaving.keySet().forEach(held::remove);
      adopt(found, leaving.keySet());
      beaten.taken.forEach((key, state) -> held.put(key, new Held(key, session, state)));
      return beaten.notes;
    }
  }

  @GuardedBy("this")
  private Plan plan(WorkTable found, Map<ShardKey, Held> leaving) {
    SortedMap<Long, Long> silent =
        shared ? silences.silent(nanoTime.getAsLong()) : Silences.counts(found.members());
    boolean began = session == 0 && found.members().containsKey(joining);
    long own = began ? joining : session;
    silent.remove(own);
    SortedMap<Long, Set<String>> alive = new TreeMap<>();
    found.members().forEach((rival, member) -> alive.put(rival, member.walks()));
    alive.keySet().removeAll(silent.keySet());
    boolean joins = own == 0 && (!shared || alive.size() < MEMBERS_MAX);
    beyondLimit = own == 0 && !joins;
    if (beyondLimit) {
      return new Plan(0, false, silent, List.of(), List.of());
    } else if (joins) {
      // A number is never used again after its row has gone: others may have taken its shards.
      joining = sessions.getAsLong();
      own = joining;
    }
    alive.put(own, walks.keySet());
    List<ShardKey> take = new ArrayList<>();
    if (shared) {
      deal(found, own, alive, take, leaving);
    }
    List<Bytes> notes =
        takesNotes && !found.notes().isEmpty() ? found.notes().subList(0, 1) : List.of();
    return new Plan(own, joins, silent, take, notes);
  }

  /** Finds what this server takes and gives up, so that each session gets its share. */
  @GuardedBy("this")
  private void deal(
      WorkTable found,
      long own,
      SortedMap<Long, Set<String>> alive,
      List<ShardKey> take,
      Map<ShardKey, Held> leaving) {
    SortedMap<ShardKey, ShardState> all = new TreeMap<>(found.shards());
    keys().forEach(key -> all.putIfAbsent(key, ShardState.NEW));
    Map<ShardKey, Long> dealt = Dealing.deal(all.keySet(), alive);
    for (Map.Entry<ShardKey, ShardState> shard : all.entrySet()) {
      ShardKey key = shard.getKey();
      boolean due = dealt.getOrDefault(key, 0L) == own;
      long owner = shard.getValue().owner();
      Held mine = held.get(key);
      if (mine != null && owner != own) {
        // It was given up, and the answer was lost.
        held.remove(key);
      }
      if (due && owner != own && !alive.containsKey(owner)) {
        take.add(key);
      } else if (mine != null && owner == own) {
        mine.leaving = !due && (mine.leaving || mayGiveUp(mine.busy));
        if (mine.leaving) {
          leaving.put(key, mine);
        }
      }
    }
  }

  @GuardedBy("this")
  private List<ShardKey> keys() {
    List<ShardKey> keys = new ArrayList<>();
    walks.forEach(
        (walk, shards) -> {
          for (int shard = 0; shard < shards; shard++) {
            keys.add(new ShardKey(walk, shard));
          }
        });
    return keys;
  }

  private static List<Bytes> touched(Plan plan, Set<ShardKey> leaving) {
    List<Bytes> touch = new ArrayList<>();
    touch.add(plan.session == 0 ? WorkTable.LOSSES : Member.row(plan.session));
    plan.silent.keySet().forEach(rival -> touch.add(Member.row(rival)));
    plan.take.forEach(key -> touch.add(key.row()));
    leaving.forEach(key -> touch.add(key.row()));
    touch.addAll(plan.notes);
    return touch;
  }

  private Beaten carryOut(
      PartitionView view, Plan plan, Member own, long lost, Map<ShardKey, Held> leaving) {
    if (plan.session != 0) {
      Bytes row = Member.row(plan.session);
      if (!plan.joins && !hasSession(view.read(row))) {
        return Beaten.EXPELLED;
      }
      view.put(row, own.encode());
    }
    Set<Long> ended = new HashSet<>();
    plan.silent.forEach(
        (rival, seen) -> {
          byte[] value = view.read(Member.row(rival));
          if (value != null && isUnchanged(value, seen)) {
            view.delete(Member.row(rival));
            ended.add(rival);
          }
        });
    addLosses(view, lost + ended.size());
    Map<ShardKey, ShardState> taken = new TreeMap<>();
    int takenOver = 0;
    for (ShardKey key : plan.take) {
      ShardState state = ShardState.decode(view.read(key.row()));
      boolean free = state.owner() == 0;
      if (free || ended.contains(state.owner()) || isGone(view.read(Member.row(state.owner())))) {
        ShardState mine = state.ownedBy(plan.session);
        view.put(key.row(), mine.encode());
        taken.put(key, mine);
        takenOver += free ? 0 : 1;
      }
    }
    leaving.forEach(
        (key, shard) -> {
          if (ShardState.decode(view.read(key.row())).owner() == plan.session) {
            view.put(key.row(), shard.state.ownedBy(0).encode());
          }
        });
    List<byte[]> notes = new ArrayList<>();
    for (Bytes left : plan.notes) {
      byte[] value = view.read(left);
      if (value != null) {
        view.delete(left);
        notes.add(value.clone());
      }
    }
    return new Beaten(false, taken, takenOver, ended.size(), notes);
  }

  /** Returns until when this server relies on a beat (rule 1). */
  long reliesUntil(long sentNanos) {
    return sentNanos + VALID.toNanos();
  }

  /** Returns whether a rival has not beaten since it was seen (rule 2). */
  boolean isUnchanged(byte[] row, long seenCount) {
    return Member.count(row) == seenCount;
  }

  /** Returns whether nobody has ended this session, of which this is the row (rule 3). */
  boolean hasSession(byte @Nullable [] row) {
    return row != null;
  }

  /** Returns whether the owner of a shard has ended, whose row this is (rule 4). */
  boolean isGone(byte @Nullable [] row) {
    return row == null;
  }

  /** Returns whether a cursor may be stored (rules 3 and 4). */
  boolean mayStore(byte @Nullable [] ownRow, long owner, long session) {
    return ownRow != null && owner == session;
  }

  /** Returns whether a shard may be given up while a piece of it is under way (rule 5). */
  boolean mayGiveUp(boolean underWay) {
    return !underWay;
  }

  private static void addLosses(PartitionView view, long more) {
    if (more > 0) {
      byte[] old = view.read(WorkTable.LOSSES);
      view.put(WorkTable.LOSSES, WorkTable.encodeLosses(WorkTable.losses(old) + more));
    }
  }

  /**
   * Holds what the rows give to this session although it does not know that: an answer was lost, or
   * this process owns the store.
   */
  @GuardedBy("this")
  private void adopt(WorkTable found, Set<ShardKey> left) {
    if (!shared) {
      keys()
          .forEach(
              key ->
                  held.computeIfAbsent(
                      key,
                      k -> new Held(k, session, found.shards().getOrDefault(k, ShardState.NEW))));
      return;
    }
    found
        .shards()
        .forEach(
            (key, state) -> {
              if (state.owner() == session && !left.contains(key)) {
                held.computeIfAbsent(key, k -> new Held(k, session, state));
              }
            });
  }

  @GuardedBy("this")
  private void end() {
    session = 0;
    joining = 0;
    held.clear();
    expelled++;
  }

  /**
   * Gives everything up, so that others can continue immediately. A server without a session leaves
   * its notes and losses as well.
   *
   * @param notes what another server is to continue with; null for nothing
   */
  void leave(byte @Nullable [] notes) {
    Map<ShardKey, Held> all;
    long own;
    long lost;
    synchronized (this) {
      long last = session == 0 ? joining : session;
      lost = ownLosses;
      if (last == 0 && notes == null && lost == 0) {
        return;
      }
      // The row of the notes needs a number.
      own = last == 0 ? sessions.getAsLong() : last;
      all = new TreeMap<>(held);
      held.clear();
      session = 0;
      joining = 0;
    }
    List<Bytes> touch = new ArrayList<>();
    touch.add(Member.row(own));
    all.keySet().forEach(key -> touch.add(key.row()));
    boolean unused =
        rows.change(
            touch,
            view -> {
              addLosses(view, lost);
              if (notes != null) {
                view.put(WorkTable.notesRow(own), notes.clone());
              }
              if (view.read(Member.row(own)) != null) {
                view.delete(Member.row(own));
                all.values().forEach(shard -> leave(view, shard));
              }
              return true;
            });
    synchronized (this) {
      ownLosses -= lost;
      losses += lost;
    }
  }

  private void leave(PartitionView view, Held shard) {
    byte[] stored = view.read(shard.key.row());
    ShardState last = shard.state.ownedBy(0);
    boolean changed = !last.equals(ShardState.decode(stored));
    if (changed && (!shared || ShardState.decode(stored).owner() == shard.session)) {
      view.put(shard.key.row(), last.encode());
    }
  }

  /** Returns the shards of a walk that this server may work on now. */
  synchronized List<Held> held(String walk) {
    List<Held> found = new ArrayList<>();
    held.forEach(
        (key, shard) -> {
          if (key.walk().equals(walk) && mayWork(shard)) {
            found.add(shard);
          }
        });
    return found;
  }

  synchronized boolean holds(String walk, int shard) {
    Held found = held.get(new ShardKey(walk, shard));
    return found != null && mayWork(found);
  }

  @GuardedBy("this")
  private boolean mayWork(Held shard) {
    return !shard.leaving && (!shared || nanoTime.getAsLong() - validUntilNanos < 0);
  }

  /** Begins a piece of work. Returns false if the shard does not belong to this server any more. */
  synchronized boolean begin(Held shard) {
    boolean may = held.get(shard.key) == shard && mayWork(shard);
    shard.busy = may;
    return may;
  }

  /** Ends a piece of work. */
  synchronized void end(Held shard, ShardState reached) {
    shard.busy = false;
    shard.state = reached;
  }

  /**
   * Stores what a shard has reached.
   *
   * @return false if it does not belong to this server any more
   */
  boolean store(Held shard, ShardState reached) {
    Bytes row = shard.key.row();
    Bytes own = Member.row(shard.session);
    byte[] value = (shared ? reached.ownedBy(shard.session) : reached.ownedBy(0)).encode();
    boolean stored =
        rows.change(
            shared ? List.of(own, row) : List.of(row),
            view -> {
              boolean mine =
                  !shared
                      || mayStore(
                          view.read(own), ShardState.decode(view.read(row)).owner(), shard.session);
              if (mine) {
                view.put(row, value.clone());
              }
              return mine;
            });
    if (stored) {
      shard.stored = reached;
    } else {
      synchronized (this) {
        held.remove(shard.key, shard);
      }
    }
    return stored;
  }

  /** Notes that this server has forgotten something that only a full round finds again. */
  synchronized void lose() {
    ownLosses++;
  }

  /** Returns how often something was forgotten, by any server. */
  synchronized long losses() {
    return losses + ownLosses;
  }

  /** Returns what the last beat saw of all servers. */
  synchronized WorkTable table() {
    return table;
  }

  /** Returns the shards of this server. */
  synchronized Map<ShardKey, Held> held() {
    return new TreeMap<>(held);
  }

  /** Returns how many shards this server has taken from servers that had ended without order. */
  synchronized long takenOver() {
    return takenOver;
  }

  /** Returns how often other servers ended the session of this one. */
  synchronized long expelled() {
    return expelled;
  }

  /** Returns whether this server takes no part, because as many others as may do so take part. */
  synchronized boolean isBeyondLimit() {
    return beyondLimit;
  }
}
