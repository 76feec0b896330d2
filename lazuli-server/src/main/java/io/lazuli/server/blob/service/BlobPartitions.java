package io.lazuli.server.blob.service;

import io.lazuli.server.blob.garbage.BlobGarbage;
import io.lazuli.server.blob.garbage.DueRemovals;
import io.lazuli.server.blob.index.TagIndex;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.ContainerName;
import io.lazuli.server.blob.partition.ExpiredBlob;
import io.lazuli.server.blob.protection.BlobProtection;
import io.lazuli.server.blob.protection.Keep;
import io.lazuli.server.blob.request.BlobAddress;
import io.lazuli.server.blob.transaction.KeepingBody;
import io.lazuli.server.blob.transaction.TransactionResult;
import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.catalog.ServiceHome;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.Futures;
import io.lazuli.server.error.ServiceError;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Ticks;
import io.lazuli.storage.TransactionBody;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Finds the partitions of blobs and runs work on them. If the container was deleted in between, it
 * finds the partition again and repeats the work.
 */
final class BlobPartitions {
  private static final long TICKS_PER_DAY = 24 * 60 * 60 * Ticks.PER_SECOND;

  private final StorageEngine engine;
  private final TagIndex index;
  private final Catalog catalog;
  private final BlobGarbage garbage;
  private final DueRemovals removals;
  private final Protections protections;
  private final Executor workers;

  /**
   * @param workers the threads on which an operation continues after a transaction; never refuses
   */
  BlobPartitions(
      StorageEngine engine,
      TagIndex index,
      Catalog catalog,
      BlobGarbage garbage,
      Protections protections,
      Executor workers) {
    this.engine = engine;
    this.index = index;
    this.catalog = catalog;
    this.garbage = garbage;
    this.removals = new DueRemovals(engine, garbage);
    this.protections = protections;
    this.workers = workers;
  }

  /** Returns the threads on which an operation continues; never refuses. */
  Executor workers() {
    return workers;
  }

  /** Runs work on the space of a container. */
  <R> CompletableFuture<R> onContainer(
      String account,
      ContainerName container,
      Deadline deadline,
      Function<Space, CompletableFuture<R>> work) {
    return onContainer(account, container, deadline, BlobErrors.CONTAINER_NOT_FOUND, work);
  }

  /**
   * Runs work on the space of a container.
   *
   * @param missing the error of the future if there is no such container
   */
  <R> CompletableFuture<R> onContainer(
      String account,
      ContainerName container,
      Deadline deadline,
      ServiceError missing,
      Function<Space, CompletableFuture<R>> work) {
    return catalog.onSpace(
        ServiceHome.ofContainers(account),
        container.text(),
        deadline,
        missing,
        entry -> work.apply(entry.space()));
  }

  /** Runs work on the space of a container whose name may be any text. */
  <R> CompletableFuture<R> onSpaceOf(
      String account,
      String container,
      Deadline deadline,
      Function<Space, CompletableFuture<R>> work) {
    return catalog.onSpace(
        ServiceHome.ofContainers(account),
        container,
        deadline,
        BlobErrors.CONTAINER_NOT_FOUND,
        entry -> work.apply(entry.space()));
  }

  /** Runs work on the partition of a blob. */
  <R> CompletableFuture<R> onBlob(
      String account,
      BlobAddress at,
      Deadline deadline,
      Function<Partition, CompletableFuture<R>> work) {
    return onContainer(
        account,
        at.container(),
        deadline,
        space -> work.apply(new Partition(space, at.blob().key())));
  }

  /** Runs a transaction on the partition of a blob. */
  <T> CompletableFuture<TransactionResult<T>> writing(
      String account,
      BlobAddress at,
      Deadline deadline,
      TransactionBody<TransactionResult<T>> body) {
    return writing(account, at, deadline, space -> true, body);
  }

  /**
   * Runs a transaction on a partition that was found before. If its container was deleted and
   * created again in between, the client must start over: the bytes that it sent belong to the old
   * container.
   */
  <T> CompletableFuture<TransactionResult<T>> writingTo(
      Partition partition,
      String account,
      BlobAddress at,
      Deadline deadline,
      TransactionBody<TransactionResult<T>> body) {
    return writing(account, at, deadline, space -> space.equals(partition.space()), body);
  }

  private <T> CompletableFuture<TransactionResult<T>> writing(
      String account,
      BlobAddress at,
      Deadline deadline,
      Predicate<Space> expected,
      TransactionBody<TransactionResult<T>> body) {
    return catalog.onSpace(
        ServiceHome.ofContainers(account),
        at.container().text(),
        deadline,
        BlobErrors.CONTAINER_NOT_FOUND,
        entry ->
            expected.test(entry.space())
                ? writing(new Partition(entry.space(), at.blob().key()), deadline, body)
                : CompletableFuture.failedFuture(CommonErrors.SERVER_BUSY.exception()));
  }

  private <T> CompletableFuture<TransactionResult<T>> writing(
      Partition partition, Deadline deadline, TransactionBody<TransactionResult<T>> body) {
    return transact(partition, deadline, body)
        .thenApply(
            result -> {
              if (result instanceof TransactionResult.Done<T> done && done.leavesGarbage()) {
                garbage.changed(partition);
              }
              return result;
            });
  }

  /**
   * Runs one of an operation's several transactions. Completes on a worker, where the operation can
   * go on.
   */
  <R> CompletableFuture<R> run(Partition partition, Deadline deadline, TransactionBody<R> body) {
    return transact(partition, deadline, body).thenApplyAsync(result -> result, workers);
  }

  /** Runs a transaction. If the blob has expired, removes it first and runs the body again. */
  private <R> CompletableFuture<R> transact(
      Partition partition, Deadline deadline, TransactionBody<R> body) {
    return attempt(partition, deadline, body)
        .exceptionallyCompose(
            failure ->
                Futures.cause(failure) instanceof ExpiredBlob
                    ? removals
                        .erase(partition, deadline, workers)
                        .thenComposeAsync(erased -> attempt(partition, deadline, body), workers)
                    : CompletableFuture.failedFuture(failure));
  }

  private <R> CompletableFuture<R> attempt(
      Partition partition, Deadline deadline, TransactionBody<R> body) {
    return body instanceof KeepingBody<?> keeping
        ? keeping(partition, deadline, body, keeping)
        : index.transact(partition, deadline, body);
  }

  /** Writes the row by which the collector finds a blob that will expire. */
  CompletableFuture<Boolean> announceExpiry(Partition blob, long expiryTicks, Deadline deadline) {
    return removals.announce(blob, expiryTicks, deadline);
  }

  /** Runs a transaction that keeps what the account wants to keep. */
  private <R> CompletableFuture<R> keeping(
      Partition partition, Deadline deadline, TransactionBody<R> body, KeepingBody<?> keeping) {
    return protections
        .of(ServiceHome.account(partition.space()), deadline)
        .thenCompose(
            protection ->
                protection.equals(BlobProtection.NONE)
                    ? index.transact(partition, deadline, body)
                    : keeping(partition, deadline, keeping, keep(protection)))
        .toCompletableFuture();
  }

  /**
   * Runs a transaction. If it is about to delete something that can be restored, writes its row of
   * the index first and runs the transaction again.
   */
  @SuppressWarnings("unchecked") // A body has the same result, whatever it keeps.
  private <R> CompletableFuture<R> keeping(
      Partition partition, Deadline deadline, KeepingBody<?> body, Keep keep) {
    TransactionBody<R> first = (TransactionBody<R>) body.keeping(keep);
    TransactionBody<R> announced = (TransactionBody<R>) body.keeping(keep.asAnnounced());
    return index
        .transact(partition, deadline, first)
        .thenComposeAsync(
            result ->
                result instanceof TransactionResult.Unannounced
                    ? removals
                        .announce(partition, keep.endTicks(), deadline)
                        .thenComposeAsync(
                            done -> index.transact(partition, deadline, announced), workers)
                    : CompletableFuture.completedFuture(result),
            workers);
  }

  /** Returns how an account protects its blobs. */
  CompletionStage<BlobProtection> protection(String account, Deadline deadline) {
    return protections.of(account, deadline);
  }

  /** Returns what a transaction that begins now has to keep. */
  Keep keep(BlobProtection protection) {
    long end = engine.now() + protection.deletedDays() * TICKS_PER_DAY;
    return new Keep(protection.versions(), protection.deletedDays() == 0 ? 0 : end, false);
  }
}
