package io.lazuli.server.requestlog;

import io.lazuli.server.access.Access;
import io.lazuli.server.access.Caller;
import io.lazuli.server.blob.model.BlobName;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.ContainerName;
import io.lazuli.server.blob.request.BlobAddress;
import io.lazuli.server.blob.request.DeletedSnapshots;
import io.lazuli.server.blob.request.RequestTerms;
import io.lazuli.server.blob.service.BlobOperation.DeleteBlob;
import io.lazuli.server.blob.service.BlobOperation.GetBlob;
import io.lazuli.server.blob.service.BlobOutcome.BlobOpened;
import io.lazuli.server.blob.service.BlobService;
import io.lazuli.server.catalog.Catalog;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StorageEngineProvider;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.ServiceLoader;
import java.util.UUID;
import java.util.concurrent.ForkJoinPool;

/** A request log without a thread, with a clock that the test sets. */
final class LogsUnderTest implements AutoCloseable {
  private static final Duration LONG = Duration.ofSeconds(30);

  final StorageEngine engine;
  final BlobService blobs;
  final RequestLog log;
  final LogBlobs logBlobs;
  private Instant now = Instant.parse("2026-07-31T18:21:46Z");

  LogsUnderTest(String engine, Path folder, long queueBytesMax) {
    this.engine =
        ServiceLoader.load(StorageEngineProvider.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(provider -> provider.name().equals(engine))
            .findFirst()
            .orElseThrow()
            .open(EngineConfig.of(folder));
    this.blobs =
        new BlobService(
            this.engine, new Catalog(this.engine), UUID::randomUUID, ForkJoinPool.commonPool());
    this.log = new RequestLog(blobs, LogWrites.IGNORED, clock(), LONG, queueBytesMax);
    this.logBlobs = new LogBlobs(blobs);
  }

  static LogsUnderTest inMemory() {
    return new LogsUnderTest("memory", Path.of("unused"), 1 << 20);
  }

  Clock clock() {
    return new Clock() {
      @Override
      public ZoneId getZone() {
        return ZoneOffset.UTC;
      }

      @Override
      public Clock withZone(ZoneId zone) {
        return this;
      }

      @Override
      public Instant instant() {
        return now;
      }
    };
  }

  void setTime(String time) {
    now = Instant.parse(time);
  }

  void ended(TestRequest request) {
    log.of(request.service).requestEnded(request.event(), request);
  }

  List<String> names(String account) {
    return logBlobs.names(account, "");
  }

  BlobProperties properties(String account, String name) {
    try (BlobOpenedContent content = open(account, name)) {
      return content.opened.properties();
    }
  }

  List<String> lines(String account, String name) {
    try (BlobOpenedContent content = open(account, name)) {
      ByteBuffer bytes = ByteBuffer.allocate((int) content.opened.properties().content().length());
      while (bytes.hasRemaining()) {
        content.opened.content().read(bytes).toCompletableFuture().join();
      }
      return new String(bytes.array(), StandardCharsets.UTF_8).lines().toList();
    }
  }

  /** Deletes a blob as the owner of the account. */
  void delete(String account, String name) {
    blobs
        .execute(
            new DeleteBlob(at(name), DeletedSnapshots.NOT_SAID, RequestTerms.NONE),
            new Caller(account, false),
            Deadline.after(LONG))
        .toCompletableFuture()
        .join();
  }

  private record BlobOpenedContent(BlobOpened opened) implements AutoCloseable {
    @Override
    public void close() {
      opened.content().close();
    }
  }

  private BlobOpenedContent open(String account, String name) {
    return new BlobOpenedContent(
        (BlobOpened)
            blobs
                .execute(
                    new GetBlob(at(name), null, null, RequestTerms.NONE),
                    new Caller(account, false, new Access.Full()),
                    Deadline.after(LONG))
                .toCompletableFuture()
                .join());
  }

  static BlobAddress at(String name) {
    return new BlobAddress(ContainerName.LOGS, new BlobName(name));
  }

  @Override
  public void close() {
    log.close();
    engine.close();
  }
}
