package io.lazuli.storage.history.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.history.Call;
import io.lazuli.storage.history.Violation;
import io.lazuli.storage.history.queue.MessageEvent.Kind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The check of a message finds each kind of violation, and none in a correct life. */
final class MessageCheckTest {
  private static final long SECOND = 1_000_000_000L;

  private final List<MessageEvent> events = new ArrayList<>();
  private final List<Long> lostGets = new ArrayList<>();

  MessageCheckTest() {
    event(Kind.PUT, 0, 1, "", "r0", 0, 0);
  }

  @Test
  void aCorrectLifePasses() {
    event(Kind.PEEK, 2, 3, "", "", 0, 0);
    event(Kind.HAND_OUT, 4, 5, "", "r1", 1, 1);
    event(Kind.REFUSED, 6, 7, "r0", "", 0, 0);
    event(Kind.UPDATE, 6, 7, "r1", "r2", 30, 0);
    event(Kind.UPDATE, 8, 9, "r2", "r3", 0, 0);
    event(Kind.PEEK, 10, 11, "", "", 0, 1);
    event(Kind.HAND_OUT, 10, 11, "", "r4", 1, 2);
    event(Kind.HAND_OUT, SECOND + 10, SECOND + 12, "", "r5", 30, 3);
    event(Kind.DELETE, SECOND + 13, SECOND + 14, "r5", "", 0, 0);
    event(Kind.REFUSED, SECOND + 15, SECOND + 16, "r5", "", 0, 0);
    assertThat(kind()).isNull();
  }

  @Test
  void aMessageThatIsHeldIsNotHandedOut() {
    event(Kind.HAND_OUT, 4, 5, "", "r1", 30, 1);
    event(Kind.HAND_OUT, 6, 7, "", "r2", 30, 2);
    assertThat(kind()).isEqualTo(Violation.Kind.HANDED_OUT_TWICE);
  }

  @Test
  void twoHandOutsHaveDifferentNumbers() {
    event(Kind.HAND_OUT, 4, 5, "", "r1", 1, 1);
    event(Kind.HAND_OUT, 4, 7, "", "r1", 1, 1);
    assertThat(kind()).isEqualTo(Violation.Kind.HANDED_OUT_TWICE);
  }

  @Test
  void aMessageThatIsHeldIsNotShown() {
    event(Kind.HAND_OUT, 4, 5, "", "r1", 30, 1);
    event(Kind.PEEK, 6, 7, "", "", 0, 1);
    assertThat(kind()).isEqualTo(Violation.Kind.HANDED_OUT_TWICE);
  }

  @Test
  void aPeekDoesNotShowTheStateBeforeAHandOut() {
    event(Kind.HAND_OUT, 4, 5, "", "r1", 30, 1);
    event(Kind.PEEK, 6, 7, "", "", 0, 0);
    assertThat(kind()).isEqualTo(Violation.Kind.STALE_READ);
  }

  @Test
  void anUpdateWithoutAnAnswerMayReleaseAMessage() {
    event(Kind.HAND_OUT, 4, 5, "", "r1", 30, 1);
    event(Kind.UPDATE, 6, Call.NEVER, "r1", "", 0, 0);
    event(Kind.HAND_OUT, 9, 10, "", "r2", 30, 2);
    assertThat(kind()).isNull();
  }

  @Test
  void aDeletedMessageDoesNotReturn() {
    event(Kind.DELETE, 4, 5, "r0", "", 0, 0);
    event(Kind.HAND_OUT, 6, 7, "", "r1", 30, 1);
    assertThat(kind()).isEqualTo(Violation.Kind.DELETED_RETURNED);
  }

  @Test
  void aDeletedMessageIsNotShown() {
    event(Kind.DELETE, 4, 5, "r0", "", 0, 0);
    event(Kind.PEEK, 6, 7, "", "", 0, 0);
    assertThat(kind()).isEqualTo(Violation.Kind.DELETED_RETURNED);
  }

  @Test
  void anOldReceiptDeletesNothing() {
    event(Kind.HAND_OUT, 4, 5, "", "r1", 30, 1);
    event(Kind.DELETE, 6, 7, "r0", "", 0, 0);
    assertThat(kind()).isEqualTo(Violation.Kind.OLD_RECEIPT);
  }

  @Test
  void anOldReceiptUpdatesNothing() {
    event(Kind.HAND_OUT, 4, 5, "", "r1", 1, 1);
    event(Kind.UPDATE, 6, 7, "r0", "r2", 30, 0);
    assertThat(kind()).isEqualTo(Violation.Kind.OLD_RECEIPT);
  }

  @Test
  void theNewestReceiptIsAccepted() {
    event(Kind.HAND_OUT, 4, 5, "", "r1", 30, 1);
    event(Kind.REFUSED, 6, 7, "r1", "", 0, 0);
    assertThat(kind()).isEqualTo(Violation.Kind.LOST_MESSAGE);
    lostGets.add(5L);
    assertThat(kind()).isNull();
  }

  @Test
  void handOutsAreNotCountedWithoutAGet() {
    event(Kind.HAND_OUT, 4, 5, "", "r1", 30, 2);
    assertThat(kind()).isEqualTo(Violation.Kind.WRONG_ANSWER);
    lostGets.add(3L);
    assertThat(kind()).isNull();
  }

  private void event(
      Kind kind, long start, long end, String used, String issued, int seconds, int dequeues) {
    events.add(new MessageEvent(kind, start, end, 0, used, issued, seconds, dequeues));
  }

  private Violation.Kind kind() {
    return MessageCheck.of("m", events, lostGets, 0).map(Violation::kind).orElse(null);
  }
}
