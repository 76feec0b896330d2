package io.lazuli.client.pattern.sequence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.client.NotRehearsed;
import io.lazuli.client.TestAccount;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.fault.Concurrently;
import io.lazuli.client.fault.Faults;
import io.lazuli.client.fault.LostResponse;
import io.lazuli.client.fault.TestClient;
import io.lazuli.client.table.AsyncTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Flux;

class SequenceTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  private static final SequenceOptions BY_TEN = SequenceOptions.DEFAULT.withRangeSize(10);

  private final TestClient client = TestClient.of(ACCOUNT);
  private final String table = client.newTable();

  @Test
  void ordersAreNumbered() {
    Sequence orders = Sequence.of(client.table(table), "orders");
    long first = orders.next();
    long second = orders.next();

    assertThat(first).isEqualTo(1);
    assertThat(second).isEqualTo(2);
    assertThat(Sequence.of(client.table(table), "orders").next())
        .as("another process")
        .isEqualTo(101);
    assertThat(Sequence.of(client.table(table), "invoices").next())
        .as("another sequence")
        .isEqualTo(1);
  }

  @Test
  @NotRehearsed(NotRehearsed.COUNTS_REQUESTS)
  void aRangeCostsTwoRequests() {
    Sequence orders = sequence(client, table);
    assertThat(client.count(orders::next)).isEqualTo(2);
    assertThat(client.count(() -> take(orders, 9))).isZero();
    assertThat(client.count(() -> take(orders, 11))).isEqualTo(2 * 2);
  }

  @Test
  @NotRehearsed(NotRehearsed.COUNTS_REQUESTS)
  void callersOfOneProcessShareAReservation() {
    Sequence orders = sequence(client, table);
    List<Long> numbers = new ArrayList<>();
    int requests =
        client.count(
            () ->
                numbers.addAll(
                    Flux.range(0, 40)
                        .flatMap(i -> orders.async().next(), 40)
                        .collectList()
                        .blockOptional()
                        .orElseThrow()));
    assertThat(numbers)
        .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, 40).boxed().toList());
    assertThat(requests).isEqualTo(4 * 2);
  }

  @Test
  @NotRehearsed("expects no gaps, and a lost response may leave one")
  void processesNeverGetTheSameNumberAndSeeIncreasingOnes() {
    Set<Long> all = Collections.synchronizedSet(new HashSet<>());
    Concurrently.run(
        5,
        process -> {
          List<Long> numbers = take(sequence(TestClient.of(ACCOUNT), table), 60);
          assertThat(numbers).isSorted();
          numbers.forEach(number -> assertThat(all.add(number)).as("%d", number).isTrue());
        });
    assertThat(all).hasSize(5 * 60);
    assertThat(Collections.max(all)).as("contention leaves no gaps").isEqualTo(5 * 60);
  }

  @Test
  @NotRehearsed("loses chosen responses itself")
  void aLostResponseHandsOutNoRangeTwiceAndLeavesNoGap() {
    for (int request = 1; request <= 2; request++) {
      String name = "orders" + request;
      LostResponse losing = new LostResponse(request);
      Sequence unlucky =
          Sequence.of(losing.tables(ACCOUNT).getTableClient(table), name).with(BY_TEN);
      List<Long> numbers = take(unlucky, 10);
      numbers.addAll(take(Sequence.of(client.table(table), name).with(BY_TEN), 10));
      numbers.addAll(take(unlucky, 10));
      assertThat(numbers)
          .as("the response to request %d was lost", request)
          .isEqualTo(LongStream.rangeClosed(1, 30).boxed().toList());
    }
  }

  @Test
  @NotRehearsed("loses chosen responses itself")
  void aRangeIsAbandonedIfItIsNotCertainWhoReservedIt() {
    Sequence other = sequence(client, table);
    take(other, 10);
    List<Long> others = new ArrayList<>();
    LostResponse losing = new LostResponse(2, () -> others.addAll(take(other, 10)));
    Sequence unlucky =
        Sequence.of(losing.tables(ACCOUNT).getTableClient(table), "orders").with(BY_TEN);
    assertThat(unlucky.next()).isEqualTo(31);
    assertThat(others).startsWith(21L);
  }

  @Test
  @NotRehearsed(NotRehearsed.COUNTS_REQUESTS)
  void aProcessThatDiesLeavesAGapOfAtMostARange() {
    record World(String table, List<Long> numbers) {}
    int requests =
        Faults.in(
                ACCOUNT,
                maker ->
                    new World(maker.newTable(), Collections.synchronizedList(new ArrayList<>())))
            .forEveryCut(
                (here, mortal) -> {
                  Sequence orders = sequence(mortal, here.table());
                  for (int i = 0; i < 15; i++) {
                    here.numbers().add(orders.next());
                  }
                },
                (here, live) -> here.numbers().addAll(take(sequence(live, here.table()), 15)),
                (here, live) -> {
                  assertThat(here.numbers()).doesNotHaveDuplicates().isSorted();
                  assertThat(here.numbers().get(here.numbers().size() - 1))
                      .isLessThanOrEqualTo(20 + 15L);
                });
    assertThat(requests).isEqualTo(2 * 2);
  }

  @Test
  void aRangeIsAbandonedWhenItsTimeIsOver() {
    AtomicLong time = new AtomicLong();
    AsyncSequence orders =
        new AsyncSequence(
            AsyncTable.of(client.table(table), EntityCodec.dynamic()),
            "orders",
            BY_TEN.withRangeMax(Duration.ofSeconds(1)),
            time::get);
    assertThat(take(orders.blocking(), 2)).containsExactly(1L, 2L);
    time.set(Duration.ofSeconds(1).toNanos() - 1);
    assertThat(orders.blocking().next()).isEqualTo(3);
    time.incrementAndGet();
    assertThat(orders.blocking().next()).isEqualTo(11);
  }

  @Test
  void afterAFailureTheNextCallTriesAgain() {
    String missing = TestAccount.uniqueName("missing");
    Sequence orders = sequence(client, missing);
    assertThatThrownBy(orders::next).hasMessageContaining("TableNotFound");
    client.tables().createTable(missing).block();
    assertThat(orders.next()).isEqualTo(1);
  }

  @Test
  void aSequenceStartsWhereItIsToldToAndEndsAtTheLargestNumber() {
    Sequence orders =
        Sequence.of(client.table(table), "orders").with(BY_TEN.withFirst(Long.MAX_VALUE - 15));
    assertThat(orders.next()).isEqualTo(Long.MAX_VALUE - 15);
    take(orders, 9);
    assertThatThrownBy(orders::next).isInstanceOf(ArithmeticException.class);
  }

  @Test
  void faultyOptionsAreRejected() {
    assertThatThrownBy(() -> BY_TEN.withRangeSize(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> BY_TEN.withRangeSize(1_000_001))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> BY_TEN.withRangeMax(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static Sequence sequence(TestClient client, String table) {
    return Sequence.of(client.table(table), "orders").with(BY_TEN);
  }

  private static List<Long> take(Sequence sequence, int count) {
    List<Long> numbers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      numbers.add(sequence.next());
    }
    return numbers;
  }
}
