package io.lazuli.storage.history.blob;

import io.lazuli.storage.history.Step;
import io.lazuli.storage.history.blob.BlobClient.Changed;
import io.lazuli.storage.history.blob.BlobRequest.Verb;

/**
 * A request that may change a blob.
 *
 * @param answer {@link #LOST} if there is none
 */
record ChangeStep(BlobRequest request, Changed answer) implements Step {
  static final Changed LOST = new Changed(0, "");
  private static final int ACCEPTED = 202;
  private static final int REFUSED = 400;
  private static final int CONFLICT = 409;

  @Override
  public long[] apply(long[] state) {
    long content = state[BlobRequest.CONTENT];
    long lease = state[BlobRequest.LEASE];
    // Another write removes staged blocks, in which case the list cannot be committed.
    if (request.verb() == Verb.BLOCKS && answer.status() == REFUSED) {
      return state;
    }
    // If there are staged blocks and nothing else, a deletion removes them (blob-rest 10.6).
    if (request.verb() == Verb.DELETE && content == 0 && answer.status() == ACCEPTED) {
      return state;
    }
    // Put Block makes a broken lease available (blob-rest 5.2), and is not recorded.
    if (lease < 0 && request.isOfALease() && answer.status() == CONFLICT) {
      return state;
    }
    int refusal = request.refusal(content, lease);
    if (refusal != 0) {
      return answer.equals(LOST) || answer.status() == refusal ? state : null;
    }
    if (answer.status() >= REFUSED) {
      return null;
    }
    return new long[] {request.contentAfter(content), request.leaseAfter(lease)};
  }

  @Override
  public boolean changes() {
    return answer.status() < REFUSED;
  }

  @Override
  public boolean touches(int cell) {
    return cell == BlobRequest.LEASE || !request.isOfALease();
  }

  @Override
  public long number() {
    return request.number();
  }

  @Override
  public String toString() {
    return request
        + " -> "
        + (answer.equals(LOST) ? "lost" : answer.status() + " " + answer.etag());
  }
}
