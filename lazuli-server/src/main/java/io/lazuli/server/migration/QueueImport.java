package io.lazuli.server.migration;

import io.lazuli.server.access.StoredAccessPolicy;
import io.lazuli.server.engine.OfflineStore;
import io.lazuli.server.error.ServiceError;
import io.lazuli.server.queue.model.QueueErrors;
import io.lazuli.server.queue.model.QueueMessage;
import io.lazuli.server.queue.model.QueueName;
import io.lazuli.server.queue.service.QueueOperation;
import io.lazuli.server.queue.service.QueueOperation.CreateQueue;
import io.lazuli.server.queue.service.QueueOperation.DeleteQueue;
import io.lazuli.server.queue.service.QueueOperation.RestoreMessage;
import io.lazuli.server.queue.service.QueueOutcome;
import io.lazuli.server.queue.service.QueueOutcome.QueueCreated;
import io.lazuli.storage.Ticks;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;

/**
 * Imports queues and their messages. Each message keeps its id, times and dequeue count, but gets a
 * new pop receipt. Expired messages are dropped. Mutable; used once, by one thread.
 */
final class QueueImport {
  private static final String QUEUES = "$QUEUES_COLLECTION$";
  private static final String MESSAGES = "$MESSAGES_COLLECTION$";
  private static final int PROGRESS_EVERY = 10_000;
  private static final int TEXT_BYTES_MAX = 64 << 10;

  private final LokiFile file;
  private final Extents texts;
  private final OfflineStore store;
  private final ImportReport report;
  private final long now = Ticks.of(Instant.now());

  /** The queues by account and name. */
  private final Holders<Order> queues;

  private final Window<QueueOutcome> writes = new Window<>();

  QueueImport(
      LokiFile file, Extents texts, OfflineStore store, boolean replace, ImportReport report) {
    this.file = file;
    this.texts = texts;
    this.store = store;
    this.report = report;
    this.queues = new Holders<>(new Queues(), replace, report);
  }

  /** A queue that keeps its messages in order and counts the expired ones. Mutable. */
  private static final class Order {
    private final QueueName name;
    private long expired;
    private long lastInserted;

    Order(QueueName name) {
      this.name = name;
    }

    /**
     * Returns an insertion time that keeps messages of the same millisecond in order. Azurite
     * stores milliseconds; the ticks in between make the times distinct.
     */
    long inserted(long ticks) {
      long perMillisecond = Ticks.PER_SECOND / 1_000;
      boolean same = ticks / perMillisecond == lastInserted / perMillisecond;
      lastInserted = same ? Math.max(ticks, lastInserted + 1) : ticks;
      return lastInserted;
    }
  }

  void run() {
    new FirstPass(file, QUEUES, MESSAGES::equals, this::add, store.queueSettings(), false, report)
        .run();
    file.read(new Messages(), report);
    writes.finish();
    for (Holder<Order> queue : queues.made()) {
      long expired = queue.name().expired;
      report.progress(
          queue.filled("messages") + (expired == 0 ? "" : ", " + expired + " had expired"));
    }
  }

  private void add(LokiDocument document) {
    String account = document.text("accountName");
    String name = document.text("name");
    queues.add(account + "/" + name, account, name, document);
  }

  private final class Queues implements Holders.Kind<Order> {
    @Override
    public String word() {
      return "queue";
    }

    @Override
    public Order name(String text) {
      return new Order(QueueName.require(text));
    }

    @Override
    public BooleanSupplier creation(Holder<Order> queue, LokiDocument document) {
      CreateQueue create =
          new CreateQueue(
              queue.name().name, ImportedSettings.metadata(document, queue.title(), report));
      return () -> ((QueueCreated) AzuriteImport.await(execute(queue, create))).made();
    }

    @Override
    public ServiceError existing() {
      return QueueErrors.QUEUE_ALREADY_EXISTS;
    }

    @Override
    public void drop(Holder<Order> queue) {
      AzuriteImport.await(execute(queue, new DeleteQueue(queue.name().name)));
    }

    @Override
    public List<StoredAccessPolicy> policies(LokiDocument document) {
      return ImportedSettings.policies(document.documents("queueAcl"), "raup");
    }

    @Override
    public void setPolicies(
        Holder<Order> queue, LokiDocument document, List<StoredAccessPolicy> policies) {
      AzuriteImport.setPolicies(
          queue.account(), queue.name().name.text(), policies, store.queueSettings());
    }
  }

  private CompletionStage<QueueOutcome> execute(Holder<Order> queue, QueueOperation operation) {
    return store
        .queues()
        .execute(operation, AzuriteImport.owner(queue.account()), AzuriteImport.deadline());
  }

  private final class Messages implements LokiFile.Visitor {
    @Override
    public boolean wants(String collection) {
      return collection.equals(MESSAGES);
    }

    @Override
    public void visit(String collection, LokiDocument document, long at) {
      String key = document.text("accountName") + "/" + document.text("queueName");
      Holder<Order> queue = queues.find(key);
      if (queue != null) {
        restore(queue, document);
      } else if (!queues.isKnown(key)) {
        report.leftOut("message " + document.text("messageId"), "there is no queue " + key);
      }
    }
  }

  private void restore(Holder<Order> queue, LokiDocument document) {
    String title = queue.title() + ", message " + document.text("messageId");
    try {
      long expires = Ticks.of(Instant.parse(document.text("expirationTime")));
      if (expires <= now) {
        queue.name().expired++;
        return;
      }
      QueueMessage message = message(queue.name(), document, Math.min(QueueMessage.NEVER, expires));
      writes.add(
          execute(queue, new RestoreMessage(queue.name().name, message)),
          outcome -> queue.count("messages", PROGRESS_EVERY, report),
          refusal -> report.leftOut(title, refusal));
    } catch (IOException | IllegalArgumentException | DateTimeException e) {
      report.leftOut(title, String.valueOf(e.getMessage()));
    }
  }

  private QueueMessage message(Order queue, LokiDocument document, long expires)
      throws IOException {
    Extents.Part part = Extents.Part.of(document.document("persistency"));
    if (part.count() > TEXT_BYTES_MAX) {
      throw new IOException("it is larger than 64 KiB");
    }
    int count = Math.toIntExact(Math.max(0, document.number("dequeueCount")));
    return new QueueMessage(
        UUID.fromString(document.text("messageId")),
        queue.inserted(Ticks.of(Instant.parse(document.text("insertionTime")))),
        expires,
        Ticks.of(Instant.ofEpochMilli(document.number("timeNextVisible"))),
        count,
        count,
        texts.bytes(part));
  }
}
