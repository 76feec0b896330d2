/**
 * Eventually consistent transactions: what no entity group transaction can reach is done by
 * workers, after a message, as often as it takes.
 *
 * <h2>The parts</h2>
 *
 * <p>A client changes entities of an {@link io.lazuli.client.pattern.outbox.AsyncPrimaryTable},
 * which announces every change in an {@link io.lazuli.client.pattern.outbox.Outbox}. An {@link
 * io.lazuli.client.pattern.outbox.OutboxWorker} takes the message, reads the primary again and
 * makes each {@link io.lazuli.client.pattern.outbox.Target} equal to it: a {@link
 * io.lazuli.client.pattern.outbox.TableCopy}, a {@link io.lazuli.client.pattern.outbox.BlobCopy}, a
 * {@link io.lazuli.client.pattern.outbox.FileCopy}, or anything else. An {@link
 * io.lazuli.client.pattern.outbox.AsyncMove} takes an entity to another partition or table. Whoever
 * needs none of these uses the outbox and an {@link io.lazuli.client.pattern.outbox.IdempotentStep}
 * alone.
 *
 * <h2>What is promised</h2>
 *
 * <ul>
 *   <li>Once the primary is written, every target becomes equal to it, wherever clients and workers
 *       die, as long as some worker runs. If it is not written, nothing happens to the targets.
 *   <li>A copy never goes back to an older version, whatever the order and number of messages, for
 *       it carries the version of its primary and every write is conditioned on what was read.
 *   <li>What was deleted does not come back, for markers with versions stay where entities were,
 *       longer than any worker takes.
 * </ul>
 *
 * <h2>What is not</h2>
 *
 * <p>There is no isolation: between the write and the worker, readers see a new primary and old
 * copies. And all of it holds for tables that are written through this package only.
 */
@org.jspecify.annotations.NullMarked
package io.lazuli.client.pattern.outbox;
