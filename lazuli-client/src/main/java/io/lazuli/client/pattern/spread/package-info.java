/**
 * Key spreader: avoids the hot spot that a table gets when all inserts go to one end of it.
 *
 * <p>If the partition key grows with time, or is the same for everything that is written now, one
 * server takes every insert while the others are idle. {@link
 * io.lazuli.client.pattern.spread.KeySpreader} puts a bucket in front of the partition key, {@code
 * 07_Sales}, by a stable hash of something that differs from entity to entity (the guide's {@code
 * department_employee}); {@link io.lazuli.client.pattern.spread.AsyncSpread} reads all buckets at
 * the same time and merges them in the order of their row keys.
 *
 * <h2>Guarantees</h2>
 *
 * <ul>
 *   <li>The same id has the same bucket, in every process and version: it is the CRC-32 of the id
 *       in UTF-8, modulo the number of buckets. Ids spread evenly.
 *   <li>A query over all buckets returns every entity once, in the order of the row keys, and
 *       fetches entities as they are read.
 * </ul>
 *
 * <h2>More buckets</h2>
 *
 * <p>The number can grow but never shrink: {@code KeySpreader.of(16).grownTo(32)}. Nothing is
 * moved. New entities go to a bucket of the new number; {@code find} tries that bucket first, and
 * then the buckets of the earlier numbers. The rule: first all readers must use the new number,
 * then the writers may. An older entity stays where it is: to change or delete it, use the key it
 * was found with, because a write by id would create a second entity.
 *
 * <p>Costs: one request for a write or a find (a find that misses sends one for each number of
 * buckets there has been); at least one request for each bucket for a query. No transaction spans
 * buckets. When not to use it: if most reads concern one partition, or the load is small; a
 * partition can take about 2,000 entities per second.
 */
@org.jspecify.annotations.NullMarked
package io.lazuli.client.pattern.spread;
