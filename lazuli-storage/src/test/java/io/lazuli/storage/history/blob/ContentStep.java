package io.lazuli.storage.history.blob;

import io.lazuli.storage.history.Step;
import io.lazuli.storage.history.blob.BlobClient.Read;

/** A read of a blob. */
record ContentStep(Read answer) implements Step {
  @Override
  public long[] apply(long[] state) {
    return state[BlobRequest.CONTENT] == answer.number() ? state : null;
  }

  @Override
  public boolean changes() {
    return false;
  }

  @Override
  public boolean touches(int cell) {
    return cell == BlobRequest.CONTENT;
  }

  @Override
  public long seen(int cell) {
    return touches(cell) ? answer.number() : UNSEEN;
  }

  @Override
  public long number() {
    return 0;
  }

  @Override
  public String toString() {
    return "get -> " + (answer.number() == 0 ? "nothing" : answer.number() + " " + answer.etag());
  }
}
