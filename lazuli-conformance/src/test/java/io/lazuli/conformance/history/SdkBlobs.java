package io.lazuli.conformance.history;

import com.azure.core.exception.AzureException;
import com.azure.core.util.BinaryData;
import com.azure.core.util.Context;
import com.azure.storage.blob.BlobServiceClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.blob.models.BlobDownloadContentResponse;
import com.azure.storage.blob.models.BlobRequestConditions;
import com.azure.storage.blob.models.BlobStorageException;
import com.azure.storage.blob.models.BlockBlobItem;
import com.azure.storage.blob.options.BlobBreakLeaseOptions;
import com.azure.storage.blob.options.BlockBlobCommitBlockListOptions;
import com.azure.storage.blob.options.BlockBlobSimpleUploadOptions;
import com.azure.storage.blob.specialized.BlobLeaseClient;
import com.azure.storage.blob.specialized.BlobLeaseClientBuilder;
import com.azure.storage.blob.specialized.BlockBlobClient;
import io.lazuli.storage.history.blob.BlobClient;
import io.lazuli.storage.history.blob.BlobRequest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** The official client for blobs. */
final class SdkBlobs implements BlobClient {
  private static final int BLOCKS = 3;
  private static final int INFINITE = -1;

  private final BlobServiceClient service;

  SdkBlobs(String connection) {
    this.service =
        new BlobServiceClientBuilder()
            .connectionString(connection)
            .retryOptions(SdkQueues.once())
            .buildClient();
  }

  @Override
  public void create(String container) {
    service.createBlobContainerIfNotExists(container);
  }

  private BlockBlobClient blob(String container, String blob) {
    return service.getBlobContainerClient(container).getBlobClient(blob).getBlockBlobClient();
  }

  private static List<String> blockIds(BlobRequest request) {
    return IntStream.range(0, BLOCKS)
        .mapToObj(index -> String.format(Locale.ROOT, "%08d-%d", request.number(), index))
        .map(id -> Base64.getEncoder().encodeToString(id.getBytes(StandardCharsets.US_ASCII)))
        .toList();
  }

  @Override
  public boolean stage(String container, String blob, BlobRequest request) throws IOException {
    try {
      for (int i = 0; i < BLOCKS; i++) {
        byte[] block = request.block(i);
        blob(container, blob)
            .stageBlockWithResponse(
                blockIds(request).get(i),
                new ByteArrayInputStream(block),
                block.length,
                null,
                lease(request),
                null,
                Context.NONE);
      }
      return true;
    } catch (BlobStorageException e) {
      return false;
    } catch (AzureException e) {
      throw new IOException(e);
    }
  }

  private static String lease(BlobRequest request) {
    return request.lease() == 0 ? null : BlobRequest.leaseId(request.lease());
  }

  @Override
  public Changed change(String container, String blob, BlobRequest request) throws IOException {
    BlockBlobClient client = blob(container, blob);
    try {
      return switch (request.verb()) {
        case PUT ->
            changed(
                client
                    .uploadWithResponse(
                        new BlockBlobSimpleUploadOptions(BinaryData.fromBytes(request.content()))
                            .setRequestConditions(conditions(request)),
                        null,
                        Context.NONE)
                    .getValue());
        case BLOCKS ->
            changed(
                client
                    .commitBlockListWithResponse(
                        new BlockBlobCommitBlockListOptions(blockIds(request))
                            .setRequestConditions(conditions(request)),
                        null,
                        Context.NONE)
                    .getValue());
        case DELETE ->
            new Changed(
                client
                    .deleteWithResponse(null, conditions(request), null, Context.NONE)
                    .getStatusCode(),
                "");
        case ACQUIRE, RELEASE, BREAK -> lease(client, request);
      };
    } catch (BlobStorageException e) {
      if (e.getStatusCode() >= 500) {
        throw new IOException(e);
      }
      return new Changed(e.getStatusCode(), "");
    } catch (AzureException e) {
      throw new IOException(e);
    }
  }

  private static Changed changed(BlockBlobItem item) {
    return new Changed(201, unquoted(item.getETag()));
  }

  private static Changed lease(BlockBlobClient client, BlobRequest request) {
    int id = request.verb() == BlobRequest.Verb.RELEASE ? request.lease() : request.number();
    BlobLeaseClient lease =
        new BlobLeaseClientBuilder()
            .blobClient(client)
            .leaseId(BlobRequest.leaseId(id))
            .buildClient();
    switch (request.verb()) {
      case ACQUIRE -> lease.acquireLease(INFINITE);
      case RELEASE -> lease.releaseLease();
      default ->
          lease.breakLeaseWithResponse(
              new BlobBreakLeaseOptions().setBreakPeriod(Duration.ZERO), null, Context.NONE);
    }
    return new Changed(200, "");
  }

  private static BlobRequestConditions conditions(BlobRequest request) {
    BlobRequestConditions conditions = new BlobRequestConditions().setLeaseId(lease(request));
    return switch (request.expected()) {
      case BlobRequest.NONE -> conditions;
      case BlobRequest.ABSENT -> conditions.setIfNoneMatch("*");
      default -> conditions.setIfMatch(request.etag());
    };
  }

  @Override
  public Read read(String container, String blob) throws IOException {
    try {
      BlobDownloadContentResponse answer =
          blob(container, blob).downloadContentWithResponse(null, null, null, Context.NONE);
      return new Read(
          BlobRequest.number(answer.getValue().toBytes()),
          unquoted(answer.getDeserializedHeaders().getETag()));
    } catch (BlobStorageException e) {
      if (e.getStatusCode() != 404) {
        throw new IOException(e);
      }
      return new Read(0, "");
    } catch (AzureException e) {
      throw new IOException(e);
    }
  }

  /** Returns the ETag as the client sends it back. */
  private static String unquoted(String etag) {
    return etag.replace("\"", "");
  }

  @Override
  public void close() {}
}
