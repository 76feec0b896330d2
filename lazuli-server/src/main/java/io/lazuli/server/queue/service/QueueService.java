package io.lazuli.server.queue.service;

import io.lazuli.server.access.Caller;
import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.catalog.CatalogEntry;
import io.lazuli.server.catalog.Metadata;
import io.lazuli.server.catalog.ServiceHome;
import io.lazuli.server.catalog.StorageFailures;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.Futures;
import io.lazuli.server.queue.encoding.MessageCodec;
import io.lazuli.server.queue.encoding.QueueRows;
import io.lazuli.server.queue.model.PopReceipt;
import io.lazuli.server.queue.model.QueueErrors;
import io.lazuli.server.queue.model.QueueMessage;
import io.lazuli.server.queue.model.QueueName;
import io.lazuli.server.queue.service.QueueOperation.ClearMessages;
import io.lazuli.server.queue.service.QueueOperation.CreateQueue;
import io.lazuli.server.queue.service.QueueOperation.DeleteMessage;
import io.lazuli.server.queue.service.QueueOperation.DeleteQueue;
import io.lazuli.server.queue.service.QueueOperation.GetMessages;
import io.lazuli.server.queue.service.QueueOperation.ListQueues;
import io.lazuli.server.queue.service.QueueOperation.OnQueue;
import io.lazuli.server.queue.service.QueueOperation.PeekMessages;
import io.lazuli.server.queue.service.QueueOperation.PutMessage;
import io.lazuli.server.queue.service.QueueOperation.ReadMetadata;
import io.lazuli.server.queue.service.QueueOperation.ReplaceMetadata;
import io.lazuli.server.queue.service.QueueOperation.RestoreMessage;
import io.lazuli.server.queue.service.QueueOperation.UpdateMessage;
import io.lazuli.server.queue.service.QueueOutcome.Done;
import io.lazuli.server.queue.service.QueueOutcome.MessagePut;
import io.lazuli.server.queue.service.QueueOutcome.MessageUpdated;
import io.lazuli.server.queue.service.QueueOutcome.MessagesSeen;
import io.lazuli.server.queue.service.QueueOutcome.MessagesTaken;
import io.lazuli.server.queue.service.QueueOutcome.MetadataFound;
import io.lazuli.server.queue.service.QueueOutcome.QueueCreated;
import io.lazuli.server.throttle.RateTargets;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Space;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.Ticks;
import io.lazuli.storage.TransactionBody;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The rules of the queue service, for any engine. Knows neither HTTP nor XML. Called on a worker
 * thread, on which a local engine scans and reads. Writes, and all operations of a remote engine,
 * complete on the engine's threads.
 *
 * <h2>How a message is handed out</h2>
 *
 * In addition to its record, each message has a row at the time when it becomes visible. The rows
 * up to now are the messages that can be handed out, in order. A get first searches these rows
 * outside of the commit lane. If there are none, it needs no transaction. The messages that it
 * finds are read once, so that the lane need not wait for the disk. Then one transaction takes the
 * first messages: it moves the row of each to the end of its new period of invisibility. The lane
 * runs transactions one after another, so no message is handed out twice.
 *
 * <p>Neither search begins at the start of the queue: {@link LowestLive} remembers where the live
 * rows begin. So a get costs the same whatever the queue holds or has held.
 *
 * <p>If other servers use the same queues, a call to the engine costs more than the work that it
 * does, and transactions run at the same time. Then one search serves many gets ({@link
 * SharedGets}), and the transactions of a queue that are there at the same time run as one ({@link
 * QueueBatches}). {@link QueueHints} explains how searches miss nothing that other servers write.
 *
 * <h2>Expired messages</h2>
 *
 * All operations ignore expired messages. Gets, counts and a slow round over all queues remove
 * them, {@value QueueSweep#BATCH} at a time; puts never do.
 */
public final class QueueService {
  /** The shortest time between two sweeps that gets start. */
  private static final long SWEEP_INTERVAL_TICKS = Ticks.PER_SECOND;

  /** The maximum number of batches that a count removes: about 1,000 expired messages. */
  private static final int COUNT_STEPS_MAX = 16;

  /** The number of rounds that find only expired messages after which a get returns nothing. */
  private static final int ROUNDS_MAX = 64;

  private final StorageEngine engine;
  private final Catalog catalog;
  private final Supplier<UUID> ids;
  private final RateTargets<Long> rates;
  private final QueueScan scan;
  private final QueueHints hints;
  private final QueueBatches batches;
  private final QueueSearch search;
  private final SharedGets sharedGets;
  private final QueueSweep sweep;

  /**
   * @param ids random ids for messages
   * @param rates the rate targets of queues, by the number of their space
   */
  public QueueService(
      StorageEngine engine, Catalog catalog, Supplier<UUID> ids, RateTargets<Long> rates) {
    this.engine = engine;
    this.catalog = catalog;
    this.ids = ids;
    this.rates = rates;
    this.scan = new QueueScan(engine);
    this.hints = new QueueHints(engine);
    this.batches = new QueueBatches(engine, queue -> hints.of(queue).chooseCounter());
    this.search = new QueueSearch(engine, scan, hints);
    this.sweep = new QueueSweep(search, hints, batches);
    this.sharedGets = new SharedGets(search, hints, batches);
  }

  /**
   * Carries out an operation. Failures are in the stage; expected ones are {@code
   * ServiceException}s.
   */
  public CompletionStage<QueueOutcome> execute(
      QueueOperation operation, Caller caller, Deadline deadline) {
    return StorageFailures.translatingStage(
        () -> {
          QueueAccess.check(operation, caller);
          return dispatch(operation, ServiceHome.ofQueues(caller.account()), deadline);
        });
  }

  /**
   * Throws if the caller may not perform the action on the queue. {@link #execute} checks again
   * once the operation is decoded.
   *
   * @param queue the name of the queue, valid or not; empty if the action has none
   */
  public void requireAllowed(QueueAction action, String queue, Caller caller) {
    QueueAccess.check(action, queue, caller);
  }

  private CompletionStage<QueueOutcome> dispatch(
      QueueOperation operation, ServiceHome home, Deadline deadline) {
    if (operation instanceof PutMessage put) {
      return onQueue(home, put, deadline, queue -> put(queue, put, deadline));
    } else if (operation instanceof GetMessages get) {
      return onQueue(home, get, deadline, queue -> take(queue, get, deadline, 1));
    } else if (operation instanceof DeleteMessage delete) {
      return onQueue(home, delete, deadline, queue -> delete(queue, delete, deadline));
    } else if (operation instanceof UpdateMessage update) {
      return onQueue(home, update, deadline, queue -> update(queue, update, deadline));
    } else if (operation instanceof RestoreMessage restore) {
      return onQueue(home, restore, deadline, queue -> restore(queue, restore, deadline));
    } else if (operation instanceof PeekMessages peek) {
      return onQueue(home, peek, deadline, queue -> peek(queue, peek.max(), deadline));
    }
    return dispatchBeyondMessages(operation, home, deadline);
  }

  private CompletionStage<QueueOutcome> dispatchBeyondMessages(
      QueueOperation operation, ServiceHome home, Deadline deadline) {
    if (operation instanceof ReadMetadata read) {
      return readMetadata(home, read, deadline);
    } else if (operation instanceof CreateQueue create) {
      return create(home, create, deadline);
    } else if (operation instanceof DeleteQueue delete) {
      return done(catalog.delete(home, delete.queue().text(), deadline));
    } else if (operation instanceof ClearMessages clear) {
      return done(catalog.renew(home, clear.queue().text(), deadline));
    } else if (operation instanceof ReplaceMetadata replace) {
      byte[] metadata = replace.metadata().encode();
      return done(catalog.replaceMetadata(home, replace.queue().text(), metadata, deadline));
    } else if (operation instanceof ListQueues list) {
      return QueueListing.page(catalog, home, list, deadline);
    }
    throw new IllegalStateException("unknown operation: " + operation.getClass());
  }

  private static CompletionStage<QueueOutcome> done(CompletableFuture<Boolean> found) {
    return found.thenApply(
        there -> {
          if (!there) {
            throw QueueErrors.QUEUE_NOT_FOUND.exception();
          }
          return new Done();
        });
  }

  private CompletionStage<QueueOutcome> create(
      ServiceHome home, CreateQueue create, Deadline deadline) {
    QueueName queue = create.queue();
    byte[] metadata = create.metadata().encode();
    return catalog
        .create(home, queue.text(), queue.text(), metadata, deadline)
        .thenApply(
            made -> {
              Metadata stored = Metadata.decode(made.row().metadata());
              if (!made.created() && !stored.equals(create.metadata())) {
                throw QueueErrors.QUEUE_ALREADY_EXISTS.exception();
              }
              return new QueueCreated(made.created());
            });
  }

  private CompletionStage<QueueOutcome> readMetadata(
      ServiceHome home, ReadMetadata read, Deadline deadline) {
    return catalog
        .read(home, read.queue().text(), deadline)
        .thenCompose(
            row -> {
              if (row == null) {
                throw QueueErrors.QUEUE_NOT_FOUND.exception();
              }
              Metadata metadata = Metadata.decode(row.metadata());
              return onQueue(
                  home,
                  read,
                  deadline,
                  queue ->
                      sweptCount(queue, deadline)
                          .thenApply(count -> new MetadataFound(metadata, count)));
            });
  }

  /** Returns the approximate number of messages in a queue. */
  CompletableFuture<Long> count(Space queue, Deadline deadline) {
    return scan.count(queue, engine.now(), deadline);
  }

  /** Removes expired messages, then counts those that are left. */
  private CompletableFuture<Long> sweptCount(Space queue, Deadline deadline) {
    return sweep
        .steps(queue, COUNT_STEPS_MAX, deadline)
        // Not on the engine's thread, because the count reads.
        .thenComposeAsync(swept -> scan.count(queue, engine.now(), deadline));
  }

  private CompletableFuture<QueueOutcome> restore(
      Space queue, RestoreMessage restore, Deadline deadline) {
    PartitionRules rules = hints.rules(queue);
    RestoreBody body = new RestoreBody(restore.message(), rules);
    List<Bytes> touch = rules.touchToPut(restore.message().id());
    return transact(queue, touch, deadline, body, message -> hints.written(queue, message))
        .thenApply(MessagePut::new);
  }

  private CompletableFuture<QueueOutcome> put(Space queue, PutMessage put, Deadline deadline) {
    Duration ttl = put.ttl();
    PartitionRules rules = hints.rules(queue);
    PutBody body =
        new PutBody(
            ids.get(),
            ttl == null ? QueueMessage.NEVER : ticks(ttl),
            ticks(put.invisible()),
            put.text(),
            rules);
    List<Bytes> touch = rules.touchToPut(body.id());
    return transact(queue, touch, deadline, body, message -> hints.written(queue, message))
        .thenApply(MessagePut::new);
  }

  private CompletableFuture<QueueOutcome> take(
      Space queue, GetMessages get, Deadline deadline, int round) {
    if (round > 1 || hints.of(queue).isSweepDue(engine.now(), SWEEP_INTERVAL_TICKS)) {
      sweep.begin(queue, deadline);
    }
    return hints.areShared()
        ? takeShared(queue, get, deadline)
        : takeLocal(queue, get, deadline, round);
  }

  private CompletableFuture<QueueOutcome> takeShared(
      Space queue, GetMessages get, Deadline deadline) {
    return sharedGets
        .take(
            new SharedGets.Get(
                queue,
                get.max(),
                ticks(get.invisible()),
                deadline,
                () -> sweep.begin(queue, deadline)))
        .thenApply(
            taken -> {
              rates.spend(queue.number(), taken.size() - 1);
              return new MessagesTaken(taken);
            });
  }

  /** Hands out messages. If a round finds only expired messages, starts another round. */
  private CompletableFuture<QueueOutcome> takeLocal(
      Space queue, GetMessages get, Deadline deadline, int round) {
    return search
        .visible(queue, get.max(), deadline)
        .thenCompose(
            candidates ->
                candidates.isEmpty()
                    ? CompletableFuture.completedFuture(new MessagesTaken(List.of()))
                    : take(queue, candidates, get, deadline, round));
  }

  private CompletableFuture<QueueOutcome> take(
      Space queue,
      List<QueueScan.Found> candidates,
      GetMessages get,
      Deadline deadline,
      int round) {
    List<Bytes> touch = candidates.stream().map(found -> QueueRows.message(found.id())).toList();
    TakeBody body =
        new TakeBody(
            candidates.get(0).row(), get.max(), ticks(get.invisible()), hints.rules(queue));
    return transact(
            queue,
            touch,
            deadline,
            body,
            result -> {
              result.taken().forEach(message -> hints.written(queue, message));
              rates.spend(queue.number(), result.taken().size() - 1);
            })
        .thenCompose(
            result ->
                result.taken().isEmpty() && result.more() && round < ROUNDS_MAX
                    // Not on the engine's thread, because the next round reads.
                    ? CompletableFuture.completedFuture(round + 1)
                        .thenComposeAsync(next -> take(queue, get, deadline, next))
                    : CompletableFuture.completedFuture(new MessagesTaken(result.taken())));
  }

  private CompletableFuture<QueueOutcome> update(
      Space queue, UpdateMessage update, Deadline deadline) {
    byte[] text = update.text();
    long invisible = ticks(update.invisible());
    return byReceipt(
            queue,
            update.id(),
            update.receipt(),
            deadline,
            false,
            (message, now) ->
                message.updated(now + invisible, text == null ? message.text() : text))
        .thenApply(result -> new MessageUpdated(((ReceiptBody.Changed) result).message()));
  }

  private CompletableFuture<QueueOutcome> delete(
      Space queue, DeleteMessage delete, Deadline deadline) {
    return byReceipt(queue, delete.id(), delete.receipt(), deadline, true, (message, now) -> null)
        .thenApply(removed -> new Done());
  }

  private CompletableFuture<ReceiptBody.Result> byReceipt(
      Space queue,
      String id,
      String receipt,
      Deadline deadline,
      boolean removes,
      ReceiptBody.Change change) {
    UUID guid = guid(id);
    if (guid == null) {
      return CompletableFuture.failedFuture(QueueErrors.MESSAGE_NOT_FOUND.exception());
    }
    PartitionRules rules = hints.rules(queue);
    ReceiptBody body = new ReceiptBody(guid, PopReceipt.parse(receipt), rules, change);
    return transact(
            queue,
            removes ? rules.touchToRemove(guid) : rules.touchToMove(guid),
            deadline,
            body,
            result -> {
              if (result instanceof ReceiptBody.Changed changed) {
                hints.written(queue, changed.message());
              }
              if (result instanceof ReceiptBody.Changed || result instanceof ReceiptBody.Removed) {
                hints.of(queue).window().changed(guid);
              }
            })
        .thenApply(result -> requireAccepted(result, receipt));
  }

  private static ReceiptBody.Result requireAccepted(ReceiptBody.Result result, String receipt) {
    if (result instanceof ReceiptBody.NotFound) {
      throw QueueErrors.MESSAGE_NOT_FOUND.exception();
    } else if (result instanceof ReceiptBody.Malformed) {
      throw CommonErrors.INVALID_QUERY_PARAMETER_VALUE
          .exception()
          .with("QueryParameterName", "popreceipt")
          .with("QueryParameterValue", receipt)
          .with("Reason", "Invalid pop receipt format");
    }
    return result;
  }

  /** Returns visible messages. Skips expired ones, page by page. */
  private CompletableFuture<QueueOutcome> peek(Space queue, int max, Deadline deadline) {
    long now = engine.now();
    List<QueueMessage> seen = new ArrayList<>(max);
    return search
        .visible(queue, max, deadline)
        .thenCompose(page -> peek(queue, page, seen, now, max, deadline, 1))
        .thenApply(done -> new MessagesSeen(seen));
  }

  /** Adds the visible messages of a page and of the pages after it, at most {@code max}. */
  private CompletableFuture<List<QueueMessage>> peek(
      Space queue,
      List<QueueScan.Found> page,
      List<QueueMessage> seen,
      long now,
      int max,
      Deadline deadline,
      int round) {
    List<CompletableFuture<@Nullable QueueMessage>> reads =
        page.stream().map(found -> find(queue, found.id(), deadline)).toList();
    return Futures.all(reads)
        .thenCompose(
            messages -> {
              messages.stream()
                  .filter(message -> message != null && message.isVisible(now))
                  .limit(max - seen.size())
                  .forEach(seen::add);
              if (seen.size() == max || page.size() < max || round == ROUNDS_MAX) {
                return CompletableFuture.completedFuture(seen);
              }
              Bytes from = page.get(page.size() - 1).row().successor();
              int rows = Math.max(max, QueueSweep.BATCH);
              return scan.rows(queue, from, QueueRows.visibleEnd(now), rows, deadline)
                  .thenCompose(next -> peek(queue, next, seen, now, max, deadline, round + 1));
            });
  }

  private CompletableFuture<@Nullable QueueMessage> find(Space queue, UUID id, Deadline deadline) {
    return engine
        .read(QueueRows.partition(queue).row(QueueRows.message(id)), deadline)
        .<@Nullable QueueMessage>thenApply(
            value -> value == null ? null : MessageCodec.decode(id, value));
  }

  /** Runs work on the space of a queue. Repeats it if the queue was cleared in between. */
  private CompletionStage<QueueOutcome> onQueue(
      ServiceHome home,
      OnQueue operation,
      Deadline deadline,
      Function<Space, CompletableFuture<QueueOutcome>> work) {
    return catalog.onSpace(
        home,
        operation.queue().text(),
        deadline,
        QueueErrors.QUEUE_NOT_FOUND,
        (CatalogEntry entry) -> {
          rates.charge(entry.space().number(), 1);
          return work.apply(entry.space());
        });
  }

  /**
   * Runs a transaction on a queue.
   *
   * @param written reports the result to the hints; called before the write is acknowledged
   */
  private <R> CompletableFuture<R> transact(
      Space queue,
      List<Bytes> touch,
      Deadline deadline,
      TransactionBody<R> body,
      Consumer<R> written) {
    return batches
        .transact(queue, touch, deadline, body)
        .whenComplete(
            (result, failure) -> {
              if (failure == null) {
                written.accept(result);
              } else if (!hints.areShared()
                  && failure instanceof StorageException e
                  && e.kind() == StorageException.Kind.UNKNOWN_OUTCOME) {
                hints.forget(queue);
              }
            });
  }

  /** Removes expired messages of one queue, in a bounded number of batches; for the sweeper. */
  CompletableFuture<Integer> sweep(Space queue, int stepsMax, Deadline deadline) {
    return sweep.steps(queue, stepsMax, deadline);
  }

  private static long ticks(Duration duration) {
    return duration.toSeconds() * Ticks.PER_SECOND;
  }

  private static @Nullable UUID guid(String text) {
    try {
      return text.length() == 36 ? UUID.fromString(text) : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
