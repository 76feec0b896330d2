package io.lazuli.server.queue.service;

import io.lazuli.server.access.Caller;
import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.catalog.Metadata;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.Futures;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.queue.model.QueueMessage;
import io.lazuli.server.queue.model.QueueName;
import io.lazuli.server.queue.service.QueueOperation.ClearMessages;
import io.lazuli.server.queue.service.QueueOperation.CreateQueue;
import io.lazuli.server.queue.service.QueueOperation.DeleteMessage;
import io.lazuli.server.queue.service.QueueOperation.DeleteQueue;
import io.lazuli.server.queue.service.QueueOperation.GetMessages;
import io.lazuli.server.queue.service.QueueOperation.PeekMessages;
import io.lazuli.server.queue.service.QueueOperation.PutMessage;
import io.lazuli.server.queue.service.QueueOperation.ReadMetadata;
import io.lazuli.server.queue.service.QueueOperation.UpdateMessage;
import io.lazuli.server.queue.service.QueueOutcome.MessagePut;
import io.lazuli.server.queue.service.QueueOutcome.MessageUpdated;
import io.lazuli.server.queue.service.QueueOutcome.MessagesSeen;
import io.lazuli.server.queue.service.QueueOutcome.MessagesTaken;
import io.lazuli.server.queue.service.QueueOutcome.MetadataFound;
import io.lazuli.server.throttle.RateTargets;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Durability;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StorageEngineProvider;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.ServiceLoader;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The queue service of one account, called synchronously. */
final class QueueUnderTest {
  private static final Caller OWNER = new Caller("acct", false);

  private final QueueService service;

  QueueUnderTest(StorageEngine engine) {
    this(engine, 0);
  }

  /**
   * @param rate the target of messages per second of each queue; 0 for none
   */
  QueueUnderTest(StorageEngine engine, int rate) {
    RateTargets<Long> rates = new RateTargets<>(rate, 100, CommonErrors.SERVER_BUSY, () -> 0);
    this.service = new QueueService(engine, new Catalog(engine), UUID::randomUUID, rates);
  }

  static StorageEngine open(String engine, Path folder, LongSupplier ticks) {
    return ServiceLoader.load(StorageEngineProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(provider -> provider.name().equals(engine))
        .findFirst()
        .orElseThrow()
        .open(EngineConfig.of(folder).withTicks(ticks).withDurability(Durability.RELAXED));
  }

  QueueService service() {
    return service;
  }

  void create(String queue) {
    run(new CreateQueue(name(queue), Metadata.NONE));
  }

  void delete(String queue) {
    run(new DeleteQueue(name(queue)));
  }

  void clear(String queue) {
    run(new ClearMessages(name(queue)));
  }

  /** Puts a message; a ttl of -1 means for ever. */
  QueueMessage put(String queue, String text, int ttlSeconds, int invisibleSeconds) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    Duration ttl = ttlSeconds < 0 ? null : Duration.ofSeconds(ttlSeconds);
    Duration invisible = Duration.ofSeconds(invisibleSeconds);
    return ((MessagePut) run(new PutMessage(name(queue), bytes, ttl, invisible))).message();
  }

  List<QueueMessage> get(String queue, int max, int invisibleSeconds) {
    Duration invisible = Duration.ofSeconds(invisibleSeconds);
    return ((MessagesTaken) run(new GetMessages(name(queue), max, invisible))).messages();
  }

  List<QueueMessage> peek(String queue, int max) {
    return ((MessagesSeen) run(new PeekMessages(name(queue), max))).messages();
  }

  QueueMessage update(
      String queue, QueueMessage held, int invisibleSeconds, @Nullable String text) {
    byte[] bytes = text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    return ((MessageUpdated)
            run(
                new UpdateMessage(
                    name(queue),
                    held.id().toString(),
                    held.receipt().text(),
                    Duration.ofSeconds(invisibleSeconds),
                    bytes)))
        .message();
  }

  void delete(String queue, QueueMessage held) {
    run(new DeleteMessage(name(queue), held.id().toString(), held.receipt().text()));
  }

  long count(String queue) {
    return ((MetadataFound) run(new ReadMetadata(name(queue)))).messages();
  }

  /** Begins to put a message that never expires. */
  CompletableFuture<QueueMessage> putLater(String queue, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return start(new PutMessage(name(queue), bytes, null, Duration.ZERO))
        .thenApply(put -> ((MessagePut) put).message());
  }

  QueueOperation getOf(String queue, int max, int invisibleSeconds) {
    return new GetMessages(name(queue), max, Duration.ofSeconds(invisibleSeconds));
  }

  QueueOperation updateOf(String queue, QueueMessage held, int invisibleSeconds) {
    return new UpdateMessage(
        name(queue),
        held.id().toString(),
        held.receipt().text(),
        Duration.ofSeconds(invisibleSeconds),
        null);
  }

  /** Begins an operation, which does not end while the engine is paused. */
  CompletableFuture<QueueOutcome> start(QueueOperation operation) {
    Deadline deadline = Deadline.after(Duration.ofSeconds(30));
    return service.execute(operation, OWNER, deadline).toCompletableFuture();
  }

  /** Throws the {@link ServiceException} that an operation ended with. */
  QueueOutcome run(QueueOperation operation) {
    Deadline deadline = Deadline.after(Duration.ofSeconds(30));
    return Futures.await(service.execute(operation, OWNER, deadline));
  }

  private static QueueName name(String queue) {
    return new QueueName(queue);
  }
}
