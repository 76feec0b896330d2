package io.lazuli.server.queue.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.Bytes;
import org.junit.jupiter.api.Test;

class LowestLiveTest {
  private final LowestLive places = new LowestLive(at(0));

  @Test
  void aSearchRaisesThePositionToWhatItFound() {
    LowestLive.Search search = places.begin();
    assertThat(search.from()).isEqualTo(at(0));
    places.end(search, at(5));
    assertThat(position()).isEqualTo(at(5));
  }

  @Test
  void aSearchThatFailedChangesNothing() {
    places.end(places.begin());
    assertThat(position()).isEqualTo(at(0));
  }

  @Test
  void aSlowSearchDoesNotLowerWhatAnotherOneRaised() {
    LowestLive.Search slow = places.begin();
    places.end(places.begin(), at(7));
    places.end(slow, at(5));
    assertThat(position()).isEqualTo(at(7));
  }

  @Test
  void aWriteBelowLowersThePosition() {
    places.end(places.begin(), at(5));
    places.written(at(3));
    assertThat(position()).isEqualTo(at(3));
    places.written(at(4));
    assertThat(position()).isEqualTo(at(3));
  }

  @Test
  void aRowWrittenWhileASearchRanIsNotPassedByIt() {
    LowestLive.Search search = places.begin();
    places.written(at(4));
    places.written(at(6));
    places.end(search, at(9));
    assertThat(position()).isEqualTo(at(4));
  }

  @Test
  void aRowWrittenAfterASearchBeganIsSeenByTheNextOne() {
    places.written(at(4));
    places.end(places.begin(), at(9));
    assertThat(position()).isEqualTo(at(9));
  }

  private Bytes position() {
    LowestLive.Search search = places.begin();
    places.end(search);
    return search.from();
  }

  private static Bytes at(int number) {
    return Bytes.of(new byte[] {'v', (byte) number});
  }
}
