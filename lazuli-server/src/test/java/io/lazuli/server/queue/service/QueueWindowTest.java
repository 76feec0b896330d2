package io.lazuli.server.queue.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.queue.service.QueueScan.Found;
import io.lazuli.storage.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class QueueWindowTest {
  private final QueueWindow window = new QueueWindow(new SplittableRandom(1));

  @Test
  void eachMessageIsClaimedOnceAndInOrder() {
    List<Found> rows = rows(5);
    search(rows);
    assertThat(window.claim(2)).containsExactly(rows.get(0).id(), rows.get(1).id());
    assertThat(window.claim(2)).containsExactly(rows.get(2).id(), rows.get(3).id());
    search(rows);
    assertThat(window.claim(2)).containsExactly(rows.get(4).id());
  }

  @Test
  void aMessageThatIsReleasedDuringASearchIsNotOfferedAgain() {
    List<Found> rows = rows(3);
    search(rows);
    List<UUID> claimed = window.claim(1);
    QueueWindow.Search search = window.begin(1);
    window.release(claimed, List.of());
    window.changed(rows.get(1).id());
    window.end(search, rows);
    assertThat(window.claim(3)).containsExactly(rows.get(2).id());
  }

  @Test
  void afterAnotherServerWasFasterAnEighthIsOfferedAndTheRestIsNotForgotten() {
    List<Found> rows = rows(32);
    search(rows);
    List<UUID> claimed = window.claim(1);
    window.release(claimed, claimed);
    assertThat(window.claim(1)).isEmpty();
    long arrival = window.now();
    QueueWindow.Search search = search(rows);
    assertThat(search.hasShownSince(arrival)).isTrue();
    // Otherwise a get that finds the eighth claimed would say that the queue is empty.
    assertThat(search.isFull()).isTrue();
    assertThat(window.claim(32)).hasSize(4).isSubsetOf(rows.stream().map(Found::id).toList());
  }

  @Test
  void whatThisServerHasChangedItselfIsNoSignOfAnother() {
    List<Found> rows = rows(32);
    search(rows);
    List<UUID> claimed = window.claim(1);
    window.changed(claimed.get(0));
    window.release(claimed, claimed);
    assertThat(window.claim(32)).hasSize(31);
  }

  @Test
  void aFailedSearchShowsNothing() {
    long arrival = window.now();
    QueueWindow.Search search = window.begin(1);
    assertThat(window.begin(1)).isNull();
    window.end(search, null);
    assertThat(search.hasShownSince(arrival)).isFalse();
    assertThat(window.begin(1)).isNotNull();
  }

  private QueueWindow.Search search(List<Found> rows) {
    QueueWindow.Search search = window.begin(1);
    window.end(search, rows);
    return search;
  }

  private static List<Found> rows(int count) {
    List<Found> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(new Found(Bytes.of(new byte[] {'v', (byte) i}), UUID.randomUUID()));
    }
    return rows;
  }
}
