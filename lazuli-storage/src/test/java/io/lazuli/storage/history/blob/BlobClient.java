package io.lazuli.storage.history.blob;

import java.io.IOException;

/**
 * A client of a blob service, for one thread. Every method throws if the answer was lost; the
 * request may then have taken effect. No method sends a request twice.
 */
public interface BlobClient extends AutoCloseable {
  /** Creates a container, until it exists. */
  void create(String container);

  /** Stages the blocks of a request. Returns false if one was refused. */
  boolean stage(String container, String blob, BlobRequest request) throws IOException;

  /** Sends a request; that of {@link BlobRequest.Verb#BLOCKS} commits blocks that are staged. */
  Changed change(String container, String blob, BlobRequest request) throws IOException;

  /** Reads a blob. */
  Read read(String container, String blob) throws IOException;

  /**
   * The answer to a change.
   *
   * @param etag empty if there is none
   */
  record Changed(int status, String etag) {}

  /**
   * The answer to a read.
   *
   * @param number of the content; zero if there is no blob
   */
  record Read(int number, String etag) {}
}
