package io.lazuli.storage.hbase.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.hbase.call.CallLimit.Outcome;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** How many calls a lane sends to a region server that has too many. */
class CallLimitTest {
  private static final int MAX = 128;
  private static final long MILLI = Duration.ofMillis(1).toNanos();

  private final CallLimit limit = new CallLimit(MAX, false);
  private long now = 1L << 40;

  private void end(Outcome outcome, long ageMillis) {
    limit.ended(outcome, now - ageMillis * MILLI, now, limit.now(), true);
  }

  private void pass(Duration time) {
    now += time.toNanos();
  }

  @Test
  void oneFallCountsForAllCallsThatWereSentBeforeIt() {
    for (int i = 0; i < 50; i++) {
      end(Outcome.REFUSED, 10);
    }
    assertThat(limit.now()).isEqualTo(MAX / 2);
    pass(Duration.ofMillis(20));
    end(Outcome.REFUSED, 10);
    assertThat(limit.now()).isEqualTo(MAX / 4);
  }

  @Test
  void theLimitFallsBelowWhatWasUnderWay() {
    limit.ended(Outcome.REFUSED, now, now, 20, true);
    assertThat(limit.now()).isEqualTo(10);
  }

  @Test
  void slowAnswersLeaveAFewCallsAndRefusalsOne() {
    for (int i = 0; i < 20; i++) {
      pass(Duration.ofSeconds(2));
      end(Outcome.SLOW, 1_500);
    }
    assertThat(limit.now()).isEqualTo(CallLimit.LATE_MIN);
    for (int i = 0; i < 20; i++) {
      pass(Duration.ofSeconds(2));
      end(Outcome.REFUSED, 1_500);
    }
    assertThat(limit.now()).isEqualTo(1);
    pass(Duration.ofSeconds(2));
    end(Outcome.SLOW, 1_500);
    assertThat(limit.now()).as("a fall never raises it").isEqualTo(1);
  }

  @Test
  void aServerThatAnswersNothingIsNotOverloaded() {
    end(Outcome.ANSWERED, 1);
    pass(Duration.ofSeconds(2));
    for (int i = 0; i < 50; i++) {
      end(Outcome.TIMED_OUT, 1_999);
      end(Outcome.FAILED, 1);
    }
    assertThat(limit.now()).isEqualTo(MAX);
    assertThat(limit.isOverloaded(now)).isFalse();
  }

  @Test
  void aCallWithoutAnswerIsOverloadIfOthersWereAnswered() {
    end(Outcome.ANSWERED, 1);
    end(Outcome.TIMED_OUT, 2_000);
    assertThat(limit.now()).isEqualTo(MAX / 2);
  }

  @Test
  void answersRaiseTheLimitWhileCallsWait() {
    end(Outcome.REFUSED, 1);
    int low = limit.now();
    limit.ended(Outcome.ANSWERED, now, now, low, false);
    assertThat(limit.now()).as("nothing waits").isEqualTo(low);
    for (int i = 0; i < 8 * MAX; i++) {
      end(Outcome.ANSWERED, 1);
    }
    assertThat(limit.now()).isEqualTo(MAX);
  }

  @Test
  void overloadLastsWhileTheLimitFallsAgainAndAgain() {
    for (int i = 0; i < 5; i++) {
      end(Outcome.REFUSED, 0);
      pass(Duration.ofSeconds(3));
    }
    assertThat(limit.overloadedFor(now)).isEqualTo(Duration.ofSeconds(12));
    pass(CallLimit.CALM);
    assertThat(limit.overloadedFor(now)).isZero();
    end(Outcome.REFUSED, 0);
    assertThat(limit.overloadedFor(now)).as("it begins again").isZero();
  }

  @Test
  void aFixedLimitStays() {
    CallLimit fixed = new CallLimit(MAX, true);
    fixed.ended(Outcome.REFUSED, now, now, MAX, true);
    assertThat(fixed.now()).isEqualTo(MAX);
  }

  /**
   * A region server that answers two calls in a millisecond and refuses what does not fit into its
   * queue. A refusal costs it half as much as an answer.
   */
  @Test
  void aServerWithAShortQueueIsKeptBusyWithFewRefusals() {
    Random random = new Random(1);
    Deque<Long> queue = new ArrayDeque<>();
    int answered = 0;
    int refused = 0;
    for (int milli = 0; milli < 20_000; milli++) {
      pass(Duration.ofMillis(1));
      for (int i = 0; i < 2 && !queue.isEmpty(); i++) {
        long sent = queue.remove();
        limit.ended(Outcome.ANSWERED, sent, now, queue.size() + 1, true);
        answered++;
      }
      while (queue.size() < limit.now()) {
        if (queue.size() >= 20 + random.nextInt(10)) {
          limit.ended(Outcome.REFUSED, now, now, queue.size() + 1, true);
          refused++;
          break;
        }
        queue.add(now);
      }
    }
    assertThat(answered).as("of 40,000").isGreaterThan(39_000);
    assertThat(refused).isLessThan(answered / 10);
  }
}
