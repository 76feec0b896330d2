/**
 * Pessimistic lock: one process at a time works on something, and the writes of a process that lost
 * the lock are refused.
 *
 * <p>{@link io.lazuli.client.pattern.lock.AsyncBlobLock} is a lease on a blob, which is Azure's own
 * means for this. A table entity could also be a lock, but then the clients' clocks would decide
 * when it ends; with a lease the service decides. {@link io.lazuli.client.pattern.lock.HeldLock}
 * renews the lease and detects its loss. {@link io.lazuli.client.pattern.lock.AsyncFence} makes
 * writes to a partition that the service refuses after a later holder has begun.
 *
 * <h2>Guarantees</h2>
 *
 * <ul>
 *   <li>The service gives the lease to one process at a time. A later holder has a greater token.
 *   <li>Once a holder has raised the fence of a partition, no fenced write of an earlier holder
 *       changes that partition, whatever pauses and delays there are.
 *   <li>The lock of a process that died becomes free after the duration of the lease.
 *   <li>A request whose response was lost can be repeated: no token is given twice.
 * </ul>
 *
 * <p>Costs: three requests to acquire (five the first time), one to release, four renewals for each
 * duration of the lease, two to raise a fence, none more for a fenced batch. A waiting process
 * sends a request every second.
 *
 * <p>When not to use it: for a change of one entity or of one partition, because an update that is
 * conditional on the ETag is cheaper and never waits. For work that can be repeated without harm,
 * an outbox is simpler.
 */
@org.jspecify.annotations.NullMarked
package io.lazuli.client.pattern.lock;
