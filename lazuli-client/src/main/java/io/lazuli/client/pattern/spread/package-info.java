/**
 * Key spreader: against the hot spot that a table gets when all inserts go to one end of it.
 *
 * <p>If the partition key grows with time, or is one for all that is written now, one server takes
 * every insert while the others wait. {@link io.lazuli.client.pattern.spread.KeySpreader} puts a
 * bucket in front of the partition key, {@code 07_Sales}, by a stable hash of something that
 * differs from entity to entity (the guide's {@code department_employee}); {@link
 * io.lazuli.client.pattern.spread.AsyncSpread} reads all buckets at once and merges them in order
 * of their row keys.
 *
 * <h2>What is promised</h2>
 *
 * <ul>
 *   <li>The same id has the same bucket, in every process and version: it is the CRC-32 of the id
 *       in UTF-8, modulo the number of buckets. Ids spread evenly.
 *   <li>A query over all buckets gives every entity once, in the order of the row keys, and fetches
 *       as it is read.
 * </ul>
 *
 * <h2>More buckets</h2>
 *
 * <p>The number can grow, never shrink: {@code KeySpreader.of(16).grownTo(32)}. Nothing is moved.
 * New entities go to a bucket of the new number; {@code find} looks there, and then where the
 * earlier numbers would have put it. The rule: first all readers must know the new number, then the
 * writers may. And an entity from before stays where it is: to change or delete it, use the key it
 * was found with, for a write by id would make a second one.
 *
 * <p>Costs: a write and a find, one request (a find that misses, one for each number of buckets
 * there has been); a query, at least one request for each bucket. No transaction spans buckets.
 * When not to use it: if what is read is one partition most of the time, or the load is small; a
 * partition takes some 2,000 entities a second.
 */
@org.jspecify.annotations.NullMarked
package io.lazuli.client.pattern.spread;
