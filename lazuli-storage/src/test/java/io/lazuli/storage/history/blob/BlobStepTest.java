package io.lazuli.storage.history.blob;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.history.blob.BlobClient.Changed;
import io.lazuli.storage.history.blob.BlobRequest.Verb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Answers of a blob service are judged by the rules for conditions and leases. */
final class BlobStepTest {
  /**
   * A state, a request, the right answer, and the state afterwards (blob-rest 4, 5).
   *
   * @param held the lease; negative if it is broken
   */
  @ParameterizedTest
  @CsvSource({
    "0,  0, PUT,     0, 0, 201, 9,  0",
    "5,  0, PUT,     0, 0, 201, 9,  0",
    "5,  0, PUT,    -1, 0, 409, 5,  0",
    "0,  0, PUT,    -1, 0, 201, 9,  0",
    "5,  0, PUT,     5, 0, 201, 9,  0",
    "5,  0, PUT,     4, 0, 412, 5,  0",
    "0,  0, PUT,     4, 0, 412, 0,  0",
    "5,  3, PUT,     0, 0, 412, 5,  3",
    "5,  3, PUT,     0, 3, 201, 9,  3",
    "5,  3, PUT,     0, 4, 412, 5,  3",
    "5, -3, PUT,     0, 0, 201, 9,  0",
    "5, -3, PUT,     0, 3, 412, 5, -3",
    "0,  0, PUT,     0, 3, 412, 0,  0",
    "5,  3, BLOCKS,  0, 3, 201, 9,  3",
    "0,  0, DELETE,  0, 0, 404, 0,  0",
    "5,  3, DELETE,  0, 0, 412, 5,  3",
    "5,  3, DELETE,  0, 3, 202, 0,  0",
    "0,  0, ACQUIRE, 0, 0, 404, 0,  0",
    "5,  0, ACQUIRE, 0, 0, 201, 5,  9",
    "5,  3, ACQUIRE, 0, 0, 409, 5,  3",
    "5, -3, ACQUIRE, 0, 0, 201, 5,  9",
    "5,  3, RELEASE, 0, 3, 200, 5,  0",
    "5, -3, RELEASE, 0, 3, 200, 5,  0",
    "5,  4, RELEASE, 0, 3, 409, 5,  4",
    "5,  0, BREAK,   0, 0, 409, 5,  0",
    "5,  3, BREAK,   0, 0, 202, 5, -3",
    "5, -3, BREAK,   0, 0, 202, 5, -3",
  })
  void onlyTheRightAnswerIsAccepted(
      long content,
      long held,
      Verb verb,
      int expected,
      int lease,
      int status,
      long contentAfter,
      long heldAfter) {
    BlobRequest request = new BlobRequest(verb, 9, expected, "e", lease);
    long[] state = {content, held};
    assertThat(new ChangeStep(request, new Changed(status, "")).apply(state))
        .containsExactly(contentAfter, heldAfter);
    assertThat(new ChangeStep(request, ChangeStep.LOST).apply(state))
        .containsExactly(contentAfter, heldAfter);
    int wrong = status < 300 ? 418 : 201;
    assertThat(new ChangeStep(request, new Changed(wrong, "")).apply(state)).isNull();
  }

  @Test
  void contentIsThatOfOneWriteOrDamaged() {
    for (int number : new int[] {1, 64, 123_456}) {
      BlobRequest request = new BlobRequest(Verb.PUT, number, BlobRequest.NONE, "", 0);
      byte[] content = request.content();
      assertThat(BlobRequest.number(content)).isEqualTo(number);
      byte[] parts = new byte[content.length];
      for (int i = 0, at = 0; i < 3; at += request.block(i).length, i++) {
        System.arraycopy(request.block(i), 0, parts, at, request.block(i).length);
      }
      assertThat(parts).isEqualTo(content);
      assertThat(BlobRequest.number(request.block(0))).isEqualTo(BlobRequest.DAMAGED);
    }
    assertThat(BlobRequest.number(new byte[0])).isEqualTo(BlobRequest.DAMAGED);
  }
}
