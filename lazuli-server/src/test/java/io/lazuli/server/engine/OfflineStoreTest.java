package io.lazuli.server.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.access.Caller;
import io.lazuli.server.blob.model.BlobName;
import io.lazuli.server.blob.model.BlobTags;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.model.ContainerName;
import io.lazuli.server.blob.model.HttpProperties;
import io.lazuli.server.blob.model.PublicAccess;
import io.lazuli.server.blob.request.BlobAddress;
import io.lazuli.server.blob.request.BlobSettings;
import io.lazuli.server.blob.request.ExpectedChecksums;
import io.lazuli.server.blob.request.RequestTerms;
import io.lazuli.server.blob.service.BlobOperation;
import io.lazuli.server.blob.service.BlobUpload;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.storage.Deadline;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OfflineStoreTest {
  private static final Caller OWNER = new Caller("devstoreaccount1", false);
  private static final int LARGE = 100_000;

  /** A caller may abort an upload in a finally block, even after it has ended. */
  @Test
  void anUploadThatHasEndedCannotBeAborted(@TempDir Path folder) {
    ServerConfig config = ServerConfig.builder().dataFolder(folder).build();
    BlobAddress at = new BlobAddress(new ContainerName("box"), new BlobName("large"));
    try (OfflineStore store = OfflineStore.open(config.store())) {
      execute(
          store, new BlobOperation.CreateContainer(at.container(), Map.of(), PublicAccess.NONE));
      BlobUpload upload =
          store.blobs().upload(put(at), OWNER, Deadline.NEVER).toCompletableFuture().join();
      upload.take(ByteBuffer.allocate(LARGE)).toCompletableFuture().join();
      upload.end(Deadline.NEVER).toCompletableFuture().join();
      upload.abort();
      assertThat(execute(store, new BlobOperation.GetBlob(at, null, null, RequestTerms.NONE)))
          .isNotNull();
    }
  }

  private static Object execute(OfflineStore store, BlobOperation operation) {
    return store.blobs().execute(operation, OWNER, Deadline.NEVER).toCompletableFuture().join();
  }

  private static BlobOperation.PutBlob put(BlobAddress at) {
    BlobSettings settings = new BlobSettings(HttpProperties.NONE, Map.of(), BlobTags.NONE, null);
    return new BlobOperation.PutBlob(
        at, BlobType.BLOCK, settings, RequestTerms.NONE, LARGE, ExpectedChecksums.NONE);
  }
}
