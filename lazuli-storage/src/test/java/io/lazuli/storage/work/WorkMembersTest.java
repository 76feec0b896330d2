package io.lazuli.storage.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.TransactionBody;
import java.time.Duration;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Who takes part in the work: the limit, lost answers and outages, in simulated time. */
class WorkMembersTest {
  private static final int SHARDS = 4;

  private final Rows rows = new Rows();
  private long nanos = 1;
  private long sessions = 1_000_000;

  /** Rows that cannot be reached for a time, and that lose an answer. */
  private static final class Rows extends MapRows {
    private boolean losesAnswer;
    private boolean readable = true;
    private boolean writable = true;

    @Override
    public NavigableMap<Bytes, byte[]> all() {
      require(readable);
      return super.all();
    }

    @Override
    public <R> R change(List<Bytes> touch, TransactionBody<R> body) {
      require(writable);
      R result = super.change(touch, body);
      require(!losesAnswer);
      return result;
    }

    private static void require(boolean reachable) {
      if (!reachable) {
        throw new StorageException(StorageException.Kind.UNKNOWN_OUTCOME, "no answer");
      }
    }

    private void addMember(long session, long count) {
      rows.put(Member.row(session), new Member(session, count, "old", Set.of("walk")).encode());
    }

    private WorkTable table() {
      return WorkTable.of(rows);
    }

    private Set<Long> members() {
      return table().members().keySet();
    }
  }

  private WorkLeases server(String name) {
    WorkLeases leases = new WorkLeases(rows, true, name, () -> nanos, () -> ++sessions);
    leases.add("walk", SHARDS);
    return leases;
  }

  /** Lets servers beat in their order, every five seconds, for some time. */
  private void run(Duration time, WorkLeases... servers) {
    for (long end = nanos + time.toNanos(); nanos < end; ) {
      for (WorkLeases server : servers) {
        List<byte[]> unused = server.beat();
      }
      nanos += WorkLeases.BEAT.toNanos();
    }
  }

  @Test
  void deadSessionsUpToTheLimitDoNotStopTheWork() {
    for (int i = 1; i <= WorkLeases.MEMBERS_MAX; i++) {
      rows.addMember(i, 1);
    }
    WorkLeases server = server("a");
    run(Duration.ofSeconds(30), server);
    assertThat(rows.members()).hasSize(1);
    assertThat(server.held("walk")).hasSize(SHARDS);
    assertThat(server.losses()).isEqualTo(WorkLeases.MEMBERS_MAX);
  }

  @Test
  void aServerBeyondTheLimitEndsSilentSessionsAndJoinsWhenThereIsRoom() {
    rows.addMember(1, 1);
    WorkLeases server = server("a");
    for (int beat = 0; beat < 6; beat++) {
      for (int i = 2; i <= WorkLeases.MEMBERS_MAX + 1; i++) {
        rows.addMember(i, beat);
      }
      run(WorkLeases.BEAT, server);
    }
    assertThat(rows.members()).hasSize(WorkLeases.MEMBERS_MAX).doesNotContain(1L);
    assertThat(server.isBeyondLimit()).isTrue();
    assertThat(server.held("walk")).isEmpty();
    assertThat(server.losses()).isEqualTo(1);
    rows.rows.remove(Member.row(2));
    run(WorkLeases.BEAT, server);
    assertThat(rows.members()).hasSize(WorkLeases.MEMBERS_MAX).contains(sessions);
    assertThat(server.isBeyondLimit()).isFalse();
  }

  @Test
  void aJoinWhoseAnswerIsLostIsContinued() {
    WorkLeases server = server("a");
    for (int i = 0; i < 3; i++) {
      rows.losesAnswer = true;
      assertThatThrownBy(server::beat).hasMessageContaining("no answer");
    }
    rows.losesAnswer = false;
    run(WorkLeases.BEAT, server);
    assertThat(rows.members()).hasSize(1);
    assertThat(server.held("walk")).hasSize(SHARDS);
    run(Duration.ofSeconds(30), server);
    assertThat(server.losses()).isZero();
  }

  /** Its shards may belong to others by now. */
  @Test
  void aJoinThatOthersHaveEndedIsNotContinued() {
    WorkLeases server = server("a");
    rows.losesAnswer = true;
    assertThatThrownBy(server::beat).hasMessageContaining("no answer");
    rows.losesAnswer = false;
    long first = sessions;
    WorkLeases other = server("b");
    run(Duration.ofSeconds(30), other);
    assertThat(rows.members()).doesNotContain(first);
    run(WorkLeases.BEAT, server);
    assertThat(rows.members()).hasSize(2).doesNotContain(first);
    assertThat(server.held("walk")).isEmpty();
    assertThat(other.held("walk")).hasSize(SHARDS);
  }

  @Test
  void nobodyIsExpelledAfterAnOutage() {
    WorkLeases a = server("a");
    WorkLeases b = server("b");
    run(Duration.ofSeconds(30), a, b);
    run(WorkLeases.BEAT, a);
    rows.readable = false;
    fail(a, b);
    rows.readable = true;
    run(Duration.ofSeconds(10), a, b);
    assertNobodyExpelled(a, b);
  }

  /** A region can answer reads while its log cannot be written. */
  @Test
  void nobodyIsExpelledAfterAnOutageOfWritesOnly() {
    WorkLeases a = server("a");
    WorkLeases b = server("b");
    run(Duration.ofSeconds(30), a, b);
    run(WorkLeases.BEAT, a);
    rows.writable = false;
    fail(a, b);
    rows.writable = true;
    run(Duration.ofSeconds(10), a, b);
    assertNobodyExpelled(a, b);
  }

  @Test
  void aServerThatDiesInAnOutageIsFoundAfterIt() {
    WorkLeases a = server("a");
    WorkLeases b = server("b");
    run(Duration.ofSeconds(30), a, b);
    rows.readable = false;
    fail(a, b);
    rows.readable = true;
    run(WorkLeases.SILENCE.plus(WorkLeases.BEAT), a);
    assertThat(rows.members()).hasSize(1);
    run(WorkLeases.BEAT, a);
    assertThat(a.held("walk")).hasSize(SHARDS);
  }

  @Test
  void aServerBeyondTheLimitLeavesItsNotesAndLosses() {
    for (int i = 1; i <= WorkLeases.MEMBERS_MAX; i++) {
      rows.addMember(i, 1);
    }
    WorkLeases server = server("a");
    run(WorkLeases.BEAT, server);
    assertThat(server.isBeyondLimit()).isTrue();
    assertLeavesNotesAndLosses(server, 0);
    assertThat(rows.members()).hasSize(WorkLeases.MEMBERS_MAX);
  }

  @Test
  void anExpelledServerLeavesItsNotesAndLosses() {
    WorkLeases server = server("a");
    run(WorkLeases.BEAT, server);
    WorkLeases other = server("b");
    run(Duration.ofSeconds(30), other);
    assertThat(rows.members()).hasSize(1);
    // One end is known before it leaves, the other one is not.
    WorkLeases third = server("c");
    run(WorkLeases.BEAT, third);
    run(Duration.ofSeconds(30), other);
    assertThat(third.beat()).isEmpty();
    assertThat(third.expelled()).isEqualTo(1);
    assertLeavesNotesAndLosses(server, 2);
    assertLeavesNotesAndLosses(third, 3);
    assertThat(other.held("walk")).hasSize(SHARDS);
  }

  @Test
  void aServerWhoseFirstBeatFailedLeavesItsNotesAndLosses() {
    WorkLeases server = server("a");
    rows.writable = false;
    assertThatThrownBy(server::beat).hasMessageContaining("no answer");
    rows.writable = true;
    assertLeavesNotesAndLosses(server, 0);
    WorkLeases other = server("b");
    rows.losesAnswer = true;
    assertThatThrownBy(other::beat).hasMessageContaining("no answer");
    rows.losesAnswer = false;
    assertLeavesNotesAndLosses(other, 1);
    assertThat(rows.members()).isEmpty();
  }

  @Test
  void aServerThatHasNothingToLeaveWritesNothing() {
    WorkLeases server = server("a");
    server.leave(null);
    assertThat(rows.rows).isEmpty();
  }

  private void assertLeavesNotesAndLosses(WorkLeases server, long before) {
    int notes = rows.table().notes().size();
    server.lose();
    server.leave(new byte[] {7});
    assertThat(rows.table().notes()).hasSize(notes + 1);
    assertThat(rows.table().losses()).isEqualTo(before + 1);
  }

  private void fail(WorkLeases... servers) {
    for (int i = 0; i < 30; i++) {
      nanos += Duration.ofSeconds(2).toNanos();
      for (WorkLeases server : servers) {
        assertThatThrownBy(server::beat).hasMessageContaining("no answer");
      }
    }
  }

  private void assertNobodyExpelled(WorkLeases... servers) {
    for (WorkLeases server : servers) {
      assertThat(server.expelled()).isZero();
      assertThat(server.losses()).isZero();
      assertThat(server.held("walk")).hasSize(SHARDS / servers.length);
    }
  }
}
