package io.lazuli.server.blob.partition;

/**
 * Ends a transaction on a blob that has expired and is not removed yet. Nothing is written. The
 * caller removes the blob, which may take several transactions, and runs the body again: it then
 * finds no blob.
 */
public final class ExpiredBlob extends RuntimeException {
  private static final long serialVersionUID = 1;

  ExpiredBlob() {
    super("the blob has expired", null, false, false);
  }
}
