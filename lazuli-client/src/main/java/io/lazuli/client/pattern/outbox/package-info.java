/**
 * Eventually consistent transactions: when a change does not fit in one entity group transaction,
 * workers receive a message about it and repeat the remaining writes until they succeed.
 *
 * <h2>The parts</h2>
 *
 * <p>A client changes entities of an {@link io.lazuli.client.pattern.outbox.AsyncPrimaryTable},
 * which announces every change in an {@link io.lazuli.client.pattern.outbox.Outbox}. An {@link
 * io.lazuli.client.pattern.outbox.OutboxWorker} receives the message, reads the primary again and
 * makes each {@link io.lazuli.client.pattern.outbox.Target} that the table declares equal to it: an
 * index across partitions ({@link io.lazuli.client.pattern.outbox.AsyncPartitionIndex}), a {@link
 * io.lazuli.client.pattern.outbox.BlobCopy}, a {@link io.lazuli.client.pattern.outbox.FileCopy}, or
 * another implementation. An {@link io.lazuli.client.pattern.outbox.AsyncMove} moves an entity to
 * another partition or table. If you need none of these, use only the outbox and an {@link
 * io.lazuli.client.pattern.outbox.IdempotentStep}.
 *
 * <h2>Guarantees</h2>
 *
 * <ul>
 *   <li>Once the primary is written, every target becomes equal to it, wherever clients and workers
 *       crash, as long as some worker runs. If it is not written, the targets do not change.
 *   <li>A copy never returns to an older version, whatever the order and number of messages,
 *       because it stores the version of its primary and every write is conditional on the state
 *       that was read.
 *   <li>A deleted entity is not restored, because tombstones with versions stay longer than any
 *       worker takes.
 * </ul>
 *
 * <h2>Limits</h2>
 *
 * <p>There is no isolation: between the write and the worker, readers see a new primary and old
 * copies. All of this holds only for tables that are written through this package.
 *
 * <p>The package has more than 30 types: tables, indexes and moves share the format of rows,
 * versions and messages, which no other package may see.
 */
@org.jspecify.annotations.NullMarked
package io.lazuli.client.pattern.outbox;
