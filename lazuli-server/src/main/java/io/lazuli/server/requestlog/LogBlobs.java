package io.lazuli.server.requestlog;

import io.lazuli.server.access.Access;
import io.lazuli.server.access.Caller;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobName;
import io.lazuli.server.blob.model.BlobTags;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.model.ContainerName;
import io.lazuli.server.blob.model.HttpProperties;
import io.lazuli.server.blob.model.PublicAccess;
import io.lazuli.server.blob.request.BlobAddress;
import io.lazuli.server.blob.request.BlobSettings;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.blob.request.DeletedSnapshots;
import io.lazuli.server.blob.request.ETagCondition;
import io.lazuli.server.blob.request.ExpectedChecksums;
import io.lazuli.server.blob.request.ListMarker;
import io.lazuli.server.blob.request.NameBounds;
import io.lazuli.server.blob.request.RequestTerms;
import io.lazuli.server.blob.service.BlobOperation;
import io.lazuli.server.blob.service.BlobOperation.AppendBlock;
import io.lazuli.server.blob.service.BlobOperation.CreateContainer;
import io.lazuli.server.blob.service.BlobOperation.DeleteBlob;
import io.lazuli.server.blob.service.BlobOperation.ListBlobs;
import io.lazuli.server.blob.service.BlobOperation.PutBlob;
import io.lazuli.server.blob.service.BlobOperation.ReplaceMetadata;
import io.lazuli.server.blob.service.BlobOperation.Seal;
import io.lazuli.server.blob.service.BlobOperation.Upload;
import io.lazuli.server.blob.service.BlobOutcome;
import io.lazuli.server.blob.service.BlobOutcome.BlobPage;
import io.lazuli.server.blob.service.BlobOutcome.ListedBlob;
import io.lazuli.server.blob.service.BlobService;
import io.lazuli.server.blob.service.BlobUpload;
import io.lazuli.server.error.Futures;
import io.lazuli.server.error.ServiceException;
import io.lazuli.storage.Deadline;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The log blobs of accounts, written through the server's own blob service in the same process. Its
 * methods block and throw a {@link ServiceException} if the service refuses an operation.
 */
final class LogBlobs {
  private static final Duration TIME_MAX = Duration.ofSeconds(30);
  private static final int PAGE_BLOBS_MAX = 1_000;

  private static final RequestTerms IF_NEW =
      new RequestTerms(new Conditions(null, new ETagCondition(true, List.of()), null, null), null);
  private static final HttpProperties TEXT =
      new HttpProperties("text/plain", null, null, null, null, null);

  private final BlobService service;
  private final LogWrites writes;

  LogBlobs(BlobService service) {
    this(service, LogWrites.IGNORED);
  }

  /**
   * @param writes receives every write except the creation of containers
   */
  LogBlobs(BlobService service, LogWrites writes) {
    this.service = service;
    this.writes = writes;
  }

  /** Creates a blob, and its container if that does not exist; false if the blob exists. */
  boolean create(String account, String name, Map<String, String> metadata) {
    try {
      put(account, name, metadata);
      return true;
    } catch (ServiceException e) {
      if (e.error().equals(BlobErrors.CONTAINER_NOT_FOUND)) {
        Futures.await(createContainer(account));
        put(account, name, metadata);
        return true;
      } else if (e.error().equals(BlobErrors.BLOB_ALREADY_EXISTS)) {
        return false;
      }
      throw e;
    }
  }

  private void put(String account, String name, Map<String, String> metadata) {
    BlobSettings settings = new BlobSettings(TEXT, metadata, BlobTags.NONE, null);
    PutBlob put =
        new PutBlob(at(name), BlobType.APPEND, settings, IF_NEW, 0, ExpectedChecksums.NONE);
    upload(account, "PutBlob", put, ByteBuffer.allocate(0));
  }

  /** Creates the container; false if it exists. Does not block. */
  CompletionStage<Boolean> createContainer(String account) {
    CreateContainer create = new CreateContainer(ContainerName.LOGS, Map.of(), PublicAccess.NONE);
    return service
        .execute(create, server(account), deadline())
        .thenApply(made -> true)
        .exceptionally(
            failure -> {
              Throwable cause = Futures.cause(failure);
              if (cause instanceof ServiceException refused
                  && refused.error().equals(BlobErrors.CONTAINER_ALREADY_EXISTS)) {
                return false;
              }
              throw new CompletionException(cause);
            });
  }

  /**
   * Appends a block.
   *
   * @param position the length that the blob must have, so that no block is appended twice
   */
  void append(String account, String name, long position, LogLines block) {
    upload(
        account,
        "AppendBlock",
        new AppendBlock(
            at(name), position, null, RequestTerms.NONE, block.length(), ExpectedChecksums.NONE),
        ByteBuffer.wrap(block.bytes(), 0, block.length()));
  }

  void describe(String account, String name, Map<String, String> metadata) {
    write(account, "SetBlobMetadata", new ReplaceMetadata(at(name), metadata, RequestTerms.NONE));
  }

  /** Seals a blob to which nothing will be appended any more. */
  void seal(String account, String name) {
    write(account, "AppendBlobSeal", new Seal(at(name), null, RequestTerms.NONE));
  }

  void delete(String account, String name) {
    write(
        account,
        "DeleteBlob",
        new DeleteBlob(at(name), DeletedSnapshots.INCLUDE, RequestTerms.NONE));
  }

  /** Returns the first names with a prefix, in order; none if there is no container. */
  List<String> names(String account, String prefix) {
    return page(account, prefix, null).names();
  }

  /** Returns the last name with a prefix; null if there is none. */
  @Nullable String lastName(String account, String prefix) {
    String last = null;
    ListMarker marker = null;
    do {
      Page page = page(account, prefix, marker);
      last = page.names().isEmpty() ? last : page.names().get(page.names().size() - 1);
      marker = page.next();
    } while (marker != null);
    return last;
  }

  private record Page(List<String> names, @Nullable ListMarker next) {}

  private Page page(String account, String prefix, @Nullable ListMarker from) {
    ListBlobs list =
        new ListBlobs(
            ContainerName.LOGS, prefix, NameBounds.NONE, "", from, PAGE_BLOBS_MAX, false, false);
    try {
      BlobPage page = (BlobPage) execute(account, list);
      List<String> names =
          page.items().stream().map(item -> ((ListedBlob) item).name().text()).toList();
      return new Page(names, page.next());
    } catch (ServiceException e) {
      if (e.error().equals(BlobErrors.CONTAINER_NOT_FOUND)) {
        return new Page(List.of(), null);
      }
      throw e;
    }
  }

  private void upload(String account, String name, Upload operation, ByteBuffer body) {
    long began = System.nanoTime();
    int bytes = body.remaining();
    BlobUpload upload = Futures.await(service.upload(operation, server(account), deadline()));
    boolean taken = false;
    try {
      Futures.await(upload.take(body));
      taken = true;
    } finally {
      if (!taken) {
        upload.abort();
      }
    }
    Futures.await(upload.end(deadline()));
    writes.written(account, name, bytes, System.nanoTime() - began);
  }

  private void write(String account, String name, BlobOperation operation) {
    long began = System.nanoTime();
    execute(account, operation);
    writes.written(account, name, 0, System.nanoTime() - began);
  }

  private BlobOutcome execute(String account, BlobOperation operation) {
    return Futures.await(service.execute(operation, server(account), deadline()));
  }

  private static Caller server(String account) {
    return new Caller(account, false, new Access.OfServer());
  }

  private static BlobAddress at(String name) {
    return new BlobAddress(ContainerName.LOGS, new BlobName(name));
  }

  private static Deadline deadline() {
    return Deadline.after(TIME_MAX);
  }
}
