package io.lazuli.server.blob.service;

import io.lazuli.server.account.Caller;
import io.lazuli.server.catalog.Catalog;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.StorageEngine;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * The rules of the blob service, above any engine. Knows no HTTP and no XML. Called on a worker
 * thread; scans, reads and bytes pass there, writes end on the engine's thread.
 */
public final class BlobService implements AutoCloseable {
  /**
   * @param ids of copies; random ones
   */
  public BlobService(StorageEngine engine, Catalog catalog, Supplier<UUID> ids) {}

  /**
   * Does what is asked; anything but an upload. Blocks while it reads. Failures are in the stage,
   * foreseen ones as {@code ServiceException}.
   */
  public CompletionStage<BlobOutcome> execute(
      BlobOperation operation, Caller caller, Deadline deadline) {
    throw new UnsupportedOperationException();
  }

  /**
   * Begins an upload: access, lease, conditions and the state of the blob are judged by what is
   * there now, so that a client that would be refused need not send its body. Blocks.
   *
   * @throws io.lazuli.server.error.ServiceException what to answer without asking for the body
   */
  public BlobUpload upload(BlobOperation.Upload operation, Caller caller, Deadline deadline) {
    throw new UnsupportedOperationException();
  }

  /**
   * Passes if the caller may do that with the resource; throws what to answer otherwise. {@link
   * #execute} asks again, for what the operation turned out to be.
   *
   * @param resource the container, or {@link BlobAddress#resource}; empty if the action has none
   */
  public void requireAllowed(BlobAction action, String resource, Caller caller) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}
}
