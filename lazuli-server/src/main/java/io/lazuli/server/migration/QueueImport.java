package io.lazuli.server.migration;

import io.lazuli.server.OfflineStore;
import io.lazuli.server.account.Metadata;
import io.lazuli.server.account.SettingsOperation.ReplacePolicies;
import io.lazuli.server.account.StoredAccessPolicy;
import io.lazuli.server.error.ServiceException;
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
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Takes over queues and their messages, each with its id, times and dequeue count; receipts are new
 * ones. Messages that have expired are dropped. Mutable; used once, by one thread.
 */
final class QueueImport {
  private static final String QUEUES = "$QUEUES_COLLECTION$";
  private static final String MESSAGES = "$MESSAGES_COLLECTION$";
  private static final String LETTERS = "raup";
  private static final int PENDING_MAX = 64;
  private static final int PROGRESS_EVERY = 10_000;
  private static final int TEXT_BYTES_MAX = 64 << 10;

  private final LokiFile file;
  private final Extents texts;
  private final OfflineStore store;
  private final boolean replace;
  private final ImportReport report;
  private final long now = Ticks.of(Instant.now());

  /** By account and name; null for those that were left out. */
  private final Map<String, @Nullable Target> targets = new HashMap<>();

  private final Deque<Pending> pending = new ArrayDeque<>();

  QueueImport(
      LokiFile file, Extents texts, OfflineStore store, boolean replace, ImportReport report) {
    this.file = file;
    this.texts = texts;
    this.store = store;
    this.replace = replace;
    this.report = report;
  }

  /** A queue that is being filled; counts its messages and keeps them in order. */
  private static final class Target {
    private final String account;
    private final QueueName name;
    private long messages;
    private long expired;
    private long lastInserted;

    Target(String account, QueueName name) {
      this.account = account;
      this.name = name;
    }

    String title() {
      return "queue " + account + "/" + name.text();
    }

    /** Azurite knows milliseconds: those of one stay in order by the ticks in between. */
    long inserted(long ticks) {
      long perMillisecond = Ticks.PER_SECOND / 1_000;
      boolean same = ticks / perMillisecond == lastInserted / perMillisecond;
      lastInserted = same ? Math.max(ticks, lastInserted + 1) : ticks;
      return lastInserted;
    }
  }

  private record Pending(Target target, UUID id, CompletionStage<QueueOutcome> outcome) {}

  void run() {
    new FirstPass(file, QUEUES, MESSAGES::equals, this::add, store.queueSettings(), false, report)
        .run();
    file.read(new Messages());
    while (!pending.isEmpty()) {
      finishFirst();
    }
    for (Target target : targets.values()) {
      if (target != null) {
        report.progress(
            target.title()
                + ": "
                + target.messages
                + " messages"
                + (target.expired == 0 ? "" : ", " + target.expired + " had expired"));
      }
    }
  }

  private void add(LokiDocument document) {
    String account = document.text("accountName");
    String name = document.text("name");
    targets.put(account + "/" + name, create(account, name, document));
  }

  private @Nullable Target create(String account, String text, LokiDocument document) {
    String title = "queue " + account + "/" + text;
    try {
      Target target = new Target(account, QueueName.require(text));
      if (!make(target, metadata(document, title))) {
        report.leftOut(title, "it is there already; --replace replaces it");
        return null;
      }
      report.imported("queues");
      setPolicies(target, document);
      return target;
    } catch (ServiceException e) {
      report.leftOut(title, e);
      return null;
    }
  }

  private Metadata metadata(LokiDocument document, String title) {
    try {
      return ImportedSettings.metadata(document.document("metadata"));
    } catch (ServiceException e) {
      report.leftOut("metadata of " + title, e);
      return Metadata.NONE;
    }
  }

  /** False if there is such a queue, and it shall stay. */
  private boolean make(Target target, Metadata metadata) {
    CreateQueue create = new CreateQueue(target.name, metadata);
    try {
      if (((QueueCreated) AzuriteImport.await(execute(target, create))).made()) {
        return true;
      }
    } catch (ServiceException e) {
      if (!e.error().equals(QueueErrors.QUEUE_ALREADY_EXISTS)) {
        throw e;
      }
    }
    if (replace) {
      AzuriteImport.await(execute(target, new DeleteQueue(target.name)));
      AzuriteImport.await(execute(target, create));
    }
    return replace;
  }

  private CompletionStage<QueueOutcome> execute(Target target, QueueOperation operation) {
    return store
        .queues()
        .execute(operation, AzuriteImport.owner(target.account), AzuriteImport.deadline());
  }

  private void setPolicies(Target target, LokiDocument document) {
    try {
      List<StoredAccessPolicy> policies =
          ImportedSettings.policies(document.documents("queueAcl"), LETTERS);
      if (!policies.isEmpty()) {
        AzuriteImport.await(
            store
                .queueSettings()
                .execute(
                    new ReplacePolicies(target.name.text(), policies),
                    AzuriteImport.owner(target.account),
                    AzuriteImport.deadline()));
      }
    } catch (ServiceException e) {
      report.leftOut("access policies of " + target.title(), e);
    }
  }

  private final class Messages implements LokiFile.Visitor {
    @Override
    public boolean wants(String collection) {
      return collection.equals(MESSAGES);
    }

    @Override
    public void visit(String collection, LokiDocument document) {
      String queue = document.text("accountName") + "/" + document.text("queueName");
      Target target = targets.get(queue);
      if (target != null) {
        restore(target, document);
      } else if (!targets.containsKey(queue)) {
        report.leftOut("message " + document.text("messageId"), "there is no queue " + queue);
      }
    }
  }

  private void restore(Target target, LokiDocument document) {
    try {
      long expires = Ticks.of(Instant.parse(document.text("expirationTime")));
      if (expires <= now) {
        target.expired++;
        return;
      }
      QueueMessage message = message(target, document, Math.min(QueueMessage.NEVER, expires));
      RestoreMessage restore = new RestoreMessage(target.name, message);
      pending.add(new Pending(target, message.id(), execute(target, restore)));
    } catch (IOException | IllegalArgumentException | DateTimeException e) {
      report.leftOut(
          target.title() + ", message " + document.text("messageId"),
          String.valueOf(e.getMessage()));
    }
    if (pending.size() >= PENDING_MAX) {
      finishFirst();
    }
  }

  private QueueMessage message(Target target, LokiDocument document, long expires)
      throws IOException {
    Extents.Part part = Extents.Part.of(document.document("persistency"));
    if (part.count() > TEXT_BYTES_MAX) {
      throw new IOException("it is larger than 64 KiB");
    }
    int count = Math.toIntExact(Math.max(0, document.number("dequeueCount")));
    return new QueueMessage(
        UUID.fromString(document.text("messageId")),
        target.inserted(Ticks.of(Instant.parse(document.text("insertionTime")))),
        expires,
        Ticks.of(Instant.ofEpochMilli(document.number("timeNextVisible"))),
        count,
        count,
        texts.bytes(part));
  }

  private void finishFirst() {
    Pending first = pending.remove();
    try {
      AzuriteImport.await(first.outcome());
      report.imported("messages");
      if (++first.target().messages % PROGRESS_EVERY == 0) {
        report.progress(
            first.target().title() + ": " + first.target().messages + " messages so far");
      }
    } catch (ServiceException e) {
      report.leftOut(first.target().title() + ", message " + first.id(), e);
    }
  }
}
