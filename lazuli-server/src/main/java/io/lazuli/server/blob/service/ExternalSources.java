package io.lazuli.server.blob.service;

import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.service.BlobOperation.Source;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Reads the sources of copies that are on other servers. */
public interface ExternalSources {
  /** Refuses every source, as a server does unless its operator listed hosts. */
  ExternalSources NONE =
      source ->
          CompletableFuture.failedFuture(
              BlobErrors.COPY_SOURCE_NOT_LISTED.exception().with("CopySourceStatusCode", "403"));

  /**
   * Opens a source, of which {@code from} must be on another server. The stage fails with a {@code
   * ServiceException}; its status is 500 or higher if another attempt may succeed.
   */
  CompletionStage<ExternalContent> open(Source source);
}
